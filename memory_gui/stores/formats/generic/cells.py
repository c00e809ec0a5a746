# SPDX-License-Identifier: MIT
"""Cells of tables that nobody declared: bounded, whatever is in them.

Of a text the first million characters are read, of a BLOB its size; small BLOBs are read as well,
so that a change of one is seen, and the text in one that is UTF-8 is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from memory_gui.engine.sql import quote

MOST_LETTERS: Final = 1_000_000
SMALL_BLOB: Final = 65_536
_NO_TEXT: Final = bytes({*range(32), 127} - set(b"\t\n\r"))
"""What no text has in it."""
_WIDTH: Final = 3
"""Values that are selected per cell: its type, its length, the value as far as it is read."""


@dataclass(frozen=True, slots=True)
class GenericCell:
    """``kind`` is SQLite's type; ``size`` characters of a text, bytes of a BLOB, else 0."""

    kind: str
    size: int
    value: str | int | float | bytes | None

    @property
    def text(self) -> str | None:
        """As a person reads it. None for NULL."""
        match self.value:
            case None if self.kind == "null":
                return None
            case str() if self.size > MOST_LETTERS:
                return f"{self.value}… [{MOST_LETTERS}/{self.size}]"
            case str():
                return self.value
            case bytes() | None:
                size = f"[BLOB, {self.size} B]"
                return f"{size} {said}" if (said := said_in(self.value)) else size
            case _:
                return str(self.value)


def said_in(value: bytes | None) -> str:
    """The text in a BLOB, such as JSON that a program stores so; empty where it is none."""
    if not value or value.translate(None, _NO_TEXT) != value:
        return ""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return ""


def select_cells(columns: Sequence[str]) -> str:
    """The select list that reads cells of any type within bounds."""
    parts = []
    for column in columns:
        name = quote(column)
        parts.append(
            f"typeof({name}),"
            f"CASE typeof({name}) WHEN 'text' THEN length({name}) "
            f"WHEN 'blob' THEN length({name}) ELSE 0 END,"
            f"CASE typeof({name}) "
            f"WHEN 'text' THEN CAST(substr({name},1,{MOST_LETTERS}) AS BLOB) "
            f"WHEN 'blob' THEN CASE WHEN length({name})<={SMALL_BLOB} THEN {name} END "
            f"ELSE {name} END"
        )
    return ",".join(parts)


def read_cells(values: Sequence[object], codec: str) -> list[GenericCell]:
    """Cells from what ``select_cells`` selected."""
    cells = []
    for at in range(0, len(values), _WIDTH):
        kind, size, value = values[at : at + _WIDTH]
        if kind == "text" and isinstance(value, bytes):
            value = value.decode(codec, "backslashreplace")
        kept = value if isinstance(value, (str, int, float, bytes)) else None
        cells.append(GenericCell(str(kind), size if isinstance(size, int) else 0, kept))
    return cells


def etag_of(cells: Sequence[GenericCell]) -> str:
    """First 16 hex digits of SHA-256 over all that was read."""
    return sha256(repr([(c.kind, c.size, c.value) for c in cells]).encode()).hexdigest()[:16]
