# SPDX-License-Identifier: MIT
"""What the list is to show, and the search for it: the newest one wins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial, reduce
from operator import or_
from typing import Any

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.changes import Capability
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import StoreId
from memory_gui.services import OpenedStore
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.records.bulk.chosen import Chosen
from memory_gui.ui.records.listing.finding import Found, find, find_first
from memory_gui.ui.views import MEMORIES, View


class Searching(QObject):
    """View, stores and words as a query; runs it off the GUI thread. GUI thread."""

    found = Signal(object)
    """A Found."""
    failed = Signal(object)
    """A UserError or IntegrityError."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._handle: Handle | None = None
        self.view: View = MEMORIES
        self.stores: frozenset[StoreId] = frozenset()
        self.opened: tuple[OpenedStore, ...] = ()
        self.text = ""
        self.facets: Mapping[str, frozenset[str]] = {}
        self._asked: Query | None = None

    @property
    def query(self) -> Query:
        """What is listed."""
        return replace(self.view.query(self.text, self.stores, self.opened), facets=self.facets)

    @property
    def narrowed(self) -> bool:
        """Whether words or filters keep something back."""
        return bool(self.text or self.facets)

    def store(self, store: StoreId) -> OpenedStore | None:
        """An open store."""
        return next((one for one in self.opened if one.id == store), None)

    @property
    def able(self) -> Capability:
        """What can be done in at least one of the stores that are listed."""
        shown = [one for one in self.opened if not self.stores or one.id in self.stores]
        return reduce(or_, (one.info.capabilities for one in shown), Capability.NONE)

    def run(
        self, sort: str, blocks: Collection[int], anchors: Collection[int], chosen: Chosen
    ) -> None:
        """Search; the new rows of ``anchors`` (listing ids) and of ``chosen`` are to be told."""
        self.stop()
        query = self.query
        look = partial(
            self._run, find, query, sort, self._on_found, blocks=blocks, anchors=anchors,
            chosen=chosen,
        )  # fmt: skip
        if query.text and query != self._asked:
            self._run(find_first, query, sort, partial(self._on_first, look))
        else:
            look()
        self._asked = query

    def _run(
        self,
        fn: Callable[..., object],
        query: Query,
        sort: str,
        done: Callable[[Any], object],
        **more: Any,
    ) -> None:
        self._handle = self._context.bridge.call(
            fn, self._context.services.library, query, sort,
            done=done, failed=self._on_failed, cancellable=True, **more,
        )  # fmt: skip

    def _on_first(self, look: Callable[[], None], found: Found | None) -> None:
        """The first rows are known: show them, and find out how many there are."""
        if found is not None:
            self.found.emit(found)
        look()

    def stop(self) -> None:
        """What is on its way is no longer wanted."""
        if self._handle is not None:
            self._handle.cancel()

    def clear(self) -> None:
        """Forget stores and words."""
        self.stop()
        self.opened = ()
        self.text = ""
        self.facets = {}
        self._asked = None

    def _on_found(self, found: Found) -> None:
        self.found.emit(found)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self.failed.emit(error)
