# SPDX-License-Identifier: MIT
"""The window: puts the panes together and leads from page to page."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
    QPaintEvent,
    QShortcut,
)
from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import StoreId
from memory_gui.services import OpenedStore
from memory_gui.ui.context import Context
from memory_gui.ui.names import named
from memory_gui.ui.pages.pending_notice import PendingNotice
from memory_gui.ui.pages.registry import PAGES
from memory_gui.ui.pages.requests import KeyProblem, OpenRequest
from memory_gui.ui.palette import Theme
from memory_gui.ui.records.page import MemoriesPage
from memory_gui.ui.shell.actions import NEEDS_STORE, Actions
from memory_gui.ui.shell.erased import ErasedNotice
from memory_gui.ui.shell.host import PageHost
from memory_gui.ui.shell.lent import LentNotice
from memory_gui.ui.shell.notices import Notices
from memory_gui.ui.shell.opening import Opener, OpenSample
from memory_gui.ui.shell.plain import PlainLockedPage
from memory_gui.ui.shell.preferences import Preferences
from memory_gui.ui.shell.sidebar import Sidebar
from memory_gui.ui.shell.start import StartPage
from memory_gui.ui.shell.teller import Teller
from memory_gui.ui.shell.topbar import TopBar
from memory_gui.ui.shell.undoing import Undoing
from memory_gui.ui.shell.watch import Idle, Watch
from memory_gui.ui.shell.work import PANES_WIDTH, make_work
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.views import VIEWS, View
from memory_gui.ui.widgets import Banner, Busy

SIZE: Final = (PANES_WIDTH, 760)


class MainWindow(QMainWindow):
    """One per application. Close it before the services are closed."""

    painted = Signal()
    """Once, after the first paint."""
    language_changed = Signal(str)

    def __init__(self, context: Context, theme: Theme, open_sample: OpenSample) -> None:
        super().__init__()
        self.setObjectName("window")
        self._context = context
        self._opened: tuple[OpenedStore, ...] = ()
        self._locked = False
        self._painted = False
        words = context.words
        self._root = QStackedWidget()
        self._banner = named(Banner(below=SPACE_S), "window.banner")
        self._lent_banner = named(Banner(dismissible=False, below=SPACE_S), "window.lent")
        self._erased_banner = named(Banner(below=SPACE_S), "window.erased")
        self._busy = named(Busy(), "window.busy")
        self._top = named(TopBar(words), "top")
        self._sidebar = named(Sidebar(words), "sidebar")
        self._split = named(QSplitter(Qt.Orientation.Horizontal), "window.split")
        self._teller = Teller(context, self._banner, self)
        self._notices = Notices(context, self._banner, self)
        self._lent = LentNotice(context, self._lent_banner, self)
        self._start = StartPage(context)
        self._memories = MemoriesPage(context)
        self._host = named(PageHost(context, PAGES), "pages")
        self._lock_host = named(PageHost(context, PAGES), "lockPages")
        self._opener = Opener(context, open_sample, self)
        self._watch = Watch(context, self)
        self._idle = Idle(QGuiApplication.instance() or self, self)
        self._preferences = Preferences(context, theme, self._idle, self)
        self._pending = PendingNotice(context, self._banner, partial(self.go, "pending"), self)
        show = partial(self.go, "erase")
        self._erased = ErasedNotice(context, self._erased_banner, show, self)
        self._actions = self._make_actions()
        self._preferences.offer(self._actions)
        self._undoing = Undoing(context, self._actions, self)
        self._arrange()
        self._connect()
        self.retranslate()
        self._show_stores(())
        self._host.show_page("start")

    # ---- for the front door and for tests

    @property
    def memories(self) -> MemoriesPage:
        """The list and its detail."""
        return self._memories

    @property
    def page_name(self) -> str:
        """The page that is shown; ``locked`` while locked."""
        return "locked" if self._locked else self._host.name

    def begin(self) -> None:
        """After the first paint: what may take its time."""
        self._preferences.apply()
        self._host.refresh()
        self._pending.look()

    def open_paths(self, paths: list[str]) -> None:
        """Open stores, one after the other."""
        for path in paths:
            self._opener.open(path)

    def open_sample(self) -> None:
        """Open the sample store."""
        self._opener.open_sample()

    def go(self, name: str, argument: object = None) -> None:
        """Go to a page, or do one of the acts that a page may ask for."""
        if name == "open" and isinstance(argument, OpenRequest):
            self._opener.open(argument.path, argument.key)
        elif name == "unlock":
            self.unlock()
        elif name == "choose_file":
            self._opener.choose_file()
        elif name == "settings_changed":
            self._preferences.apply()
        elif name == "clear_search":
            self._top.clear_search()
            self._top.focus_search()
        elif name == "erased":
            self._on_erased(argument)
        elif not self._host.show_page(name, argument) and not self._host.has(name):
            self._banner.tell("warn", self._context.words.say("This page is not there yet."))

    def search(self, text: str) -> None:
        """Search as if it had been typed."""
        self._top.search(text)

    def choose_view(self, view: View) -> None:
        """Go to a view."""
        self._sidebar.choose_view(view)
        self._on_view_chosen(view)

    def lock(self) -> None:
        """The locked page first, then forget everything, then let go of the stores."""
        if not self._locked:
            self.cover()
            self._context.bridge.call(self._context.services.lock.lock)

    def cover(self) -> None:
        """Show the locked page and forget every text; the stores stay as they are."""
        self._locked = True
        names = tuple(one.name for one in self._opened)
        self._watch.stop()
        self._lock_host.show_page("locked", names)
        self._root.setCurrentWidget(self._lock_host)
        self._forget()
        self.repaint()
        self._erased.cover()
        self._undoing.forget()
        self._actions.enable(NEEDS_STORE, enabled=False)

    def unlock(self) -> None:
        """Open again what was open."""
        self._context.bridge.call(
            self._context.services.lock.unlock, done=self._on_unlocked, in_turn=True
        )

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._context.words.say
        self.setWindowTitle(say("Agent Memory"))
        for banner in (self._banner, self._erased_banner):
            banner.set_close_name(say("Close this message"))
        self._top.retranslate()
        self._sidebar.retranslate()
        self._actions.retranslate()
        self._undoing.look()
        self._host.retranslate()
        self._lock_host.retranslate()

    # ---- stores

    def _on_opened(self, stores: tuple[OpenedStore, ...]) -> None:
        self._ask_stores()
        self._notices.tell(stores)
        if self._host.name in ("start", "key"):
            self._host.show_page("memories", force=True)

    def _ask_stores(self, _changes: object = None) -> None:
        self._context.bridge.call(self._context.services.library.stores, done=self._show_stores)

    def _show_stores(self, opened: tuple[OpenedStore, ...]) -> None:
        if self._locked:
            return
        first = bool(opened) and not self._opened
        self._opened = opened
        self._sidebar.show_stores(opened)
        self._sidebar.setVisible(bool(opened))
        self._top.enable_search(enabled=bool(opened))
        self._top.enable_lock(enabled=bool(opened))
        self._actions.enable(NEEDS_STORE, enabled=bool(opened))
        self._memories.set_stores(self._sidebar.stores, opened)
        self._undoing.look()
        if first:
            self._memories.begin()
        if opened:
            self._watch.start()
        else:
            self._watch.stop()

    def _on_key_problem(self, problem: KeyProblem) -> None:
        if not self._host.show_page("key", problem):
            self._teller.error(problem.error)

    def _on_stores_changed(self, changed: frozenset[StoreId]) -> None:
        self._memories.stores_changed()
        if self._host.name != "memories":
            self._host.refresh()

    def _on_lent_changed(self, lent: dict[StoreId, UserError]) -> None:
        self._lent.show(lent, self._opened)

    def _close_stores(self) -> None:
        if self._host.page is None or self._host.page.may_leave():
            self._forget()
            self._context.bridge.call(
                self._context.services.library.close_all, done=self._on_all_closed, in_turn=True
            )

    def _on_all_closed(self, _nothing: object) -> None:
        self._show_stores(())
        self._host.show_page("start", force=True)
        self._host.refresh()

    def _forget(self) -> None:
        self._busy.stop()
        self._opened = ()
        self._top.clear_search()
        self._sidebar.clear()
        self._host.clear()
        self._banner.dismiss()
        self._notices.forget()
        self._lent.clear()

    # ---- going places

    def _on_view_chosen(self, view: View) -> None:
        if view != self._memories.view and self._host.name == view.page:
            self._banner.turn_page()
        self._memories.set_view(view)
        page = view.page if self._host.has(view.page) else "memories"
        if page != self._host.name:
            self._host.show_page(page)

    def _on_stores_chosen(self, stores: frozenset[StoreId]) -> None:
        self._memories.set_stores(stores, self._opened)

    def _on_searched(self, text: str) -> None:
        self._memories.set_text(text)
        if text and self._host.name not in ("memories", "start"):
            self.choose_view(VIEWS[0])

    def _on_page_closed(self) -> None:
        erased = self._host.name == "erase"
        self._host.show_page("memories" if self._opened else "start", force=True)
        if erased:
            self._pending.look()  # what is not proved stays listed: say where

    def _on_page_shown(self, name: str) -> None:
        self._banner.turn_page()
        self._top.enable_search(enabled=bool(self._opened) and name not in ("start", "key"))
        self._sidebar.mark_view(marked=any(name == view.page for view in VIEWS))
        if name == "memories":
            self._memories.refresh()

    def _on_unlocked(self, left: list[str]) -> None:
        self._locked = False
        self._root.setCurrentIndex(0)
        self._host.show_page("memories", force=True)
        self._ask_stores()
        self._erased.tell()
        for path in left:
            self._opener.open(path)

    def _on_erased(self, ending: object) -> None:
        """An erase ended that nobody watched any more."""
        self._erased.keep(ending)
        if not self._locked:
            self._erased.tell()
            self._memories.refresh()

    def _on_language_changed(self, language: str) -> None:
        before = self._banner.text
        self._notices.retranslate()
        if self._banner.text == before:
            self._banner.dismiss_passing()  # what is over is not said again in another language
        self.retranslate()
        self.language_changed.emit(language)

    def _on_open_began(self, text: str) -> None:
        self._banner.dismiss()
        self._busy.start(text)

    # ---- acts of the menu

    def _protect(self) -> None:
        foreign = [one.id for one in self._opened if "foreign.objects" in one.info.notes]
        for store in self._sidebar.stores or [*foreign, *(one.id for one in self._opened)][:1]:
            self.go("protect", store)

    def _export(self) -> None:
        self.go("export", self._memories.query)

    def _choose_open_view(self, view: View) -> None:
        if self._opened:
            self.choose_view(view)

    def _new_memory(self) -> None:
        self.choose_view(VIEWS[0])
        self._memories.new_memory()

    def _in_list(self, act: str) -> None:
        """Acts on the list's selection only say so while another page is shown."""
        if self._host.name == "memories":
            getattr(self._memories, act)()
        else:
            text = self._context.words.say("Choose a record in the list first.")
            self._banner.tell("info", text)

    def _make_actions(self) -> Actions:
        return Actions(
            self._context.words,
            self,
            {
                "open": self._opener.choose_file,
                "open_folder": self._opener.choose_folder,
                "sample": self._opener.open_sample,
                "close_stores": self._close_stores,
                "new": self._new_memory,
                "edit": partial(self._in_list, "edit_current"),
                "trash": partial(self._in_list, "trash_selected"),
                "undo": self._memories.undo,
                "redo": self._memories.redo,
                "erase": partial(self._in_list, "erase_selected"),
                "search": self._top.focus_search,
                "export": self._export,
                "protect": self._protect,
                "settings": partial(self.go, "settings"),
                "lock": self.lock,
                "quit": self.close,
            },
        )

    # ---- arranging

    def _arrange(self) -> None:
        self._host.add("start", self._start)
        self._host.add("memories", self._memories)
        if not self._lock_host.has("locked"):
            self._lock_host.add("locked", PlainLockedPage(self._context))
        self._top.set_menu(self._actions.menu())
        self._split.addWidget(self._sidebar)
        self._split.addWidget(self._host)
        work = make_work(
            self._top,
            (self._busy, self._lent_banner, self._erased_banner, self._banner),
            self._split,
        )
        self._root.addWidget(work)
        self._root.addWidget(self._lock_host)
        self.setCentralWidget(self._root)
        self.setAcceptDrops(True)
        self.setMinimumSize(960, 560)
        self.resize(*SIZE)

    def _connect(self) -> None:
        self._top.searched.connect(self._on_searched)
        self._top.left.connect(self._memories.focus_list)
        self._top.theme_wanted.connect(self._preferences.toggle_appearance)
        self._top.lock_wanted.connect(self.lock)
        self._sidebar.view_chosen.connect(self._on_view_chosen)
        self._sidebar.stores_chosen.connect(self._on_stores_chosen)
        self._sidebar.open_wanted.connect(self._opener.choose_file)
        self._start.file_wanted.connect(self._opener.choose_file)
        self._start.folder_wanted.connect(self._opener.choose_folder)
        self._start.sample_wanted.connect(self._opener.open_sample)
        self._start.path_wanted.connect(self._opener.open)
        self._memories.counted.connect(self._sidebar.show_counts)
        self._notices.go.connect(self.go)
        self._memories.foreign_wanted.connect(self._protect)
        for host in (self._host, self._lock_host):
            host.go.connect(self.go)
            host.changed.connect(self._ask_stores)
            host.changed.connect(self._undoing.look)
            host.told.connect(self._banner.tell)
        self._host.closed.connect(self._on_page_closed)
        self._host.shown.connect(self._on_page_shown)
        self._opener.began.connect(self._on_open_began)
        self._opener.ended.connect(self._busy.stop)
        self._opener.sample_made.connect(self._sidebar.mark_samples)
        self._opener.opened.connect(self._on_opened)
        self._opener.erase_ended.connect(self._pending.tell_ended)
        self._opener.key_problem.connect(self._on_key_problem)
        self._opener.failed.connect(self._teller.error)
        for number, view in enumerate(VIEWS, 1):
            keys = QShortcut(QKeySequence(f"Alt+{number}"), self)
            keys.activated.connect(partial(self._choose_open_view, view))
        self._watch.stores_changed.connect(self._on_stores_changed)
        self._watch.lent_changed.connect(self._on_lent_changed)
        self._idle.went_idle.connect(self.lock)
        self._preferences.language_changed.connect(self._on_language_changed)

    # ---- Qt's own

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self.painted.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not self._locked and any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        self.open_paths(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        page = self._host.page
        if not self._locked and page is not None and not page.may_leave():
            event.ignore()
            return
        self._watch.stop()
        self._context.bridge.close()
        super().closeEvent(event)
