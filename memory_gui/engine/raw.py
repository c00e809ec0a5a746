# SPDX-License-Identifier: MIT
"""sqlcipher3's own connections, from the first byte to the last pragma. For the engine alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import sqlcipher3

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import ANY_CIPHER, CipherSettings, Key
from memory_gui.engine.authorizer import Powers
from memory_gui.engine.errors import name_of
from memory_gui.engine.gate import GATE
from memory_gui.engine.keying import key_text, pragmas

_ALWAYS: Final = (
    ("trusted_schema", "OFF", 0),
    ("cell_size_check", "ON", 1),
    ("mmap_size", "0", 0),
    ("temp_store", "MEMORY", 2),
)
_LOOKING: Final = (("query_only", "ON", 1),)
# EXTRA: with a rollback journal, FULL lets a power cut bring deleted rows back (ERASURE 7).
_WRITING: Final = (("secure_delete", "ON", 1), ("synchronous", "EXTRA", 3))


def connect(
    uri: str, busy_ms: int, prepare: Callable[[], None] | None = None
) -> sqlcipher3.Connection:
    """A raw connection that logs nothing to stderr, neither keyed nor read.

    ``prepare`` runs when SQLite has opened the file and read nothing of it but its size.
    """
    with GATE:
        raw = sqlcipher3.connect(uri, uri=True, timeout=busy_ms / 1000, isolation_level=None)
    if prepare is not None:
        try:
            prepare()
        except BaseException:
            shut(raw)
            raise
    raw.execute("PRAGMA cipher_log_level = NONE").fetchall()
    raw.text_factory = partial(str, encoding="utf-8", errors="replace")
    return raw


def shut(raw: sqlcipher3.Connection) -> None:
    """Close it."""
    with GATE:
        raw.close()


def unlock(
    raw: sqlcipher3.Connection, key: Key | None, settings: CipherSettings = ANY_CIPHER
) -> None:
    """Give the key by ``set_key``: as statement text it would stay in the statement cache."""
    if key is None:
        return
    raw.set_key(key_text(key))
    for setting in pragmas(key, settings):
        raw.execute(f"PRAGMA {setting}").fetchall()


def first_read(raw: sqlcipher3.Connection) -> bool:
    """Whether the file can be read with this key; only here a wrong key shows."""
    try:
        raw.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlcipher3.DatabaseError as error:
        if name_of(error) == "SQLITE_NOTADB":
            return False
        raise
    return True


def harden(raw: sqlcipher3.Connection, powers: Powers) -> None:
    """Set the pragmas and believe none before it was read back.

    Raises:
        UserError: ``engine.pragma``.
    """
    for name, value, expected in _ALWAYS + (_LOOKING if powers is Powers.LOOK else _WRITING):
        raw.execute(f"PRAGMA {name} = {value}").fetchall()
        row = raw.execute(f"PRAGMA {name}").fetchone()
        if row is None or int(row[0]) != expected:
            raise UserError("engine.pragma", pragma=name)


def keep_journal(raw: sqlcipher3.Connection, path: Path) -> None:
    """A journal that is kept as a file goes on being kept: with PERSIST it is never unlinked.

    One that lies there while nobody writes was kept on purpose (``services.erasing.standing``): a
    hot one was rolled back by the first read, and another writer's is seen by its lock.
    """
    journal = Path(f"{path}-journal")
    if not journal.exists() or _mode(raw) != "delete":
        return
    try:
        raw.execute("BEGIN IMMEDIATE")
    except sqlcipher3.OperationalError:
        return
    kept = journal.exists()
    raw.execute("ROLLBACK")
    if kept:
        raw.execute("PRAGMA journal_mode = PERSIST").fetchall()


def _mode(raw: sqlcipher3.Connection) -> str:
    return str(raw.execute("PRAGMA journal_mode").fetchone()[0]).lower()


def is_sound(raw: sqlcipher3.Connection) -> bool:
    """Whether SQLite finds the structure whole (``quick_check``)."""
    try:
        return bool(raw.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)])
    except sqlcipher3.DatabaseError:
        return False


def key_fits_elsewhere(raw: sqlcipher3.Connection, size: int) -> bool:
    """Whether some pages carry a valid MAC under this key though the first one does not.

    With a wrong key every page fails. ``size`` is the file's, in bytes.
    """
    failed = bad_pages(raw)
    return 0 < failed < size // int(raw.execute("PRAGMA cipher_page_size").fetchone()[0])


def bad_pages(raw: sqlcipher3.Connection) -> int:
    """How many pages carry no valid MAC under the key; -1 when that cannot be told."""
    try:
        lines = raw.execute("PRAGMA cipher_integrity_check").fetchall()
    except sqlcipher3.DatabaseError:
        return -1
    return sum("HMAC verification failed" in str(line) for (line,) in lines)
