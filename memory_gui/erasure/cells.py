# SPDX-License-Identifier: MIT
"""Places in rows that stay, as they stand in plans, messages and pending entries: never a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memory_gui.domain.erasing import CellCut


def cell_name(cell: CellCut) -> str:
    """Under which name places in rows that stay are counted."""
    return f"{cell.table}.{cell.column}"


def cell_message(cell: CellCut) -> dict[str, Any]:
    """A place in a row that stays, for a message or a pending entry."""
    return {
        "table": cell.table,
        "key_columns": list(cell.key_columns),
        "key": list(cell.key),
        "column": cell.column,
        "size": cell.size,
        "puts": [list(put) for put in cell.puts],
        "into": cell.into,
    }


def cell_of(entry: Mapping[str, Any]) -> CellCut:
    """The same as a value."""
    return CellCut(
        str(entry["table"]),
        tuple(entry["key_columns"]),
        tuple(entry["key"]),
        str(entry["column"]),
        int(entry["size"]),
        tuple((int(start), int(end), str(new)) for start, end, new in entry["puts"]),
        entry["into"],
    )


def merge_cells(*groups: Sequence[CellCut]) -> tuple[CellCut, ...]:
    """The places of several plans for one store; of one cell those that were read last."""
    found = {(c.table, c.key, c.column): c for group in groups for c in group}
    return tuple(found.values())
