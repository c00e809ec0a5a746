# SPDX-License-Identifier: MIT
"""Agentao's memories and events as columns: what ``rows`` reads one by one, read by whole columns.

``tests/unit/stores/agentao/test_columns.py`` holds both readings against each other.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, cast
from urllib.parse import quote

from memory_gui import lazy
from memory_gui.domain.recordbatch import FIELD_END, TEXT_END, RecordBatch
from memory_gui.domain.records import EMPTY_PART, Record, State, StoreId
from memory_gui.domain.times import instant, micros_of
from memory_gui.stores.contract import Batch, at_places
from memory_gui.stores.formats.agentao.rows import TAGGED, list_of, record_of, utc_of
from memory_gui.stores.formats.agentao.tables import Tables
from memory_gui.stores.sql.cells import RawRow, numbers_and_prints
from memory_gui.stores.sql.columns import (
    Bytes,
    Joined,
    Remembered,
    fields,
    plain_columns,
    text,
)

_Cells = Mapping[str, Bytes]

_EVENT_FIELDS: Final = frozenset({"id", "event_type", "detail", "timestamp"})


def batches_of(tables: Tables, store: StoreId, kinds: Sequence[str]) -> Iterator[Batch]:
    """The rows of all kinds by their rowids, with a print of their bytes."""
    reader = ColumnReader()
    for kind in kinds:
        for rows in tables.raw_batches(kind) if tables.has(kind) else ():
            yield _batch(tables, store, kind, rows, reader if tables.decodes else None)
            del rows  # as the table does, before it reads on


def _batch(
    tables: Tables, store: StoreId, kind: str, rows: Sequence[RawRow], reader: ColumnReader | None
) -> Batch:
    def records(places: Sequence[int]) -> list[Record]:
        made = tables.made(kind, [rows[place] for place in places])
        return [record_of(store, kind, row) for row in made]

    texts = tables.texts_alone(kind)

    def columns(places: Sequence[int]) -> tuple[RecordBatch, Sequence[int]] | None:
        if reader is None:
            return None
        some = at_places(rows, places)
        return reader.read(kind, tables.columns(kind), some, texts=texts)

    return Batch(kind, len(rows), records, *numbers_and_prints(rows, texts=texts), columns)


class OddCell(Exception):  # noqa: N818 - no error: those rows are read in the other way
    """A cell that only the reading of single rows understands."""


class _EndInside(Exception):  # noqa: N818 - as above
    """A cell that holds ``FIELD_END`` or ``TEXT_END``."""


class ColumnReader:
    """Makes batches of the raw rows of one store. Remembers some thousand values that it met."""

    def __init__(self) -> None:
        self._texts = Remembered(text)
        self._tags = Remembered(_list)
        self._tag_fields = Remembered(_list_fields)
        self._days = Remembered(_day)
        self._hours = Remembered(self._hour)
        self._readers: Mapping[str, Callable[[_Cells], RecordBatch]] = {
            "memory": self._memories,
            "event": self._events,
        }

    def read(
        self, kind: str, columns: Sequence[str], rows: Sequence[RawRow], *, texts: bool = False
    ) -> tuple[RecordBatch, Sequence[int]] | None:
        """Those rows that are as they should be, and their places; None where none can be so read.

        The texts of the database must be in UTF-8. ``texts``: no cell is anything else, or NULL.
        """
        reader = self._readers.get(kind)
        if reader is None:
            return None
        numbers = {"id"} if kind == "event" else frozenset[str]()
        for ends in (True, False):  # of the rows that hold an end of a field or text there are few
            places, cells = plain_columns(rows, columns, numbers, texts=texts, ends=ends)
            try:
                return (reader(cells), places) if places else None
            except _EndInside:
                continue
            except (OddCell, UnicodeDecodeError, KeyError):
                return None
        return None

    def _memories(self, cells: _Cells) -> RecordBatch:
        ids = _ids(cells["id"])
        created = updated = self._times(cells["created_at"])
        if cells["updated_at"] != cells["created_at"]:
            updated = self._times(cells["updated_at"])
        texts = Joined(cells["title"])
        for name in ("content", "scope", "type", "source"):
            texts.add(cells[name])
        texts.add_fields(list(map(self._tag_fields.__getitem__, cells["tags_json"])))
        self._rest(texts, cells, TAGGED)
        deleted = cells.get("deleted_at")
        return RecordBatch(
            kind="memory",
            ids=ids,
            states=[State.LIVE] * len(ids)
            if deleted is None
            else [State.LIVE if cell is None else State.TRASH for cell in deleted],
            joined=_made(texts),
            types=self._named(cells, "type"),
            scopes=self._named(cells, "scope"),
            sources=self._named(cells, "source"),
            confidences=self._named(cells, "confidence"),
            subjects=[""] * len(ids),
            tags=list(map(self._tags.__getitem__, cells["tags_json"])),
            created=created,
            updated=_first_known(updated, created),
        )

    def _events(self, cells: _Cells) -> RecordBatch:
        ids = [str(number).encode() for number in cells["id"]]
        times = self._times(cells["timestamp"])
        texts = Joined(cells["event_type"])
        if "detail" in cells:
            texts.add(cells["detail"])
        self._rest(texts, cells, _EVENT_FIELDS)
        none = [""] * len(ids)
        return RecordBatch(
            kind="event",
            ids=ids,
            states=[State.LIVE] * len(ids),
            joined=_made(texts),
            types=none,
            scopes=none,
            sources=none,
            confidences=self._named(cells, "confidence"),
            subjects=none,
            tags=[()] * len(ids),
            created=times,
            updated=times,
        )

    def _rest(self, texts: Joined, cells: _Cells, used: Collection[str]) -> None:
        """The fields of the other columns, in the table's order."""
        for name, column in cells.items():
            if name == "keywords_json":
                if column.count(_NO_LIST) < len(column):
                    texts.add_fields(list(map(_list_fields, column)))
            elif name not in used:
                texts.add(column)

    def _named(self, cells: _Cells, name: str) -> Sequence[str]:
        column = cells.get(name)
        if column is None:
            return [""] * len(next(iter(cells.values())))
        return list(map(self._texts.__getitem__, column))

    def _times(self, cells: Bytes) -> Sequence[int | None]:
        """As ``instant`` of each text; an ``array`` where all are known."""
        if None not in cells:
            found = lazy.instants().instants_of(cells, self._days.__getitem__)
            if found is not None:
                return cast("array[int]", found)
            joined = b"\n".join(cells)  # type: ignore[arg-type]  # there is no None
            parts = _TIME.findall(joined)
            if len(parts) == len(cells) == joined.count(b"\n") + 1:
                hours = self._hours
                try:
                    return [
                        hours[hour] + _SECONDS[rest] + (int(fraction) if fraction else 0)  # type: ignore[operator]  # None is a TypeError
                        for hour, rest, fraction in parts
                    ]
                except TypeError:
                    pass  # below, one by one
        return [None if cell is None else _instant(cell) for cell in cells]

    def _hour(self, text: bytes | None) -> int | None:
        """When an hour begins; None when clocks are set in it, or it is none."""
        text = text or b""
        begin, hour = self._days[int(text[:10].replace(b"-", b""))], int(text[11:])
        if begin is not None and hour < 24:
            return begin + hour * _HOUR
        begin, end = _instant(text + b":00:00"), _instant(text + b":59:59")
        return begin if begin is not None and end == begin + _HOUR - _SECOND else None


