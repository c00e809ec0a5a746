# SPDX-License-Identifier: MIT
"""A database that one process has to itself: opening it so, and looking at it once more after.

For the eraser's process alone.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import sqlcipher3

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import CipherSettings, Key
from memory_gui.engine.authorizer import Powers
from memory_gui.engine.connection import open_database
from memory_gui.engine.database import Connection
from memory_gui.engine.errors import understand
from memory_gui.engine.evidence import SIDECARS, inspect
from memory_gui.engine.floor import require_floor
from memory_gui.engine.gate import GATE
from memory_gui.engine.keying import ways
from memory_gui.engine.raw import connect, first_read, harden, unlock
from memory_gui.engine.sql import file_uri

BUSY_MS: Final = 2_000


def open_alone(path: Path, key: Key | None, busy_ms: int = BUSY_MS) -> Connection:
    """The only connection: its lock mode is exclusive *before* anything is read.

    A rollback journal that a killed program left is rolled back by the first read; in
    exclusive mode SQLite keeps that file (with a zeroed header) instead of unlinking old rows
    into free space.

    Raises:
        UserError: as ``open_database``; ``raw.hard_links``; ``store.locked``.
    """
    require_floor()
    found = inspect(path)
    if found.is_encrypted and key is None:
        raise UserError("key.needed", path=str(path), reason="none")
    if found.head == "half":
        raise UserError("store.half_header", path=str(found.path))
    if found.head == "plain" and key is not None:
        raise UserError("key.not_encrypted", path=str(path))
    if not (found.writable and found.folder_writable):
        raise UserError("store.read_only", path=str(found.path))
    _refuse_shared_logs(found.path)
    for settings in ways(key, found):
        raw = _open_exclusive(found.path, key, settings, busy_ms)
        if raw is None:
            continue
        connection = Connection(
            raw,
            found.path,
            powers=Powers.MAINTAIN,
            encrypted=key is not None,
            source="file",
            identity=(found.device, found.inode),
        )
        try:
            connection.check_same_file()
            if connection.cipher.get("cipher_use_hmac", "1") == "0":
                # Nobody could tell afterwards which pages are genuine: nothing can be proved.
                raise UserError("store.no_page_checks", path=str(found.path))
            return connection
        except BaseException:
            connection.close()
            raise
    code = "key.wrong" if found.head == "random" else "store.damaged"
    raise UserError(code, path=str(found.path))


def check_fresh(path: Path, key: Key | None) -> str:
    """Step 13b: a fresh connection finds the database whole.

    Raises:
        UserError: ``store.damaged`` and what ``open_database`` raises.
    """
    try:
        return _check_whole(path, key, alone=True)
    except UserError as error:
        if error.code != "store.locked":
            raise
    # An agent took up its work again as soon as we had let go: look beside it.
    return _check_whole(path, key, alone=False)


def _check_whole(path: Path, key: Key | None, *, alone: bool) -> str:
    with open_database(path, key, write=True, maintain=True, busy_ms=BUSY_MS) as connection:
        if alone:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        whole = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(1)")]
        forged = connection.execute("PRAGMA cipher_integrity_check") if key is not None else []
        if whole != ["ok"] or forged:
            raise UserError("store.damaged", path=str(path))
    return "ok"


def _open_exclusive(
    path: Path, key: Key | None, settings: CipherSettings, busy_ms: int
) -> sqlcipher3.Connection | None:
    try:
        raw = connect(file_uri(path, mode="rw"), busy_ms)
    except sqlcipher3.Error as error:
        raise understand(error, path) from error
    try:
        unlock(raw, key, settings)
        raw.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        if not first_read(raw):
            with GATE:
                raw.close()
            return None
        harden(raw, Powers.MAINTAIN)
    except sqlcipher3.Error as error:
        with GATE:
            raw.close()
        raise understand(error, path) from error
    except BaseException:
        with GATE:
            raw.close()
        raise
    return raw


def _refuse_shared_logs(path: Path) -> None:
    """SQLite itself writes to whatever lies in a log's place: refuse before it can.

    Links and devices were refused by ``evidence.inspect``.

    Raises:
        UserError: ``raw.hard_links``.
    """
    for role in SIDECARS:
        name = f"{path}{role}"
        try:
            status = os.lstat(name)
        except FileNotFoundError:
            continue
        if status.st_nlink != 1:
            code = "raw.hard_links" if status.st_nlink else "raw.not_open"
            raise UserError(code, path=name, names=status.st_nlink)
