# SPDX-License-Identifier: MIT
"""The window's parts and how they lie: the top line, the banners, the panes, the locked page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from memory_gui.ui.context import Context
from memory_gui.ui.home.page import HomePage
from memory_gui.ui.names import named
from memory_gui.ui.shell.host import PageHost
from memory_gui.ui.shell.topbar import TopBar
from memory_gui.ui.tokens import SIDEBAR_WIDTH, SPACE_M, SPACE_S
from memory_gui.ui.widgets import Banner, Busy, Rule

if TYPE_CHECKING:  # the window is painted before these are loaded
    from memory_gui.ui.pages.registry import PageFactory
    from memory_gui.ui.records.page import MemoriesPage
    from memory_gui.ui.shell.sidebar import Sidebar

PANES_WIDTH: Final = 1180
"""How wide the window begins."""


class Panes:
    """The widgets that the window's classes share. GUI thread.

    At first there are the top line and Home; ``make_bars`` and what is taken add the rest.
    """

    sidebar: Sidebar
    memories: MemoriesPage
    lock_host: PageHost

    def __init__(self, context: Context) -> None:
        self.root = QStackedWidget()
        self.top = named(TopBar(context.words, hiding=context.privacy.hiding), "top")
        self.top.enable_search(enabled=False)  # before a store is open there is nothing to search
        self.top.enable_lock(enabled=False)
        self.split = named(QSplitter(Qt.Orientation.Horizontal), "window.split")
        self.host = named(PageHost(context), "pages")
        self.start = HomePage(context)
        self.host.add("start", self.start)
        self.split.addWidget(self.host)
        self.split.setHandleWidth(1)
        self.split.setChildrenCollapsible(False)
        self._between = QVBoxLayout()
        self._between.setContentsMargins(SPACE_M, 0, SPACE_M, 0)
        self.root.addWidget(self._make_work())

    def make_bars(self) -> None:
        """What comes and goes below the top line: what goes on, what happened."""
        self.busy = named(Busy(), "window.busy")
        self.lent_banner = named(Banner(dismissible=False, below=SPACE_S), "window.lent")
        self.stopped_banner = named(Banner(dismissible=False, below=SPACE_S), "window.stopped")
        self.returned_banner = named(Banner(dismissible=False, below=SPACE_S), "window.returned")
        self.back_banner = named(Banner(below=SPACE_S), "window.back")
        self.draft_banner = named(Banner(below=SPACE_S), "window.draft")
        self.key_banner = named(Banner(below=SPACE_S), "window.key")
        self.erased_banner = named(Banner(below=SPACE_S), "window.erased")
        self.unbegun_banner = named(Banner(below=SPACE_S), "window.unbegun")
        self.banner = named(Banner(below=SPACE_S), "window.banner")
        for one in (
            self.busy,
            self.lent_banner,
            self.stopped_banner,
            self.returned_banner,
            self.back_banner,
            self.draft_banner,
            self.key_banner,
            self.erased_banner,
            self.unbegun_banner,
            self.banner,
        ):
            self._between.addWidget(one)

    def take_sidebar(self, sidebar: Sidebar) -> None:
        """The left pane, hidden as long as no store is open."""
        self.sidebar = named(sidebar, "sidebar")
        sidebar.hide()
        self.split.insertWidget(0, sidebar)
        self.split.setStretchFactor(1, 1)
        self.split.setSizes([SIDEBAR_WIDTH, PANES_WIDTH - SIDEBAR_WIDTH])

    def take_memories(self, memories: MemoriesPage) -> None:
        """The list and its detail."""
        self.memories = memories
        self.host.add("memories", memories)

    def take_pages(self, context: Context, factories: Mapping[str, PageFactory]) -> None:
        """All other pages, each made when it is first shown."""
        self.host.factories = factories
        self.lock_host = named(PageHost(context), "lockPages")
        self.lock_host.factories = factories
        self.root.addWidget(self.lock_host)

    def retranslate(self, context: Context) -> None:
        """Say all texts again."""
        close = context.words.say("Close this message")
        closed = (self.banner, self.erased_banner, self.draft_banner, self.key_banner)
        for banner in (*closed, self.unbegun_banner, self.back_banner):
            banner.set_close_name(close)
        for part in (self.top, self.sidebar, self.host, self.lock_host):
            part.retranslate()

    def _make_work(self) -> QWidget:
        work = QWidget()
        column = QVBoxLayout(work)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.top)
        column.addLayout(self._between)
        column.addWidget(Rule())
        column.addWidget(self.split, 1)
        return work
