# SPDX-License-Identifier: MIT
"""Errors as an agent expects them: classes of ``sqlite3``, whichever library raised them.

Agents tell a broken database from a bug by the class, Agentao even by its module's name; with
sqlcipher3's own classes one bad page would end every turn. This is the only module that imports
anything of ``sqlite3``, and it imports exception classes only: no connection is ever made by it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.engine.dbapi import DatabaseError, name_of
from memory_gui.engine.errors import DAMAGED
from memory_gui.words import Words
from memory_gui.words.errors import explain

_ENGLISH: Final = Words("en")
_CLASSES: Final = MappingProxyType(
    {
        made.__name__: made
        for made in (
            sqlite3.DataError,
            sqlite3.DatabaseError,
            sqlite3.Error,
            sqlite3.IntegrityError,
            sqlite3.InterfaceError,
            sqlite3.InternalError,
            sqlite3.NotSupportedError,
            sqlite3.OperationalError,
            sqlite3.ProgrammingError,
        )
    }
)
_TRANSIENT: Final = frozenset({"SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_IOERR", "SQLITE_FULL"})
"""Say nothing about what the file holds, whatever class the library gives them."""


class StoreUnavailable(UserError, sqlite3.OperationalError):  # noqa: N818 - says what happened
    """The store cannot be opened now: its key, a lock, another library. The file may be well.

    An OperationalError, so that no agent advises to move a healthy file aside. ``code`` and
    ``params`` are those of the app; the text is the app's, in English.
    """

    def __str__(self) -> str:
        """What happened and what to do, without a key or a text of the store."""
        return explain(_ENGLISH, UserError(self.code, **self.params)).text


class StoreDamaged(UserError, sqlite3.DatabaseError):  # noqa: N818 - says what happened
    """The file is damaged."""

    def __str__(self) -> str:
        """As StoreUnavailable."""
        return explain(_ENGLISH, UserError(self.code, **self.params)).text


def as_sqlite(error: UserError) -> StoreUnavailable | StoreDamaged:
    """One of our errors as one that agents know."""
    made = StoreDamaged if error.code in DAMAGED else StoreUnavailable
    return made(error.code, **error.params)


def translated(error: DatabaseError) -> sqlite3.Error:
    """sqlcipher3's error as ``sqlite3``'s of the same name, with the same text and codes."""
    name = name_of(error)
    made = _CLASSES.get(type(error).__name__, sqlite3.DatabaseError)
    if name in _TRANSIENT:
        made = sqlite3.OperationalError
    same = made(*error.args)
    if name:
        same.sqlite_errorname = name
        same.sqlite_errorcode = int(getattr(error, "sqlite_errorcode", 0))
    return same


@contextmanager
def understood() -> Iterator[None]:
    """Raise ``sqlite3``'s classes for sqlcipher3's and for ours."""
    try:
        yield
    except DatabaseError as error:
        raise translated(error) from None
    except UserError as error:
        raise error if isinstance(error, sqlite3.Error) else as_sqlite(error) from None


def cancelled(path: Path) -> StoreUnavailable:
    """Nobody answered the keychain's question."""
    return StoreUnavailable("key.needed", path=str(path), reason="denied", backend="", reasons=())


__all__ = ["Cancelled", "StoreDamaged", "StoreUnavailable", "as_sqlite", "translated", "understood"]
