# SPDX-License-Identifier: MIT
"""The window: puts its parts together and joins their signals."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QMainWindow

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, StoreId
from memory_gui.services import OpenedStore
from memory_gui.ui.cases.back import BackNotice
from memory_gui.ui.context import Context
from memory_gui.ui.pages.key_moving import Moved
from memory_gui.ui.pages.key_offer import KeyOffer
from memory_gui.ui.pages.pending_notice import PendingNotice
from memory_gui.ui.pages.requests import OpenRequest
from memory_gui.ui.palette import Theme
from memory_gui.ui.privacy.guarding import Guarding
from memory_gui.ui.privacy.offer import DraftOffer
from memory_gui.ui.records.bulk.stopped import StoppedNotice, TakeUp
from memory_gui.ui.records.page import MemoriesPage
from memory_gui.ui.review.runner import RulesRunner
from memory_gui.ui.shell.commands import Commands
from memory_gui.ui.shell.dropping import Drops
from memory_gui.ui.shell.erased import ErasedNotice
from memory_gui.ui.shell.forgetting import Forgetting
from memory_gui.ui.shell.holding import Holding
from memory_gui.ui.shell.lent import LentNotice
from memory_gui.ui.shell.navigation import Navigation
from memory_gui.ui.shell.notices import Notices
from memory_gui.ui.shell.opening import Opener, OpenSample
from memory_gui.ui.shell.panes import PANES_WIDTH, Panes
from memory_gui.ui.shell.preferences import Preferences
from memory_gui.ui.shell.quick.quick import Quick
from memory_gui.ui.shell.returned import ReturnedNotice
from memory_gui.ui.shell.teller import Teller
from memory_gui.ui.shell.torecord import ToRecord
from memory_gui.ui.shell.undoing import Undoing
from memory_gui.ui.shell.watch import Idle, Watch
from memory_gui.ui.views import REVIEW, VIEWS, View

SIZE: Final = (PANES_WIDTH, 760)
_ENDING_MS: Final = 2_000
"""So long a lock is waited for when the session ends."""


class MainWindow(QMainWindow):
    """One per application. Close it before the services are closed."""

    painted = Signal()
    """Once, after the first paint."""
    language_changed = Signal(str)

    def __init__(self, context: Context, theme: Theme, open_sample: OpenSample) -> None:
        super().__init__()
        self.setObjectName("window")
        with theme.put_off():
            self._context = context
            self._painted = False
            self._panes = Panes(context)
            self._holding = Holding(context, self)
            self._navigation = Navigation(context, self._panes, self._holding, self)
            self._opener = Opener(context, open_sample, self)
            self._commands = self._make_commands()
            self._quick = Quick(
                context,
                self._commands.actions,
                self._navigation,
                holding=self._holding,
                open_path=self._opener.open,
                window=self,
            )
            self._to_record = ToRecord(context, self._panes, self._navigation, self)
            self._forgetting = Forgetting(context, self._panes, self._quick, self)
            self._undoing = Undoing(context, self._commands.actions, self)
            self._make_notices()
            self._watch = Watch(context, self)
            self._idle = Idle(QGuiApplication.instance() or self, self)
            self._preferences = Preferences(context, theme, self._idle, self)
            self._guarding = Guarding(context, self._idle, self)
            self._drafts = DraftOffer(
                context, self._panes.draft_banner, self._to_record.take_up, self
            )
            self._preferences.offer(self._commands.actions)
            self.setCentralWidget(self._panes.root)
            self._drops = Drops(self, lambda: not self._holding.locked)
            self._drops.dropped.connect(self.open_paths)
            self.setMinimumSize(960, 560)
            self.resize(*SIZE)
            self._connect()
            self._connect_stores()
            self.retranslate()
            self._holding.show(())
            self._panes.host.show_page("start")

    # ---- for the front door and for tests

    @property
    def memories(self) -> MemoriesPage:
        """The list and its detail."""
        return self._panes.memories

    @property
    def stopped(self) -> StoppedNotice:
        """Tells of acts that a kill stopped."""
        return self._stopped

    @property
    def page_name(self) -> str:
        """The page that is shown; ``locked`` while locked."""
        return "locked" if self._holding.locked else self._panes.host.name

    def begin(self) -> None:
        """After the first paint: what may take its time."""
        self._guarding.begin()
        if (problem := self._context.services.settings.take_problem()) is not None:
            self._teller.error(problem)
        self._preferences.apply()
        self._panes.host.refresh()
        self._pending.look()

    def listen(self) -> None:
        """Hear of the screen's lock, of sleep and of the session's end."""
        self._guarding.listen()

    def open_paths(self, paths: list[str]) -> None:
        """Open stores, one after the other."""
        for path in paths:
            self._opener.open(path)

    def open_sample(self) -> None:
        """Open the sample store."""
        self._opener.open_sample()

    def go(self, name: str, argument: object = None) -> None:
        """Go to a page, or do one of the acts that a page may ask for."""
        self._navigation.go(name, argument)

    def search(self, text: str) -> None:
        """Search as if it had been typed."""
        self._panes.top.search(text)

    def choose_view(self, view: View) -> None:
        """Go to a view."""
        self._navigation.choose_view(view)

    def lock(self) -> None:
        """The locked page first, then forget everything, then let go of the stores."""
        self._holding.lock()

    def end(self) -> None:
        """The session ends: lock, which keeps what was typed, then close; wait for nobody."""
        if self._holding.locked:
            self.close()
            return
        self._holding.locked_away.connect(self.close)
        QTimer.singleShot(_ENDING_MS, self, self.close)
        self.lock()

    def cover(self) -> None:
        """Show the locked page and forget every text; the stores stay as they are."""
        self._holding.cover()

    def unlock(self) -> None:
        """Open again what was open."""
        self._holding.unlock()

    def retranslate(self) -> None:
        """Say all texts again."""
        self.setWindowTitle(self._context.words.say("Agent Memory"))
        self._panes.retranslate(self._context)
        self._commands.actions.retranslate()
        self._quick.retranslate()
        self._commands.say_chosen()
        self._stopped.retranslate()
        self._returned.retranslate()
        self._back.retranslate()
        self._undoing.look()
        self._drafts.retranslate()

    # ---- stores

    def _on_opened(self, stores: tuple[OpenedStore, ...]) -> None:
        self._holding.ask()
        self._drafts.look()
        self._notices.tell(stores)
        self._key_offer.tell(stores)
        self._navigation.on_opened()

    def _on_held(self, opened: tuple[OpenedStore, ...], first: bool) -> None:
        """What is open changed: every part shows it."""
        panes, some = self._panes, bool(opened)
        panes.sidebar.hold(opened)
        panes.sidebar.setVisible(some)
        panes.top.enable_search(enabled=some)
        panes.top.enable_lock(enabled=some)
        self._commands.allow(opened=some)
        panes.memories.set_stores(panes.sidebar.stores, opened)
        panes.host.choose_store(next(iter(panes.sidebar.stores), None))
        self._undoing.look()
        self._stopped.follow(opened)
        self._returned.follow(opened)
        self._back.follow(opened)
        self._rules.follow(opened)
        if first:
            panes.memories.begin()
        if some:
            self._watch.start()
        else:
            self._watch.stop()
            if panes.host.name == "memories":  # unlocked, and nothing was open: a case, or Home
                panes.host.show_page("start", force=True)

    def _on_covered(self, names: tuple[str, ...]) -> None:
        """The locked page first, then forget."""
        self._watch.stop()
        self._panes.lock_host.show_page("locked", names)
        self._panes.root.setCurrentWidget(self._panes.lock_host)
        self._forget()
        self._drafts.forget()
        self._guarding.covered()
        self.repaint()
        self._erased.cover()
        self._undoing.forget()
        self._commands.allow(opened=False)

    def _on_unlocked(self, left: list[str]) -> None:
        self._panes.root.setCurrentIndex(0)
        self._panes.host.show_page("memories", force=True)
        self._holding.ask()
        self._guarding.uncovered()
        self._drafts.look()
        self._erased.tell()
        self.open_paths(left)

    def _on_act_wanted(self, act: str, refs: tuple[Ref, ...]) -> None:
        """An act that was stopped goes on, or is taken back."""
        self._navigation.choose_view(VIEWS[0])
        self._panes.memories.run(act, refs)

    def _on_decisions_wanted(self, wanted: TakeUp) -> None:
        """Decisions that were stopped go on, or are taken back, where decisions are shown."""
        page = self._panes.host.page
        if page is None or page.may_leave():
            self._stopped.taken_up()
            self._navigation.choose_view(REVIEW)
            self.go("review", wanted)

    def _on_lent_changed(self, lent: dict[StoreId, UserError]) -> None:
        self._lent.show(lent, self._holding.opened)
        self._panes.sidebar.show_lent(lent)

    def _on_erased(self, ending: object) -> None:
        """An erase ended that nobody watched any more."""
        self._erased.keep(ending)
        if not self._holding.locked:
            self._erased.tell()
            self._panes.memories.refresh()

    def _forget(self) -> None:
        panes = self._panes
        panes.busy.stop()
        self._quick.clear()
        panes.top.clear_search()
        panes.sidebar.clear()
        panes.host.clear()
        panes.banner.dismiss()
        self._notices.forget()
        self._key_offer.forget()
        self._lent.clear()
        self._stopped.clear()
        self._returned.clear()
        self._back.clear()
        self._rules.clear()

    # ---- what the parts ask for

    def _on_language_changed(self, language: str) -> None:
        self._panes.key_banner.say_again()
        banner = self._panes.banner
        before = banner.text
        self._notices.retranslate()
        if banner.text == before and not banner.say_again():
            banner.dismiss_passing()  # what is over is not said again in another language
        self.retranslate()
        self.language_changed.emit(language)

    def _on_open_began(self, text: str) -> None:
        self._panes.banner.dismiss()
        self._panes.busy.start(text, self._context.words.say("Cancel"))

    def _on_rules_decided(self, changes: ChangeSet, told: str) -> None:
        """A rule of a person's decided on something that arrived: told, and where to see it."""
        see = (self._context.words.say("Show what was decided"), partial(self.go, "rules"))
        self._panes.banner.tell("info", told, see)
        self._panes.host.changed.emit(changes)
        self._panes.host.refresh()

    def _on_commands_wanted(self) -> None:
        self._quick.toggle()

    def _on_open_wanted(self, wanted: OpenRequest) -> None:
        self._opener.open(wanted.path, wanted.key)

    def _on_key_moved(self, moved: Moved) -> None:
        self._opener.take(moved.brought.stores, moved.erased)
        self._key_offer.tell_moved(moved)

    # ---- putting together

    def _make_commands(self) -> Commands:
        more = {
            "open": self._opener.choose_file,
            "open_folder": self._opener.choose_folder,
            "sample": self._opener.open_sample,
            "commands": self._on_commands_wanted,
            "quit": self.close,
        }
        return Commands(
            self._context, self._panes, self._holding, self._navigation, more=more, window=self
        )

    def _make_notices(self) -> None:
        context, panes = self._context, self._panes
        self._teller = Teller(context, panes.banner, self)
        self._notices = Notices(context, panes.banner, self)
        show = partial(self.go, "protect")
        self._key_offer = KeyOffer(context, panes.key_banner, show, self)
        self._lent = LentNotice(context, panes.lent_banner, self)
        self._pending = PendingNotice(context, panes.banner, partial(self.go, "pending"), self)
        show = partial(self.go, "erase")
        self._stopped = StoppedNotice(context, panes.stopped_banner, self)
        self._returned = ReturnedNotice(context, panes.returned_banner, self)
        self._back = BackNotice(context, panes.back_banner, self)
        self._rules = RulesRunner(context, self)
        self._erased = ErasedNotice(context, panes.erased_banner, show, self)

    def _connect(self) -> None:
        panes = self._panes
        self._navigation.take_acts(
            {
                "open": self._on_open_wanted,
                "key_moved": self._on_key_moved,
                "opened": lambda stores: self._opener.take(stores, ()),
                "unlock": lambda _nothing: self.unlock(),
                "close_store": self._commands.close_store,
                "convert": self._commands.converter.convert,
                "choose_file": lambda _nothing: self._opener.choose_file(),
                "settings_changed": lambda _nothing: self._preferences.apply(),
                "erased": self._on_erased,
                "forget": self._forgetting.forget,
                "record": self._to_record.show,
                "merge": self._to_record.merge,
                "history": self._to_record.history,
            }
        )
        panes.top.left.connect(panes.memories.focus_list)
        panes.top.theme_wanted.connect(self._preferences.toggle_appearance)
        panes.top.lock_wanted.connect(self.lock)
        panes.sidebar.open_wanted.connect(self._opener.choose_file)
        panes.start.file_wanted.connect(self._opener.choose_file)
        panes.start.folder_wanted.connect(self._opener.choose_folder)
        panes.start.sample_wanted.connect(self._opener.open_sample)
        panes.start.path_wanted.connect(self._opener.open)
        panes.start.store_wanted.connect(self._navigation.show_store)
        panes.memories.counted.connect(panes.sidebar.show_counts)
        panes.memories.foreign_wanted.connect(self._commands.protect)
        for host in (panes.host, panes.lock_host):
            host.changed.connect(self._holding.ask)
            host.changed.connect(self._undoing.look)
            host.changed.connect(self._returned.look_again)
            host.changed.connect(self._stopped.look_again)
            host.changed.connect(self._back.look_again)
            host.told.connect(panes.banner.tell)
        self._notices.go.connect(self.go)
        self._returned.erase_wanted.connect(self.go)
        self._back.wanted.connect(self.go)
        self._navigation.erase_left.connect(self._pending.look)
        self._guarding.lock_wanted.connect(self.lock)
        self._preferences.applied.connect(self._guarding.apply)
        self._preferences.language_changed.connect(self._on_language_changed)
        self._preferences.applied.connect(panes.memories.wear)

    def _connect_stores(self) -> None:
        self._stopped.act_wanted.connect(self._on_act_wanted)
        self._stopped.decisions_wanted.connect(self._on_decisions_wanted)
        self._holding.changed.connect(self._on_held)
        self._holding.drafts_of = self._panes.host.drafts
        self._holding.covered.connect(self._on_covered)
        self._holding.locked_away.connect(self._guarding.let_go)
        self._holding.unlocked.connect(self._on_unlocked)
        self._holding.emptied.connect(self._navigation.on_emptied)
        self._holding.letting_go.connect(self._forget)
        self._opener.began.connect(self._on_open_began)
        self._opener.ended.connect(self._panes.busy.stop)
        self._panes.busy.cancelled.connect(self._opener.stop)
        self._opener.sample_made.connect(self._panes.sidebar.mark_samples)
        self._opener.sample_made.connect(self._panes.start.mark_samples)
        self._opener.opened.connect(self._on_opened)
        self._opener.erase_ended.connect(self._pending.tell_ended)
        self._opener.key_problem.connect(self._navigation.on_key_problem)
        self._opener.which_wanted.connect(partial(self._navigation.go, "which"))
        self._opener.failed.connect(self._teller.error)
        self._watch.stores_changed.connect(self._navigation.on_stores_changed)
        self._watch.stores_changed.connect(self._returned.look)
        self._watch.stores_changed.connect(self._back.look_later)
        self._watch.stores_changed.connect(self._rules.look)
        self._rules.changed.connect(self._on_rules_decided)
        self._watch.lent_changed.connect(self._on_lent_changed)

    # ---- Qt's own

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self.painted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._quick.box.place()

    def closeEvent(self, event: QCloseEvent) -> None:
        page = self._panes.host.page
        if not self._holding.locked and page is not None and not page.may_leave():
            event.ignore()
            return
        self._watch.stop()
        self._guarding.close()
        self._context.bridge.close()
        super().closeEvent(event)
