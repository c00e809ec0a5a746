# SPDX-License-Identifier: MIT
"""Which stores are open."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.records import StoreId
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.library.state import FileIdentity
from memory_gui.services.values import OpenedStore
from memory_gui.stores.format import Location


class Holding:
    """The open stores, by id. Any thread may call."""

    def __init__(self) -> None:
        self._guard = threading.RLock()
        self._shelves: dict[StoreId, Shelf] = {}
        self._numbers = 0
        self._barred = False
        self._on_closed: list[Callable[[Collection[StoreId]], object]] = []

    def when_closed(self, call: Callable[[Collection[StoreId]], object]) -> None:
        """Have the ids of stores that were closed, in the thread that closed them."""
        self._on_closed.append(call)

    def tell_closed(self, stores: Collection[StoreId]) -> None:
        """Stores were closed: nothing of theirs may stay anywhere."""
        for call in self._on_closed if stores else ():
            call(stores)

    def stores(self) -> tuple[OpenedStore, ...]:
        """The open stores, in the order in which they were opened; counts are current."""
        return tuple(shelf.opened() for shelf in self.shelves())

    def store(self, store: StoreId) -> OpenedStore:
        """One open store. Raises UserError ``store.not_open``."""
        return self.shelf(store).opened()

    def shelf(self, store: StoreId) -> Shelf:
        """The open store itself, for other services. Raises UserError ``store.not_open``."""
        with self._guard:
            shelf = self._shelves.get(store)
        if shelf is None:
            raise UserError("store.not_open")
        return shelf

    def shelves(self, stores: Collection[StoreId] = ()) -> list[Shelf]:
        """The open stores themselves (none named: all), for other services."""
        with self._guard:
            return [s for s in self._shelves.values() if not stores or s.id in stores]

    def partner_of(self, shelf: Shelf) -> Shelf | None:
        """The other database of the pair, when it is open."""
        with self._guard:
            return None if shelf.partner is None else self._shelves.get(shelf.partner)

    def _at(self, location: Location) -> Shelf | None:
        """The shelf whose file lies at the location, under whatever name it was opened."""
        identity = FileIdentity.of(location)
        with self._guard:
            for shelf in self._shelves.values():
                if identity is not None and identity == shelf.identity:
                    return shelf
        return None

    def _next_number(self) -> int:
        """No two stores are ever given the same one."""
        with self._guard:
            self._numbers += 1
            return self._numbers

    def _hold(self, shelf: Shelf) -> Shelf | None:
        """From now on it is open; the one that was open at its path is given back."""
        with self._guard:
            barred = self._barred
            if not barred:
                before = self._shelves.pop(shelf.id, None)
                self._shelves[shelf.id] = shelf
        if barred:
            shelf.close()
            raise Cancelled
        return before

    def bar(self) -> None:
        """Locked: what is on its way of being opened is closed again, and nothing is opened."""
        self._barred = True

    def unbar(self) -> None:
        """Unlocked."""
        self._barred = False
