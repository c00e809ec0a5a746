# SPDX-License-Identifier: MIT
"""Which table of a database holds facts: by its columns, whatever it is called.

FORMATS 3: the name of the table, the id and the vector differ between the files that are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from memory_gui.engine.database import Connection, SchemaRow
from memory_gui.engine.sql import quote
from memory_gui.engine.virtual import module_of
from memory_gui.stores.sql.table import Table, codec_of

COLUMNS: Final = ("subject", "fact", "source", "created")
_VECTORS: Final = frozenset({"vector", "embedding", "vec", "emb"})


@dataclass(frozen=True, slots=True)
class Layout:
    """``key`` is the column that names a row: its own primary key of one column, or its number.

    ``vectors`` hold what was made of the fact, ``fixed`` those among them that may not be NULL.
    ``counted``: the key is a number, which a new row may get again.
    """

    table: Table
    key: str
    vectors: tuple[str, ...]
    fixed: frozenset[str]
    counted: bool


def layout_of(connection: Connection, schema: Sequence[SchemaRow]) -> Layout | None:
    """The first table that holds facts; None where there is none."""
    for kind, name, _table, sql in schema:
        if kind != "table" or name.startswith("sqlite_") or module_of(sql or "") is not None:
            continue
        columns = connection.table_info(name)
        names = {str(row[1]) for row in columns}
        if set(COLUMNS) <= names and "" not in names and not _is_without_rowid(connection, name):
            return _read(Table(connection, name, codec_of(connection)), columns)
    return None


def _is_without_rowid(connection: Connection, name: str) -> bool:
    listed = connection.execute(f"PRAGMA table_list({quote(name)})")
    return any(row[4] for row in listed if row[0] == "main")


def _read(table: Table, columns: Iterable[Sequence[object]]) -> Layout:
    keys, vectors, fixed = [], [], set()
    for _number, name, type_, is_fixed, _default, place in columns:
        column, declared = str(name), str(type_).upper()
        if place:
            keys.append((column, declared))
        if column not in COLUMNS and (column.lower() in _VECTORS or declared == "BLOB"):
            vectors.append(column)
            if is_fixed:
                fixed.add(column)
    own = keys[0] if len(keys) == 1 and keys[0][0] not in COLUMNS else None
    key = table.rowid if own is None else own[0]
    counted = own is None or own[1] == "INTEGER"
    return Layout(table, key, tuple(vectors), frozenset(fixed), counted)


def foreign_objects(table: str, schema: Iterable[SchemaRow]) -> tuple[str, ...]:
    """The statements of everything else that runs or copies: what the class is not known to make.

    Other ordinary tables are the program's own affair: a developer chooses the file.
    """
    found = []
    for kind, name, on, sql in schema:
        if not sql or name.startswith("sqlite_"):
            continue
        is_index_elsewhere = kind == "index" and on != table
        if (kind == "table" and module_of(sql) is None) or is_index_elsewhere:
            continue
        found.append(sql)
    return tuple(found)
