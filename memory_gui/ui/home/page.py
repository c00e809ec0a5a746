# SPDX-License-Identifier: MIT
"""The first page, reachable at any time: which stores there are, and what is wrong with any."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.services.homeview import HomeView
from memory_gui.ui.cases.due import DuePanel
from memory_gui.ui.context import Context
from memory_gui.ui.home import phrases
from memory_gui.ui.home.card import ProblemRow, StoreCard
from memory_gui.ui.home.discovery import DiscoveryPanel
from memory_gui.ui.home.phrases import CardWords, ProblemWords
from memory_gui.ui.home.welcome import Welcome
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.frame import Frame, padded
from memory_gui.ui.pages.page import Page
from memory_gui.ui.tokens import SPACE_S, SPACE_XS
from memory_gui.ui.widgets import Busy, Button, Caption, Panel, PrimaryButton, SectionLabel
from memory_gui.ui.widgets.flow import Columns, FlowLayout
from memory_gui.words.errors import explain

AGAIN_MS: Final = 5_000
"""While Home is seen it looks again this often: what was solved elsewhere goes by itself."""
_CARD_LETTERS: Final = 33
"""How many letters of a usual width stand in the narrowest card."""


class HomePage(Page):
    """Shows what ``services.home`` sees; the window opens what a person asks for."""

    file_wanted = Signal()
    folder_wanted = Signal()
    sample_wanted = Signal()
    path_wanted = Signal(str)
    store_wanted = Signal(object)
    """StoreId: show this open store's memories."""

    icon_name = Icon.DATABASE

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._view: HomeView | None = None
        self._samples: frozenset[StoreId] = frozenset()
        self._looking = False
        self._cards: dict[str, StoreCard] = {}
        self._problems: tuple[ProblemWords, ...] = ()
        self.frame = Frame("start", width=0)
        self.banner = self.frame.banner
        self._file = named(PrimaryButton("", Icon.DATABASE), "start.file")
        self._folder = named(Button("", Icon.FOLDER), "start.folder")
        self._sample = named(Button("", Icon.SAMPLE), "start.sample")
        self._acts = QWidget()
        self._welcome = Welcome()
        self._busy = named(Busy(), "start.busy")
        self._problems_label = named(SectionLabel(), "start.problems.label")
        self._problems_panel = named(Panel(), "start.problems")
        self._problem_rows = padded(self._problems_panel, SPACE_XS)
        self._due_label = named(SectionLabel(), "start.due.label")
        self._due = DuePanel(context)
        self._stores_label = named(SectionLabel(), "start.stores.label")
        self._grid = named(Columns(self._card_width()), "start.stores")
        self._remarks = QWidget()
        self._discovery = named(DiscoveryPanel(context), "start.discovery")
        self._drop, self._forgets = (
            named(Caption(), f"start.{name}") for name in ("drop", "forgets")
        )
        self._private = named(Caption(), "start.private")
        self._again = QTimer(self)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(self.refresh)
        self._discovery.path_wanted.connect(self.path_wanted)
        self._due.case_wanted.connect(partial(self.go.emit, "case"))
        self._due.shown_changed.connect(self._due_label.setVisible)
        self._file.clicked.connect(self.file_wanted)
        self._folder.clicked.connect(self.folder_wanted)
        self._sample.clicked.connect(self.sample_wanted)
        self.frame.retried.connect(self.refresh)
        self._arrange()
        self._due_label.hide()
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        self._file.setFocus(Qt.FocusReason.OtherFocusReason)
        self._discovery.begin()
        self._due.look()
        self.refresh()

    def refresh(self) -> None:
        """Look again, never twice at a time; the first time what is at hand comes first."""
        if self._looking:
            return
        self._looking = True
        home = self.services.home
        if self._view is None:
            self._busy.start(self.words.say("Asking the keychain for the list of stores…"))
            self.bridge.call(home.at_hand, done=self._on_at_hand, failed=self._on_failed)
        else:
            self._look()

    def clear(self) -> None:
        self._view = None
        self._looking = False  # a lock drops the answer that was waited for
        self._busy.stop()
        self._discovery.clear()
        self._due.clear()
        self._show()
        self.banner.dismiss()

    def mark_samples(self, samples: frozenset[StoreId]) -> None:
        """Which stores were invented for trying the app."""
        self._samples |= samples
        self._show()

    def retranslate(self) -> None:
        say = self.words.say
        self.frame.title.setText(say("What agents remember on this computer"))
        self.banner.set_close_name(say("Close this message"))
        self._file.setText(say("Open a store…"))
        self._folder.setText(say("Open a project folder…"))
        self._sample.setText(say("Try the sample"))
        self._problems_label.setText(say("Needs your attention"))
        self._due_label.setText(say("Cases that wait for an answer"))
        self._stores_label.setText(say("Stores"))
        self._grid.setAccessibleName(say("Stores"))
        self._welcome.retranslate(self.words)
        self._discovery.retranslate()
        self._due.retranslate()
        self._show()

    # ---- Qt's own

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._grid.set_least(self._card_width())
        self._again.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._again.stop()

    # ---- looking

    def _look(self) -> None:
        self.bridge.call(self.services.home.look, done=self._on_looked, failed=self._on_failed)

    def _on_at_hand(self, view: HomeView) -> None:
        if not self._looking:
            return
        self._view = view if view.cards else None
        self._show()
        self._look()

    def _on_looked(self, view: HomeView) -> None:
        if not self._looking:
            return
        self._looking = False
        self._busy.stop()
        self._view = view
        self._show()

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self._looking = False
        self._busy.stop()
        if self._view is None:
            self.frame.show_error(self.words, error)
        else:
            self.banner.tell("warn", explain(self.words, error).text)

    # ---- showing

    def _show(self) -> None:
        view = self._view or HomeView()
        self.frame.show_state(frame.CONTENT)
        first = self._view is not None and view.whole and not view.cards
        self._hold_acts(first=first)
        self._show_problems(view)
        self._show_cards(view)
        self._show_remarks(view)

    def _show_problems(self, view: HomeView) -> None:
        told = tuple(phrases.problem_words(self.words, one) for one in view.problems)
        self._problems_label.setVisible(bool(told))
        self._problems_panel.setVisible(bool(told))
        if told == self._problems:
            return
        self._problems = told
        focus = self._focused(self._problems_panel)
        frame.empty(self._problem_rows)
        for number, shown in enumerate(told):
            row = ProblemRow(shown, f"start.problem{number}")
            row.acted.connect(self._on_problem_acted)
            self._problem_rows.addWidget(row)
        self._focus_again(self._problems_panel, focus)

    def _show_cards(self, view: HomeView) -> None:
        now = datetime.now(UTC)
        told = [
            phrases.card_words(self.words, card, now, sample=card.store in self._samples)
            for card in view.cards
        ]
        self._discovery.show_known([one.path for one in told])
        self._stores_label.setVisible(bool(told))
        self._grid.setVisible(bool(told))
        if [one.path for one in told] == list(self._cards):
            for one in told:
                self._cards[one.path].show_words(one)
            return
        focus = self._focused(self._grid)
        before, self._cards = self._cards, {}
        for number, one in enumerate(told):
            self._cards[one.path] = self._card(one, f"start.card{number}")
        self._grid.show_cards(list(self._cards.values()))
        for card in before.values():
            card.hide()
            card.setParent(None)  # nothing of it is left in the window, now
            card.deleteLater()
        self._focus_again(self._grid, focus)

    def _card(self, shown: CardWords, name: str) -> StoreCard:
        card = StoreCard(self.words, shown, name)
        card.opened.connect(self._on_card_opened)
        card.protect_wanted.connect(lambda one: self.go.emit("protect", one.store))
        card.closing.connect(lambda one: self.go.emit("close_store", one.store))
        card.forgetting.connect(lambda one: self._forget(one.path))
        return card

    def _hold_acts(self, *, first: bool) -> None:
        """Where there is no store yet, the buttons stand below what this is for."""
        focus = self._focused(self._acts)
        self.frame.title.setVisible(not first)
        self._welcome.setVisible(first)
        self._remarks.setVisible(not first)
        if first == self._welcome.isAncestorOf(self._acts):
            return
        if first:
            self._welcome.hold(self._acts)
        else:
            self._top.addWidget(self._acts)
        self._focus_again(self._acts, focus)

    def _show_remarks(self, view: HomeView) -> None:
        say = self.words.say
        self._drop.setText(
            say("Or drop a memory.db or a project folder here. Looking changes nothing in it.")
        )
        self._welcome.remark(self._drop.text())
        self._forgets.setText(
            say("No list of opened stores is kept: that is switched off in the settings.")
        )
        self._forgets.setVisible(not view.remembers)
        self._private.setText(
            say("Everything stays on this computer. The app never connects to the network.")
        )

    # ---- acting

    def _on_card_opened(self, card: CardWords) -> None:
        if card.store is not None:
            self.store_wanted.emit(card.store)
        else:
            self.path_wanted.emit(card.path)

    def _on_problem_acted(self, problem: ProblemWords) -> None:
        acts: Mapping[str, Callable[[], object]] = {
            phrases.OPEN: partial(self.path_wanted.emit, problem.path),
            phrases.FORGET: partial(self._forget, problem.path),
            phrases.LOOK: self.refresh,
            phrases.PENDING: partial(self.go.emit, "pending", None),
            phrases.RECOVERY: partial(self.go.emit, "recovery", problem.store),
            phrases.PROTECT: partial(self.go.emit, "protect", problem.store),
            phrases.LEDGER: self._try_ledger,
        }
        acts[problem.act]()

    def _forget(self, path: str) -> None:
        self._then_look(partial(self.services.home.forget, path))

    def _try_ledger(self) -> None:
        self._then_look(self.services.home.try_ledger_again)

    def _then_look(self, act: Callable[[], object]) -> None:
        self.bridge.call(act, done=lambda _: self.refresh(), failed=self._on_failed)

    # ---- arranging

    def _arrange(self) -> None:
        row = FlowLayout(self._acts)
        for button in (self._file, self._folder, self._sample):
            row.addWidget(button)
        remarks = QVBoxLayout(self._remarks)
        remarks.setContentsMargins(0, 0, 0, 0)
        remarks.setSpacing(SPACE_XS)
        for label in (self._drop, self._forgets):
            remarks.addWidget(label)
        self._top, self._bottom = QVBoxLayout(), QVBoxLayout()
        self._top.addWidget(self._acts)
        self._bottom.addWidget(self._remarks)
        content = self.frame.content
        content.addLayout(self._top)
        content.addWidget(self._busy)
        content.addLayout(_group(self._problems_label, self._problems_panel))
        content.addLayout(_group(self._due_label, self._due))
        content.addLayout(_group(self._stores_label, self._grid))
        content.addWidget(self._welcome)
        content.addWidget(self._discovery)
        content.addLayout(self._bottom)
        content.addStretch(1)
        self.frame.foot.addWidget(self._private, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)

    def _card_width(self) -> int:
        return QFontMetrics(self.font()).averageCharWidth() * _CARD_LETTERS

    @staticmethod
    def _focused(inside: QWidget) -> str:
        widget = inside.focusWidget()
        return widget.objectName() if widget is not None and widget.hasFocus() else ""

    def _focus_again(self, inside: QWidget, name: str) -> None:
        if not name:
            return
        found = inside.findChild(QWidget, name)
        (found or self._file).setFocus(Qt.FocusReason.OtherFocusReason)


def _group(label: QWidget, what: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout()
    layout.setSpacing(SPACE_S)
    layout.addWidget(label)
    layout.addWidget(what)
    return layout