_TIME: Final = re.compile(
    rb"^(\d{4}-\d\d-\d\d[T ]\d\d):([0-5]\d:[0-5]\d)(?:\.(\d{6}))?$", re.MULTILINE
)
_SECONDS: Final = {b"%02d:%02d" % divmod(second, 60): second * 1_000_000 for second in range(3_600)}
_HOUR: Final = 3_600 * 1_000_000
_SECOND: Final = 1_000_000
_DAY: Final = timedelta(days=1, seconds=-1)
"""From its first second to its last one."""


def _day(number: int) -> int | None:
    """When a day (20260131) begins, as ``utc_of`` reads it; None when clocks are set on it."""
    year, month, day = number // 10_000, number // 100 % 100, number % 100
    try:
        begin = datetime(year, month, day).astimezone(UTC)  # by the clocks here, as `utc_of`
        end = datetime(year, month, day, 23, 59, 59).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return micros_of(begin) if end - begin == _DAY else None


def _first_known(times: Sequence[int | None], others: Sequence[int | None]) -> Sequence[int | None]:
    if times is others or isinstance(times, array) or None not in times:
        return times
    return [other if time is None else time for time, other in zip(times, others, strict=True)]


def _instant(cell: bytes) -> int | None:
    stored = cell.decode()
    return instant(stored, utc_of(stored)[0])


def _made(texts: Joined) -> bytes:
    made = texts.made()
    if made is None:
        raise _EndInside
    return made


def _ids(cells: Bytes) -> Sequence[bytes]:
    if not cells.count(None) and not cells.count(b"") and b"".join(cells).isalnum():  # type: ignore[arg-type]  # there is no None
        return cells  # type: ignore[return-value]  # as above
    return list(map(_id, cells))


def _id(cell: bytes | None) -> bytes:
    if cell is None:
        raise OddCell
    if cell.isalnum():
        return cell
    return (quote(cell.decode(), safe="") or EMPTY_PART).encode()


def _list(cell: bytes | None) -> tuple[str, ...]:
    if cell is None or cell == _NO_LIST:
        return ()
    if (plain := _PLAIN_LIST.fullmatch(cell)) is not None:
        return tuple(plain[1].decode().split('", "'))
    found = list_of(cell.decode())
    if found is None or any(not _ENDS.isdisjoint(one) for one in found):
        raise OddCell
    return found


_ENDS: Final = frozenset((FIELD_END + TEXT_END).decode())
_NO_LIST: Final = b"[]"
_PLAIN_LIST: Final = re.compile(rb'\["([^"\\\x00-\x1f]*(?:", "[^"\\\x00-\x1f]*)*)"\]')
"""A JSON list of texts without escapes, as Python writes it."""


def _list_fields(cell: bytes | None) -> bytes:
    if cell == _NO_LIST:
        return b""
    found = _PLAIN_LIST.fullmatch(cell or b"")
    if found is not None:
        return FIELD_END + found[1].replace(b'", "', FIELD_END)
    return fields(_list(cell))
