# SPDX-License-Identifier: MIT
"""Which tables of a database that nobody declared are opened, and what is read of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final
from urllib.parse import unquote

from memory_gui.engine.database import Connection, SchemaRow
from memory_gui.engine.sql import quote
from memory_gui.engine.virtual import module_of
from memory_gui.stores.contract import SCAN_ROWS
from memory_gui.stores.formats.generic.cells import GenericCell, read_cells, select_cells

MOST_TABLES: Final = 1_000
MOST_COLUMNS: Final = 600
"""Three values are selected per cell, and SQLite gives 2,000 per row."""
_SECONDS: Final = 0.02
_BATCH_BYTES: Final = 8 << 20
_AT_ONCE: Final = 50
_ROWID_NAMES: Final = ("rowid", "_rowid_", "oid")
_SHADOWS: Final = (
    "_data", "_idx", "_docsize", "_config", "_segments", "_segdir", "_stat", "_node", "_parent",
    "_rowid", "_chunks", "_rowids", "_info", "_auxiliary", "_vector_chunks",
)  # fmt: skip
_UNSAFE: Final = re.compile(r"[%:/\x00-\x20\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def kind_of(table: str) -> str:
    """The kind's name of a table: as it is, what would not show or divides a ref is escaped."""
    return _UNSAFE.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), table)


def table_of(kind: str) -> str:
    """The table of a kind's name."""
    return unquote(kind)


@dataclass(frozen=True, slots=True)
class Tables:
    """``opened`` are the names of the tables, ``not_opened`` those of all else with rows."""

    opened: tuple[str, ...]
    not_opened: tuple[str, ...]
    triggers: tuple[str, ...]
    total: int


def tables_in(schema: Sequence[SchemaRow]) -> Tables:
    """Sort the objects of a schema. Nothing of the database is read for it."""
    virtual = {name for kind, name, _, sql in schema if kind == "table" and module_of(sql or "")}
    shadows = {f"{name}{ending}" for name in virtual for ending in _SHADOWS}
    plain: list[str] = []
    others: list[str] = []
    for kind, name, _, _ in schema:
        if kind == "view" or (kind == "table" and (name in virtual or name in shadows)):
            others.append(name)
        elif kind == "table" and not name.startswith("sqlite_"):
            (plain if name and "\0" not in name else others).append(name)
    triggers = tuple(name for kind, name, _, _ in schema if kind == "trigger")
    return Tables(tuple(plain[:MOST_TABLES]), tuple(others), triggers, len(plain))


class GenericTable:
    """One table. Belongs to the thread of its connection.

    ``key`` are the columns that name a row: its number, or the primary key of a table that has
    none. ``columns`` are those that are read.
    """

    def __init__(self, connection: Connection, name: str, codec: str) -> None:
        self.name = name
        self.kind = kind_of(name)
        self._connection = connection
        self._codec = codec
        info = [row for row in connection.table_info(name) if row[1] and "\0" not in str(row[1])]
        self.columns = tuple(str(row[1]) for row in info)[:MOST_COLUMNS]
        self.types = {str(row[1]): str(row[2]).upper() for row in info}
        self.primary = tuple(str(row[1]) for row in sorted(info, key=_place) if row[5])
        taken = {column.lower() for column in self.types}
        listed = connection.execute(f"PRAGMA table_list({quote(name)})")
        has_numbers = not any(row[4] for row in listed if row[0] == "main")
        free = next((one for one in _ROWID_NAMES if one not in taken), None)
        self.numbered = has_numbers and free is not None
        self.key = (free,) if self.numbered and free is not None else self.primary
        self._from = quote(name)

    def count(self) -> int:
        """How many rows it has."""
        return int(self._connection.execute(f"SELECT count(*) FROM {self._from}")[0][0])  # noqa: S608 - a quoted name

    def batches(self) -> Iterator[list[tuple[tuple[str, ...], list[GenericCell]]]]:
        """(key, cells) of all rows by key; each batch is a read transaction of its own."""
        last: tuple[object, ...] | None = None
        while True:
            found, last = self._batch(last)
            if found:
                yield found
            if last is None:
                return

    def _batch(
        self, last: tuple[object, ...] | None
    ) -> tuple[list[tuple[tuple[str, ...], list[GenericCell]]], tuple[object, ...] | None]:
        """Rows behind ``last``; and the key to go on behind, None at the end."""
        keys = ", ".join(map(quote, self.key))
        where = "" if last is None else f" WHERE ({keys}) > ({', '.join('?' * len(self.key))})"
        sql = f"{self._select()}{where} ORDER BY {keys} LIMIT {SCAN_ROWS}"
        started, size = monotonic(), 0
        found: list[tuple[tuple[str, ...], list[GenericCell]]] = []
        rows = self._connection.rows(sql, last or (), _AT_ONCE)
        for part in rows:
            for values in part:
                key, cells = self._made(values)
                found.append((key, cells))
                last = tuple(values[: len(self.key)])
                size += sum(_weight(cell) for cell in cells)
            if size > _BATCH_BYTES or monotonic() - started > _SECONDS:
                rows.close()  # type: ignore[attr-defined]  # it is a generator
                return found, last
        return found, last if len(found) == SCAN_ROWS else None

    def row(self, key: Sequence[str]) -> list[GenericCell] | None:
        """The cells of one row, None when it is gone."""
        if len(key) != len(self.key):
            return None
        values: list[object] = []
        tests = []
        for column, part in zip(self.key, key, strict=True):
            either = _values_of(part)
            tests.append(f"{quote(column)} IN ({', '.join('?' * len(either))})")
            values += either
        sql = f"{self._select()} WHERE {' AND '.join(tests)} LIMIT 1"
        found = self._connection.execute(sql, values)
        return self._made(found[0])[1] if found else None

    def _select(self) -> str:
        keys = ", ".join(map(quote, self.key))
        return f"SELECT {keys}, {select_cells(self.columns)} FROM {self._from}"  # noqa: S608 - quoted names

    def _made(self, values: Sequence[object]) -> tuple[tuple[str, ...], list[GenericCell]]:
        width = len(self.key)
        return tuple(map(_part, values[:width])), read_cells(values[width:], self._codec)


def _place(row: Sequence[object]) -> int:
    return row[5] if isinstance(row[5], int) else 0


def _weight(cell: GenericCell) -> int:
    return len(cell.value) if isinstance(cell.value, (str, bytes)) else 8


def _part(value: object) -> str:
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return "" if value is None else str(value)


def _values_of(part: str) -> list[object]:
    """What a part of a key may stand for, in the types that SQLite tells apart."""
    found: list[object] = [part]
    if part.startswith("x'") and part.endswith("'"):
        try:
            found.append(bytes.fromhex(part[2:-1]))
        except ValueError:
            return found
    try:
        number = int(part)
    except ValueError:
        try:
            found.append(float(part))
        except ValueError:
            return found
    else:
        if -(1 << 63) <= number < 1 << 63:
            found.append(number)
    return found
