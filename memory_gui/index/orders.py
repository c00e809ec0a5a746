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
    keys = np.concatenate(_keys(hits, name)) if hits else np.zeros(0, np.int64)
    return np.argsort(keys, kind="stable")


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


# ---- titles: eight bytes at a time, and only where those before are equal


def _by_title(hits: Sequence[Hits]) -> Numbers:
    total = sum(len(one.ordinals) for one in hits)
    places = np.arange(total)
    groups = np.zeros(total, np.int64)
    unsettled = np.ones(total, np.bool_)
    offset = 0
    while unsettled.any():
        at = np.flatnonzero(unsettled)
        keys, rest = _pieces(hits, places[at], offset)
        inner = np.lexsort((rest, keys, groups[at]))
        places[at] = places[at][inner]
        keys, rest, group = keys[inner], rest[inner], groups[at]
        begins = np.ones(len(at), np.bool_)
        begins[1:] = (keys[1:] != keys[:-1]) | (rest[1:] != rest[:-1]) | (group[1:] != group[:-1])
        number = np.cumsum(begins) - 1
        groups[at] = at[np.flatnonzero(begins)][number]
        unsettled[at] = (np.bincount(number)[number] > 1) & (rest > 8)
        offset += 8
    return places


def _pieces(
    hits: Sequence[Hits], places: Numbers, offset: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]:
    """Eight bytes of each title, and how many it has from there on: 0 to 8, or 9 for more."""
    keys = np.zeros(len(places), np.uint64)
    rest = np.zeros(len(places), np.uint8)
    first = 0
    for one in hits:
        after = first + len(one.ordinals)
        mine = np.flatnonzero((places >= first) & (places < after))
        ordinals = one.ordinals[places[mine] - first]
        columns = one.content.columns
        lengths = columns["title"][ordinals].astype(np.int64)
        keys[mine] = one.content.arena.pieces(columns["place"][ordinals], lengths, offset)
        rest[mine] = np.clip(lengths - offset, 0, 9)
        first = after
    return keys, rest
