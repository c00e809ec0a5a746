# SPDX-License-Identifier: MIT
"""The middle pane: the list, what stands above it, and what is said where it is empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from memory_gui.domain.changes import Capability
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, StoreId
from memory_gui.ledger.filters import SavedFilter
from memory_gui.services import OpenedStore
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.records.bulk.bar import BulkBar
from memory_gui.ui.records.bulk.chosen import Chosen
from memory_gui.ui.records.bulk.failed import Failed
from memory_gui.ui.records.bulk.held import Holding
from memory_gui.ui.records.editing.able import addable
from memory_gui.ui.records.facets.narrowing import Narrowing
from memory_gui.ui.records.listing.delegate import MemoryDelegate
from memory_gui.ui.records.listing.finding import Found
from memory_gui.ui.records.listing.head import ListHead
from memory_gui.ui.records.listing.hintline import HintLine
from memory_gui.ui.records.listing.looks import ListLooks
from memory_gui.ui.records.listing.model import MemoryTableModel
from memory_gui.ui.records.listing.nothing import say_nothing
from memory_gui.ui.records.listing.orders import offered
from memory_gui.ui.records.listing.place import Place
from memory_gui.ui.records.listing.reading import Reading
from memory_gui.ui.records.listing.searching import Searching
from memory_gui.ui.records.listing.table import MemoryTable
from memory_gui.ui.records.listing.toldline import ToldLine
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.views import MEMORIES, View
from memory_gui.ui.widgets import Banner, Busy, EmptyState, Rule

AGAIN_MS: Final = 400
SOON_MS: Final = 30
"""As long as nothing is listed yet: the search itself waits for a while."""
_LOOKED_UP: Final = 5


class ListPane(QWidget):
    """Lists what ``searching`` finds, keeping selection and scroll. GUI thread."""

    chosen = Signal()
    """Other rows are selected, or the record of the selected one changed."""
    chosen_by_hand = Signal()
    """A person chose other rows."""
    counted = Signal(object)
    """kind -> state -> number of the chosen stores."""
    edit_wanted = Signal()
    new_wanted = Signal()
    search_wanted = Signal(str)
    """These words are to stand in the search box."""
    clear_wanted = Signal()
    """Nothing was found: the words are to be taken back."""
    menu_wanted = Signal(object)
    failed = Signal(object)
    """A UserError or IntegrityError of a search."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = context.words
        self._shown: Query | None = None
        self._asked = Chosen()
        self._follow: int | None = None
        self._beginning = False
        self.held = False
        """While something is edited no row is chosen by itself."""
        self.banner = named(Banner(below=SPACE_S), "memories.banner")
        self.busy = named(Busy(), "memories.busy")
        self._reading = Reading(self.busy, context.words)
        self._showing = Showing(context.words, context.privacy)
        self.failures = named(Failed(context.words, showing=self._showing), "bulk.failed")
        self.head = named(ListHead(context.words), "memories.head")
        self.narrowing = Narrowing(context, self)
        self.bar = named(BulkBar(context.words), "bulk")
        self._holding = Holding(context, self)
        self._holding.known.connect(self.bar.show_held)
        self.model = MemoryTableModel(context, self)
        self.delegate = MemoryDelegate(context.words, self, self._showing)
        self.table = named(MemoryTable(self.delegate), "memories.list")
        self.table.setModel(self.model)
        self._none = named(EmptyState(Icon.SEARCH), "memories.none")
        self._hint = named(HintLine(context.words), "memories.hint")
        self._told = named(ToldLine(context.words), "memories.told")
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(AGAIN_MS)
        self._soon.timeout.connect(self.refresh)
        self._middle = QStackedWidget()
        self.searching = Searching(context, self)
        self.looks = ListLooks(self.head, self.table, self.delegate, self.narrowing, self.searching)
        self._arrange()
        self._connect()
        self._showing.when_changed(self.table.viewport().update)

    # ---- what is listed

    def begin(self) -> None:
        """Take the keyboard, and select the first row as soon as there is one."""
        self._beginning = True
        self.table.setFocus()

    def set_view(self, view: View) -> None:
        """List another view, from its top."""
        self.searching.view = view
        self._offer_new()
        self.banner.dismiss()
        self.table.clearSelection()
        self._follow = None
        self.narrowing.clear()
        self.searching.facets = {}
        self.refresh(keep_place=False)

    def set_stores(self, stores: frozenset[StoreId], opened: tuple[OpenedStore, ...]) -> None:
        """List other stores."""
        self.searching.stores = stores
        self.searching.opened = opened
        self._offer_new()
        self.refresh()

    def _offer_new(self) -> None:
        """What the stores that are shown can do: take a new record, be ordered by a time."""
        stores, opened = self.searching.stores, self.searching.opened
        shown = [one for one in opened if not stores or one.id in stores]
        able = not shown or any(addable(one) for one in shown)
        self.head.offer_new(offered=able and self.searching.view is MEMORIES)
        self.head.offer_orders(offered(shown, self.searching.view))
        self.narrowing.chips.let_erase(may=Capability.ERASE in self.searching.able)

    def set_text(self, text: str) -> None:
        """List what contains the text."""
        self.searching.text = text
        self.refresh()

    def refresh(self, *, keep_place: bool = True) -> None:
        """Search again, keeping selection and scroll."""
        if not self.searching.opened:
            return
        blocks = self.model.blocks_in_use() if keep_place else ()
        anchors = list(Place.of(self.table, self.model.ids).anchors) if keep_place else []
        self._asked = self.chosen_rows() if keep_place else Chosen()
        if self._follow is not None:
            anchors.append(self._follow)
        if not self.model.rowCount():
            self._reading.begin()
        searching = self.searching
        self.narrowing.saved.follow(searching.text, searching.facets, self.head.sort)
        searching.run(self.head.sort, blocks, anchors, self._asked)
        self.narrowing.look(self.searching.query)

    def follow(self, number: int | None) -> None:
        """Search again, and go to this listing id then."""
        self._follow = number
        self.refresh()

    # ---- what is chosen

    @property
    def selected_count(self) -> int:
        """How many rows are selected."""
        return self.table.selected_count()

    @property
    def record(self) -> Record | None:
        """The record of the current row, if it is selected and here."""
        index = self.table.currentIndex()
        return self.model.record(index.row()) if index.isValid() and self.selected_count else None

    def chosen_rows(self) -> Chosen:
        """The selected rows, as ranges."""
        return Chosen(self.model.ids, tuple(sorted(self.table.selected_rows())))

    def select(self, numbers: Sequence[int]) -> None:
        """Select the rows of some listing ids, and show the first of them."""
        rows = sorted(row for number in numbers if (row := self._row_of(number)) is not None)
        if rows:
            self.table.go_to(rows[0])
            self.table.select_ranges([(row, row) for row in rows])

    def _row_of(self, number: int) -> int | None:
        try:
            return self.model.ids.index(number)
        except ValueError:
            return None

    def go_to(self, row: int) -> None:
        """Select one row."""
        if 0 <= row < self.model.rowCount():
            self.table.go_to(row)

    def focus_list(self) -> None:
        """Give the list the keyboard, on its current or first row."""
        self.table.setFocus()
        if self.model.rowCount() and not self.table.selectionModel().hasSelection():
            self.table.go_to(max(0, self.table.currentIndex().row()))

    def say_none_chosen(self) -> None:
        """Say how to choose."""
        self.banner.tell("info", self._words.say("Choose a record in the list first."))

    # ---- the shell's calls

    def clear(self) -> None:
        """Forget every text."""
        self.searching.clear()
        self.delegate.mark(())
        self._hint.show_hints(())
        self._told.show_told(())
        self._soon.stop()
        self._shown = None
        self.model.clear()
        self.banner.dismiss()
        self._reading.end()
        self.busy.stop()
        self.head.clear()
        self.narrowing.clear()
        self.failures.clear()
        self._holding.forget()
        self.bar.clear()
        self._asked = Chosen()

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self.table.setAccessibleName(say("Records"))
        self.banner.set_close_name(say("Close this message"))
        self.banner.dismiss()
        self.head.retranslate()
        self.narrowing.retranslate()
        self._hint.retranslate()
        self._told.retranslate()
        self.failures.retranslate()
        self.bar.retranslate()
        self._say_nothing()
        self.table.viewport().update()

    # ---- what came back

    def _on_found(self, found: Found) -> None:
        self._reading.end()
        self.delegate.mark(found.needles)
        place = Place.of(self.table, self.model.ids)
        before = self.chosen_rows()
        stay = found.listing.query == self._shown
        self._shown = found.listing.query
        moved = self.model.show(found.listing.ids, found.blocks)
        total = found.listing.total
        if found.listing.counting:
            self.head.say_counting()
        else:
            self.head.say_total(total, found.listing.ms, searched=self.searching.narrowed)
            self._hint.show_hints(found.hints)
            self._told.show_told(found.told)
        self._follow_reading(found)
        self._say_nothing()
        self._middle.setCurrentIndex(0 if total else 1)
        if moved:
            again = found.chosen if self._asked.ranges == before.ranges else self._again(before)
            place.restore(self.table, self._places(place, found), again, stay=stay)
        if self._follow is not None and self._follow in found.places:
            self.table.go_to(found.places[self._follow])
            self._follow = None
        chosen = self.table.selectionModel().hasSelection() and not self._beginning
        if total and not chosen and not self.held:
            self.table.go_to(0)
        self._beginning = False
        if moved and not self.selected_count:
            self._follow_selection()  # Qt tells nobody of a selection that goes with its rows
        self.chosen.emit()
        self.counted.emit(found.counts)

    def _follow_reading(self, found: Found) -> None:
        """While a store is still being read, look again soon and say how far it is."""
        if found.listing.partial:
            progress = found.listing.progress
            self.head.say_reading(
                sum(one.done for one in progress), sum(one.total for one in progress)
            )
            self._soon.start(AGAIN_MS if found.listing.total else SOON_MS)
        else:
            self._soon.stop()

    def _places(self, place: Place, found: Found) -> dict[int, int]:
        """Where anchors are now, those too that are new since the search was asked for."""
        late = (number for number in place.anchors if number not in found.places)
        rows = {number: row for number in late if (row := self._row_of(number)) is not None}
        return {**found.places, **rows}

    def _again(self, chosen: Chosen) -> tuple[tuple[int, int], ...]:
        """Where rows are now that a person chose while the search was on its way: a few only."""
        if chosen.count > _LOOKED_UP:
            return ()
        rows = [self._row_of(number) for chunk in chosen.chunks() for number in chunk]
        return tuple((row, row) for row in rows if row is not None)

    def _on_search_failed(self, error: UserError | IntegrityError) -> None:
        self._reading.end()
        self.failed.emit(error)

    def _say_nothing(self) -> None:
        say_nothing(
            self._words,
            self._none,
            self.searching.view,
            searched=bool(self.searching.text),
            filtered=bool(self.searching.facets),
        )

    def _on_none_acted(self) -> None:
        if self.searching.facets:
            self.narrowing.choose({})
        elif self.searching.text:
            self.clear_wanted.emit()
        else:
            self.new_wanted.emit()

    def _on_data_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        if first.row() <= self.table.currentIndex().row() <= last.row():
            self.chosen.emit()

    def _on_scrolled(self) -> None:
        """What could not be read before is asked for once more where somebody looks."""
        self.model.ask_again(*self.table.rows_in_sight())

    def _on_narrowed(self, chosen: Mapping[str, frozenset[str]]) -> None:
        self.searching.facets = chosen
        self.refresh()

    def _on_saved_chosen(self, saved: SavedFilter) -> None:
        if saved.sort:
            self.head.show_order(saved.sort)
        self.searching.text = saved.text
        self.search_wanted.emit(saved.text)
        self.narrowing.choose(saved.facets)

    def _on_selection_changed(self) -> None:
        self._follow_selection()
        self.chosen_by_hand.emit()

    def _follow_selection(self) -> None:
        had_focus = self.bar.isAncestorOf(self.window().focusWidget() or self)
        self.bar.show_for(self.selected_count, self.searching.view, self.searching.able)
        self._holding.look(self.chosen_rows())
        if had_focus and self.bar.isHidden():
            self.table.setFocus()

    # ---- arranging

    def _arrange(self) -> None:
        self._middle.addWidget(self.table)
        self._middle.addWidget(self._none)
        told = QVBoxLayout()
        told.setContentsMargins(SPACE_M, 0, SPACE_M, 0)
        told.setSpacing(0)
        told.addWidget(self.busy)
        told.addWidget(self.banner)
        told.addWidget(self.failures)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addLayout(told)
        beside = QHBoxLayout()
        beside.setSpacing(0)
        beside.addWidget(self.narrowing.side)
        beside.addWidget(self._middle, 1)
        column.addWidget(self._hint)
        column.addWidget(self.narrowing.chips)
        column.addWidget(Rule())
        column.addLayout(beside, 1)
        column.addWidget(self._told)
        column.addWidget(self.bar)

    def _connect(self) -> None:
        self.searching.found.connect(self._on_found)
        self.searching.failed.connect(self._on_search_failed)
        self.table.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.table.activated_row.connect(self.edit_wanted)
        self.table.doubleClicked.connect(self.edit_wanted)
        self.table.menu_wanted.connect(self.menu_wanted)
        self.model.dataChanged.connect(self._on_data_changed)
        self.model.failed.connect(self.failed)
        self.table.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.looks.order_changed.connect(self.refresh)
        self.narrowing.changed.connect(self._on_narrowed)
        self.narrowing.saved.chosen.connect(self._on_saved_chosen)
        self.narrowing.saved.failed.connect(self.failed)
        self.bar.cleared.connect(self.table.clearSelection)
        self.head.new_wanted.connect(self.new_wanted)
        self._none.acted.connect(self._on_none_acted)
