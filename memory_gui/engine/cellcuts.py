# SPDX-License-Identifier: MIT
"""Bytes that go from a cell of a row that stays. For the eraser's process, in its transaction."""

from __future__ import annotations

from memory_gui.domain.erasing import CellCut
from memory_gui.domain.errors import UserError
from memory_gui.engine.database import Connection
from memory_gui.engine.heard import Heard
from memory_gui.engine.sql import quote


def cut_cell(connection: Connection, heard: Heard, cell: CellCut) -> int:
    """Write the cell without them, in the type that it has; 1, or 0 where its row is gone.

    Raises:
        UserError: ``erase.cell_changed``: it is not as it was planned.
    """
    where = " AND ".join(f"{quote(column)} = ?" for column in cell.key_columns)
    name, table = quote(cell.column), quote(cell.table)
    found = connection.execute(
        f"SELECT typeof({name}), CAST({name} AS BLOB) FROM {table} WHERE {where}",  # noqa: S608 - quoted names
        cell.key,
    )
    if not found:
        return 0
    kind, raw = str(found[0][0]), bytes(found[0][1] or b"")
    if len(found) > 1 or len(raw) != cell.size:
        raise UserError("erase.cell_changed", path=str(connection.path), table=cell.table)
    if not cell.puts:
        heard.change(f"UPDATE {table} SET {name} = ? WHERE {where}", (cell.into, *cell.key))  # noqa: S608 - quoted names
        return 1
    parts: list[bytes] = []
    at = 0
    for start, end, new in sorted(cell.puts):
        parts += (raw[at:start], bytes.fromhex(new))
        at = end
    after = b"".join((*parts, raw[at:]))
    value = "CAST(? AS TEXT)" if kind == "text" else "?"
    heard.change(f"UPDATE {table} SET {name} = {value} WHERE {where}", (after, *cell.key))  # noqa: S608 - quoted names
    return 1
