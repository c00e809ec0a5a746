# SPDX-License-Identifier: MIT
"""Noticing what other programs write into an open store, and having it in memory at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from memory_gui.domain.changes import Since
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record
from memory_gui.services.library.lanes import Lane
from memory_gui.services.library.reading import Reading
from memory_gui.services.library.state import ShelfState
from memory_gui.stores.contract import Store

_LARGE = 5_000
"""Records of a store that is not compared in a moment."""


class Following:
    """Follows one store. ``refresh`` reads its counts again."""

    def __init__(
        self, state: ShelfState, lane: Lane, reading: Reading, refresh: Callable[[], None]
    ) -> None:
        self._state = state
        self._lane = lane
        self._reading = reading
        self._refresh = refresh

    def begin(self, store: Store) -> None:
        """From how it is now on, in the lane's own thread."""
        self._state.follows = store.follows_path
        self._state.token = store.change_token()
        with suppress(UserError):  # where it cannot be followed it is compared
            self._state.seen = _known(store.changes_since({}))

    def was_us(self, beside: Sequence[Record]) -> None:
        """Another connection of ours has written: that is no foreign change."""
        if self._reading.begun:
            self._reading.absorb({}, beside)
        self._state.token = self._lane.run(lambda store: store.change_token())
        self._reading.pace.wanted = self._reading.loaded  # another program may have written too

    def look(self) -> bool:
        """Whether another program changed the store; as ``Shelf.poll``."""
        token = self._lane.run(lambda store: store.change_token())
        changed = token != self._state.token
        self._state.token = token
        state, followed = self._state, False
        if changed:
            self._reading.pace.wanted = self._reading.loaded
            followed = self._follow()
            self._refresh()
        if not self._reading.loaded or not self._reading.pace.due():
            return changed
        # Comparing a large store takes its time: what is there already is shown before, once.
        large = self._reading.progress[1] >= _LARGE
        state.shown = followed and large and not state.shown
        return state.shown or self._reading.compare() or followed

    def _follow(self) -> bool:
        """Have what others wrote in memory, as far as the store can tell it in a moment."""
        try:
            found = self._lane.run(lambda store: store.changes_since(self._state.seen))
        except UserError:
            return False  # the comparison tells what is wrong
        self._state.seen = _known(found)
        if found is None or not self._reading.loaded:
            return False
        self._reading.absorb({}, found[0])
        return bool(found[0])


def _known(found: Since | None) -> Mapping[str, int]:
    return {} if found is None else found[1]
