# SPDX-License-Identifier: MIT
"""Rows as they were before they were taken out, and how they are put back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory_gui.domain.changes import ChangeSet, Snapshot
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.stores.formats.agentao import rules, schema
from memory_gui.stores.formats.agentao.memories import Memories
from memory_gui.stores.formats.agentao.merging import take_in
from memory_gui.stores.formats.agentao.rows import ref_of
from memory_gui.stores.formats.agentao.tables import Tables
from memory_gui.stores.sql.cells import Cell, Mangled, Row


def snapshot_of(tables: Tables, refs: Sequence[Ref]) -> Snapshot:
    """The rows of these records, as far as they are there."""
    found = [(ref.kind, tables.row(ref)) for ref in refs]
    return Snapshot(tables.store, tuple(_saved(kind, row) for kind, row in found if row))


def put_back(tables: Tables, memories: Memories, snapshot: Snapshot, *, key: str = "") -> ChangeSet:
    """Put a snapshot's rows back, memories under another ``key`` where one is given.

    Rows that are there again already are left alone. Those of another file are taken in as
    ``merging`` says.

    Raises:
        UserError: ``record.key_taken``, ``record.id_taken``; as ``merging.take_in``.
    """
    added = []
    foreign = snapshot.store != tables.store
    with tables.writing():
        for table, columns, values in snapshot.rows:
            kind = next(kind for kind, name in schema.TABLES.items() if name == table)
            cells = {n: _as_cell(v) for n, v in zip(columns, values, strict=True)}
            taken = take_in(tables, memories, kind, cells) if foreign else cells
            if taken is None:
                continue
            cells = taken
            if key and kind == "memory":
                cells["key_normalized"] = rules.chosen_key(key)
            if _put_back(tables, memories, kind, cells):
                if not foreign and _is_alive(kind, cells):  # a foreign one's log comes by itself
                    memories.log(cells["id"], "create", memories.now())
                added.append(ref_of(tables.store, kind, Row(0, cells)))
    return ChangeSet(added=tuple(added))


def _put_back(tables: Tables, memories: Memories, kind: str, cells: dict[str, Cell]) -> bool:
    key = schema.KEY_COLUMNS[kind]
    if key not in cells:  # the table gives it one
        tables.insert(kind, cells)
        cells[key] = tables.connection.last_rowid()
        return True
    same = tables.select(kind, f"{key} = ?", (cells[key],))
    if same:
        if same[0].cells == cells:
            return False
        raise UserError("record.id_taken")
    if _is_alive(kind, cells):
        memories.must_be_free(cells["scope"], cells["key_normalized"])
    tables.insert(kind, cells)
    return True


def _is_alive(kind: str, cells: Mapping[str, Cell]) -> bool:
    return kind == "memory" and cells["deleted_at"] is None


def _saved(kind: str, row: Row) -> tuple[str, tuple[str, ...], tuple[object, ...]]:
    return schema.TABLES[kind], tuple(row.cells), tuple(row.cells.values())


def _as_cell(value: object) -> Cell:
    if value is None or isinstance(value, (str, int, float, Mangled, bytes)):
        return value
    raise TypeError(type(value).__name__)
