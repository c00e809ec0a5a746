# SPDX-License-Identifier: MIT
"""Records as they are laid into the index: folded texts and columns of numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
import numpy.typing as npt

from memory_gui.domain.folding import fold
from memory_gui.domain.recordbatch import BUT_LAST_BIT, FIELD_END, TEXT_END, RecordBatch
from memory_gui.domain.records import Record, State
from memory_gui.domain.times import month_of
from memory_gui.index.arena import GAP
from memory_gui.index.columns import NAMED, NO_TIME, Column
from memory_gui.index.names import Names, TagSets

STATES: Final = {state: number for number, state in enumerate(State)}
_BY_IDENTITY: Final = {id(state): number for state, number in STATES.items()}
_BETWEEN: Final = FIELD_END.decode()
"""Stands for GAP until the texts are bytes; a record that has it is folded field by field."""
_LEAD: Final = np.uint8(0xC0)
"""From this byte on one begins a character of several bytes."""
_CASELESS: Final = np.uint8(0xE4)
_CASELESS_MORE: Final = np.uint8(5)
"""The first of the bytes that U+4000 to U+9FFF begin with, and how many more there are."""
_A: Final = np.uint8(ord("A"))
_TO_Z: Final = np.uint8(25)
_LOWER: Final = np.uint8(5)
"""The bit by which small letters differ from capital ones."""
_MOST_MONTHS: Final = 240
_FIRST_MONTH: Final = 2 * 12
_LAST_MONTH: Final = 9_998 * 12
"""Beyond these the next month, or another zone's, may be none of the calendar's."""
_NEAR: Final = 3 * 3_600 * 1_000_000
"""Nearer than these microseconds to its beginning a month is asked of the clock itself."""

Times = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Laid:
    """Some records: their folded texts, and numbers by column.

    ``joined`` are the texts, each ended by ``GAP``; they begin with the title, ``GAP`` stands
    between fields. ``lengths`` are those of the texts, their ends aside.
    """

    joined: bytes | memoryview
    lengths: npt.NDArray[np.int64]
    columns: Mapping[str, Column]


def laid_of(batch: RecordBatch, names: Mapping[str, Names], tags: TagSets) -> Laid:
    """Those of a batch; takes the names and tags that they share."""
    joined, lengths, titles = _folded(batch.joined)
    created = _known(batch.created)
    updated = created if batch.updated is batch.created else _known(batch.updated)
    values = {
        "type": batch.types,
        "scope": batch.scopes,
        "source": batch.sources,
        "confidence": batch.confidences,
        "subject": batch.subjects,
    }
    return Laid(
        joined,
        lengths,
        {
            "state": states_of(batch.states),
            **{name: names[name].take_all(values[name]) for name in NAMED},
            "tags": tags.take_all(batch.tags),
            "created": created,
            "updated": updated,
            "month": _months(updated),
            "etag": np.zeros(len(batch), np.uint64),
            "length": lengths,
            "title": titles,
        },
    )


def _folded(
    joined: bytes,
) -> tuple[bytes | memoryview, npt.NDArray[np.int64], Column]:
    """Texts of a batch, folded, each ended by ``GAP``; how long they are, and their titles."""
    data = np.frombuffer(bytearray(joined), np.uint8)
    if _is_caseless(data):
        capital = data - _A <= _TO_Z
        data |= capital.view(np.uint8) << _LOWER
    else:
        texts = folded_all(joined.split(TEXT_END)[:-1])
        data = np.frombuffer(bytearray(TEXT_END.join([*texts, b""])), np.uint8)
    marks = np.flatnonzero(data & BUT_LAST_BIT == TEXT_END[0])
    ending = np.flatnonzero(data[marks] == TEXT_END[0])
    data[marks] = GAP[0]
    ends = marks[ending]
    starts, firsts = np.zeros(len(ends), np.int64), np.zeros(len(ends), np.int64)
    starts[1:], firsts[1:] = ends[:-1] + 1, ending[:-1] + 1
    return data.data, ends - starts, marks[firsts] - starts


def _is_caseless(data: npt.NDArray[np.uint8]) -> bool:
    """Whether UTF-8 has only ASCII and U+4000 to U+9FFF: of those folding changes A to Z alone."""
    caseless = np.count_nonzero(data - _CASELESS <= _CASELESS_MORE)
    return bool(np.count_nonzero(data >= _LEAD) == caseless)


def states_of(states: Sequence[State]) -> npt.NDArray[np.uint8]:
    """Their numbers. Looked up by identity: hashing a member takes longer than all the rest."""
    return np.fromiter(map(_BY_IDENTITY.__getitem__, map(id, states)), np.uint8, len(states))


def folded(record: Record) -> bytes:
    """The searchable texts, the title first, folded; GAP between them."""
    fields = record.searchable()
    if not record.title:
        fields = ("", *fields)
    joined = _BETWEEN.join(fields)
    if joined.count(_BETWEEN) == len(fields) - 1:
        return fold(joined).encode("utf-8", "surrogatepass").replace(FIELD_END, GAP)
    return GAP.join(fold(field).encode("utf-8", "surrogatepass") for field in fields)


def folded_all(texts: Sequence[bytes]) -> list[bytes]:
    """Texts of a batch, folded as ``folded`` does it, but ``FIELD_END`` between their fields.

    Plain ASCII needs no decoding. The others are folded together: no normal form reaches over a
    control character, and casefolding looks at each character by itself.
    """
    made = [text.lower() if text.isascii() else b"" for text in texts]
    others = [place for place, text in enumerate(texts) if text and not made[place]]
    if others:
        joined = TEXT_END.join(texts[place] for place in others)
        parts = fold(joined.decode()).encode().split(TEXT_END)
        for place, part in zip(others, parts, strict=True):
            made[place] = part
    return made


def title_lengths(texts: Iterable[bytes]) -> list[int]:
    """How many bytes of each text are its title."""
    ends = [text.find(GAP) for text in texts]
    return [len(text) if end < 0 else end for text, end in zip(texts, ends, strict=True)]


def _known(times: Sequence[int | None]) -> Times:
    if isinstance(times, array):
        return np.frombuffer(times, np.int64)
    known = [NO_TIME if t is None else t for t in times] if None in times else times
    return np.array(known, np.int64)


def _months(times: Times) -> npt.NDArray[np.int32]:
    """As ``month_of`` of each; 0 where there is none."""
    known = times[times != NO_TIME]
    span = [month_of(int(time)) for time in (known.min(), known.max())] if len(known) else []
    near_ends = not span or None in span or span[0] < _FIRST_MONTH or span[1] > _LAST_MONTH  # type: ignore[operator]  # no None
    if near_ends or span[1] - span[0] > _MOST_MONTHS:  # type: ignore[operator]  # as above
        return np.array([_month(int(time)) for time in times], np.int32)
    first = span[0] or 0
    starts = np.array([_start(month) for month in range(first, (span[1] or 0) + 2)], np.int64)
    places = np.searchsorted(starts, times, "right") - 1
    months = np.where(times == NO_TIME, 0, first + places).astype(np.int32)
    near = np.abs(times - starts[np.clip(places, 0, len(starts) - 1)]) < _NEAR
    near |= np.abs(times - starts[np.clip(places + 1, 0, len(starts) - 1)]) < _NEAR
    for place in np.flatnonzero(near | (places < 0)):
        months[place] = _month(int(times[place]))
    return months


def _month(time: int) -> int:
    return 0 if time == NO_TIME else month_of(time) or 0


def _start(month: int) -> int:
    """When a month begins in this machine's zone, give or take an hour of summer time."""
    return int(datetime(month // 12, month % 12 + 1, 1).timestamp()) * 1_000_000  # noqa: DTZ001 - this zone
