# SPDX-License-Identifier: MIT
"""The window's parts and how they lie: the top line, the banners, the panes, the locked page."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from memory_gui.ui.context import Context
from memory_gui.ui.home.page import HomePage
from memory_gui.ui.names import named
from memory_gui.ui.pages.registry import PAGES
from memory_gui.ui.records.page import MemoriesPage
from memory_gui.ui.shell.host import PageHost
from memory_gui.ui.shell.plain import PlainLockedPage
from memory_gui.ui.shell.sheet import ShortcutsPage
from memory_gui.ui.shell.sidebar import Sidebar
from memory_gui.ui.shell.topbar import TopBar
from memory_gui.ui.tokens import SIDEBAR_WIDTH, SPACE_M, SPACE_S
from memory_gui.ui.widgets import Banner, Busy, Rule

PANES_WIDTH: Final = 1180
"""How wide the window begins."""


class Panes:
    """The widgets that the window's classes share. GUI thread."""

    def __init__(self, context: Context) -> None:
        words = context.words
        self.root = QStackedWidget()
        self.banner = named(Banner(below=SPACE_S), "window.banner")
        self.lent_banner = named(Banner(dismissible=False, below=SPACE_S), "window.lent")
        self.stopped_banner = named(Banner(dismissible=False, below=SPACE_S), "window.stopped")
        self.draft_banner = named(Banner(below=SPACE_S), "window.draft")
        self.key_banner = named(Banner(below=SPACE_S), "window.key")
        self.erased_banner = named(Banner(below=SPACE_S), "window.erased")
        self.returned_banner = named(Banner(dismissible=False, below=SPACE_S), "window.returned")
        self.back_banner = named(Banner(below=SPACE_S), "window.back")
        self.busy = named(Busy(), "window.busy")
        self.top = named(TopBar(words, hiding=context.privacy.hiding), "top")
        self.sidebar = named(Sidebar(words), "sidebar")
        self.split = named(QSplitter(Qt.Orientation.Horizontal), "window.split")
        self.start = HomePage(context)
        self.memories = MemoriesPage(context)
        self.host = named(PageHost(context, {**PAGES, "shortcuts": ShortcutsPage}), "pages")
        self.lock_host = named(PageHost(context, PAGES), "lockPages")
        self.host.add("start", self.start)
        self.host.add("memories", self.memories)
        if not self.lock_host.has("locked"):
            self.lock_host.add("locked", PlainLockedPage(context))
        self.split.addWidget(self.sidebar)
        self.split.addWidget(self.host)
        self.split.setHandleWidth(1)
        self.split.setChildrenCollapsible(False)
        self.split.setStretchFactor(1, 1)
        self.split.setSizes([SIDEBAR_WIDTH, PANES_WIDTH - SIDEBAR_WIDTH])
        self.root.addWidget(self._make_work())
        self.root.addWidget(self.lock_host)

    def retranslate(self, context: Context) -> None:
        """Say all texts again."""
        close = context.words.say("Close this message")
        closed = (self.banner, self.erased_banner, self.draft_banner, self.key_banner)
        for banner in (*closed, self.back_banner):
            banner.set_close_name(close)
        for part in (self.top, self.sidebar, self.host, self.lock_host):
            part.retranslate()

    def _make_work(self) -> QWidget:
        """``told`` come and go below the top line: what goes on, what happened."""
        told = (
            self.busy,
            self.lent_banner,
            self.stopped_banner,
            self.returned_banner,
            self.back_banner,
            self.draft_banner,
            self.key_banner,
            self.erased_banner,
            self.banner,
        )
        between = QVBoxLayout()
        between.setContentsMargins(SPACE_M, 0, SPACE_M, 0)
        for one in told:
            between.addWidget(one)
        work = QWidget()
        column = QVBoxLayout(work)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.top)
        column.addLayout(between)
        column.addWidget(Rule())
        column.addWidget(self.split, 1)
        return work
