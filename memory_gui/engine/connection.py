# SPDX-License-Identifier: MIT
"""Opening a database: evidence, key, first read, pragmas read back, authorizer; in that order."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import sqlcipher3

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, Passphrase
from memory_gui.engine.authorizer import Powers
from memory_gui.engine.database import Connection, Row, SchemaRow
from memory_gui.engine.errors import name_of, understand, understood
from memory_gui.engine.evidence import Evidence, inspect
from memory_gui.engine.floor import require_floor
from memory_gui.engine.gate import GATE
from memory_gui.engine.keying import key_text
from memory_gui.engine.sql import file_uri

__all__ = ["BUSY_MS", "Connection", "Powers", "Row", "SchemaRow", "open_database"]

BUSY_MS: Final = 5_000
"""How long a lock of another program is waited for, in ms."""

_ALWAYS: Final = (
    ("trusted_schema", "OFF", 0),
    ("cell_size_check", "ON", 1),
    ("mmap_size", "0", 0),
    ("temp_store", "MEMORY", 2),
)
_LOOKING: Final = (("query_only", "ON", 1),)
# EXTRA: with a rollback journal, FULL lets a power cut bring deleted rows back (ERASURE 7).
_WRITING: Final = (("secure_delete", "ON", 1), ("synchronous", "EXTRA", 3))


def open_database(
    path: Path,
    key: Key | None,
    *,
    write: bool,
    busy_ms: int = BUSY_MS,
    maintain: bool = False,
) -> Connection:
    """Open an existing database in the calling thread.

    Without ``write`` the database's bytes stay as they are. ``maintain`` (implies ``write``) is
    for the eraser and rotation in a process of their own. A passphrase without a compatibility is
    tried as SQLCipher 4, then 3.

    Raises:
        UserError: what ``evidence.inspect`` raises, ``engine.too_old``, ``key.needed``,
            ``key.wrong``, ``key.not_encrypted``, ``store.damaged``, ``store.locked``,
            ``store.read_only``, ``store.replaced``, ``store.cannot_open``, ``store.io``.
    """
    require_floor()
    evidence = inspect(path)
    _match(evidence, key)
    powers = Powers.MAINTAIN if maintain else Powers.CHANGE if write else Powers.LOOK
    if powers is not Powers.LOOK:
        _require_writable(evidence)
    for compatibility in _compatibilities(key):
        connection = _try(evidence, key, compatibility, powers, busy_ms)
        if connection is not None:
            return connection
    raise _unopened(evidence)


def _match(evidence: Evidence, key: Key | None) -> None:
    if evidence.head == "plain" and key is not None:
        raise UserError("key.not_encrypted", path=str(evidence.path))
    if evidence.head == "random" and key is None:
        raise UserError("key.needed", path=str(evidence.path), reason="none")


def _require_writable(evidence: Evidence) -> None:
    # Without a writable folder no journal can be made beside the file.
    if not (evidence.writable and evidence.folder_writable):
        raise UserError("store.read_only", path=str(evidence.path))


def _compatibilities(key: Key | None) -> tuple[int, ...]:
    if not isinstance(key, Passphrase):
        return (0,)
    return (key.compatibility,) if key.compatibility else (4, 3)


def _try(
    evidence: Evidence, key: Key | None, compatibility: int, powers: Powers, busy_ms: int
) -> Connection | None:
    """A connection, or None when the key does not fit in this way."""
    mode = "ro" if powers is Powers.LOOK else "rw"
    with understood(evidence.path):
        raw = connect(file_uri(evidence.path, mode=mode), busy_ms)
    try:
        unlock(raw, key, compatibility)
        if not first_read(raw):
            _shut(raw)
            return None
        harden(raw, powers)
        connection = Connection(
            raw,
            evidence.path,
            powers=powers,
            encrypted=key is not None,
            source="file",
            identity=(evidence.device, evidence.inode),
        )
        connection.check_same_file()
    except sqlcipher3.Error as error:
        _shut(raw)
        raise understand(error, evidence.path) from error
    except BaseException:
        _shut(raw)
        raise
    return connection


def _unopened(evidence: Evidence) -> UserError:
    code = "key.wrong" if evidence.head == "random" else "store.damaged"
    return UserError(code, path=str(evidence.path))


def connect(uri: str, busy_ms: int) -> sqlcipher3.Connection:
    """A raw connection that logs nothing. Only engine code may hold one."""
    with GATE:
        raw = sqlcipher3.connect(uri, uri=True, timeout=busy_ms / 1000, isolation_level=None)
    raw.execute("PRAGMA cipher_log_level = NONE").fetchall()
    raw.text_factory = partial(str, encoding="utf-8", errors="replace")
    return raw


def unlock(raw: sqlcipher3.Connection, key: Key | None, compatibility: int = 0) -> None:
    """Give the key by ``set_key``: as statement text it would stay in the statement cache."""
    if key is not None:
        raw.set_key(key_text(key))
    if compatibility:
        raw.execute(f"PRAGMA cipher_compatibility = {int(compatibility)}").fetchall()


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
    wanted = _ALWAYS + (_LOOKING if powers is Powers.LOOK else _WRITING)
    for name, value, expected in wanted:
        raw.execute(f"PRAGMA {name} = {value}").fetchall()
        row = raw.execute(f"PRAGMA {name}").fetchone()
        if row is None or int(row[0]) != expected:
            raise UserError("engine.pragma", pragma=name)


def _shut(raw: sqlcipher3.Connection) -> None:
    with GATE:
        raw.close()
