# SPDX-License-Identifier: MIT
"""A connection and its cursors as PEP 249 and the code written for ``sqlite3`` expect them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Literal, Self

from memory_gui.agents.errors import understood
from memory_gui.engine.dbapi import Row

Parameters = Sequence[Any] | Mapping[str, Any]


class Cursor:
    """A cursor. The thread that made it."""

    def __init__(self, raw: Any, connection: Connection) -> None:  # sqlcipher3 has no types
        self._raw = raw
        self.connection = connection

    def execute(self, sql: str, parameters: Parameters = ()) -> Self:
        """Run one statement."""
        with understood():
            self._raw.execute(sql, parameters)
        return self

    def executemany(self, sql: str, parameters: Iterable[Parameters]) -> Self:
        """Run one statement with each of the parameters."""
        with understood():
            self._raw.executemany(sql, parameters)
        return self

    def executescript(self, script: str) -> Self:
        """Commit, and run several statements."""
        with understood():
            self._raw.executescript(script)
        return self

    def fetchone(self) -> Any:
        """The next row, or None."""
        with understood():
            return self._raw.fetchone()

    def fetchmany(self, size: int | None = None) -> list[Any]:
        """The next rows."""
        with understood():
            rows: list[Any] = self._raw.fetchmany(self.arraysize if size is None else size)
        return rows

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        with understood():
            rows: list[Any] = self._raw.fetchall()
        return rows

    def close(self) -> None:
        """Let go of the statement."""
        with understood():
            self._raw.close()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        with understood():
            return next(self._raw)

    @property
    def description(self) -> Any:
        """As PEP 249."""
        return self._raw.description

    @property
    def rowcount(self) -> int:
        """As PEP 249."""
        return int(self._raw.rowcount)

    @property
    def lastrowid(self) -> int | None:
        """As PEP 249."""
        last: int | None = self._raw.lastrowid
        return last

    @property
    def arraysize(self) -> int:
        """As PEP 249."""
        return int(self._raw.arraysize)

    @arraysize.setter
    def arraysize(self, size: int) -> None:
        self._raw.arraysize = size

    @property
    def row_factory(self) -> Any:
        """As ``sqlite3.Cursor.row_factory``."""
        return self._raw.row_factory

    @row_factory.setter
    def row_factory(self, factory: Any) -> None:
        self._raw.row_factory = fitting(factory)

    def setinputsizes(self, sizes: object) -> None:
        """Nothing, as ``sqlite3``."""

    def setoutputsize(self, size: object, column: object = None) -> None:
        """Nothing, as ``sqlite3``."""


class Connection:
    """What ``sqlite3.Connection`` is, over SQLCipher. ``close`` it: it holds locks until then.

    ``with connection:`` commits or rolls back and does not close, as ``sqlite3``'s. The key cannot
    be asked for, and is in no ``repr``.
    """

    def __init__(self, raw: Any, closing: Callable[[], AbstractContextManager[None]]) -> None:
        self._raw = raw
        self._closing = closing
        self._closed = False

    def cursor(self, factory: Callable[[Any, Connection], Cursor] = Cursor) -> Cursor:
        """A new cursor."""
        with understood():
            return factory(self._raw.cursor(), self)

    def execute(self, sql: str, parameters: Parameters = ()) -> Cursor:
        """Run one statement on a new cursor."""
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Parameters]) -> Cursor:
        """Run one statement with each of the parameters, on a new cursor."""
        return self.cursor().executemany(sql, parameters)

    def executescript(self, script: str) -> Cursor:
        """Commit, and run several statements on a new cursor."""
        return self.cursor().executescript(script)

    def commit(self) -> None:
        """Make the transaction durable."""
        with understood():
            self._raw.commit()

    def rollback(self) -> None:
        """Take the transaction back."""
        with understood():
            self._raw.rollback()

    def interrupt(self) -> None:
        """Stop what runs now. Any thread."""
        with understood():
            self._raw.interrupt()

    def create_function(
        self, name: str, narg: int, func: Callable[..., Any] | None, *, deterministic: bool = False
    ) -> None:
        """As ``sqlite3``."""
        with understood():
            self._raw.create_function(name, narg, func, deterministic=deterministic)

    def create_collation(self, name: str, call: Callable[[str, str], int] | None) -> None:
        """As ``sqlite3``."""
        with understood():
            self._raw.create_collation(name, call)

    def close(self) -> None:
        """Close. May be called twice."""
        if self._closed:
            return
        with understood(), self._closing():
            self._raw.close()
            self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> Literal[False]:
        if error is None:
            try:
                self.commit()
            except BaseException:
                self.rollback()
                raise
        else:
            self.rollback()
        return False

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return bool(self._raw.in_transaction)

    @property
    def total_changes(self) -> int:
        """Rows changed since it was opened."""
        return int(self._raw.total_changes)

    @property
    def isolation_level(self) -> str | None:
        """As ``sqlite3``."""
        level: str | None = self._raw.isolation_level
        return level

    @isolation_level.setter
    def isolation_level(self, level: str | None) -> None:
        with understood():
            self._raw.isolation_level = level

    @property
    def row_factory(self) -> Any:
        """As ``sqlite3``; its ``Row`` is taken for sqlcipher3's, which does the same."""
        return self._raw.row_factory

    @row_factory.setter
    def row_factory(self, factory: Any) -> None:
        self._raw.row_factory = fitting(factory)

    @property
    def text_factory(self) -> Any:
        """As ``sqlite3``."""
        return self._raw.text_factory

    @text_factory.setter
    def text_factory(self, factory: Any) -> None:
        self._raw.text_factory = factory


def fitting(factory: Any) -> Any:
    """``sqlite3.Row`` is for cursors of ``sqlite3`` only; sqlcipher3 has the same class."""
    if getattr(factory, "__module__", "") == "sqlite3" and factory.__name__ == "Row":
        return Row
    return factory
