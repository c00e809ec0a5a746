# SPDX-License-Identifier: MIT
"""What an erase is compared with: the bare recipe with its checks, as somebody writes it once.

``bare_erase.py DATABASE``; standard input: key and new key (hex), then the records' ids, a line
each. It zeroes no log and no tail, proves nothing, asks nobody and can be stopped nowhere.
"""

import sys

import sqlcipher3


def opened(path: str, key: str) -> sqlcipher3.Connection:
    connection = sqlcipher3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA key = \"x'{key}'\"")
    return connection


def main() -> None:
    key, new, *ids = sys.stdin.read().split()
    connection = opened(sys.argv[1], key)
    connection.execute("PRAGMA secure_delete = ON").fetchall()
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany("DELETE FROM memories WHERE id = ?", [(one,) for one in ids])
    connection.execute("COMMIT")
    for statement in (
        "PRAGMA wal_checkpoint(TRUNCATE)",
        "VACUUM",
        "PRAGMA wal_checkpoint(TRUNCATE)",
        f"PRAGMA rekey = \"x'{new}'\"",
        "PRAGMA wal_checkpoint(TRUNCATE)",
    ):
        connection.execute(statement).fetchall()
    connection.close()
    connection = opened(sys.argv[1], new)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA cipher_integrity_check").fetchall() == []
    connection.close()


main()
