# SPDX-License-Identifier: MIT
"""Known stores, as rows of the ledger."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final

from memory_gui.engine.connection import Connection
from memory_gui.ledger.entries import KnownStore, LastSeen
from memory_gui.ledger.schema import shown, stored

Connect = Callable[[], AbstractContextManager[Connection]]

_COLUMNS: Final = "path, name, format, salt, last_opened, key_backend"
_SEEN: Final = "memories, to_review, in_trash, counted_at"


class KnownRows:
    """Reads and writes the table ``store``."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    def put(self, store: KnownStore) -> None:
        """Keep a store, by its path."""
        with self._connect() as connection, connection.writing():
            connection.execute(
                f"INSERT INTO store ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (path)"  # noqa: S608 - a constant
                " DO UPDATE SET name = excluded.name, format = excluded.format,"
                " salt = excluded.salt, last_opened = excluded.last_opened,"
                # One that opened by a key that was typed keeps what was known of its own.
                " key_backend = CASE WHEN excluded.key_backend = '' AND excluded.salt = salt"
                " THEN key_backend ELSE excluded.key_backend END",
                (
                    stored(store.path),
                    stored(store.name),
                    store.format,
                    store.salt,
                    store.last_opened,
                    store.key_backend,
                ),
            )
            if store.seen is not None:
                _count(connection, store.path, store.seen)

    def count(self, path: str, seen: LastSeen) -> bool:
        """Keep what a store had; whether the store is on the list."""
        with self._connect() as connection, connection.writing():
            return _count(connection, path, seen)

    def list(self) -> tuple[KnownStore, ...]:
        """All, the one opened last first."""
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS}, {_SEEN} FROM store ORDER BY last_opened DESC, path"  # noqa: S608 - a constant
            )
        return tuple(_store(row) for row in rows)

    def remove(self, path: str) -> bool:
        """Take one off; whether it was there."""
        with self._connect() as connection, connection.writing():
            return connection.change("DELETE FROM store WHERE path = ?", (stored(path),)) > 0

    def clear(self) -> None:
        """Take all off."""
        with self._connect() as connection, connection.writing():
            connection.execute("DELETE FROM store")


def _count(connection: Connection, path: str, seen: LastSeen) -> bool:
    found = connection.change(
        "UPDATE store SET memories = ?, to_review = ?, in_trash = ?, counted_at = ? WHERE path = ?",
        (seen.memories, seen.to_review, seen.in_trash, seen.at, stored(path)),
    )
    return found > 0


def _store(row: tuple[Any, ...]) -> KnownStore:
    path, name, format_, salt, last_opened, key_backend, memories, to_review, in_trash, at = row
    seen = None if at is None else LastSeen(memories, to_review, in_trash, at)
    return KnownStore(shown(path), shown(name), format_, salt, last_opened, key_backend, seen)
