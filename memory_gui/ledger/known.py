# SPDX-License-Identifier: MIT
"""Known stores, as rows of the ledger."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from memory_gui.engine.connection import Connection
from memory_gui.ledger.entries import KnownStore
from memory_gui.ledger.schema import shown, stored

Connect = Callable[[], AbstractContextManager[Connection]]

_COLUMNS: Final = "path, name, format, salt, last_opened, key_backend"


class KnownRows:
    """Reads and writes the table ``store``."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    def put(self, store: KnownStore) -> None:
        """Keep a store, by its path."""
        with self._connect() as connection, connection.writing():
            connection.execute(
                f"INSERT OR REPLACE INTO store ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant
                (
                    stored(store.path),
                    stored(store.name),
                    store.format,
                    store.salt,
                    store.last_opened,
                    store.key_backend,
                ),
            )

    def list(self) -> tuple[KnownStore, ...]:
        """All, the one opened last first."""
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM store ORDER BY last_opened DESC, path"  # noqa: S608 - a constant
            )
        return tuple(KnownStore(shown(path), shown(name), *rest) for path, name, *rest in rows)

    def remove(self, path: str) -> bool:
        """Take one off; whether it was there."""
        with self._connect() as connection, connection.writing():
            return connection.change("DELETE FROM store WHERE path = ?", (stored(path),)) > 0
