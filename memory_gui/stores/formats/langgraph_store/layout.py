# SPDX-License-Identifier: MIT
"""The tables of a file of LangGraph's store, and what in it LangGraph did not make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.database import Connection, SchemaRow
from memory_gui.engine.virtual import module_of
from memory_gui.stores.formats.langgraph_store import rules
from memory_gui.stores.sql.table import Table, codec_of


def tables_of(connection: Connection, schema: Sequence[SchemaRow]) -> tuple[Table, Table | None]:
    """The items, and the vectors where there are some.

    Raises:
        UserError: ``store.other_schema``.
    """
    names = {name for kind, name, _, sql in schema if kind == "table" and not module_of(sql or "")}
    items = _table(connection, rules.TABLE, rules.COLUMNS) if rules.TABLE in names else None
    if items is None:
        raise UserError("store.other_schema", path=str(connection.path))
    vectors = rules.VECTORS in names
    return items, _table(connection, rules.VECTORS, rules.VECTOR_COLUMNS) if vectors else None


def _table(connection: Connection, name: str, columns: Iterable[str]) -> Table | None:
    found = {str(row[1]) for row in connection.table_info(name)}
    if not set(columns) <= found or "" in found:
        return None
    return Table(connection, name, codec_of(connection))


_OURS: Final = frozenset({rules.TABLE, rules.VECTORS})


def foreign_objects(schema: Iterable[SchemaRow]) -> tuple[str, ...]:
    """Everything else that runs or copies: triggers, views, virtual tables, further indexes.

    Other ordinary tables are the program's own affair: a developer chooses the file.
    """
    return tuple(
        sql
        for kind, name, on, sql in schema
        if sql
        and not name.startswith("sqlite_")
        and not (kind == "table" and module_of(sql) is None)
        and not (kind == "index" and (on not in _OURS or name in rules.INDEXES))
    )
