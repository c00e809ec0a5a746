# SPDX-License-Identifier: MIT
"""The orders that are kept ready: made once, and after a change put right.

Each takes four bytes a record. One that is asked for before it is there is made at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

import numpy as np

from memory_gui.domain.errors import Cancelled
from memory_gui.domain.work import nobody_asks
from memory_gui.index.changes import Moment
from memory_gui.index.content import Content
from memory_gui.index.joined import Joined, Slots, begins_of, end_to_end, store_of
from memory_gui.index.orders import many_values, merged, ordered

KEPT: Final = 9
"""So many orders are kept: as many as there are properties to sort by."""
_MUCH: Final = 8
"""Where more than one record in so many has changed, sorting all of them anew is as quick."""
_LITTLE: Final = 256
"""So many may always have."""


@dataclass(frozen=True, slots=True)
class Shelved:
    """The content of one open store; ``base`` is what its listing ids begin with."""

    base: int
    content: Content


@dataclass(frozen=True, slots=True)
class _Kept:
    """All records of some stores in an order, as they were at some moments."""

    moments: tuple[Moment, ...]
    order: Slots


_Which = tuple[str, tuple[int, ...]]
_Source = tuple[_Kept, list[int]]


class Ready:
    """Orders by property and stores. Any thread."""

    def __init__(self) -> None:
        self._orders: dict[_Which, _Kept] = {}
        self._guard = threading.Lock()
        self.cleared = 0
        """Grows with each ``clear``."""

    def order(self, stores: Sequence[Shelved], name: str, cleared: int) -> Slots:
        """All records, ascending, as they are now. Inside the contents' guards.

        It is not kept where there was a ``clear`` since their number was ``cleared``.
        """
        known = self._known(stores, name)
        if known is None:
            joined = Joined([one.content for one in stores])
            known = _Kept(_moments(stores), ordered(joined, joined.slots(), name))
        self._keep(_which(stores, name), known, cleared)
        return known.order

    def wanted(self, stores: Sequence[Shelved], names: Sequence[str]) -> list[str]:
        """Which orders would take long to make and are not there, or differ much. In the guards."""
        joined = Joined([one.content for one in stores])
        return [
            name
            for name in names
            if not _near(stores, self._source(stores, name)) and many_values(joined, name)
        ]

    def maker(
        self,
        stores: Sequence[Shelved],
        names: Sequence[str],
        unwanted: Callable[[], object] = nobody_asks,
    ) -> Callable[[], None]:
        """What makes orders in any thread, while others search and change.

        It ends early when a store is closed, all is forgotten, or it is ``unwanted``.
        """
        cleared = self.cleared

        def make() -> None:
            for name in names:
                try:
                    self._make(stores, name, cleared, unwanted)
                except Cancelled:
                    return

        return make

    def _make(
        self,
        stores: Sequence[Shelved],
        name: str,
        cleared: int,
        unwanted: Callable[[], object],
    ) -> None:
        """From what is there at one moment; what changes meanwhile is put right by who asks."""
        with held(stores):
            joined = Joined([one.content for one in stores])
            slots, moments = joined.slots(), _moments(stores)

        def check() -> None:
            lives = [one.content.moment().life for one in stores]
            lived = [one.life for one in moments]
            if cleared != self.cleared or lives != lived or unwanted():
                raise Cancelled

        check()
        found = ordered(joined, slots, name, check)
        with held(stores):
            check()
            self._keep(_which(stores, name), _Kept(moments, found), cleared)

    # ---- what is known

    def _known(self, stores: Sequence[Shelved], name: str) -> _Kept | None:
        """An order that is kept, put right; None where it is to be made anew."""
        source = self._source(stores, name)
        if source is None or not _near(stores, source):
            return None
        now = _moments(stores)
        known = _part(*source)
        if known.moments == now:
            return known
        joined = Joined([one.content for one in stores])
        order = known.order
        before = begins_of([one.size for one in known.moments])
        moved = joined.begins[:-1] - before[:-1]
        if moved.any():
            order = (order + moved[store_of(before, order)]).astype(np.uint32)
        since = [one.content.since(then) for one, then in zip(stores, known.moments, strict=True)]
        changed = [some + begin for some, begin in zip(since, joined.begins, strict=False)]
        return _Kept(now, merged(joined, order, end_to_end(changed).astype(np.uint32), name))

    def _source(self, stores: Sequence[Shelved], name: str) -> _Source | None:
        """An order of these stores, or of more; which of its stores are these."""
        bases = [one.base for one in stores]
        exact = self._orders.get(_which(stores, name))
        if exact is not None:
            return exact, list(range(len(bases)))
        for (other, more), kept in list(self._orders.items()):
            if other == name and set(bases) < set(more):
                places = [more.index(base) for base in bases]
                if places == sorted(places):
                    return kept, places
        return None

    def _keep(self, which: _Which, known: _Kept, cleared: int) -> None:
        with self._guard:
            if cleared == self.cleared:
                self._orders.pop(which, None)
                self._orders[which] = known
                while len(self._orders) > KEPT:
                    del self._orders[next(iter(self._orders))]

    def clear(self) -> None:
        """Forget the orders, those too that are being made."""
        with self._guard:
            self.cleared += 1
            self._orders = {}


def held(stores: Sequence[Shelved]) -> ExitStack:
    """Inside the guards of all contents."""
    stack = ExitStack()
    for one in sorted(stores, key=lambda one: one.base):
        stack.enter_context(one.content.guard)
    return stack


def _which(stores: Sequence[Shelved], name: str) -> _Which:
    return name, tuple(one.base for one in stores)


def _moments(stores: Sequence[Shelved]) -> tuple[Moment, ...]:
    return tuple(one.content.moment() for one in stores)


def _near(stores: Sequence[Shelved], source: _Source | None) -> bool:
    """Whether there is an order, and little has changed since."""
    if source is None:
        return False
    kept, places = source
    number = 0
    for one, place in zip(stores, places, strict=True):
        changed = one.content.changed(kept.moments[place])
        if changed is None:
            return False
        number += changed
    return number <= max(_LITTLE, len(kept.order) // _MUCH)


def _part(kept: _Kept, places: Sequence[int]) -> _Kept:
    """Of an order that of some of its stores."""
    if len(places) == len(kept.moments):
        return kept
    moments = tuple(kept.moments[one] for one in places)
    begins = begins_of([one.size for one in kept.moments])
    shifts = np.full(len(kept.moments), -1, np.int64)
    shifts[list(places)] = begins[list(places)] - begins_of([one.size for one in moments])[:-1]
    shift = shifts[store_of(begins, kept.order)]
    there = shift >= 0
    return _Kept(moments, (kept.order[there] - shift[there]).astype(np.uint32))
