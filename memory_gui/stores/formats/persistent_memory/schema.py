# SPDX-License-Identifier: MIT
"""The app's one table, and what of a file its own class would refuse or did not make.

Source: FORMATS 2, verified on copies: an extra table (a full-text one too), an extra column or
another ``user_version`` is refused; extra indexes, views and triggers are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from memory_gui.domain.changes import Told
from memory_gui.domain.errors import UserError
from memory_gui.engine.database import Connection, SchemaRow
from memory_gui.engine.virtual import module_of
from memory_gui.stores.formats.persistent_memory import rules
from memory_gui.stores.sql.table import Table, codec_of

LAYOUT: Final = f"""CREATE TABLE {rules.TABLE} (
                    user_id TEXT NOT NULL,
                    kind TEXT NOT NULL CHECK(kind IN ('preference','episode')),
                    memory_key TEXT NOT NULL CHECK(length(memory_key) BETWEEN 1 AND 64),
                    value TEXT NOT NULL CHECK(length(value) BETWEEN 1 AND 512),
                    source_session TEXT NOT NULL,
                    revision INTEGER NOT NULL CHECK(revision > 0),
                    PRIMARY KEY(user_id, kind, memory_key)
                )"""
"""The app's own statement, word for word."""

_NAMED: Final = 5
"""So many foreign names stand in one sentence."""


def table_of(connection: Connection, schema: Iterable[SchemaRow]) -> Table:
    """The one table.

    Raises:
        UserError: ``store.other_schema`` when it is not there, or not the app's.
    """
    other = UserError("store.other_schema", path=str(connection.path))
    if not any(is_own(row) for row in schema):
        raise other
    columns = {str(row[1]) for row in connection.table_info(rules.TABLE)}
    if not set(rules.COLUMNS) <= columns or "" in columns:
        raise other
    try:
        return Table(connection, rules.TABLE, codec_of(connection))
    except UserError as error:
        raise other from error


def is_own(row: SchemaRow) -> bool:
    """Whether an object of the schema is the app's table."""
    kind, name, _table, sql = row
    return kind == "table" and name == rules.TABLE and module_of(sql or "") is None


def foreign_objects(schema: Iterable[SchemaRow]) -> tuple[str, ...]:
    """The statements of tables, views, triggers and indexes that the app did not make."""
    return tuple(
        row[3] for row in schema if row[3] and not row[1].startswith("sqlite_") and not is_own(row)
    )


def refusals(schema: Sequence[SchemaRow], columns: Iterable[str]) -> tuple[Told, ...]:
    """Why the app's own class would not open the file, by its tables and columns."""
    tables = [row[1] for row in schema if row[0] == "table" and not is_own(row) and _counts(row[1])]
    more = [name for name in columns if name not in rules.COLUMNS]
    found = (("persistent.extra_table", tables), ("persistent.extra_column", more))
    return tuple(Told(code, {"names": _row(names)}) for code, names in found if names)


def _counts(name: str) -> bool:
    return not name.startswith("sqlite_")


def _row(names: Sequence[str]) -> str:
    shown = ", ".join(name[:80] for name in names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown}, …"
