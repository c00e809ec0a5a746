# SPDX-License-Identifier: MIT
"""Searching one or several stores at once: which records, in which order, with which counts.

Loaded through ``memory_gui.lazy`` when the first store is searched, because numpy comes with it.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from memory_gui.domain.folding import fold
from memory_gui.domain.language import Parsed, Part
from memory_gui.domain.queries import FACETS, Facet, Query
from memory_gui.domain.records import State
from memory_gui.domain.work import nobody_asks
from memory_gui.index.columns import NO_TIME
from memory_gui.index.content import Content
from memory_gui.index.filters import Bools, Check, Filter, needle_bytes
from memory_gui.index.joined import (
    Joined,
    Numbers,
    Slots,
    begins_of,
    end_to_end,
    slots_of,
    store_of,
)
from memory_gui.index.orders import ordered
from memory_gui.index.ready import Ready, Shelved, held

__all__ = ["Content", "Shelved", "Whole", "made_at_once"]

_FEW: Final = 16
"""Of fewer than one in so many records the order is found by sorting those alone."""
_WALK: Final = 1_024
"""So many places of an order are looked at in one step of a walk; so few records all at once."""
_FAR: Final = 16_384
"""After so many texts, some milliseconds, a walk is given up."""
_FURTHER: Final = 40_960
"""As much where blocks' signs promise that what is looked for is in enough of them."""
_RARE: Final = 1 / 4
"""Where less of all texts may hold a part, looking through those is quicker than a walk."""


class Whole:
    """What is the same for all searches: the orders that are kept ready. Any thread.

    The contents' guards are held for the length of a search, so that it sees one state.
    """

    def __init__(self) -> None:
        self.ready = Ready()

    def search(
        self,
        stores: Sequence[Shelved],
        query: Query,
        parsed: Parsed,
        sort: str,
        check: Check = nobody_asks,
    ) -> array[int]:
        """Listing ids of the records that a query shows, in order."""
        cleared = self.ready.cleared
        with held(stores):
            masks = [Filter(one.content, query, parsed, check).mask() for one in stores]
            check()
            number = sum(int(np.count_nonzero(mask)) for mask in masks)
            if number * _FEW < sum(one.content.count() for one in stores):
                return _as_array(_ids(stores, _sorted(stores, masks, sort)))
            order = self.ready.order(stores, sort.removeprefix("-"), cleared)
            slots = order[end_to_end(masks)[order]]
            return _as_array(_ids(stores, slots[::-1] if sort.startswith("-") else slots))

    def first(
        self,
        stores: Sequence[Shelved],
        query: Query,
        parsed: Parsed,
        sort: str,
        *,
        most: int,
        check: Check = nobody_asks,
    ) -> array[int] | None:
        """The first ids that ``search`` would give; None where that is no quicker to find out.

        Walks the order, which is quick where what is looked for is in many records.
        """
        if not any(isinstance(term, Part) for term in parsed.terms):
            return None
        cleared = self.ready.cleared
        with held(stores):
            if sum(one.content.columns.count for one in stores) <= _WALK:
                return None
            share = _share(stores, parsed)
            if share < _RARE:
                return None
            far = _FAR if share == 1 else _FURTHER
            filters = [Filter(one.content, query, parsed, check) for one in stores]
            order = self.ready.order(stores, sort.removeprefix("-"), cleared)
            down = sort.startswith("-")
            cheap = end_to_end([one.cheap() for one in filters])
            begins = _begins(stores)
            found: list[Slots] = []
            number = looked = at = 0
            while number < most and at < len(order):
                slots = order[_piece(len(order), at, _WALK, down=down)]
                places = np.flatnonzero(cheap[slots])
                if looked + len(places) > far:
                    return None
                holding = np.zeros(len(places), np.bool_)
                for one, begin, end in zip(filters, begins, begins[1:], strict=False):
                    mine = np.flatnonzero((slots[places] >= begin) & (slots[places] < end))
                    holding[mine] = one.holding_all(slots[places[mine]] - begin)
                kept = slots[places[holding]]
                found.append(kept[::-1] if down else kept)
                number += len(kept)
                looked += len(places)
                at += _WALK
            return _as_array(_ids(stores, np.concatenate([order[:0], *found])[:most]))

    def facets(
        self,
        stores: Sequence[Shelved],
        query: Query,
        parsed: Parsed,
        check: Check = nobody_asks,
    ) -> dict[str, tuple[Facet, ...]]:
        """By each name of FACETS, values with counts, the most frequent first."""
        counts: dict[str, Counter[str]] = {name: Counter() for name in FACETS}
        for one in stores:
            with one.content.guard:
                counted = Filter(one.content, query, parsed, check).facets()
            for name, numbers in counted.items():
                counts[name].update(numbers)
        trees = [one.content.paths for one in stores]
        common = trees[0] if trees and all(tree == trees[0] for tree in trees) else {}
        return {
            name: _in_tree(numbers, common[name]) if name in common else _in_order(numbers)
            for name, numbers in counts.items()
        }

    def values(self, stores: Sequence[Shelved], field: str) -> dict[str, str]:
        """Values of a field of the language: folded -> as written, the most frequent first."""
        if field in FACETS:
            found = self.facets(stores, Query(), Query().parsed())[field]
            return {fold(one.value): one.value for one in found}
        names: dict[str, str] = {}
        for one in stores:
            with one.content.guard:
                content, kinds = one.content, one.content.kinds.names
                texts = kinds if field == "kind" else content.names[field].texts()
                names.update((fold(text), text) for text in texts)
        return names

    def ready_maker(
        self,
        stores: Sequence[Shelved],
        sorts: Sequence[str],
        unwanted: Callable[[], object] = nobody_asks,
    ) -> Callable[[], None] | None:
        """What makes the orders that take long and are not there, in any thread; None: none is.

        After a ``clear`` that comes between, or once it is ``unwanted``, it makes none.
        """
        with held(stores):
            names = self.ready.wanted(stores, sorts)
        return self.ready.maker(stores, names, unwanted) if names else None

    def clear(self) -> None:
        """Forget the orders, those too that are being made."""
        self.ready.clear()


