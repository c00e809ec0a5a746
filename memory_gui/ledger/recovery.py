# SPDX-License-Identifier: MIT
"""Which recovery keys were made and confirmed. The key is known by a mark, and never kept."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import Connection
from memory_gui.ledger.schema import shown, stored

_COLUMNS: Final = "salt, mark, path, made_at, confirmed_at"
_LABEL: Final = b"memory-gui recovery key"


@dataclass(frozen=True, slots=True)
class RecoveryNote:
    """One recovery key of one store: when it was shown to a person, and when it came back."""

    salt: bytes
    """The file's first 16 bytes: names the store wherever it is moved."""
    mark: str
    path: str
    made_at: str
    """ISO 8601 in UTC, as ``confirmed_at``; that is empty until it was typed in once."""
    confirmed_at: str = ""


def mark_of(salt: bytes, key: RawKey) -> str:
    """Tells whether two keys are the same, and nothing of either: HMAC-SHA256 under the key."""
    return hmac.digest(bytes(key), _LABEL + salt, "sha256").hex()


class RecoveryRows:
    """Reads and writes the table ``recovery_key`` of the ledger. Any thread."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    def put(self, note: RecoveryNote) -> None:
        """Keep one; the same key of the same store is kept once."""
        with self._connect() as connection, connection.writing():
            connection.execute(
                f"INSERT OR REPLACE INTO recovery_key ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",  # noqa: S608 - a constant
                (note.salt, note.mark, stored(note.path), note.made_at, note.confirmed_at),
            )

    def list(self) -> tuple[RecoveryNote, ...]:
        """All, the one made last first."""
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM recovery_key ORDER BY made_at DESC, mark"  # noqa: S608 - a constant
            )
        return tuple(
            RecoveryNote(salt, mark, shown(path), *rest) for salt, mark, path, *rest in rows
        )

    def remove(self, salt: bytes, mark: str) -> None:
        """Forget one: its key opens nothing any more."""
        with self._connect() as connection, connection.writing():
            connection.change("DELETE FROM recovery_key WHERE salt = ? AND mark = ?", (salt, mark))
