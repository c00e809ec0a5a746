# SPDX-License-Identifier: MIT
"""Searching the open stores, and the records of what was found."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from memory_gui import lazy
from memory_gui.domain.errors import UserError
from memory_gui.domain.folding import fold
from memory_gui.domain.language import Has, Hint
from memory_gui.domain.queries import SORTS, Facet, Query
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.index.memory import give_back, keep_together
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.values import STORE_SHIFT, Listing, Progress

if TYPE_CHECKING:
    from memory_gui.index.whole import Shelved, Whole

_ORDINAL_MASK = (1 << STORE_SHIFT) - 1
_LARGE: Final = 2_000
"""Of fewer records every order is made in a millisecond when it is asked for."""


class Searching:
    """Finds records in what was read of the stores. Any thread may call."""

    def __init__(
        self,
        shelves: Callable[[Collection[StoreId]], list[Shelf]],
        changing: Callable[[], object],
    ) -> None:
        """``shelves`` gives the open stores of those ids, or all.

        While an act is ``changing`` records no orders are made: after many changes they would be
        made anew, and two threads at work leave the window's a third of the interpreter.
        """
        self._shelves = shelves
        self._changing = changing
        self._whole: Whole | None = None
        self._making = threading.Lock()
        """Held while orders are made in the background."""
        keep_together()

    # ---- finding

    def search(
        self,
        query: Query,
        sort: str,
        cancel: CancelToken | None,
        tick: Tick,
        patience: float | None,
    ) -> Listing:
        """As ``Library.search``."""
        started = time.monotonic()
        if sort.removeprefix("-") not in SORTS:
            raise UserError("list.sort", sort=sort)
        shelves = self._shelves(query.stores)
        partial = not _read(shelves, patience, cancel, tick)
        progress = self.progress(query.stores) if partial else ()
        ids = self._index().search(_shelved(shelves), query, query.parsed(), sort, _check(cancel))
        spent = (time.monotonic() - started) * 1000
        if not partial:
            self._make_ready(shelves)
        return Listing(query, sort, ids, len(ids), partial=partial, ms=spent, progress=progress)

    def _make_ready(self, shelves: Sequence[Shelf]) -> None:
        """What lists may be sorted by next, in the background; one such work at a time."""
        shelved = _shelved(shelves)
        if sum(one.content.count() for one in shelved) < _LARGE or self._making.locked():
            return
        if self._changing():
            return  # the list asks again when it has ended
        work = self._index().ready_maker(shelved, SORTS, self._changing)
        if work is not None:
            threading.Thread(target=self._make, args=(work,), name="orders", daemon=True).start()

    def _make(self, work: Callable[[], None]) -> None:
        if self._making.acquire(blocking=False):
            try:
                work()
            finally:
                # What sorting took; and all of it, where a store was closed meanwhile. Others wait
                # for memory while it is given back: at the beginning of an act it can stay.
                if not self._changing():
                    give_back()
                self._making.release()

    def first(
        self, query: Query, sort: str, most: int, cancel: CancelToken | None
    ) -> Listing | None:
        """As ``Library.first``."""
        started = time.monotonic()
        shelves = self._shelves(query.stores)
        if not all(shelf.reading.loaded for shelf in shelves):
            return None
        ids = self._index().first(
            _shelved(shelves), query, query.parsed(), sort, most=most, check=_check(cancel)
        )
        if not ids:
            return None
        spent = (time.monotonic() - started) * 1000
        return Listing(query, sort, ids, len(ids), partial=False, ms=spent, counting=True)

    def facets(
        self, query: Query, cancel: CancelToken | None, patience: float | None
    ) -> Mapping[str, tuple[Facet, ...]]:
        """As ``Library.facets``."""
        shelves = self._shelves(query.stores)
        _read(shelves, patience, cancel, no_tick)
        return self._index().facets(_shelved(shelves), query, query.parsed(), _check(cancel))

    def hints(self, query: Query) -> tuple[Hint, ...]:
        """As ``Library.hints``."""
        parsed = query.parsed()
        wanted = [term for term in parsed.terms if isinstance(term, Has) and not term.negated]
        shelves = [one for one in self._shelves(query.stores) if one.reading.loaded]
        found = list(parsed.hints)
        for term in wanted if shelves else ():
            hint = self._nowhere(shelves, term) or _elsewhere(query, term)
            if hint is not None:
                found.append(hint)
        return tuple(found)

    def _nowhere(self, shelves: Sequence[Shelf], term: Has) -> Hint | None:
        if term.field == "state":
            return None
        values = self._index().values(_shelved(shelves), term.field)
        if term.value in values:
            return None
        told = ", ".join(value for value in values.values() if value)
        params = {"field": term.field, "text": term.shown, "values": told}
        return Hint("query.value_unknown" if told else "query.no_values", params)

    def progress(self, stores: Collection[StoreId]) -> tuple[Progress, ...]:
        """As ``Library.progress``."""
        return tuple(
            Progress(shelf.id, *shelf.reading.progress)
            for shelf in self._shelves(stores)
            if shelf.reading.begun and not shelf.reading.loaded
        )

    # ---- what was found

    def window(self, ids: Sequence[int], most: int | None = None) -> list[Record | None]:
        """As ``Library.window``."""
        shelves = {shelf.number: shelf for shelf in self._shelves(())}
        wanted: dict[int, list[int]] = {}
        for number in ids:
            wanted.setdefault(number >> STORE_SHIFT, []).append(number & _ORDINAL_MASK)
        found: dict[int, Record | None] = {}
        for store, ordinals in wanted.items():
            shelf = shelves.get(store)
            if shelf is not None and shelf.reading.begun:
                base = store << STORE_SHIFT
                records = shelf.window(ordinals, most)
                found.update(zip((base | o for o in ordinals), records, strict=True))
        return [found.get(number) for number in ids]

    def refs(self, ids: Iterable[int]) -> tuple[Ref, ...]:
        """As ``Library.refs``."""
        shelves = {s.number: s for s in self._shelves(()) if s.reading.begun}
        found = []
        for number in ids:
            shelf = shelves.get(number >> STORE_SHIFT)
            ref = None if shelf is None else shelf.content.ref(number & _ORDINAL_MASK)
            if ref is not None:
                found.append(ref)
        return tuple(found)

    def id_of(self, ref: Ref) -> int | None:
        """As ``Library.id_of``."""
        for shelf in self._shelves((ref.store,)):
            if shelf.reading.begun:
                ordinal = shelf.content.ordinal(ref)
                return None if ordinal is None else shelf.number << STORE_SHIFT | ordinal
        return None

    def made_at_once(self, one: Shelf, other: Shelf) -> list[list[Record | None]]:
        """The live records of two stores that were made at the same moment as one of the other."""
        found = lazy.index().made_at_once(one.content, other.content)
        return [shelf.window(some) for shelf, some in zip((one, other), found, strict=True)]

    def clear(self) -> None:
        """Forget what is kept ready, and give memory back: a store was closed."""
        whole = self._whole
        if whole is not None:
            whole.clear()
            give_back()

    def _index(self) -> Whole:
        if self._whole is None:
            self._whole = lazy.index().Whole()
        return self._whole


def _elsewhere(query: Query, term: Has) -> Hint | None:
    """For what the list that is asked for leaves out, whatever the words are."""
    listed: Collection[str] = {"state": query.states, "kind": query.kinds}.get(term.field, ())
    if not listed or term.value in map(fold, listed):
        return None
    return Hint("query.elsewhere", {"field": term.field, "text": term.shown})


def _read(
    shelves: Sequence[Shelf], patience: float | None, cancel: CancelToken | None, tick: Tick
) -> bool:
    """Wait until all were read, or for some seconds; True when they were."""
    for shelf in shelves:
        shelf.reading.begin()
    until = None if patience is None else time.monotonic() + patience
    done = True
    for shelf in shelves:
        left = None if until is None else max(0.0, until - time.monotonic())
        done &= shelf.reading.wait(left, cancel, tick)
    return done


def _shelved(shelves: Sequence[Shelf]) -> list[Shelved]:
    module = lazy.index()
    return [module.Shelved(shelf.number << STORE_SHIFT, shelf.content) for shelf in shelves]


def _check(cancel: CancelToken | None) -> Callable[[], object]:
    return (lambda: None) if cancel is None else cancel.check
