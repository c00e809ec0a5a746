# SPDX-License-Identifier: MIT
"""Rows that come from another file of Agentao's: as they were there, each once, over nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.stores.formats.agentao import schema
from memory_gui.stores.formats.agentao.memories import Memories
from memory_gui.stores.formats.agentao.tables import Tables
from memory_gui.stores.sql.cells import Cell

_NUMBERED: Final = frozenset({"event"})
"""Kinds whose ids are counted in their own file, and name nothing in another one."""


def take_in(
    tables: Tables, memories: Memories, kind: str, cells: Mapping[str, Cell]
) -> dict[str, Cell] | None:
    """What is to be inserted of a foreign row; None where the same is here already.

    Raises:
        UserError: ``scope.other_store``; ``record.key_taken`` where another text has the key;
            ``scope.columns_differ`` where a value has no place; ``store.cannot`` without the table.
    """
    if not tables.has(kind):
        raise UserError("store.cannot", act="add", format="agentao", why="")
    if kind == "memory":
        memories.accept(str(cells["scope"]))
    here = set(tables.columns(kind))
    lost = [name for name, value in cells.items() if name not in here and value is not None]
    if lost:
        raise UserError("scope.columns_differ", count=len(lost))
    wanted = {name: value for name, value in cells.items() if name in here}
    if kind in _NUMBERED:
        wanted = {name: v for name, v in wanted.items() if name != schema.KEY_COLUMNS[kind]}
        return None if _is_there(tables, kind, wanted) else wanted
    if kind == "review" and cells.get("status") == "pending":
        return wanted if _may_wait(tables, cells) else None
    return wanted


def _may_wait(tables: Tables, cells: Mapping[str, Cell]) -> bool:
    """Whether no proposal waits under that key; one of the same text is the same."""
    where = "scope = ? AND key_normalized = ? AND status = 'pending' AND id <> ?"
    values = (cells["scope"], cells["key_normalized"], cells["id"])
    found = tables.select("review", where, values)
    if found and found[0].cells["content"] != cells["content"]:
        raise UserError("record.key_taken")
    return not found


def _is_there(tables: Tables, kind: str, cells: Mapping[str, Cell]) -> bool:
    # IS also finds what is NULL on both sides.
    names = [name for name in schema.EVENT_COLUMNS if name in cells]
    where = " AND ".join(f"{name} IS ?" for name in names)
    return bool(tables.select(kind, where, [cells[name] for name in names], "LIMIT 1"))
