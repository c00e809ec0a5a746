# SPDX-License-Identifier: MIT
"""What was found in each open store: of several looks at one, only the newest counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sized
from functools import partial
from typing import Generic, TypeVar

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.services import Services
from memory_gui.ui.context import Context

T = TypeVar("T", bound=Sized)

Look = Callable[[Services, Collection[StoreId]], Mapping[StoreId, T]]
"""Looks into stores, in a thread of the bridge."""


class StoreLooks(Generic[T]):
    """Looks at each store once it is open, and again when asked. GUI thread.

    ``changed`` is called after each answer, and when stores were closed. A look that fails says
    nothing: the next opening tells.
    """

    def __init__(self, context: Context, look: Look[T], changed: Callable[[], object]) -> None:
        self._context = context
        self._look = look
        self._changed = changed
        self._stores: frozenset[StoreId] = frozenset()
        self._found: dict[StoreId, T] = {}
        self._looks = 0
        self._asked: dict[StoreId, int] = {}
        """The number of the last look at each: what an earlier one finds counts no more."""

    @property
    def found(self) -> dict[StoreId, T]:
        """By store, where there is anything."""
        return {store: found for store, found in self._found.items() if found}

    def follow(self, opened: Collection[StoreId]) -> None:
        """What is open now; stores that were not open before are looked at."""
        before, self._stores = self._stores, frozenset(opened)
        self._found = {store: one for store, one in self._found.items() if store in self._stores}
        self._changed()
        self.look(self._stores - before)

    def look(self, stores: Collection[StoreId]) -> None:
        """Look at some of the open ones (again)."""
        if wanted := [store for store in stores if store in self._stores]:
            self._looks += 1
            self._asked |= dict.fromkeys(wanted, self._looks)
            self._context.bridge.call(
                self._look,
                self._context.services,
                wanted,
                done=partial(self._on_found, self._looks),
                failed=self._on_failed,
            )

    def look_again(self) -> None:
        """Where something was found."""
        self.look(self.found)

    def forget(self) -> None:
        """What was found counts no more, nor what is on its way."""
        self._found, self._asked = {}, {}

    def clear(self) -> None:
        """The same, and nothing is open."""
        self.forget()
        self._stores = frozenset()

    def _on_found(self, look: int, found: Mapping[StoreId, T]) -> None:
        for store, one in found.items():
            if store in self._stores and self._asked.get(store) == look:
                self._found[store] = one
        self._changed()

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        """It is told by the next opening."""
