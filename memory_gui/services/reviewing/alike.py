# SPDX-License-Identifier: MIT
"""Which saved records a proposed text is like, or contradicts."""

from __future__ import annotations

import threading
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memory_gui import lazy
from memory_gui.domain.changes import Alike, Why
from memory_gui.domain.likeness import NEAR, grams, likeness, opposed, same
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf

if TYPE_CHECKING:
    from memory_gui.index.prints import Prints

MOST: Final = 3
"""So many are shown beside one proposal."""
_LOOKED_AT: Final = 12
"""So many candidates of each store are compared letter by letter."""
_ORDER: Final = {Why.OPPOSITE: 0, Why.SAME: 1, Why.NEAR: 2}


class Likenesses:
    """Finds them among the live records of the open stores. Any thread.

    What is derived from the texts is forgotten with the store that they are in.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._guard = threading.Lock()
        self._prints: dict[StoreId, tuple[object, Prints]] = {}
        library.when_closed(self._on_closed)

    def of(
        self, text: str, stores: Collection[StoreId], but: Collection[Ref] = ()
    ) -> tuple[Alike, ...]:
        """The records that are like a text, contradictions first; at most MOST."""
        mine = grams(text)
        found: list[Alike] = []
        for shelf in self._library.shelves(stores):
            for record in self._candidates(shelf, text):
                if record is None or record.state is not State.LIVE or record.ref in but:
                    continue
                one = _compared(text, mine, record)
                if one is not None:
                    found.append(one)
        found.sort(key=lambda one: (_ORDER[one.why], -one.likeness))
        return tuple(replace(one, key=self._key(one.record)) for one in found[:MOST])

    def _key(self, record: Record) -> str:
        shelf = self._library.shelf(record.ref.store)
        key = shelf.screen(lambda store: store.fields_of(record)).get("key")
        return key if isinstance(key, str) else ""

    def _candidates(self, shelf: Shelf, text: str) -> list[Record | None]:
        shelf.load()
        content, kind = shelf.content, shelf.info.kinds[0]
        with self._guard:
            known = self._prints.get(shelf.id)
            if known is None or known[0] is not content:
                if known is not None:
                    known[1].clear()
                known = self._prints[shelf.id] = (content, lazy.index_prints().Prints(content))
            with content.guard:
                ordinals = known[1].alike(text, kind, _LOOKED_AT)
        return shelf.window(ordinals)

    def _on_closed(self, stores: Collection[StoreId]) -> None:
        with self._guard:
            for store in stores:
                known = self._prints.pop(store, None)
                if known is not None:
                    known[1].clear()


def _compared(text: str, mine: frozenset[str], record: Record) -> Alike | None:
    if same(text, record.text):
        return Alike(record, Why.SAME, 1.0)
    close = likeness(mine, grams(record.text))
    if opposed(text, record.text):
        return Alike(record, Why.OPPOSITE, close)
    return Alike(record, Why.NEAR, close) if close >= NEAR else None
