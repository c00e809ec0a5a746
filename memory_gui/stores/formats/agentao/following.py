# SPDX-License-Identifier: MIT
"""What Agentao wrote since a look, without reading the whole store.

New rows have higher numbers than those that were there, and Agentao's own changes of a memory are
in its log. What it leaves out there (``clear``, ``wipe_all``, decisions on proposals; agentao
0.5.17) and what other programs change is for a comparison to find.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memory_gui.domain.records import Record, StoreId
from memory_gui.engine.sql import quote
from memory_gui.stores.formats.agentao import schema
from memory_gui.stores.formats.agentao.rows import record_of
from memory_gui.stores.formats.agentao.tables import Tables
from memory_gui.stores.sql.cells import Row

_MOST: Final = 2_000
"""Rows of a kind that are taken at once; of more a comparison is no slower."""


def changes_since(
    tables: Tables, store: StoreId, seen: Mapping[str, int]
) -> tuple[tuple[Record, ...], Mapping[str, int]]:
    """Records that are new or in the log, and the highest number of each kind now.

    Nothing is told of a kind that was not ``seen``. One short read transaction.
    """
    found: dict[tuple[str, int], Row] = {}
    highest: dict[str, int] = {}
    with tables.connection.reading():
        for kind in filter(tables.has, schema.TABLES):
            name = tables.rowid_name(kind)
            table = quote(schema.TABLES[kind])
            # The end of the tree: no row is read for it.
            ((last,),) = tables.connection.execute(f"SELECT max({name}) FROM {table}")  # noqa: S608 - names of ours
            highest[kind] = int(last or 0)
            if kind not in seen or highest[kind] <= seen[kind]:
                continue
            newest = f"ORDER BY {name} DESC LIMIT {_MOST}"
            rows = tables.select(kind, f"{name} > ?", (seen[kind],), newest)
            found.update({(kind, row.rowid): row for row in rows})
        logged = [row.text("memory_id") for (kind, _), row in found.items() if kind == "event"]
        for row in tables.rows("memory", list(dict.fromkeys(logged))).values():
            found["memory", row.rowid] = row
        if tables.has_counter:
            counters = tables.select("meta", "key = 'memories_change'")
            found.update({("meta", row.rowid): row for row in counters})
    records = tuple(record_of(store, kind, row) for (kind, _), row in found.items())
    return records, highest
