# SPDX-License-Identifier: MIT
"""What a database says about its own health. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memory_gui.engine.database import Connection

_LIMIT: Final = 20
"""Findings that are kept; the first ones tell enough."""


@dataclass(frozen=True, slots=True)
class Health:
    """``structure`` and ``cipher`` hold findings (empty = well); sizes are in pages and bytes."""

    structure: tuple[str, ...]
    cipher: tuple[str, ...] | None
    """None for a readable database, and where there is no HMAC."""
    pages: int
    free_pages: int
    page_size: int


def examine(connection: Connection) -> Health:
    """Run SQLite's and SQLCipher's own checks (about 1 s for 300,000 rows).

    Raises:
        UserError: ``store.damaged`` when not even the checks can be run.
    """
    found = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({_LIMIT})")]
    cipher = None
    if connection.encrypted:
        answers = [str(row[0]) for row in connection.execute("PRAGMA cipher_integrity_check")]
        unable = any("HMAC is not enabled" in answer for answer in answers)
        cipher = None if unable else tuple(answers[:_LIMIT])
    return Health(
        structure=() if found == ["ok"] else tuple(found),
        cipher=cipher,
        pages=_number(connection, "page_count"),
        free_pages=_number(connection, "freelist_count"),
        page_size=_number(connection, "page_size"),
    )


def _number(connection: Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}")[0][0])
