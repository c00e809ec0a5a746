# SPDX-License-Identifier: MIT
"""Whole threads taken aside, so that a delete can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memory_gui.domain.changes import Snapshot
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import StoreId
from memory_gui.engine.database import Connection
from memory_gui.stores.formats.langgraph_checkpoints.layout import COLUMNS
from memory_gui.stores.formats.langgraph_checkpoints.source import Source
from memory_gui.stores.sql.table import Table, codec_of

MOST_BYTES: Final = 256 << 20
"""What is kept in memory of deleted threads, for one undo."""


def taken(
    connection: Connection, source: Source, store: StoreId, threads: Sequence[str]
) -> Snapshot:
    """All rows of some threads.

    Raises:
        UserError: ``langgraph.large``.
    """
    extents = source.extents()
    size = sum(extents[one].size for one in threads if one in extents)
    if size > MOST_BYTES:
        limit = MOST_BYTES >> 20
        raise UserError("langgraph.large", size=f"{size / (1 << 20):.0f}", limit=limit)
    rows = []
    for thread in threads:
        for name in COLUMNS:
            table = Table(connection, name, codec_of(connection))
            found = table.select("thread_id = ?", (thread,))
            rows += [(name, tuple(row.cells), tuple(row.cells.values())) for row in found]
    return Snapshot(store, tuple(rows))


def put_back(connection: Connection, snapshot: Snapshot) -> tuple[str, ...]:
    """Inside a transaction: the threads whose rows were put back.

    Raises:
        UserError: ``record.id_taken``.
    """
    saved: dict[str, list[tuple[str, dict[str, object]]]] = {}
    for name, columns, values in snapshot.rows:
        cells = dict(zip(columns, values, strict=True))
        saved.setdefault(str(cells["thread_id"]), []).append((name, cells))
    tables = {name: Table(connection, name, codec_of(connection)) for name in COLUMNS}
    back = []
    for thread, rows in saved.items():
        there = [
            (name, dict(row.cells))
            for name, table in tables.items()
            for row in table.select("thread_id = ?", (thread,))
        ]
        if there:
            if there != rows:
                raise UserError("record.id_taken")
            continue
        for name, cells in rows:
            tables[name].insert(cells)  # type: ignore[arg-type]  # as they were read
        back.append(thread)
    return tuple(back)
