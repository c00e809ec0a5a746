# SPDX-License-Identifier: MIT
"""The five tables of one open file: reading and writing rows, and nothing about their meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from time import monotonic
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, State, StoreId
from memory_gui.engine.database import Connection
from memory_gui.engine.sql import quote
from memory_gui.stores.contract import SCAN_ROWS
from memory_gui.stores.formats.agentao import schema
from memory_gui.stores.sql.cells import (
    ROWID_KEY,
    Cell,
    Row,
    bindable,
    placeholder,
    read_row,
    select_list,
)

ROWID_NAMES: Final = ("rowid", "_rowid_", "oid")
_SECONDS: Final = 0.02
"""How long a batch of a scan may keep writers of a rollback-mode database waiting."""
_SMALL: Final = 50
_CODECS: Final = {"UTF-8": "utf-8", "UTF-16le": "utf-16-le", "UTF-16be": "utf-16-be"}


class Tables:
    """Rows of one store. Belongs to the thread of its connection.

    Raises:
        UserError: ``store.other_schema`` when the file does not hold Agentao's memories,
            ``store.other_rows`` when the rows of a table cannot be told apart by number.
    """

    def __init__(self, connection: Connection, store: StoreId) -> None:
        self.connection = connection
        self.store = store
        found = connection.schema()
        self.foreign = schema.foreign_objects(found)
        self.has_counter = schema.has_counter(found)
        self._codec = _CODECS.get(str(connection.execute("PRAGMA encoding")[0][0]), "utf-8")
        self._columns = self._read_columns(schema.real_tables(found))
        self._rowids = {kind: self._rowid_name(kind) for kind in self._columns}
        self._lists = {
            kind: select_list(columns, self._rowids[kind])
            for kind, columns in self._columns.items()
        }

    def _read_columns(self, tables: frozenset[str]) -> dict[str, tuple[str, ...]]:
        columns = {
            kind: tuple(str(row[1]) for row in self.connection.table_info(table))
            for kind, table in schema.TABLES.items()
            if table in tables
        }
        missing = set(schema.MEMORY_COLUMNS) - set(columns.get("memory", ()))
        unreadable = [
            kind
            for kind, names in columns.items()
            if schema.KEY_COLUMNS[kind] not in names or "" in names
        ]
        if missing or unreadable:
            raise UserError("store.other_schema", path=str(self.connection.path))
        return columns

    def _rowid_name(self, kind: str) -> str:
        """A name of the rows' numbers that no column of the table has taken for itself.

        https://sqlite.org/rowidtable.html: a table WITHOUT ROWID has no such numbers.
        """
        listed = self.connection.execute(f"PRAGMA table_list({quote(schema.TABLES[kind])})")
        taken = {name.lower() for name in self._columns[kind]}
        free = next((name for name in ROWID_NAMES if name not in taken), None)
        if free is None or any(row[4] for row in listed if row[0] == "main"):
            raise UserError("store.other_rows", path=str(self.connection.path))
        return free

    # ---- what is there

    def rowid_name(self, kind: str) -> str:
        """The column by which SQL reaches the rows' numbers."""
        return self._rowids[kind]

    def has(self, kind: str) -> bool:
        """Whether the kind's table exists."""
        return kind in self._columns

    def columns(self, kind: str) -> tuple[str, ...]:
        """The table's columns in its own order; empty when there is no such table."""
        return self._columns.get(kind, ())

    @property
    def version(self) -> int:
        """The schema version that the file states; 0 when it states none."""
        if not self.has("meta"):
            return 0
        rows = self.select("meta", "key = 'version'")
        return rows[0].number("value") if rows else 0

    def counts(self) -> dict[str, dict[State, int]]:
        """Kind to state to number of rows. Adds up to the tables' rows."""
        return {kind: self._count(kind) for kind in schema.TABLES}

    def _count(self, kind: str) -> dict[State, int]:
        if not self.has(kind):
            return {}
        states = {"memory": _MEMORY_STATE, "review": _REVIEW_STATE}.get(kind, "'live'")
        if kind == "review" and "status" not in self.columns(kind):
            states = "'live'"
        rows = self.connection.execute(
            f"SELECT {states}, count(*) FROM {quote(schema.TABLES[kind])} GROUP BY 1"  # noqa: S608 - names of ours
        )
        return {State(str(state)): int(number) for state, number in rows}

    # ---- reading

    def select(
        self, kind: str, where: str, params: Sequence[Cell] = (), tail: str = ""
    ) -> list[Row]:
        """Rows of a kind by an SQL condition (of ours, values bound)."""
        if not self.has(kind):
            return []
        return self.made(kind, self._fetch(kind, where, params, tail))

    def _fetch(
        self, kind: str, where: str, params: Sequence[Cell] = (), tail: str = ""
    ) -> list[tuple[object, ...]]:
        return self.connection.execute(
            f"SELECT {self._lists[kind]} FROM {quote(schema.TABLES[kind])} WHERE {where} {tail}",  # noqa: S608 - conditions of ours
            tuple(map(bindable, params)),
        )

    def made(self, kind: str, found: Sequence[Sequence[object]]) -> list[Row]:
        """The rows of a raw batch, or of a part of it."""
        columns = self._columns[kind]
        return [read_row(columns, values, self._codec) for values in found]

    def batches(self, kind: str, where: str = "1") -> Iterator[list[Row]]:
        """All rows in the order of their rowids; each batch is its own short read transaction."""
        for found in self.raw_batches(kind, where):
            yield self.made(kind, found)

    def raw_batches(self, kind: str, condition: str = "1") -> Iterator[list[tuple[object, ...]]]:
        """As ``batches``, as SQLite gives them: the rowid first."""
        last: int | None = None
        rowid = self._rowids[kind]
        size = SCAN_ROWS // 4
        while True:
            where = condition if last is None else f"{condition} AND {rowid} > {last}"
            start = monotonic()
            found = self._fetch(kind, where, tail=f"ORDER BY {rowid} LIMIT {size}")
            took = monotonic() - start
            if found:
                last = int(str(found[-1][0]))
                yield found
            if len(found) < size:
                return
            size = max(_SMALL, min(SCAN_ROWS, round(size * _SECONDS / max(took, 0.001))))

    def row(self, ref: Ref) -> Row | None:
        """The row that a ref names."""
        if ref.store != self.store or not self.has(ref.kind):
            return None
        match ref.key:
            case (str() as key,):
                value = _event_number(key) if ref.kind == "event" else key
                if value is None:
                    return None
                column = quote(schema.KEY_COLUMNS[ref.kind])
                rows = self.select(ref.kind, f"{column} = ?", (value,))
                # A number in a text key has no such name; a BLOB never equals a text.
                rows = [row for row in rows if row.cells[schema.KEY_COLUMNS[ref.kind]] == value]
            case (name, str() as number) if name == ROWID_KEY and number.lstrip("-").isdecimal():
                rows = self.select(ref.kind, f"{self._rowids[ref.kind]} = ?", (int(number),))
            case _:
                return None
        return rows[0] if rows else None

    # ---- writing

    def writing(self) -> AbstractContextManager[None]:
        """One transaction (BEGIN IMMEDIATE)."""
        return self.connection.writing()

    def insert(self, kind: str, cells: Mapping[str, Cell]) -> None:
        """Add a row; columns that the table does not have are left out by the caller."""
        names = ", ".join(map(quote, cells))
        values = ", ".join(map(placeholder, cells.values()))
        self.connection.execute(
            f"INSERT INTO {quote(schema.TABLES[kind])} ({names}) VALUES ({values})",  # noqa: S608 - quoted names
            tuple(map(bindable, cells.values())),
        )

    def update(self, kind: str, row: Row, cells: Mapping[str, Cell]) -> None:
        """Change some columns of a row."""
        if not cells:
            return
        sets = ", ".join(f"{quote(name)} = {placeholder(cell)}" for name, cell in cells.items())
        self.connection.execute(
            f"UPDATE {quote(schema.TABLES[kind])} SET {sets} WHERE {self._rowids[kind]} = ?",  # noqa: S608 - quoted names
            (*map(bindable, cells.values()), row.rowid),
        )

    def remove(self, kind: str, row: Row) -> None:
        """Take a row out."""
        self.connection.execute(
            f"DELETE FROM {quote(schema.TABLES[kind])} WHERE {self._rowids[kind]} = ?",  # noqa: S608 - names of ours
            (row.rowid,),
        )


_MEMORY_STATE: Final = "CASE WHEN deleted_at IS NULL THEN 'live' ELSE 'trash' END"
_REVIEW_STATE: Final = (
    "CASE status WHEN 'pending' THEN 'pending' WHEN 'approved' THEN 'approved'"
    " WHEN 'rejected' THEN 'rejected' ELSE 'live' END"
)


def _event_number(key: str) -> int | None:
    digits = key.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 19):
        return None
    # "00000012" is the id of a memory, not the number of an event.
    return int(key) if str(int(key)) == key else None
