# SPDX-License-Identifier: MIT
"""Sealed drafts: what was being typed when the window locked, as bytes that the ledger cannot read.

At most MOST of them, the newest; a draft is no place to keep things.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Final

from memory_gui.engine.connection import Connection
from memory_gui.ledger.schema import shown, stored

Connect = Callable[[], AbstractContextManager[Connection]]
MOST: Final = 20
BY_STORE: Final = "store"
BY_LEDGER: Final = "ledger"


@dataclass(frozen=True, slots=True)
class SealedDraft:
    """One draft. ``sealed_by`` says whose key opens it; ``made_at`` is ISO 8601 in UTC."""

    id: str
    store_path: str
    sealed_by: str
    made_at: str
    sealed: bytes = field(repr=False)


class DraftRows:
    """The table ``draft``. Any thread."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    def put(self, drafts: Collection[SealedDraft]) -> None:
        """Keep some, and let the oldest of too many go."""
        with self._connect() as connection, connection.writing():
            for one in drafts:
                connection.execute(
                    "INSERT OR REPLACE INTO draft (id, store_path, sealed_by, made_at, sealed)"
                    " VALUES (?, ?, ?, ?, ?)",
                    (one.id, stored(one.store_path), one.sealed_by, one.made_at, one.sealed),
                )
            connection.execute(
                "DELETE FROM draft WHERE id NOT IN"
                " (SELECT id FROM draft ORDER BY made_at DESC, id LIMIT ?)",
                (MOST,),
            )

    def list(self) -> tuple[SealedDraft, ...]:
        """All, the newest first."""
        with self._connect() as connection:
            rows = connection.execute(
                "SELECT id, store_path, sealed_by, made_at, sealed FROM draft"
                " ORDER BY made_at DESC, id"
            )
        return tuple(
            SealedDraft(one, shown(path), by, at, data) for one, path, by, at, data in rows
        )

    def remove(self, ids: Collection[str]) -> None:
        """Forget some; one that is not there is no error."""
        with self._connect() as connection, connection.writing():
            for one in ids:
                connection.execute("DELETE FROM draft WHERE id = ?", (one,))
