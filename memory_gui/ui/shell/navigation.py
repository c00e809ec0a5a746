# SPDX-License-Identifier: MIT
"""Going places: from page to page, from view to view, and what a page asks the window for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.records import StoreId
from memory_gui.ui.context import Context
from memory_gui.ui.pages.requests import KeyProblem
from memory_gui.ui.shell.holding import Holding
from memory_gui.ui.shell.panes import Panes
from memory_gui.ui.views import VIEWS, View
from memory_gui.words.errors import explain


class Navigation(QObject):
    """Leads through the pages of the host. GUI thread.

    ``acts`` are what a page may ask for by ``go`` besides a page: name -> act on its argument.
    """

    erase_left = Signal()
    """The page of an erase was closed."""

    def __init__(self, context: Context, panes: Panes, holding: Holding, parent: QObject) -> None:
        super().__init__(parent)
        self._words = context.words
        self._panes = panes
        self._holding = holding
        self._acts: dict[str, Callable[[Any], object]] = {
            "clear_search": self._clear_search,
            "search": panes.top.search,
        }
        panes.host.closed.connect(self._on_page_closed)
        panes.host.shown.connect(self._on_page_shown)
        panes.sidebar.view_chosen.connect(self.on_view_chosen)
        panes.sidebar.stores_chosen.connect(self._on_stores_chosen)
        panes.top.searched.connect(self._on_searched)
        for host in (panes.host, panes.lock_host):
            host.go.connect(self.go)

    def take_acts(self, acts: Mapping[str, Callable[[Any], object]]) -> None:
        """More acts that a page may ask for."""
        self._acts.update(acts)

    def go(self, name: str, argument: object = None) -> None:
        """Go to a page, or do one of the acts that a page may ask for."""
        host = self._panes.host
        if name in self._acts:
            self._acts[name](argument)
        elif not host.show_page(name, argument) and not host.has(name):
            self._panes.banner.tell("warn", self._words.say("This page is not there yet."))

    def choose_view(self, view: View) -> None:
        """Go to a view."""
        if self._panes.sidebar.offers(view):
            self._panes.sidebar.choose_view(view)
            self.on_view_chosen(view)

    def on_view_chosen(self, view: View) -> None:
        """A person chose a view."""
        panes = self._panes
        if view != panes.memories.view and panes.host.name == view.page:
            panes.banner.turn_page()
        panes.memories.set_view(view)
        page = view.page if panes.host.has(view.page) else "memories"
        if page != panes.host.name:
            panes.host.show_page(page)

    def show_store(self, store: StoreId) -> None:
        """Show what is in one open store."""
        self._panes.sidebar.choose_store(store)
        self.choose_view(VIEWS[0])

    def on_opened(self) -> None:
        """A store was opened: where a person waited for that, show it."""
        if self._panes.host.name in ("start", "key"):
            self._panes.host.show_page("memories", force=True)

    def on_key_problem(self, problem: KeyProblem) -> None:
        """A store did not open for want of its key."""
        if not self._panes.host.show_page("key", problem):
            self._panes.banner.tell("warn", explain(self._words, problem.error).text)

    def on_emptied(self) -> None:
        """No store is open any more."""
        self._panes.host.show_page("start", force=True)
        self._panes.host.refresh()

    def on_stores_changed(self, changed: frozenset[StoreId]) -> None:
        """Another program wrote."""
        self._panes.memories.stores_changed()
        if self._panes.host.name != "memories":
            self._panes.host.refresh()

    def _on_stores_chosen(self, stores: frozenset[StoreId]) -> None:
        self._panes.memories.set_stores(stores, self._holding.opened)
        self._panes.host.choose_store(next(iter(stores), None))

    def _on_searched(self, text: str) -> None:
        self._panes.memories.set_text(text)
        if text and self._panes.host.name not in ("memories", "start"):
            self.choose_view(VIEWS[0])

    def _on_page_closed(self) -> None:
        erased = self._panes.host.name == "erase"
        self._panes.host.show_page("memories" if self._holding.opened else "start", force=True)
        if erased:
            self.erase_left.emit()

    def _on_page_shown(self, name: str) -> None:
        panes = self._panes
        panes.banner.turn_page()
        searchable = bool(self._holding.opened) and name not in ("start", "key")
        panes.top.enable_search(enabled=searchable)
        panes.sidebar.mark_view(marked=any(name == view.page for view in VIEWS))
        if name == "memories":
            panes.memories.refresh()

    def _clear_search(self, _argument: object) -> None:
        self._panes.top.clear_search()
        self._panes.top.focus_search()
