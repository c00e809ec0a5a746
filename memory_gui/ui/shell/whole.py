# SPDX-License-Identifier: MIT
"""What makes the window whole after its first paint: its parts, made one by one and joined."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, StoreId
from memory_gui.services import OpenedStore
from memory_gui.ui.cases.back import BackNotice
from memory_gui.ui.context import Context
from memory_gui.ui.pages.key_moving import Moved
from memory_gui.ui.pages.key_offer import KeyOffer
from memory_gui.ui.pages.pending_notice import PendingNotice
from memory_gui.ui.pages.registry import PAGES
from memory_gui.ui.pages.requests import OpenRequest
from memory_gui.ui.palette import Theme
from memory_gui.ui.privacy.guarding import Guarding
from memory_gui.ui.privacy.offer import DraftOffer
from memory_gui.ui.records.bulk.stopped import StoppedNotice, TakeUp
from memory_gui.ui.records.editing.detail import DetailView
from memory_gui.ui.records.editing.editor import Editor
from memory_gui.ui.records.editing.pane import RecordPane
from memory_gui.ui.records.listing.pane import ListPane
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
from memory_gui.ui.shell.panes import Panes
from memory_gui.ui.shell.preferences import Preferences
from memory_gui.ui.shell.quick.quick import Quick
from memory_gui.ui.shell.returned import ReturnedNotice
from memory_gui.ui.shell.sidebar import Sidebar
from memory_gui.ui.shell.teller import Teller
from memory_gui.ui.shell.torecord import ToRecord
from memory_gui.ui.shell.unbegun import UnbegunNotice
from memory_gui.ui.shell.undoing import Undoing
from memory_gui.ui.shell.watch import Idle, Watch
from memory_gui.ui.views import REVIEW, VIEWS

if TYPE_CHECKING:
    from memory_gui.ui.window import MainWindow


class Whole(QObject):
    """All that the window has besides what is painted first. GUI thread."""

    def __init__(
        self,
        window: MainWindow,
        context: Context,
        panes: Panes,
        theme: Theme,
        open_sample: OpenSample,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._context = context
        self._panes = panes
        self._theme = theme
        self._open_sample = open_sample

    def furnish(self) -> Iterator[None]:
        """Make the parts, each step short enough for the event loop; then nothing is missing."""
        context, panes, window = self._context, self._panes, self._window
        panes.make_bars()
        yield
        panes.start.furnish()
        yield
        panes.take_sidebar(Sidebar(context.words))
        yield
        yield from self._furnish_list()
        panes.take_pages(context, PAGES)
        self.holding = Holding(context, window)
        self.navigation = Navigation(context, panes, self.holding, window)
        self.opener = Opener(context, self._open_sample, window)
        self.commands = self._make_commands()
        yield
        self.quick = Quick(
            context,
            self.commands.actions,
            self.navigation,
            holding=self.holding,
            open_path=self.opener.open,
            window=window,
        )
        yield
        self._make_notices()
        self._make_guards()
        yield
        self._connect()
        self._connect_stores()
        self.retranslate()
        self.holding.show(())

    def _furnish_list(self) -> Iterator[None]:
        """The list and what stands beside it: the most widgets of all."""
        context = self._context
        listed = ListPane(context)
        yield
        detail = DetailView(context.words, privacy=context.privacy)
        yield
        editor = Editor(context.words)
        yield
        right = RecordPane(context, detail=detail, editor=editor)
        yield
        memories = MemoriesPage(context, listed=listed, right=right)
        yield
        self._panes.take_memories(memories)
        yield

    # ---- the window's calls

    def begin(self) -> None:
        """All is there: what may take its time."""
        self.guarding.begin()
        if (problem := self._context.services.settings.take_problem()) is not None:
            self._teller.error(problem)
        self.preferences.apply()
        self._panes.host.refresh()
        self._pending.look()

    def open_paths(self, paths: list[str]) -> None:
        """Open stores, one after the other."""
        for path in paths:
            self.opener.open(path)

    def retranslate(self) -> None:
        """Say all texts again."""
        self._panes.retranslate(self._context)
        self.commands.actions.retranslate()
        self.quick.retranslate()
        self.commands.say_chosen()
        self.stopped.retranslate()
        self.returned.retranslate()
        self.back.retranslate()
        self._undoing.look()
        self._drafts.retranslate()

    # ---- stores

    def _on_opened(self, stores: tuple[OpenedStore, ...]) -> None:
        self.holding.ask()
        self._drafts.look()
        self.notices.tell(stores)
        self._key_offer.tell(stores)
        self.navigation.on_opened()

    def _on_held(self, opened: tuple[OpenedStore, ...], first: bool) -> None:
        """What is open changed: every part shows it."""
        panes, some = self._panes, bool(opened)
        panes.sidebar.hold(opened)
        panes.sidebar.setVisible(some)
        panes.top.enable_search(enabled=some)
        panes.top.enable_lock(enabled=some)
        self.commands.allow(opened=some)
        panes.memories.set_stores(panes.sidebar.stores, opened)
        panes.host.choose_store(next(iter(panes.sidebar.stores), None))
        self._undoing.look()
        self.stopped.follow(opened)
        self.returned.follow(opened)
        self.back.follow(opened)
        self._rules.follow(opened)
        if first:
            panes.memories.begin()
        if some:
            self.watch.start()
        else:
            self.watch.stop()
            if panes.host.name == "memories":  # unlocked, and nothing was open: a case, or Home
                panes.host.show_page("start", force=True)

    def _on_covered(self, names: tuple[str, ...]) -> None:
        """The locked page first, then forget."""
        self.watch.stop()
        self._panes.lock_host.show_page("locked", names)
        self._panes.root.setCurrentWidget(self._panes.lock_host)
        self._forget()
        self._drafts.forget()
        self.guarding.covered()
        self._window.repaint()
        self._erased.cover()
        self._unbegun.cover()
        self._undoing.forget()
        self.commands.allow(opened=False)

    def _on_unlocked(self, left: list[str]) -> None:
        self._panes.root.setCurrentIndex(0)
        self._panes.host.show_page("memories", force=True)
        self.holding.ask()
        self.guarding.uncovered()
        self._drafts.look()
        self._erased.tell()
        self._unbegun.tell()
        self.open_paths(left)

    def _on_act_wanted(self, act: str, refs: tuple[Ref, ...]) -> None:
        """An act that was stopped goes on, or is taken back."""
        self.navigation.choose_view(VIEWS[0])
        self._panes.memories.run(act, refs)

    def _on_decisions_wanted(self, wanted: TakeUp) -> None:
        """Decisions that were stopped go on, or are taken back, where decisions are shown."""
        page = self._panes.host.page
        if page is None or page.may_leave():
            self.stopped.taken_up()
            self.navigation.choose_view(REVIEW)
            self.navigation.go("review", wanted)

    def _on_lent_changed(self, lent: dict[StoreId, UserError]) -> None:
        self._lent.show(lent, self.holding.opened)
        self._panes.sidebar.show_lent(lent)

    def _on_erased(self, ending: object) -> None:
        """An erase ended that nobody watched any more."""
        self._erased.keep(ending)
        if not self.holding.locked:
            self._erased.tell()
            self._panes.memories.refresh()

    def _forget(self) -> None:
        panes = self._panes
        panes.busy.stop()
        self.quick.clear()
        panes.top.clear_search()
        panes.sidebar.clear()
        panes.host.clear()
        panes.banner.dismiss()
        self.notices.forget()
        self._key_offer.forget()
        self._lent.clear()
        self.stopped.clear()
        self.returned.clear()
        self.back.clear()
        self._rules.clear()

    # ---- what the parts ask for

    def _on_language_changed(self, language: str) -> None:
        self._panes.key_banner.say_again()
        self._panes.unbegun_banner.say_again()
        banner = self._panes.banner
        before = banner.text
        self.notices.retranslate()
        if banner.text == before and not banner.say_again():
            banner.dismiss_passing()  # what is over is not said again in another language
        self._window.retranslate()
        self._window.language_changed.emit(language)

    def _on_open_began(self, text: str) -> None:
        self._panes.banner.dismiss()
        self._panes.busy.start(text, self._context.words.say("Cancel"))

    def _on_rules_decided(self, changes: ChangeSet, told: str) -> None:
        """A rule of a person's decided on something that arrived: told, and where to see it."""
        see = (
            self._context.words.say("Show what was decided"),
            partial(self.navigation.go, "rules"),
        )
        self._panes.banner.tell("info", told, see)
        self._panes.host.changed.emit(changes)
        self._panes.host.refresh()

    def _on_commands_wanted(self) -> None:
        self.quick.toggle()

    def _on_open_wanted(self, wanted: OpenRequest) -> None:
        self.opener.open(wanted.path, wanted.key)

    def _on_key_moved(self, moved: Moved) -> None:
        self.opener.take(moved.brought.stores, moved.erased)
        self._key_offer.tell_moved(moved)

    # ---- putting together

    def _make_commands(self) -> Commands:
        more = {
            "open": self.opener.choose_file,
            "open_folder": self.opener.choose_folder,
            "sample": self.opener.open_sample,
            "commands": self._on_commands_wanted,
            "quit": self._window.close,
        }
        return Commands(
            self._context,
            self._panes,
            self.holding,
            self.navigation,
            more=more,
            window=self._window,
        )

    def _make_notices(self) -> None:
        context, panes, window = self._context, self._panes, self._window
        self._teller = Teller(context, panes.banner, window)
        self.notices = Notices(context, panes.banner, window)
        show = partial(self.navigation.go, "protect")
        self._key_offer = KeyOffer(context, panes.key_banner, show, window)
        self._lent = LentNotice(context, panes.lent_banner, window)
        show = partial(self.navigation.go, "pending")
        self._pending = PendingNotice(context, panes.banner, show, window)
        show = partial(self.navigation.go, "erase")
        self.stopped = StoppedNotice(context, panes.stopped_banner, window)
        self.returned = ReturnedNotice(context, panes.returned_banner, window)
        self.back = BackNotice(context, panes.back_banner, window)
        self._rules = RulesRunner(context, window)
        self._erased = ErasedNotice(context, panes.erased_banner, show, window)
        self._unbegun = UnbegunNotice(context, panes.unbegun_banner, window)

    def _make_guards(self) -> None:
        context, panes, window = self._context, self._panes, self._window
        self._to_record = ToRecord(context, panes, self.navigation, window)
        self._forgetting = Forgetting(context, panes, self.quick, window)
        self._undoing = Undoing(context, self.commands.actions, window)
        self.watch = Watch(context, window)
        self.idle = Idle(QGuiApplication.instance() or window, window)
        self.preferences = Preferences(context, self._theme, self.idle, window)
        self.guarding = Guarding(context, self.idle, window)
        self._drafts = DraftOffer(context, panes.draft_banner, self._to_record.take_up, window)
        self.preferences.offer(self.commands.actions)
        drops = Drops(window, lambda: not self.holding.locked)
        drops.dropped.connect(self.open_paths)

    def _connect(self) -> None:
        panes = self._panes
        self.navigation.take_acts(
            {
                "open": self._on_open_wanted,
                "key_moved": self._on_key_moved,
                "opened": lambda stores: self.opener.take(stores, ()),
                "unlock": lambda _nothing: self.holding.unlock(),
                "close_store": self.commands.close_store,
                "convert": self.commands.converter.convert,
                "choose_file": lambda _nothing: self.opener.choose_file(),
                "settings_changed": lambda _nothing: self.preferences.apply(),
                "erased": self._on_erased,
                "forget": self._forgetting.forget,
                "record": self._to_record.show,
                "merge": self._to_record.merge,
                "history": self._to_record.history,
            }
        )
        panes.top.left.connect(panes.memories.focus_list)
        panes.top.theme_wanted.connect(self.preferences.toggle_appearance)
        panes.top.lock_wanted.connect(self.holding.lock)
        panes.sidebar.open_wanted.connect(self.opener.choose_file)
        panes.start.file_wanted.connect(self.opener.choose_file)
        panes.start.folder_wanted.connect(self.opener.choose_folder)
        panes.start.sample_wanted.connect(self.opener.open_sample)
        panes.start.path_wanted.connect(self.opener.open)
        panes.start.store_wanted.connect(self.navigation.show_store)
        panes.memories.counted.connect(panes.sidebar.show_counts)
        panes.memories.foreign_wanted.connect(self.commands.protect)
        for host in (panes.host, panes.lock_host):
            host.changed.connect(self.holding.ask)
            host.changed.connect(self._undoing.look)
            host.changed.connect(self.returned.look_again)
            host.changed.connect(self.stopped.look_again)
            host.changed.connect(self.back.look_again)
            host.told.connect(panes.banner.tell)
        self.notices.go.connect(self.navigation.go)
        self.returned.erase_wanted.connect(self.navigation.go)
        self.back.wanted.connect(self.navigation.go)
        self.navigation.erase_left.connect(self._pending.look)
        self.guarding.lock_wanted.connect(self.holding.lock)
        self.preferences.applied.connect(self.guarding.apply)
        self.preferences.language_changed.connect(self._on_language_changed)
        self.preferences.applied.connect(panes.memories.wear)

    def _connect_stores(self) -> None:
        self.stopped.act_wanted.connect(self._on_act_wanted)
        self.stopped.decisions_wanted.connect(self._on_decisions_wanted)
        self.holding.changed.connect(self._on_held)
        self.holding.drafts_of = self._panes.host.drafts
        self.holding.covered.connect(self._on_covered)
        self.holding.locked_away.connect(self.guarding.let_go)
        self.holding.unlocked.connect(self._on_unlocked)
        self.holding.emptied.connect(self.navigation.on_emptied)
        self.holding.letting_go.connect(self._forget)
        self.opener.began.connect(self._on_open_began)
        self.opener.ended.connect(self._panes.busy.stop)
        self._panes.busy.cancelled.connect(self.opener.stop)
        self.opener.sample_made.connect(self._panes.sidebar.mark_samples)
        self.opener.sample_made.connect(self._panes.start.mark_samples)
        self.opener.opened.connect(self._on_opened)
        self.opener.erase_ended.connect(self._pending.tell_ended)
        self.opener.key_problem.connect(self.navigation.on_key_problem)
        self.opener.which_wanted.connect(partial(self.navigation.go, "which"))
        self.opener.failed.connect(self._teller.error)
        self.watch.stores_changed.connect(self.navigation.on_stores_changed)
        self.watch.stores_changed.connect(self.returned.look)
        self.watch.stores_changed.connect(self.back.look_later)
        self.watch.stores_changed.connect(self._rules.look)
        self._rules.changed.connect(self._on_rules_decided)
        self.watch.lent_changed.connect(self._on_lent_changed)
