# SPDX-License-Identifier: MIT
"""What Home shows of stores: problems, cases that wait, a card for each, what lies in folders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.records import StoreId
from memory_gui.services.home.view import HomeView
from memory_gui.ui.cases.due import DuePanel
from memory_gui.ui.context import Context
from memory_gui.ui.home import phrases
from memory_gui.ui.home.card import ProblemRow, StoreCard
from memory_gui.ui.home.discovery import DiscoveryPanel
from memory_gui.ui.home.focus import focused
from memory_gui.ui.home.phrases import CardWords, ProblemWords
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.tokens import SPACE_S, SPACE_XS
from memory_gui.ui.widgets import Panel, SectionLabel
from memory_gui.ui.widgets.flow import Columns

_CARD_LETTERS: Final = 33
"""How many letters of a usual width stand in the narrowest card."""


class Body(QObject):
    """Between the page's buttons and its remarks. Made after the first paint. GUI thread."""

    path_wanted = Signal(str)
    store_wanted = Signal(object)
    go = Signal(str, object)
    look_wanted = Signal()
    acted = Signal(object)
    """A call of a service, after which Home is looked at again."""

    def __init__(self, context: Context, page: QWidget, first: QWidget) -> None:
        """``first`` gets the keyboard where what had it is gone."""
        super().__init__(page)
        self._services = context.services
        self._words = context.words
        self._page = page
        self._first = first
        self._cards: dict[str, StoreCard] = {}
        self._problems: tuple[ProblemWords, ...] = ()
        self._problems_label = named(SectionLabel(), "start.problems.label")
        self._problems_panel = named(Panel(), "start.problems")
        self._problem_rows = padded(self._problems_panel, SPACE_XS)
        self._due_label = named(SectionLabel(), "start.due.label")
        self._due = DuePanel(context)
        self._stores_label = named(SectionLabel(), "start.stores.label")
        self._grid = named(Columns(self._card_width()), "start.stores")
        self.discovery = named(DiscoveryPanel(context), "start.discovery")
        self.discovery.path_wanted.connect(self.path_wanted)
        self._due.case_wanted.connect(partial(self.go.emit, "case"))
        self._due.all_wanted.connect(partial(self.go.emit, "cases", None))
        self._due.shown_changed.connect(self._due_label.setVisible)
        self._due_label.hide()

    def groups(self) -> tuple[QVBoxLayout, ...]:
        """What stands above the welcome, from above; ``discovery`` stands below it."""
        return (
            _group(self._problems_label, self._problems_panel),
            _group(self._due_label, self._due),
            _group(self._stores_label, self._grid),
        )

    def begin(self) -> None:
        """The page is gone to."""
        self.discovery.begin()
        self._due.look()

    def fit(self) -> None:
        """The page is seen: cards are as wide as letters want."""
        self._grid.set_least(self._card_width())

    def clear(self) -> None:
        """Forget everything."""
        self.discovery.clear()
        self._due.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._problems_label.setText(say("Needs your attention"))
        self._due_label.setText(say("Cases that wait for an answer"))
        self._stores_label.setText(say("Stores"))
        self._grid.setAccessibleName(say("Stores"))
        self.discovery.retranslate()
        self._due.retranslate()

    # ---- showing

    def show(self, view: HomeView | None, samples: frozenset[StoreId]) -> None:
        """What is known by now; ``samples`` are stores that were invented for trying the app."""
        self._show_problems(view or HomeView())
        self._show_cards(view or HomeView(), samples)

    def _show_problems(self, view: HomeView) -> None:
        told = tuple(phrases.problem_words(self._words, one) for one in view.problems)
        self._problems_label.setVisible(bool(told))
        self._problems_panel.setVisible(bool(told))
        if told == self._problems:
            return
        self._problems = told
        focus = focused(self._problems_panel)
        frame.empty(self._problem_rows)
        for number, shown in enumerate(told):
            row = ProblemRow(shown, f"start.problem{number}")
            row.acted.connect(self._on_problem_acted)
            self._problem_rows.addWidget(row)
        self._focus_again(self._problems_panel, focus)

    def _show_cards(self, view: HomeView, samples: frozenset[StoreId]) -> None:
        now = datetime.now(UTC)
        told = [
            phrases.card_words(self._words, card, now, sample=card.store in samples)
            for card in view.cards
        ]
        self.discovery.show_known([one.path for one in told])
        self._stores_label.setVisible(bool(told))
        self._grid.setVisible(bool(told))
        if [one.path for one in told] == list(self._cards):
            for one in told:
                self._cards[one.path].show_words(one)
            return
        focus = focused(self._grid)
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
        card = StoreCard(self._words, shown, name)
        card.opened.connect(self._on_card_opened)
        card.protect_wanted.connect(lambda one: self.go.emit("protect", one.store))
        card.closing.connect(lambda one: self.go.emit("close_store", one.store))
        card.forgetting.connect(lambda one: self._forget(one.path))
        return card

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
            phrases.LOOK: self.look_wanted.emit,
            phrases.PENDING: partial(self.go.emit, "pending", None),
            phrases.RECOVERY: partial(self.go.emit, "recovery", problem.store),
            phrases.PROTECT: partial(self.go.emit, "protect", problem.store),
            phrases.LEDGER: partial(self.acted.emit, self._services.home.try_ledger_again),
        }
        acts[problem.act]()

    def _forget(self, path: str) -> None:
        self.acted.emit(partial(self._services.home.forget, path))

    def _card_width(self) -> int:
        return QFontMetrics(self._page.font()).averageCharWidth() * _CARD_LETTERS

    def _focus_again(self, inside: QWidget, name: str) -> None:
        if name:
            found = inside.findChild(QWidget, name) or self._first
            found.setFocus(Qt.FocusReason.OtherFocusReason)


def _group(label: QWidget, what: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout()
    layout.setSpacing(SPACE_S)
    layout.addWidget(label)
    layout.addWidget(what)
    return layout
