# SPDX-License-Identifier: MIT
"""An Agentao store with a past, and what SQLite says of it: for the trials of ``bench.py``.

Statements and texts are this file's own; of the package only the agent's layout is taken. Every
text that must go consists of ``MARK`` and a number. Run as a program it is asked for one thing a
line (``{"do": "look", "path": …, "key": …}``): a process of its own, which has no other connection.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

MARK = "zqkvcanaryjw"
KEY = "c0ffee11" * 8
NEW_KEY = "0ddba11e" * 8
KEPT, TARGETS, BIG = 30, 9, (2, 7)
AT = "2026-10-03T08:30:00"


def target_id(number: int) -> str:
    return f"{0xBEEF0000 + number:08x}"


TARGET_IDS = tuple(map(target_id, range(TARGETS)))


def target_text(number: int, version: int) -> str:
    size = 9000 if number in BIG else 350
    unit = f"{MARK}{number:04d}v{version} "
    return (unit * (size // len(unit) + 1))[:size].strip()


def kept_text(number: int) -> str:
    size = 9000 if number == 20 else 200 + number * 7 % 120
    return " ".join(f"word{number * i % 97}" for i in range(2000))[:size]


def connect(path: Path | str, key: str | None) -> Any:
    from sqlcipher3 import dbapi2  # noqa: PLC0415 - texts of this file are wanted without it, too

    connection = dbapi2.connect(str(path), isolation_level=None, timeout=2)
    connection.execute("PRAGMA cipher_log_level = NONE").fetchall()
    if key is not None:
        connection.execute(f"PRAGMA key=\"x'{key}'\"")
    return connection


def make(path: Path, key: str | None, journal: str) -> None:
    """Build it and die: in WAL a log stays, in DELETE a hot journal of an edit that never was."""
    from memory_gui.stores.formats.agentao.create import SCRIPT  # noqa: PLC0415 - as above

    connection = connect(path, key)
    os.chmod(path, 0o600)
    connection.execute(f"PRAGMA journal_mode = {journal}").fetchall()
    connection.execute("PRAGMA secure_delete = OFF").fetchall()
    connection.executescript(SCRIPT)
    connection.execute("BEGIN")
    for number in range(KEPT):
        _memory(connection, f"{number:08x}", f"kept title {number}", kept_text(number))
        if number % 5 == 0:
            _target(connection, number // 5)
    for number in range(KEPT // 5, TARGETS):  # the newest ones lie at the end of the file
        _target(connection, number)
    connection.execute("COMMIT")
    for version in (1, 2):
        for number in range(TARGETS):
            text = target_text(number, version)
            connection.execute(
                "UPDATE memories SET content = ? WHERE id = ?", (text, target_id(number))
            )
    if journal == "delete":
        connection.execute("PRAGMA cache_size = 3").fetchall()
        connection.execute("BEGIN")
        connection.execute("UPDATE memories SET content = 'never was' || content")
    os._exit(0)


def _target(connection: Any, number: int) -> None:
    title, text = f"{MARK}{number:04d} title", target_text(number, 0)
    _memory(connection, target_id(number), title, text)
    connection.execute(
        "INSERT INTO memory_review_queue (id, scope, type, key_normalized, title, content,"
        " evidence, status, created_at, updated_at)"
        " VALUES (?, 'project', 'note', ?, ?, ?, ?, 'approved', ?, ?)",
        (f"{number:012x}", _key(title), title, text[:300], "said: " + text[:80], AT, AT),
    )


def _memory(connection: Any, name: str, title: str, text: str) -> None:
    connection.execute(
        "INSERT INTO memories (id, scope, type, key_normalized, title, content, created_at,"
        " updated_at) VALUES (?, 'project', 'note', ?, ?, ?, ?, ?)",
        (name, _key(title), title, text, AT, AT),
    )
    connection.execute(
        "INSERT INTO memory_events (memory_id, event_type, timestamp) VALUES (?, 'create', ?)",
        (name, AT),
    )


def _key(title: str) -> str:
    return title.lower().replace(" ", "_")


def look(path: Path, key: str | None) -> dict[str, Any]:
    """What SQLite finds. Works a log or a journal in: for a copy, or when all is done."""
    connection = connect(path, key)
    try:

        def one(sql: str) -> Any:
            return connection.execute(sql).fetchone()[0]

        texts = dict(connection.execute("SELECT id, content FROM memories"))
        mode = one("PRAGMA journal_mode")
        if mode == "wal":  # cipher_integrity_check reads the file alone, without its log
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return {
            "mode": mode,
            "integrity": one("PRAGMA integrity_check"),
            "forged": len(connection.execute("PRAGMA cipher_integrity_check").fetchall()),
            "intact": all(texts.get(f"{n:08x}") == kept_text(n) for n in range(KEPT)),
            "targets": sum(texts.get(name) is not None for name in TARGET_IDS),
            "reviews": one("SELECT count(*) FROM memory_review_queue"),
            "events": one("SELECT count(*) FROM memory_events WHERE memory_id LIKE 'beef%'"),
            "others": len(texts) - KEPT - sum(name in texts for name in TARGET_IDS),
            "free": int(one("PRAGMA freelist_count")),
        }
    finally:
        connection.close()


def opens(path: Path, key: str | None) -> bool:
    """Whether the key opens it."""
    from sqlcipher3 import dbapi2  # noqa: PLC0415 - as above

    connection = connect(path, key)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    except dbapi2.DatabaseError:
        return False
    finally:
        connection.close()
    return True


def hits(path: Path, key: str | None) -> int:
    """How often the mark lies in the bytes of the database and its logs, in clear or by the key."""
    found = 0
    for role in ("", "-wal", "-journal"):
        try:
            data = Path(f"{path}{role}").read_bytes()
        except FileNotFoundError:
            continue
        found += data.count(MARK.encode())
        for shift in range(16) if key else ():
            size = (len(data) - shift) // 16 * 16
            cipher = Cipher(algorithms.AES(bytes.fromhex(key or "")), modes.CBC(bytes(16)))
            clear = cipher.decryptor().update(data[shift : shift + size])
            found += clear.count(MARK.encode())
    return found


def made(path: Path, key: str | None, journal: str) -> None:
    """``make`` in a process of its own, which dies of it."""
    pid = os.fork()
    if pid == 0:
        make(path, key, journal)
    os.waitpid(pid, 0)


def _answer(message: dict[str, Any]) -> dict[str, Any]:
    path, key = Path(message["path"]), message["key"]
    match message["do"]:
        case "make":
            made(path, key, message["journal"])
            return {}
        case "look":
            return look(path, key)
        case "opens":
            return {"opens": opens(path, key)}
        case _:
            return {"hits": hits(path, key)}


def main() -> None:
    for line in sys.stdin:
        try:
            answer = {"status": 0, **_answer(json.loads(line))}
        except Exception:
            answer = {"status": 1, "error": traceback.format_exc()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
