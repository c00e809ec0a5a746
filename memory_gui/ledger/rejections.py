# SPDX-License-Identifier: MIT
"""What was rejected in review: a keyed mark per rejection, and when. No content."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final

from memory_gui.engine.connection import Connection
from memory_gui.ledger.schema import shown, stored

_COLUMNS: Final = "store, mark, item, at"
_LABEL: Final = b"memory-gui rejected proposals"


@dataclass(frozen=True, slots=True)
class Rejection:
    """One rejection. ``item`` is the agent's own opaque id of the proposal; ``at`` ISO, UTC."""

    store: str
    mark: str
    item: str
    at: str


def rejection_mark(secret: bytes, store: str, scope: str, text: str) -> str:
    """Tells whether two proposals say the same, and nothing of either: 64 hex digits.

    ``text`` as it is compared: folded, blanks as one.
    """
    key = hmac.digest(secret, _LABEL, "sha256")
    parts = [part.encode("utf-8", "surrogatepass") for part in (store, scope, text)]
    message = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    return hmac.digest(key, message, "sha256").hex()


class RejectionRows:
    """Reads and writes the table ``rejection`` of the ledger. Any thread."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    def put(self, *rejections: Rejection) -> None:
        """Keep some; of the same proposal the last one."""
        with self._connect() as connection, connection.writing():
            for one in rejections:
                connection.execute(
                    f"INSERT OR REPLACE INTO rejection ({_COLUMNS}) VALUES (?, ?, ?, ?)",  # noqa: S608 - a constant
                    (stored(one.store), one.mark, one.item, one.at),
                )

    def list(self, store: str) -> tuple[Rejection, ...]:
        """Those of a store, the last one first."""
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM rejection WHERE store = ? ORDER BY at DESC, mark",  # noqa: S608 - a constant
                (stored(store),),
            )
        return tuple(Rejection(shown(path), *rest) for path, *rest in rows)

    def remove(self, store: str, *marks: str) -> int:
        """Lift some; how many were there."""
        with self._connect() as connection, connection.writing():
            return sum(
                connection.change(
                    "DELETE FROM rejection WHERE store = ? AND mark = ?", (stored(store), mark)
                )
                for mark in marks
            )
