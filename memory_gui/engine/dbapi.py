# SPDX-License-Identifier: MIT
"""sqlcipher3's own DB-API connections, for the programs that own a store: agents.

An agent makes its tables, changes its journal mode and keeps its transactions as its own code
says, so none of ``engine.connection``'s bounds stand here; the pragmas of every connection of ours
do. Evidence, left logs and cut-off files are looked at by ``open_database``, once, before.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import sqlcipher3

from memory_gui.domain.keys import ANY_CIPHER, Key
from memory_gui.engine.authorizer import Powers
from memory_gui.engine.errors import name_of
from memory_gui.engine.gate import GATE
from memory_gui.engine.raw import first_read, harden, keep_journal, shut, unlock
from memory_gui.engine.sql import file_uri

__all__ = ["DatabaseError", "Row", "Unfit", "name_of", "open_raw", "shut"]

DatabaseError: Final = sqlcipher3.Error
"""What sqlcipher3 raises: the names of its classes below are those of ``sqlite3``."""
Row: Final = sqlcipher3.Row


class Unfit(Exception):  # noqa: N818 - says what happened
    """The key does not open the file, or it is no database; which of both, evidence tells."""


def open_raw(
    path: Path,
    key: Key | None,
    *,
    timeout: float,
    isolation_level: str | None,
    check_same_thread: bool,
) -> sqlcipher3.Connection:
    """A keyed, read and hardened connection to an existing file.

    ``timeout`` in seconds. Errors are sqlcipher3's own.

    Raises:
        Unfit: as its class says. UserError: ``engine.pragma``.
    """
    with GATE:
        raw = sqlcipher3.connect(
            file_uri(path, mode="rw"),
            uri=True,
            timeout=timeout,
            isolation_level=isolation_level,
            check_same_thread=check_same_thread,
        )
    try:
        raw.execute("PRAGMA cipher_log_level = NONE").fetchall()
        unlock(raw, key, ANY_CIPHER if key is None else key.settings)
        if not first_read(raw):
            raise Unfit
        harden(raw, Powers.CHANGE)
        keep_journal(raw, path)
    except BaseException:
        shut(raw)
        raise
    return raw
