# SPDX-License-Identifier: MIT
"""Pieces of SQL text that cannot be bound as values."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote as percent


def quote(identifier: str) -> str:
    """A table, column or other name as an SQL identifier, whatever characters it has.

    Raises:
        ValueError: for an empty name, or one with a NUL, which SQL text cannot hold.
    """
    if not identifier or "\0" in identifier:
        raise ValueError("not an identifier")
    return '"' + identifier.replace('"', '""') + '"'


def marks(count: int) -> str:
    """``?, ?, ?`` for that many bound values."""
    return ", ".join("?" * count)


def file_uri(path: Path, **options: str | int) -> str:
    """A ``file:`` URI that SQLite reads back as this very path (https://sqlite.org/uri.html)."""
    query = "&".join(f"{name}={value}" for name, value in options.items())
    return f"file:{percent(os.fsencode(path.absolute()), safe='/')}?{query}"
