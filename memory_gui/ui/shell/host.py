# SPDX-License-Identifier: MIT
"""Holds the pages by name, makes each when it is first shown, and passes on what they ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from memory_gui.ui.context import Context
from memory_gui.ui.names import named
from memory_gui.ui.pages.page import Page

if TYPE_CHECKING:  # the window is painted before these are loaded
    from memory_gui.domain.records import StoreId
    from memory_gui.services.locking.drafts import Draft
    from memory_gui.ui.pages.registry import PageFactory


class PageHost(QStackedWidget):
    """A stack of pages. GUI thread."""

    changed = Signal(object)
    go = Signal(str, object)
    closed = Signal()
    told = Signal(str, str)
    shown = Signal(str)
    """The name of the page that is shown now."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.factories: Mapping[str, PageFactory] = {}
        """Pages that are made when they are first shown."""
        self._pages: dict[str, Page] = {}
        self._ready: dict[str, Page] = {}
        """Made, and not yet part of the window."""
        self._store: StoreId | None = None

    def add(self, name: str, page: Page) -> None:
        """A page that is made already."""
        self._pages[name] = named(page, f"page.{name}")
        page.changed.connect(self.changed)
        page.go.connect(self.go)
        page.closed.connect(self._on_page_closed)
        page.told.connect(self.told)
        page.choose_store(self._store)
        self.addWidget(page)

    def _on_page_closed(self) -> None:
        """A page that a person has left since leads nobody away from where they are."""
        if self.sender() is self.currentWidget():
            self.closed.emit()

    def choose_store(self, store: StoreId | None) -> None:
        """Tell all pages which store a person chose; None: all of them."""
        if store != self._store:
            self._store = store
            for page in self._pages.values():
                page.choose_store(store)

    def minimumSizeHint(self) -> QSize:
        """What the page that is shown needs: one that is not shown makes no window wider."""
        current = self.currentWidget()
        return current.minimumSizeHint() if current is not None else QSize()

    def has(self, name: str) -> bool:
        """Whether there is such a page."""
        return name in self._pages or name in self.factories

    @property
    def name(self) -> str:
        """The page that is shown."""
        current = self.currentWidget()
        return next((name for name, page in self._pages.items() if page is current), "")

    @property
    def page(self) -> Page | None:
        """The page that is shown."""
        return self._pages.get(self.name)

    def show_page(self, name: str, argument: object = None, *, force: bool = False) -> bool:
        """Go to a page unless the current one would lose something; True when it is shown."""
        current = self.page
        leaves = current is None or self.name == name or force or current.may_leave()
        if not self.has(name) or not leaves:
            return False
        if name not in self._pages:
            made = name in self._ready
            page = self._ready.pop(name) if made else self._make(name)
            self.add(name, page)
        page = self._pages[name]
        page.show_for(argument)
        self.setCurrentWidget(page)
        self.updateGeometry()
        self.shown.emit(name)
        return True

    def prepare(self, name: str) -> bool:
        """A step towards a page that nobody has asked for yet; False when there is none left."""
        if name in self._pages:
            return False
        if not self.factories[name].loaded:
            self.factories[name].load()
        elif name in self._ready:
            page = self._ready.pop(name)
            page.retranslate()  # the language may be another one by now
            self.add(name, page)
        else:
            self._ready[name] = self._make(name)
        return True

    def _make(self, name: str) -> Page:
        """Made here, and not shown yet. It ends with the window."""
        page = self.factories[name].make(self._context, self)
        page.hide()
        return page

    def refresh(self) -> None:
        """Tell the page that is shown."""
        if (page := self.page) is not None:
            page.refresh()

    def retranslate(self) -> None:
        """Tell all pages."""
        for page in self._pages.values():
            page.retranslate()

    def drafts(self) -> tuple[Draft, ...]:
        """What was typed in any page and not saved."""
        return tuple(draft for page in self._pages.values() for draft in page.drafts())

    def clear(self) -> None:
        """Make all pages forget."""
        for page in self._pages.values():
            page.clear()
