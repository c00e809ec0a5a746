# SPDX-License-Identifier: MIT
"""New database files: readable by their owner only, and never on top of anything."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from types import MappingProxyType
from typing import Final

import sqlcipher3

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import ANY_CIPHER, Key
from memory_gui.engine.authorizer import Powers
from memory_gui.engine.connection import BUSY_MS, open_database
from memory_gui.engine.errors import name_of, understand
from memory_gui.engine.floor import require_floor
from memory_gui.engine.gate import GATE
from memory_gui.engine.raw import connect, harden, shut, unlock
from memory_gui.engine.sql import file_uri

_CODES: Final = MappingProxyType(
    {
        errno.ENOSPC: "store.disk_full",
        errno.EDQUOT: "store.disk_full",
        errno.EROFS: "store.read_only",
    }
)
_JOURNAL_MODES: Final = frozenset({"delete", "wal", "persist", "truncate"})


def create_empty(path: Path) -> None:
    """Make an empty file, 0600, where there was nothing; links are not followed.

    Raises:
        UserError: ``store.exists``, ``store.no_folder``, ``store.no_permission``,
            ``store.disk_full``, ``store.read_only``, ``store.io``.
    """
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
    try:
        with GATE:
            os.close(os.open(path, flags, 0o600))
    except FileExistsError as error:
        raise UserError("store.exists", path=str(path)) from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UserError("store.no_folder", path=str(path.parent)) from error
    except PermissionError as error:
        raise UserError("store.no_permission", path=str(path)) from error
    except OSError as error:
        code = _CODES.get(error.errno or 0, "store.io")
        raise UserError(code, path=str(path)) from error


def create_database(
    path: Path, key: Key | None, script: str, *, journal_mode: str = "delete"
) -> None:
    """Make a database with the tables of ``script`` (run as one transaction), and prove it opens.

    When anything fails, nothing is left behind.

    Raises:
        UserError: as ``create_empty`` and ``open_database``.
    """
    if journal_mode not in _JOURNAL_MODES:
        raise ValueError(journal_mode)
    require_floor()
    create_empty(path)
    try:
        _fill(path, key, script, journal_mode)
        open_database(path, key, write=False).close()
    except BaseException:
        for suffix in ("", "-wal", "-shm", "-journal"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        raise


def _fill(path: Path, key: Key | None, script: str, journal_mode: str) -> None:
    settings = ANY_CIPHER if key is None else key.settings
    try:
        raw = connect(file_uri(path, mode="rw"), BUSY_MS)
        try:
            unlock(raw, key, settings)
            harden(raw, Powers.CHANGE)
            raw.executescript(f"BEGIN;\n{script}\n;COMMIT;")
            if journal_mode != "delete":
                raw.execute(f"PRAGMA journal_mode = {journal_mode}").fetchall()
        finally:
            shut(raw)
    except sqlcipher3.Error as error:
        if name_of(error) == "SQLITE_NOTADB":
            raise UserError("store.io", path=str(path)) from error
        raise understand(error, path) from error
