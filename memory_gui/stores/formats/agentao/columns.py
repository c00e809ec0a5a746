# SPDX-License-Identifier: MIT
"""Agentao's memories and events as columns: what ``rows`` reads one by one, read by whole columns.

``tests/unit/stores/agentao/test_columns.py`` holds both readings against each other.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import quote

from memory_gui.domain.recordbatch import FIELD_END, RecordBatch
from memory_gui.domain.records import EMPTY_PART, Record, State, StoreId
from memory_gui.domain.times import instant
from memory_gui.stores.contract import Batch
from memory_gui.stores.formats.agentao.rows import TAGGED, list_of, record_of, utc_of
from memory_gui.stores.formats.agentao.tables import Tables
from memory_gui.stores.sql.cells import RawRow, print_of, rowid_of
from memory_gui.stores.sql.columns import Bytes, Remembered, field, fields, plain_places, text

_Cells = Mapping[str, Bytes]

_EVENT_FIELDS: Final = frozenset({"id", "event_type", "detail", "timestamp"})
_FEW: Final = frozenset({"confidence", "sensitivity"})
"""Columns of few different values."""


def batches_of(tables: Tables, store: StoreId, kinds: Sequence[str]) -> Iterator[Batch]:
    """The rows of all kinds by their rowids, with a print of their bytes."""
    reader = ColumnReader()
    for kind in kinds:
        for rows in tables.raw_batches(kind) if tables.has(kind) else ():
            yield _batch(tables, store, kind, rows, reader if tables.decodes else None)


def _batch(
    tables: Tables, store: StoreId, kind: str, rows: Sequence[RawRow], reader: ColumnReader | None
) -> Batch:
    def records(places: Sequence[int]) -> list[Record]:
        made = tables.made(kind, [rows[place] for place in places])
        return [record_of(store, kind, row) for row in made]

    def columns(places: Sequence[int]) -> tuple[RecordBatch, Sequence[int]] | None:
        if reader is None:
            return None
        return reader.read(kind, tables.columns(kind), [rows[place] for place in places])

    numbers = array("q", [rowid_of(row) for row in rows])
    return Batch(kind, len(rows), records, numbers, array("q", map(print_of, rows)), columns)


class OddCell(Exception):  # noqa: N818 - no error: those rows are read in the other way
    """A cell that only the reading of single rows understands."""


class ColumnReader:
    """Makes batches of the raw rows of one store. Remembers some thousand values that it met."""

    def __init__(self) -> None:
        self._fields = Remembered(field)
        self._texts = Remembered(text)
        self._tags = Remembered(_list)
        self._tag_fields = Remembered(lambda cell: fields(_list(cell)))
        self._hours = Remembered(_hour)
        self._readers: Mapping[str, Callable[[_Cells], RecordBatch]] = {
            "memory": self._memories,
            "event": self._events,
        }

    def read(
        self, kind: str, columns: Sequence[str], rows: Sequence[RawRow]
    ) -> tuple[RecordBatch, Sequence[int]] | None:
        """Those rows that are as they should be, and their places; None where none can be so read.

        The texts of the database must be in UTF-8.
        """
        reader = self._readers.get(kind)
        if reader is None:
            return None
        places = plain_places(rows, columns, {"id"} if kind == "event" else frozenset())
        if not places:
            return None
        plain = rows if len(places) == len(rows) else [rows[place] for place in places]
        first = len(rows[0]) - len(columns)
        cells = dict(zip(columns, list(zip(*plain, strict=True))[first:], strict=True))
        try:
            batch = reader(cells)
            FIELD_END.join(batch.texts).decode()
            return batch, places
        except (OddCell, UnicodeDecodeError, KeyError):
            return None

    def _memories(self, cells: _Cells) -> RecordBatch:
        ids = list(map(_id, cells["id"]))
        created = updated = self._times(cells["created_at"])
        if cells["updated_at"] != cells["created_at"]:
            updated = self._times(cells["updated_at"])
        few = self._fields.__getitem__
        parts = [
            [title or b"" for title in cells["title"]],
            map(field, cells["content"]),
            *(map(few, cells[name]) for name in ("scope", "type", "source")),
            map(self._tag_fields.__getitem__, cells["tags_json"]),
            *self._rest(cells, TAGGED),
        ]
        deleted = cells.get("deleted_at")
        return RecordBatch(
            kind="memory",
            ids=ids,
            states=[State.LIVE] * len(ids)
            if deleted is None
            else [State.LIVE if cell is None else State.TRASH for cell in deleted],
            texts=list(map(b"".join, zip(*parts, strict=True))),
            types=self._named(cells, "type"),
            scopes=self._named(cells, "scope"),
            sources=self._named(cells, "source"),
            confidences=self._named(cells, "confidence"),
            subjects=[""] * len(ids),
            tags=list(map(self._tags.__getitem__, cells["tags_json"])),
            created=created,
            updated=[o if n is None else n for n, o in zip(updated, created, strict=True)],
        )

    def _events(self, cells: _Cells) -> RecordBatch:
        ids = [str(number).encode() for number in cells["id"]]
        times = self._times(cells["timestamp"])
        detail = cells.get("detail") or [None] * len(ids)
        parts = [
            [title or b"" for title in cells["event_type"]],
            map(field, detail),
            *self._rest(cells, _EVENT_FIELDS),
        ]
        none = [""] * len(ids)
        return RecordBatch(
            kind="event",
            ids=ids,
            states=[State.LIVE] * len(ids),
            texts=list(map(b"".join, zip(*parts, strict=True))),
            types=none,
            scopes=none,
            sources=none,
            confidences=self._named(cells, "confidence"),
            subjects=none,
            tags=[()] * len(ids),
            created=times,
            updated=times,
        )

    def _rest(self, cells: _Cells, used: Collection[str]) -> list[Iterable[bytes]]:
        """The fields of the other columns, in the table's order."""
        found: list[Iterable[bytes]] = []
        for name, column in cells.items():
            if name == "keywords_json":
                found.append(map(_list_fields, column))
            elif name in _FEW:
                found.append(map(self._fields.__getitem__, column))
            elif name not in used:
                found.append(map(field, column))
        return found

    def _named(self, cells: _Cells, name: str) -> Sequence[str]:
        column = cells.get(name)
        if column is None:
            return [""] * len(next(iter(cells.values())))
        return list(map(self._texts.__getitem__, column))

    def _times(self, cells: Bytes) -> list[int | None]:
        """As ``instant`` of each text."""
        if None not in cells:
            joined = b"\n".join(cells)  # type: ignore[arg-type]  # there is no None
            found = _TIME.findall(joined)
            if len(found) == len(cells) == joined.count(b"\n") + 1:
                hours = self._hours
                try:
                    return [
                        hours[hour] + _SECONDS[rest] + (int(fraction) if fraction else 0)  # type: ignore[operator]  # None is a TypeError
                        for hour, rest, fraction in found
                    ]
                except TypeError:
                    pass  # below, one by one
        return [None if cell is None else _instant(cell) for cell in cells]


