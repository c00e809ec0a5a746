# SPDX-License-Identifier: MIT
"""The five tables of one open file: reading and writing rows, and nothing about their meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, State, StoreId
from memory_gui.engine.database import Connection
from memory_gui.engine.sql import marks, quote
from memory_gui.stores.formats.agentao import schema
from memory_gui.stores.sql.cells import ROWID_KEY, Cell, RawRow, Row
from memory_gui.stores.sql.table import Table, codec_of

_KEYS_AT_ONCE: Final = 400


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
        tables = schema.real_tables(found)
        self._refuse_other(tables)
        codec = self._codec = codec_of(connection)
        self._tables = {
            kind: Table(connection, name, codec)
            for kind, name in schema.TABLES.items()
            if name in tables
        }

    def _refuse_other(self, tables: frozenset[str]) -> None:
        columns = {
            kind: {str(row[1]) for row in self.connection.table_info(table)}
            for kind, table in schema.TABLES.items()
            if table in tables
        }
        missing = set(schema.MEMORY_COLUMNS) - columns.get("memory", set())
        unreadable = [
            kind
            for kind, names in columns.items()
            if schema.KEY_COLUMNS[kind] not in names or "" in names
        ]
        if missing or unreadable:
            raise UserError("store.other_schema", path=str(self.connection.path))

    # ---- what is there

    def rowid_name(self, kind: str) -> str:
        """The column by which SQL reaches the rows' numbers."""
        return self._tables[kind].rowid

    def has(self, kind: str) -> bool:
        """Whether the kind's table exists."""
        return kind in self._tables

    def columns(self, kind: str) -> tuple[str, ...]:
        """The table's columns in its own order; empty when there is no such table."""
        return self._tables[kind].columns if kind in self._tables else ()

    @property
    def decodes(self) -> bool:
        """Whether the file keeps its texts in UTF-8, as it gives them to ``raw_batches``."""
        return self._codec == "utf-8"

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
        if kind == "memory":
            return self._count_memories()
        states = _REVIEW_STATE if kind == "review" else "'live'"
        if kind == "review" and "status" not in self.columns(kind):
            states = "'live'"
        rows = self.connection.execute(
            f"SELECT {states}, count(*) FROM {quote(schema.TABLES[kind])} GROUP BY 1"  # noqa: S608 - names of ours
        )
        return {State(str(state)): int(number) for state, number in rows}

    def _count_memories(self) -> dict[State, int]:
        """By Agentao's own indexes, where by the rows all of the file would be read."""
        name = quote(schema.TABLES["memory"])
        live, every = self.connection.execute(
            f"SELECT (SELECT count(*) FROM {name} WHERE deleted_at IS NULL),"  # noqa: S608 - names of ours
            f" (SELECT count(*) FROM {name})"
        )[0]
        counts = {State.LIVE: int(live), State.TRASH: int(every) - int(live)}
        return {state: number for state, number in counts.items() if number}

    def scopes(self) -> list[str]:
        """Agentao's two, as far as live memories have them; those in the trash where none is live.

        By its own index: by the rows all of the file would be read before anything is shown.
        """
        name = quote(schema.TABLES["memory"])
        live = "deleted_at IS NULL" if "deleted_at" in self.columns("memory") else "1"
        both = ("user", "project")
        for where in dict.fromkeys((live, "1")):
            any_of = f"EXISTS (SELECT 1 FROM {name} WHERE scope = ? AND {where})"  # noqa: S608 - names of ours
            found = self.connection.execute(f"SELECT {any_of}, {any_of}", both)[0]
            if any(found):
                return [scope for scope, there in zip(both, found, strict=True) if there]
        return []

    # ---- reading

    def select(
        self, kind: str, where: str, params: Sequence[Cell] = (), tail: str = ""
    ) -> list[Row]:
        """Rows of a kind by an SQL condition (of ours, values bound)."""
        return self._tables[kind].select(where, params, tail) if self.has(kind) else []

    def made(self, kind: str, found: Sequence[RawRow]) -> list[Row]:
        """The rows of a raw batch, or of a part of it."""
        return self._tables[kind].made(found)

    def batches(self, kind: str, where: str = "1") -> Iterator[list[Row]]:
        """All rows in the order of their rowids; each batch is its own short read transaction."""
        yield from self._tables[kind].batches(where)

    def texts(self, kind: str, columns: Sequence[str]) -> Iterator[tuple[list[int], list[bytes]]]:
        """As ``Table.texts``; nothing where there is no such table."""
        if self.has(kind):
            yield from self._tables[kind].texts(columns)

    def texts_alone(self, kind: str) -> bool:
        """As ``Table.texts_alone``, of the batch of a kind that was given last."""
        return self._tables[kind].texts_alone

    def raw_batches(self, kind: str, condition: str = "1") -> Iterator[list[RawRow]]:
        """As ``batches``, as SQLite gives them: the rowid first."""
        yield from self._tables[kind].raw_batches(condition)

    def row(self, ref: Ref) -> Row | None:
        """The row that a ref names."""
        found = self.printed(ref)
        return None if found is None else found[0]

    def rows(self, kind: str, keys: Sequence[str]) -> dict[str, Row]:
        """Those of many rows of a kind that are there, by their own key (a text)."""
        if not self.has(kind):
            return {}
        column = schema.KEY_COLUMNS[kind]
        found: dict[str, Row] = {}
        for start in range(0, len(keys), _KEYS_AT_ONCE):
            some = keys[start : start + _KEYS_AT_ONCE]
            for row in self.select(kind, f"{quote(column)} IN ({marks(len(some))})", some):
                cell = row.cells[column]
                if isinstance(cell, str):  # a BLOB never equals a text
                    found.setdefault(cell, row)
        return found

    def numbered(self, kind: str, numbers: Sequence[int]) -> list[Row]:
        """The rows with these numbers, in their order."""
        found: list[Row] = []
        for start in range(0, len(numbers), _KEYS_AT_ONCE):
            some = numbers[start : start + _KEYS_AT_ONCE]
            where = f"{self.rowid_name(kind)} IN ({marks(len(some))})"
            found += self.select(kind, where, some, f"ORDER BY {self.rowid_name(kind)}")
        return found

    def newest(self, count: int, check: Callable[[], object]) -> list[Row]:
        """The live memories that changed last."""
        if not {"updated_at", "deleted_at"}.issubset(self.columns("memory")):
            return []
        found = self._tables["memory"].highest("updated_at", count, "deleted_at IS NULL", check)
        return self.numbered("memory", found)

    def printed(self, ref: Ref) -> tuple[Row, int] | None:
        """The row that a ref names, and its print."""
        if ref.store != self.store or not self.has(ref.kind):
            return None
        table = self._tables[ref.kind]
        match ref.key:
            case (str() as key,):
                value = _event_number(key) if ref.kind == "event" else key
                if value is None:
                    return None
                column = schema.KEY_COLUMNS[ref.kind]
                rows = table.printed(f"{quote(column)} = ?", (value,))
                # A number in a text key has no such name; a BLOB never equals a text.
                return next((one for one in rows if one[0].cells[column] == value), None)
            case (name, str() as number) if name == ROWID_KEY and number.lstrip("-").isdecimal():
                return next(iter(table.printed(f"{table.rowid} = ?", (int(number),))), None)
        return None

    # ---- writing

    def writing(self) -> AbstractContextManager[None]:
        """One transaction (BEGIN IMMEDIATE)."""
        return self.connection.writing()

    def insert(self, kind: str, cells: Mapping[str, Cell]) -> None:
        """Add a row; columns that the table does not have are left out by the caller."""
        self._tables[kind].insert(cells)

    def update(self, kind: str, row: Row, cells: Mapping[str, Cell]) -> None:
        """Change some columns of a row."""
        self._tables[kind].update(row, cells)

    def remove(self, kind: str, row: Row) -> None:
        """Take a row out."""
        self._tables[kind].remove(row)


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
