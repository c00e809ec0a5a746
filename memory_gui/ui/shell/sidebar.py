# SPDX-License-Identifier: MIT
"""The left pane: which stores, which view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import State, StoreId
from memory_gui.services import OpenedStore
from memory_gui.ui.icons import Icon, icon
from memory_gui.ui.names import named
from memory_gui.ui.phrases import store_names
from memory_gui.ui.shell.siderows import (
    CLOSES_ROLE,
    COUNT_ROLE,
    ICON_ROLE,
    ROLE,
    SECOND_ROLE,
    TONE_ROLE,
    Rows,
)
from memory_gui.ui.shell.storestate import look_of, second_line, spoken_state
from memory_gui.ui.tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from memory_gui.ui.views import VIEWS, View
from memory_gui.ui.visible import plain_tip
from memory_gui.ui.widgets import QuietButton, SectionLabel
from memory_gui.words import Words

_MOST_ROWS: Final = 7


class Sidebar(QWidget):
    """Emits what a person chose; the window tells it what there is."""

    view_chosen = Signal(object)
    stores_chosen = Signal(object)
    """frozenset of StoreId; empty = all."""
    open_wanted = Signal()
    home_wanted = Signal()
    people_wanted = Signal()
    """Somebody is to be forgotten."""
    close_wanted = Signal(object)
    """A StoreId: let go of this one."""
    protect_wanted = Signal(object)
    """A StoreId: show its health."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._opened: tuple[OpenedStore, ...] = ()
        self._samples: frozenset[StoreId] = frozenset()
        self._lent: Mapping[StoreId, UserError] = {}
        self._names: Mapping[StoreId, str] = {}
        self._before: frozenset[StoreId] = frozenset()
        self._counts: Mapping[str, Mapping[State, int]] = {}
        self._stores_label = named(SectionLabel(), "sidebar.stores.label")
        self._views_label = named(SectionLabel(), "sidebar.views.label")
        self._stores = named(Rows(ticks=True), "sidebar.stores")
        self._views = named(Rows(), "sidebar.views")
        self._home = named(QuietButton("", Icon.HOME), "sidebar.home")
        self._open = named(QuietButton("", Icon.ADD), "sidebar.open")
        self._people_label = named(SectionLabel(), "sidebar.people.label")
        self._people = named(QuietButton("", Icon.PERSON_GONE), "sidebar.people")
        self._offered: tuple[View, ...] = ()
        self._offer(VIEWS)
        self._views.currentRowChanged.connect(self._on_view_changed)
        self._views.clicked.connect(self._on_view_changed)
        self._views.activated.connect(self._on_view_changed)
        self._stores.currentRowChanged.connect(self._on_store_changed)
        self._stores.close_wanted.connect(self.close_wanted)
        self._stores.menu_wanted.connect(self._on_menu_wanted)
        self._stores.maximum_height(_MOST_ROWS)
        for rows in (self._stores, self._views):
            rows.itemSelectionChanged.connect(partial(self._follow, rows))
        self._home.clicked.connect(self.home_wanted)
        self._people.clicked.connect(self.people_wanted)
        self._open.clicked.connect(self.open_wanted)
        self._arrange()
        self.retranslate()

    def _follow(self, rows: Rows) -> None:
        # A screen reader chooses by selecting, which leaves the current row where it was.
        chosen = rows.selectionModel().selectedIndexes()
        if chosen:
            row = chosen[0].row()
            if rows is self._views and not rows.marked and row == rows.currentRow():
                self._on_view_changed()  # from Home, say, back to the view of before
            rows.setCurrentRow(row)
        else:
            # Qt takes the old choice away before it makes the new one: what comes after it tells.
            QTimer.singleShot(0, self, partial(self._again, rows))

    def _again(self, rows: Rows) -> None:
        # It pressed the row that is chosen already: that is meant as going there.
        current = rows.currentIndex()
        if rows is self._views and not rows.marked:
            return
        if current.isValid() and not rows.selectionModel().hasSelection():
            rows.selectionModel().select(current, QItemSelectionModel.SelectionFlag.Select)
            if rows is self._views:
                self._on_view_changed()

    @property
    def view(self) -> View:
        """The view that is chosen."""
        view = self._views.currentIndex().data(ROLE)
        assert isinstance(view, View)  # noqa: S101 - put there above
        return view

    @property
    def stores(self) -> frozenset[StoreId]:
        """The stores that are chosen; empty = all."""
        store = self._stores.currentIndex().data(ROLE)
        return frozenset({StoreId(store)}) if store else frozenset()

    def choose_view(self, view: View) -> None:
        """Go to a view, as if a person had clicked it; to one that is offered."""
        if view in self._offered:
            self._views.setCurrentRow(self._offered.index(view))

    def offers(self, view: View) -> bool:
        """Whether one of the open stores can have anything in that view."""
        return view in self._offered

    def _offer(self, views: tuple[View, ...]) -> None:
        """Show these views and no others; from one that went, on to the first."""
        if views == self._offered:
            return
        current = self._views.currentIndex().data(ROLE)
        self._offered = views
        self._views.blockSignals(True)
        self._views.empty()
        for view in views:
            self._views.add({ROLE: view, ICON_ROLE: view.icon})
        self._views.setCurrentRow(views.index(current) if current in views else 0)
        self._views.blockSignals(False)
        self.mark_view(marked=self._views.marked)
        self._views.updateGeometry()
        if current is not None and current not in views:
            self._on_view_changed()

    def choose_store(self, store: StoreId) -> None:
        """Show one store alone, as if a person had clicked it; all where it is not there."""
        rows = [row for row in range(self._stores.count()) if self._store_at(row) == store]
        self._stores.setCurrentRow(rows[0] if rows else 0)

    def mark_view(self, *, marked: bool) -> None:
        """Whether the window shows the chosen view, and not a page such as the settings.

        There no view is selected: a screen reader presses by selecting, and could not choose the
        one that was shown before.
        """
        self._views.mark(marked=marked)
        flags = QItemSelectionModel.SelectionFlag
        self._views.blockSignals(True)
        self._views.selectionModel().select(
            self._views.currentIndex(), flags.Select if marked else flags.Deselect
        )
        self._views.blockSignals(False)

    def show_stores(self, opened: tuple[OpenedStore, ...]) -> None:
        """The stores that are open."""
        chosen = self.stores
        if any(one.id in self._before for one in opened):
            chosen, self._before = self._before, frozenset()
        self._opened = opened
        if opened:
            self._offer(tuple(view for view in VIEWS if view.offered(opened)))
            self.show_counts(self._counts)
        self._stores.blockSignals(True)
        self._stores.empty()
        self._names = store_names(self._words, opened)
        if len(opened) > 1:
            self._add_all()
        for one in opened:
            self._add_store(one)
        rows = [row for row in range(self._stores.count()) if self._store_at(row) in chosen]
        self._stores.setCurrentRow(rows[0] if rows else 0)
        self._stores.blockSignals(False)
        self._stores.updateGeometry()

    def hold(self, opened: tuple[OpenedStore, ...]) -> None:
        """The stores that are open, as they are now: with the numbers that they bring along.

        The list brings them too, but only once it has searched again.
        """
        self.show_stores(opened)
        chosen = self.stores
        self.show_counts(_summed(one for one in opened if not chosen or one.id in chosen))

    def mark_samples(self, samples: frozenset[StoreId]) -> None:
        """Which stores were invented for trying the app. They stay marked until it ends."""
        self._samples |= samples
        self.show_stores(self._opened)

    def show_lent(self, lent: Mapping[StoreId, UserError]) -> None:
        """Which stores another running copy of the app works on."""
        self._lent = lent
        self.show_stores(self._opened)

    def show_counts(self, counts: Mapping[str, Mapping[State, int]]) -> None:
        """The numbers beside the views."""
        self._counts = counts
        words = self._words
        for row, view in enumerate(self._offered):
            number = view.count(counts, self._opened)
            title = words.say(view.title)
            spoken = words.say("{view}, {n}", view=title, n=number)
            self._views.tell(row, Qt.ItemDataRole.DisplayRole, title)
            self._views.tell(row, COUNT_ROLE, words.number(number) if number else "")
            self._views.tell(row, Qt.ItemDataRole.AccessibleTextRole, spoken)

    def clear(self) -> None:
        """Forget names and numbers. The store that was chosen is chosen again when it is back."""
        self._lent = {}
        self._before = self.stores
        self.show_stores(())
        self.show_counts({})

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._stores_label.setText(say("Stores"))
        self._views_label.setText(say("Views"))
        self._stores.setAccessibleName(say("Stores"))
        self._views.setAccessibleName(say("Views"))
        self._home.setText(say("Home"))
        self._people_label.setText(say("People"))
        self._people.setText(say("Forget someone…"))
        self._open.setText(say("Open a store…"))
        self.show_counts(self._counts)
        self.show_stores(self._opened)

    def _store_at(self, row: int) -> object:
        return self._stores.value(row)

    def _add_all(self) -> None:
        text = self._words.say("All stores")
        self._stores.add({Qt.ItemDataRole.DisplayRole: text, ICON_ROLE: Icon.DATABASE})

    def _add_store(self, one: OpenedStore) -> None:
        words, name = self._words, self._names[one.id]
        sample, lent = one.id in self._samples, self._lent.get(one.id)
        mark, tone = look_of(one, lent)
        state = spoken_state(words, one, lent, sample=sample)
        self._stores.add(
            {
                Qt.ItemDataRole.DisplayRole: name,
                ROLE: one.id,
                ICON_ROLE: mark,
                TONE_ROLE: tone,
                CLOSES_ROLE: True,
                SECOND_ROLE: second_line(words, one, lent, sample=sample),
                Qt.ItemDataRole.AccessibleTextRole: words.say(
                    "{store}, {state}", store=name, state=state
                ),
                Qt.ItemDataRole.ToolTipRole: plain_tip(one.info.path),
            }
        )

    def _on_menu_wanted(self, store: StoreId, where: QPoint) -> None:
        say = self._words.say
        menu = named(QMenu(self), "sidebar.menu", self._names.get(store, ""))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(
            icon(Icon.DATABASE), say("Show only this store"), partial(self.choose_store, store)
        )
        menu.addAction(
            icon(Icon.KEY),
            say("Health and encryption…"),
            partial(self.protect_wanted.emit, store),
        )
        menu.addSeparator()
        menu.addAction(
            icon(Icon.CLOSE), say("Close this store"), partial(self.close_wanted.emit, store)
        )
        menu.popup(where)

    def _on_view_changed(self) -> None:
        self.view_chosen.emit(self.view)

    def _on_store_changed(self) -> None:
        self._before = frozenset()
        self.stores_chosen.emit(self.stores)

    def _arrange(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE_M, 0, SPACE_S)
        layout.setSpacing(SPACE_XS)
        for label, rows in ((self._stores_label, self._stores), (self._views_label, self._views)):
            label.setContentsMargins(SPACE_L, SPACE_XS, SPACE_L, 0)
            layout.addWidget(label)
            layout.addWidget(rows)
            layout.addSpacing(SPACE_S)
        self._people_label.setContentsMargins(SPACE_L, SPACE_XS, SPACE_L, 0)
        layout.addWidget(self._people_label)
        people = QHBoxLayout()
        people.setContentsMargins(2 * SPACE_S - SPACE_M, 0, 0, 0)  # its icon below the others
        people.addWidget(self._people)
        people.addStretch(1)
        layout.addLayout(people)
        layout.addStretch(1)
        for button in (self._home, self._open):
            button.setContentsMargins(SPACE_S, 0, SPACE_S, 0)
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)


def _summed(opened: Iterable[OpenedStore]) -> dict[str, dict[State, int]]:
    """Kind -> state -> number, over some stores."""
    found: dict[str, dict[State, int]] = {}
    for one in opened:
        for kind, states in one.info.counts.items():
            into = found.setdefault(kind, {})
            for state, number in states.items():
                into[state] = into.get(state, 0) + number
    return found
