# SPDX-License-Identifier: MIT
"""What SQLite and SQLCipher report, as errors that a person or a caller can act on.

Result codes: https://sqlite.org/rescode.html. ``sqlite_errorname`` is the primary code.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final

import sqlcipher3

from memory_gui.domain.errors import Cancelled, MemoryGuiError, UserError

_CODES: Final = MappingProxyType(
    {
        "SQLITE_BUSY": "store.locked",
        "SQLITE_LOCKED": "store.locked",
        "SQLITE_PROTOCOL": "store.locked",
        "SQLITE_FULL": "store.disk_full",
        "SQLITE_CORRUPT": "store.damaged",
        "SQLITE_NOTADB": "store.damaged",  # while opening it means other things: see connection.py
        "SQLITE_FORMAT": "store.damaged",
        "SQLITE_READONLY": "store.read_only",
        "SQLITE_CANTOPEN": "store.cannot_open",
        "SQLITE_PERM": "store.no_permission",
        "SQLITE_IOERR": "store.io",
        "SQLITE_AUTH": "store.forbidden",
    }
)


DAMAGED: Final = frozenset({"store.damaged", "store.part_damaged", "store.cut_off"})
"""The codes that say that a database is not whole."""


class ConstraintFailed(UserError):  # noqa: N818 - says what happened, as SQLite does
    """A unique, check, not-null or foreign key rule of the store, or a trigger, said no."""

    def __init__(self, path: str) -> None:
        super().__init__("store.constraint", path=path)


class StatementFailed(MemoryGuiError):  # noqa: N818 - says what happened
    """A bug: SQLite does not accept the statement. ``sqlite_says`` may quote it; never log it."""

    def __init__(self, name: str, sqlite_says: str) -> None:
        super().__init__(name)
        self.name = name
        self.sqlite_says = sqlite_says


def name_of(error: sqlcipher3.Error) -> str:
    """``SQLITE_BUSY`` and so on; empty where the error comes from the module itself."""
    return str(getattr(error, "sqlite_errorname", "") or "")


def understand(error: sqlcipher3.Error, path: Path) -> Exception:
    """The error to raise instead. Never holds SQLite's own text, which may quote content."""
    name = name_of(error)
    if name == "SQLITE_INTERRUPT":
        return Cancelled()
    if name == "SQLITE_NOMEM":
        return MemoryError()
    if name == "SQLITE_CONSTRAINT":
        return ConstraintFailed(str(path))
    if name in _CODES:
        return UserError(_CODES[name], path=str(path))
    return StatementFailed(name or type(error).__name__, str(error))


@contextmanager
def understood(path: Path) -> Iterator[None]:
    """Raise ``understand``'s error for any of sqlcipher3's inside."""
    try:
        yield
    except sqlcipher3.Error as error:
        raise understand(error, path) from error
    except OverflowError as error:  # a number of Python's that SQLite has no room for
        raise UserError("store.number", path=str(path)) from error