_TIME: Final = re.compile(
    rb"^(\d{4}-\d\d-\d\d[T ]\d\d):([0-5]\d:[0-5]\d)(?:\.(\d{6}))?$", re.MULTILINE
)
_SECONDS: Final = {b"%02d:%02d" % divmod(second, 60): second * 1_000_000 for second in range(3_600)}
_LAST: Final = 3_599 * 1_000_000


def _hour(text: bytes | None) -> int | None:
    """When an hour begins; None when clocks are set in it, or it is none."""
    first, last = (_instant((text or b"") + end) for end in (b":00:00", b":59:59"))
    return first if first is not None and last == first + _LAST else None


def _instant(cell: bytes) -> int | None:
    stored = cell.decode()
    return instant(stored, utc_of(stored)[0])


def _id(cell: bytes | None) -> bytes:
    if cell is None:
        raise OddCell
    if cell.isalnum():
        return cell
    return (quote(cell.decode(), safe="") or EMPTY_PART).encode()


def _list(cell: bytes | None) -> tuple[str, ...]:
    if cell is None or cell == b"[]":
        return ()
    found = list_of(cell.decode())
    if found is None or any("\x1f" in one for one in found):
        raise OddCell
    return found


def _list_fields(cell: bytes | None) -> bytes:
    return fields(_list(cell))