def made_at_once(one: Content, other: Content) -> list[list[int]]:
    """The live records of two stores that were made at a moment at which the other's was, too."""
    live = Query(states=frozenset({State.LIVE}))
    found = []
    for content in (one, other):
        with content.guard:
            ordinals = np.flatnonzero(Filter(content, live, live.parsed()).mask())
            found.append((ordinals, content.columns["created"][ordinals]))
    both = np.intersect1d(found[0][1], found[1][1])
    both = both[both != NO_TIME]
    return [ordinals[np.isin(times, both)].tolist() for ordinals, times in found]


def _piece(size: int, at: int, step: int, *, down: bool) -> slice:
    """So many places from ``at`` on, or from the end."""
    if down:
        return slice(max(0, size - at - step), size - at)
    return slice(at, at + step)


def _share(stores: Sequence[Shelved], parsed: Parsed) -> float:
    """How much of all texts may hold every part, as their blocks' signs tell; 1 where none does."""
    arenas = [one.content.arena for one in stores]
    used = sum(one.used for one in arenas)
    wanted = [term for term in parsed.terms if isinstance(term, Part) and not term.negated]
    left = [sum(one.left(needle_bytes(term.needle)) for one in arenas) for term in wanted]
    return min(left) / used if left and used else 1


def _sorted(stores: Sequence[Shelved], masks: Sequence[Bools], sort: str) -> Slots:
    joined = Joined([one.content for one in stores])
    found = ordered(joined, slots_of(masks), sort.removeprefix("-"))
    return found[::-1] if sort.startswith("-") else found


def _begins(stores: Sequence[Shelved]) -> Numbers:
    return begins_of([one.content.columns.count for one in stores])


def _ids(stores: Sequence[Shelved], slots: Slots) -> Numbers:
    """Listing ids of some slots."""
    found: Numbers = slots.astype(np.int64)
    if len(stores) > 1:
        begins = _begins(stores)
        offsets = np.array([one.base for one in stores], np.int64) - begins[:-1]
        found += offsets[store_of(begins, slots)]
    elif stores:
        found += stores[0].base
    return found


def _as_array(ids: Numbers) -> array[int]:
    found = array("q")
    found.frombytes(np.ascontiguousarray(ids).view(np.uint8).data)
    return found


def _in_tree(numbers: Mapping[str, int], divider: str) -> tuple[Facet, ...]:
    """Places one below another, as a tree is read."""
    paths = sorted((path.split(divider), path) for path in numbers)
    return tuple(Facet(path, numbers[path], len(parts) - 1, parts[-1]) for parts, path in paths)


def _in_order(numbers: Mapping[str, int]) -> tuple[Facet, ...]:
    ranked = sorted(numbers.items(), key=lambda one: (-one[1], one[0]))
    return tuple(Facet(value, count) for value, count in ranked)
