# SPDX-License-Identifier: MIT
"""The order in which a listing shows its records, in one store or in several at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from memory_gui.domain.folding import fold
from memory_gui.domain.records import State
from memory_gui.index.content import Content
from memory_gui.index.names import ranks_of

_TIMES: Final = ("updated", "created")
_NAMED: Final = ("type", "scope", "source", "subject")

_SMALL: Final = 2

Keys = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
Ordinals = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Hits:
    """The records of one store that a listing shows: ordinals, ascending."""

    content: Content
    ordinals: Ordinals


def ordered(hits: Sequence[Hits], sort: str) -> Numbers:
    """Places in the concatenated ordinals, in the order of ``sort`` (``-`` before it: descending).

    Equal ones keep their order, or descending the reverse of it.
    """
    name = sort.removeprefix("-")
    places = _by_title(hits) if name == "title" else _by_number(hits, name)
    return places[::-1] if sort.startswith("-") else places


def _by_number(hits: Sequence[Hits], name: str) -> Numbers:
    return _stable(np.concatenate(_keys(hits, name)) if hits else np.zeros(0, np.int64))


def _stable(keys: npt.NDArray[Any]) -> Numbers:
    """As a stable ``argsort``, but twice as fast: SIMD sorts 64 bits, without regard to places."""
    if keys.itemsize <= _SMALL:
        return np.argsort(keys, kind="stable")  # by counting
    order = np.argsort(keys)
    sorted_keys = keys[order]
    groups = np.zeros(len(keys), np.uint64)
    np.cumsum(sorted_keys[1:] != sorted_keys[:-1], out=groups[1:])
    return _by_place(groups, order)


def _by_place(groups: npt.NDArray[np.uint64], places: Numbers) -> Numbers:
    """The places in the order of their groups, and in one group in their own."""
    both = groups << np.uint64(32) | places.astype(np.uint64)
    both.sort()
    return (both & np.uint64(0xFFFFFFFF)).astype(np.int64)


def _keys(hits: Sequence[Hits], name: str) -> list[npt.NDArray[Any]]:
    """For each store numbers that sort as the values do, in all stores alike."""
    if name in _TIMES:
        return [one.content.columns[name][one.ordinals] for one in hits]
    texts, numbers = zip(*(_TABLES[name](one.content, name) for one in hits), strict=True)
    ranks = ranks_of(texts)
    return [
        _small(rank)[number[one.ordinals]]
        for rank, number, one in zip(ranks, numbers, hits, strict=True)
    ]


def _small(ranks: npt.NDArray[np.uint32]) -> npt.NDArray[Any]:
    """In 16 bits where that is enough: those are sorted by counting."""
    return ranks.astype(np.uint16) if ranks.max(initial=0) < 1 << 16 else ranks


Table = tuple[Sequence[str], npt.NDArray[Any]]


def _names(content: Content, name: str) -> Table:
    texts = content.names[name].texts()
    return ([fold(text) for text in texts] if name == "subject" else texts), content.columns[name]


def _kinds(content: Content, _name: str) -> Table:
    return content.kinds, content.refs.kinds


def _states(content: Content, _name: str) -> Table:
    return [state.value for state in State], content.columns["state"]


_TABLES: Final[Mapping[str, Callable[[Content, str], Table]]] = {
    "kind": _kinds,
    "state": _states,
    **dict.fromkeys(_NAMED, _names),
}


# ---- titles: some bytes at a time, and only where those before are equal

_BITS: Final = 64
_REST: Final = 4
"""Bits that say how many of a title's bytes are among those taken, or that it has more."""
_FIRST: Final = 7
"""Bytes that are taken first, while no rank needs room beside them."""


def _by_title(hits: Sequence[Hits]) -> Numbers:
    total = sum(len(one.ordinals) for one in hits)
    ranks = np.zeros(total, np.uint64)
    at, offset, width = np.arange(total), 0, _FIRST
    while len(at):
        pieces = _pieces(hits, at, offset, width)
        keys = ranks[at] << np.uint64(8 * width + _REST) | pieces if offset else pieces
        order = np.argsort(keys)
        keys, mine = keys[order], at[order]
        ranks[mine], alone = _ranked(keys, ranks[mine])
        more = keys & np.uint64((1 << _REST) - 1) == width + 1
        at = np.sort(mine[more & ~alone])
        offset += width
        width = (_BITS - _REST - total.bit_length()) // 8
    return _by_place(ranks, np.arange(total))


def _ranked(
    keys: npt.NDArray[np.uint64], ranks: npt.NDArray[np.uint64]
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
    """Sorted keys' ranks, made of those that they had, and which have theirs for themselves."""
    begins = np.ones(len(keys) + 1, np.bool_)
    begins[1:-1] = keys[1:] != keys[:-1]
    within = np.ones(len(keys), np.bool_)
    within[1:] = ranks[1:] != ranks[:-1]
    number = np.arange(len(keys), dtype=np.uint64)
    first = np.maximum.accumulate(np.where(begins[:-1], number, 0))
    before = np.maximum.accumulate(np.where(within, number, 0))
    return ranks + (first - before), begins[:-1] & begins[1:]


def _pieces(hits: Sequence[Hits], places: Numbers, offset: int, width: int) -> Keys:
    """So many bytes of each title, and behind them how many it has: one more where there are more.

    ``places`` are ascending.
    """
    found, first = [], 0
    for one in hits:
        after = first + len(one.ordinals)
        begin, end = np.searchsorted(places, (first, after))
        ordinals = one.ordinals[places[begin:end] - first]
        columns = one.content.columns
        rest = columns["title"][ordinals].astype(np.int64) - offset
        words = one.content.arena.words(columns["place"][ordinals], offset)
        gone = ((8 - np.minimum(rest, width)) * 8).astype(np.uint64)
        words = words >> gone << gone >> np.uint64(_BITS - 8 * width)
        found.append(words << np.uint64(_REST) | np.minimum(rest, width + 1).astype(np.uint64))
        first = after
    return np.concatenate(found)
