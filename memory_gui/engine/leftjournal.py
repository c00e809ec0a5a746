# SPDX-License-Identifier: MIT
"""A rollback journal that was kept as a file between two changes: PERSIST and TRUNCATE.

Only WAL is written into a database's file; the other modes live in connections, and what is left
of them beside the file is their journal (sqlite.org/pragma.html#pragma_journal_mode).
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

PERSIST: Final = "persist"
TRUNCATE: Final = "truncate"
_HEADER: Final = 8
"""PERSIST zeroes a journal's header: it begins with zeros instead of its magic."""


def left_journal(path: Path) -> str:
    """``persist`` or ``truncate`` where such a journal lies beside a database, else empty.

    For a process that has no connection to the database: the file is opened and closed here.
    """
    journal = f"{path}-journal"
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        found = os.lstat(journal)
        if not stat.S_ISREG(found.st_mode):
            return ""
        if not found.st_size:
            return TRUNCATE
        number = os.open(journal, flags)
    except OSError:
        return ""
    try:
        head = os.read(number, _HEADER)
    finally:
        os.close(number)
    return "" if head.strip(b"\0") else PERSIST


def kept_mode(mode: str, left: str) -> str:
    """The mode that the file's writers use, from what SQLite says and what lies beside it."""
    return left if left and mode == "delete" else mode
