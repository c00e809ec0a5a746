# SPDX-License-Identifier: MIT
"""One ordinary table of an open file: reading and writing rows, and nothing about their meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from time import monotonic
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.database import Connection
from memory_gui.engine.sql import marks, quote
from memory_gui.stores.contract import SCAN_ROWS
from memory_gui.stores.sql.cells import (
    Cell,
    RawRow,
    Row,
    as_bytes,
    bindable,
    placeholder,
    print_of,
    quick_list,
    read_row,
    rowid_of,
    select_list,
)

ROWID_NAMES: Final = ("rowid", "_rowid_", "oid")
_SECONDS: Final = 0.02
"""How long a batch of a scan may keep writers of a rollback-mode database waiting."""
_SMALL: Final = 50
_RAW: Final = SCAN_ROWS // 2
"""Raw rows of a batch at most. They are passed over column by column, and so many stay in a near
memory meanwhile: a million took 6.7 s so, 7.3 s with twice and 7.1 s with half as many."""
_FAR: Final = 20_000
"""Rows of a range at most, when one column of each is looked at."""
_RANGES: Final = 2_000
"""So many of those are still gone through, one by one; empty ones take no time to speak of."""
_CODECS: Final = {"UTF-8": "utf-8", "UTF-16le": "utf-16-le", "UTF-16be": "utf-16-be"}


def codec_of(connection: Connection) -> str:
    """Python's name of the encoding in which a database keeps its texts."""
    return _CODECS.get(str(connection.execute("PRAGMA encoding")[0][0]), "utf-8")


