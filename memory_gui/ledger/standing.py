# SPDX-License-Identifier: MIT
"""Stores that are kept clean at every write, because all their writers go through this app."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from memory_gui.engine.connection import Connection
from memory_gui.ledger.schema import shown, stored


@dataclass(frozen=True, slots=True)
class Standing:
    """One store.

    ``before`` is the journal mode that is put back when this ends, empty where it was not changed.
    ``since`` is ISO 8601 in UTC.
    """

    path: str
    before: str
    since: str


class StandingRows:
    """Reads and writes the table ``standing`` of the ledger. Any thread."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    def put(self, one: Standing) -> None:
        """Remember one."""
        with self._connect() as connection, connection.writing():
            connection.execute(
                "INSERT OR REPLACE INTO standing (path, before, since) VALUES (?, ?, ?)",
                (stored(one.path), one.before, one.since),
            )

    def get(self, path: str) -> Standing | None:
        """That of a store."""
        with self._connect() as connection:
            rows = connection.execute(
                "SELECT before, since FROM standing WHERE path = ?", (stored(path),)
            )
        return Standing(path, *rows[0]) if rows else None

    def list(self) -> tuple[Standing, ...]:
        """All, by path."""
        with self._connect() as connection:
            rows = connection.execute("SELECT path, before, since FROM standing ORDER BY path")
        return tuple(Standing(shown(path), before, since) for path, before, since in rows)

    def remove(self, path: str) -> None:
        """Forget one; one that is not there is no error."""
        with self._connect() as connection, connection.writing():
            connection.execute("DELETE FROM standing WHERE path = ?", (stored(path),))
