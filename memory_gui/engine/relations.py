# SPDX-License-Identifier: MIT
"""What in a database belongs to rows that go: children by foreign keys, contentless indexes.

Sources: sqlite.org/foreignkeys.html (actions), sqlite.org/pragma.html#pragma_foreign_key_check,
sqlite.org/fts5.html 4.4.3 (a contentless table is told by its owner what is deleted).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from memory_gui.domain.erasing import EraseRows
from memory_gui.engine.database import Connection
from memory_gui.engine.rowsets import parts, where
from memory_gui.engine.sql import marks, quote
from memory_gui.engine.virtual import FullText

_ROWID_NAMES: Final = frozenset({"rowid", "_rowid_", "oid"})
_AT_ONCE: Final = 400


def cascading(connection: Connection) -> tuple[str, ...]:
    """Tables whose rows their agent has SQLite take out, or empty, together with others."""
    found = []
    for kind, name, _, sql in connection.schema():
        if kind == "table" and "references" in (sql or "").lower():
            keys = connection.execute(f"PRAGMA foreign_key_list({quote(name)})")
            if any(str(key[6]).upper() in ("CASCADE", "SET NULL", "SET DEFAULT") for key in keys):
                found.append(name)
    return tuple(found)


def orphans(connection: Connection, tables: Collection[str]) -> dict[str, int]:
    """How many rows of each table refer to a row that is not there."""
    return {
        table: len(connection.execute(f"PRAGMA foreign_key_check({quote(table)})"))
        for table in tables
    }


def rowid_reference(connection: Connection) -> tuple[str, str] | None:
    """(table, table that refers to the numbers of its rows by a foreign key), if there is one.

    What SQLite gave its rows by itself it may give anew when it writes the file anew
    (sqlite.org/lang_vacuum.html); a name that the table has for a column of its own is no such.
    """
    tables = {name.lower(): name for kind, name, _, _ in connection.schema() if kind == "table"}
    for kind, name, _, sql in connection.schema():
        if kind != "table" or "references" not in (sql or "").lower():
            continue
        for key in connection.execute(f"PRAGMA foreign_key_list({quote(name)})"):
            parent = tables.get(str(key[2]).lower())
            columns = connection.table_info(parent) if parent is not None else ()
            named = str(key[4] or "").lower()
            keys = [str(column[2]).upper() for column in columns if column[5]]
            own = any(str(column[1]).lower() == named for column in columns)
            by_number = named in _ROWID_NAMES and not own and keys != ["INTEGER"]
            if parent is not None and (by_number or not (named or keys)):
                return parent, name
    return None


def written_by(
    connection: Connection,
    triggers_sql: Collection[str],
    *,
    deleted: Collection[str],
    changed: Collection[str],
) -> set[str]:
    """Tables to which triggers with this SQL (empty: all triggers) would write, by themselves.

    That is when rows of the ``deleted`` tables go, or change in the ``changed`` ones.
    """
    schema = connection.schema()
    mine = {
        name
        for kind, name, _, sql in schema
        if kind == "trigger" and (not triggers_sql or sql in triggers_sql)
    }
    if not mine:
        return set()
    tables = {name for kind, name, _, _ in schema if kind == "table"}
    heard: set[tuple[str, str]] = set()
    for table in tables.intersection(deleted):
        heard |= connection.written_by_triggers(f"DELETE FROM {quote(table)}")  # noqa: S608 - quoted
    for table in tables.intersection(changed):
        names = [quote(str(column[1])) for column in connection.table_info(table)]
        values = ", ".join(f"{name} = {name}" for name in names)
        heard |= connection.written_by_triggers(f"UPDATE {quote(table)} SET {values}")  # noqa: S608 - quoted
    return {table for trigger, table in heard if trigger in mine}


def named_by_rowid(rows: EraseRows) -> bool:
    """Whether rows are known by a number that SQLite gave them."""
    return any(column.lower() in _ROWID_NAMES for column in rows.key_columns)


def untold_index(
    connection: Connection, full_text: Collection[FullText], rows: Sequence[EraseRows]
) -> str | None:
    """A contentless index that holds words of these rows, and that nothing tells to let them go.

    Its agent tells it by a trigger; where none names it, the agent does so in its own code, which
    nobody else knows, and the words would stay.
    """
    triggers = [sql for kind, _, _, sql in connection.schema() if kind == "trigger" and sql]
    for index in full_text:
        word = re.compile(rf"\b{re.escape(index.name)}\b", re.IGNORECASE)
        if index.content != "none" or any(word.search(sql) for sql in triggers):
            continue
        if any(_has(connection, index, number) for number in _rowids(connection, rows)):
            return index.name
    return None


def _rowids(connection: Connection, rows: Sequence[EraseRows]) -> Iterator[list[int]]:
    """The numbers of the rows, some hundred at a time; tables without any have none."""
    without = {
        name.lower()
        for kind, name, _, sql in connection.schema()
        if kind == "table" and re.search(r"\bWITHOUT\s+ROWID\b", sql or "", re.IGNORECASE)
    }
    for some in rows:
        if some.table.lower() in without:
            continue
        for count, values in parts(some):
            found = connection.execute(f"SELECT rowid {where(some, count)}", values)
            numbers = [int(row[0]) for row in found]
            yield from (numbers[at : at + _AT_ONCE] for at in range(0, len(numbers), _AT_ONCE))


def _has(connection: Connection, index: FullText, numbers: list[int]) -> bool:
    if not numbers:
        return False
    sizes = f"{index.name}_docsize"
    if sizes not in {name for kind, name, _, _ in connection.schema() if kind == "table"}:
        return True  # it keeps no list of its documents: nobody can tell
    found = connection.execute(
        f"SELECT 1 FROM {quote(sizes)} WHERE rowid IN ({marks(len(numbers))}) LIMIT 1",  # noqa: S608 - quoted
        tuple(numbers),
    )
    return bool(found)