class Table:
    """Rows of one table, told apart by number. Belongs to the thread of its connection.

    Raises:
        UserError: ``store.other_rows`` when the rows cannot be told apart by number
            (https://sqlite.org/rowidtable.html: a table WITHOUT ROWID has no such numbers).
    """

    def __init__(self, connection: Connection, name: str, codec: str) -> None:
        self.name = name
        told = connection.table_info(name)
        self.columns = tuple(str(row[1]) for row in told)
        """In the table's own order."""
        self._connection = connection
        self._codec = codec
        self.rowid = self._free_rowid()
        """The column by which SQL reaches the rows' numbers."""
        self._list = select_list(self.columns, self.rowid)
        texts = {str(row[1]) for row in told if str(row[2]).upper() == "TEXT"}
        self._quick = quick_list(self.columns, texts, self.rowid) if texts else None
        self._declared = len(texts) == len(self.columns)
        self.texts_alone = False
        """Whether the rows that ``raw_batches`` gave last have no cells but texts and NULLs."""

    def _free_rowid(self) -> str:
        """A name of the rows' numbers that no column of the table has taken for itself."""
        listed = self._connection.execute(f"PRAGMA table_list({quote(self.name)})")
        taken = {name.lower() for name in self.columns}
        free = next((name for name in ROWID_NAMES if name not in taken), None)
        if free is None or any(row[4] for row in listed if row[0] == "main"):
            raise UserError("store.other_rows", path=str(self._connection.path))
        return free

    # ---- reading

    def count(self, where: str = "1", params: Sequence[Cell] = ()) -> int:
        """How many rows meet an SQL condition (of ours, values bound)."""
        found = self._connection.execute(
            f"SELECT count(*) FROM {quote(self.name)} WHERE {where}",  # noqa: S608 - conditions of ours
            tuple(map(bindable, params)),
        )
        return int(found[0][0])

    def select(self, where: str, params: Sequence[Cell] = (), tail: str = "") -> list[Row]:
        """Rows by an SQL condition (of ours, values bound)."""
        return self.made(self._fetch(where, params, tail))

    def _fetch(
        self, where: str, params: Sequence[Cell] = (), tail: str = "", chosen: str = ""
    ) -> list[RawRow]:
        return self._connection.execute(
            f"SELECT {chosen or self._list} FROM {quote(self.name)} WHERE {where} {tail}",  # noqa: S608 - conditions of ours
            tuple(map(bindable, params)),
        )

    def made(self, found: Sequence[RawRow]) -> list[Row]:
        """The rows of a raw batch, or of a part of it."""
        return [read_row(self.columns, values, self._codec) for values in found]

    def numbered(self, number: int) -> Row | None:
        """The row with a number."""
        rows = self.select(f"{self.rowid} = ?", (number,))
        return rows[0] if rows else None

    def printed(self, where: str, params: Sequence[Cell] = ()) -> list[tuple[Row, int]]:
        """As ``select``, each row with its ``print_of``."""
        found = self._fetch(where, params)
        return list(zip(self.made(found), map(print_of, found), strict=True))

    def batches(self, where: str = "1", columns: Sequence[str] = ()) -> Iterator[list[Row]]:
        """All rows in the order of their rowids; each batch is its own short read transaction.

        With ``columns`` their rows have those of them that the table has, and no others.
        """
        mine = [column for column in self.columns if column in columns] or self.columns
        chosen = select_list(mine, self.rowid) if columns else ""
        for found in self.raw_batches(where, chosen):
            yield [read_row(mine, values, self._codec) for values in found]

    def raw_batches(self, condition: str = "1", chosen: str = "") -> Iterator[list[RawRow]]:
        """As ``batches``, as SQLite gives them: the rowid first. ``chosen``: a list of your own."""
        last: int | None = None
        size = _RAW // 2
        while True:
            where = condition if last is None else f"{condition} AND {self.rowid} > ?"
            bounds = (size,) if last is None else (last, size)
            start = monotonic()
            tail = f"ORDER BY {self.rowid} LIMIT ?"
            found = self._fetch(where, bounds, tail, chosen or self._quick or "")
            took = monotonic() - start
            if not found:
                break
            last, full = int(str(found[-1][0])), len(found) == size
            odd = [row[0] for row in found if row[1]] if self._quick and not chosen else []
            self.texts_alone = bool(self._quick and not chosen and self._declared and not odd)
            yield self._exact(found, odd) if odd else found
            del found  # before the next ones come, so that they come into the same, near memory
            if not full:
                break
            size = max(_SMALL, min(_RAW, round(size * _SECONDS / max(took, 0.001))))
        self._connection.give_back()

    def highest(
        self, column: str, count: int, condition: str = "1", check: Callable[[], object] = str
    ) -> list[int]:
        """Numbers of the rows that have the highest texts in a column, the highest first.

        Range by range of the rows' numbers, each its own short read (``check`` is called between):
        one ORDER BY over a million rows keeps a writer waiting for seconds. None where the numbers
        lie too far apart for that.
        """
        name, number = quote(column), self.rowid
        ends = (f"(SELECT {end}({number}) FROM {quote(self.name)})" for end in ("min", "max"))  # noqa: S608 - names of ours
        # One by one they are at the ends of the tree; together, or counted, all rows are read.
        first, last = self._connection.execute(f"SELECT {', '.join(ends)}")[0]
        found: list[tuple[Cell, int]] = []
        if first is None or int(last) - int(first) > _FAR * _RANGES:
            return []
        at, size = int(first), SCAN_ROWS
        while at <= int(last):
            check()
            start = monotonic()
            found += self._connection.execute(
                f"SELECT {name}, {number} FROM {quote(self.name)} WHERE {number} BETWEEN ? AND ?"  # noqa: S608 - names of ours
                # What is nearly always false first; numbers and nothing are less than any text.
                f" AND {name} > ? AND {condition} AND typeof({name}) = 'text'"
                f" ORDER BY 1 DESC LIMIT {count}",
                (at, at + size - 1, found[-1][0] if len(found) == count else ""),
            )
            found.sort(key=itemgetter(0), reverse=True)
            del found[count:]
            at += size
            took = monotonic() - start
            size = max(_SMALL, min(_FAR, round(size * _SECONDS / max(took, 0.001))))
        return [row for _, row in found]

    def _exact(self, rows: list[RawRow], odd: Sequence[Cell]) -> list[RawRow]:
        """What the quick list gave; the rows that it marked are read again, as they are now."""
        exact: dict[object, RawRow] = {}
        for at in range(0, len(odd), _SMALL):
            some = odd[at : at + _SMALL]
            where = f"{self.rowid} IN ({marks(len(some))})"
            exact.update((row[0], row) for row in self._fetch(where, some))
        return [exact.get(row[0], row) for row in rows if not row[1] or row[0] in exact]

    def texts(self, columns: Sequence[str]) -> Iterator[tuple[list[int], list[bytes]]]:
        """Every row's number, and the cells of some columns as ``Row.text`` has them, in UTF-8.

        In batches; a row's cells follow one another. Two or three times as fast as ``batches``.
        """
        if self._codec != "utf-8":
            for rows in self.batches(columns=columns):
                cells = [row.text(column) for row in rows for column in columns]
                yield [row.rowid for row in rows], [as_bytes(cell) for cell in cells]
            return
        names = [quote(one) if one in self.columns else "NULL" for one in columns]
        chosen = ",".join(
            f"CASE typeof({one}) WHEN 'text' THEN CAST({one} AS BLOB) ELSE {one} END"
            for one in names
        )
        for found in self.raw_batches(chosen=f"{self.rowid},{chosen}"):
            yield list(map(rowid_of, found)), [as_bytes(cell) for row in found for cell in row[1:]]

    # ---- writing

    def insert(self, cells: Mapping[str, Cell]) -> int:
        """Add a row and return its number; columns that the table has not are the caller's care."""
        names = ", ".join(map(quote, cells))
        values = ", ".join(map(placeholder, cells.values()))
        self._connection.execute(
            f"INSERT INTO {quote(self.name)} ({names}) VALUES ({values})",  # noqa: S608 - quoted names
            tuple(map(bindable, cells.values())),
        )
        return self._connection.last_rowid()

    def update(self, row: Row, cells: Mapping[str, Cell]) -> None:
        """Change some columns of a row."""
        if not cells:
            return
        sets = ", ".join(f"{quote(name)} = {placeholder(cell)}" for name, cell in cells.items())
        self._connection.execute(
            f"UPDATE {quote(self.name)} SET {sets} WHERE {self.rowid} = ?",  # noqa: S608 - quoted names
            (*map(bindable, cells.values()), row.rowid),
        )

    def remove(self, row: Row) -> None:
        """Take a row out."""
        self._connection.execute(
            f"DELETE FROM {quote(self.name)} WHERE {self.rowid} = ?",  # noqa: S608 - names of ours
            (row.rowid,),
        )
