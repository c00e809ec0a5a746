# SPDX-License-Identifier: MIT
"""The list and the one record beside it: searching, selecting, editing, acting."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import State, StoreId
from memory_gui.services import OpenedStore
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.page import Page
from memory_gui.ui.phrases import store_name
from memory_gui.ui.records.bulk.acts import Acts
from memory_gui.ui.records.editing.detail import DetailView, Several
from memory_gui.ui.records.editing.editor import Editor
from memory_gui.ui.records.editing.session import EditSession
from memory_gui.ui.records.listing.delegate import MemoryDelegate
from memory_gui.ui.records.listing.finding import Found, find
from memory_gui.ui.records.listing.head import ListHead
from memory_gui.ui.records.listing.model import MemoryTableModel
from memory_gui.ui.records.listing.nothing import say_nothing
from memory_gui.ui.records.listing.place import Place
from memory_gui.ui.records.listing.reading import Reading
from memory_gui.ui.records.listing.rowmenu import row_menu
from memory_gui.ui.records.listing.table import MemoryTable
from memory_gui.ui.tokens import DETAIL_WIDTH, SPACE_M, SPACE_S
from memory_gui.ui.views import ACTIVITY, MEMORIES, TRASH, View
from memory_gui.ui.widgets import Banner, Busy, EmptyState, Rule


class MemoriesPage(Page):
    """Middle and right pane. What it lists follows ``set_view``, ``set_stores``, ``set_text``."""

    foreign_wanted = Signal()
    """A change was refused: what the agent did not make has to be looked at first."""
    counted = Signal(object)
    """kind -> state -> number of the chosen stores."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._view: View = MEMORIES
        self._stores: frozenset[StoreId] = frozenset()
        self._opened: tuple[OpenedStore, ...] = ()
        self._text = ""
        self._shown: Query | None = None
        self._search: Handle | None = None
        self._follow: int | None = None
        self._beginning = False
        self._banner = named(Banner(below=SPACE_S), "memories.banner")
        self._busy = named(Busy(), "memories.busy")
        self._reading = Reading(self._busy, context.words)
        self._head = named(ListHead(context.words), "memories.head")
        self._model = MemoryTableModel(context, self)
        self._delegate = MemoryDelegate(context.words, self)
        self._table = named(MemoryTable(self._delegate), "memories.list")
        self._table.setModel(self._model)
        self._none = named(EmptyState(Icon.SEARCH), "memories.none")
        self._detail = named(DetailView(context.words), "detail")
        self._editor = named(Editor(context.words), "editor")
        self._middle = QStackedWidget()
        self._right = QStackedWidget()
        self._split = named(QSplitter(Qt.Orientation.Horizontal), "memories.split")
        self._acts = Acts(context, self._banner, self._busy, self)
        self._session = EditSession(context, self._editor, self)
        self._arrange()
        self._connect()
        self.retranslate()

    # ---- what the window does

    @property
    def model(self) -> MemoryTableModel:
        """The list's model."""
        return self._model

    @property
    def view(self) -> View:
        """What is listed."""
        return self._view

    @property
    def query(self) -> Query:
        """What is listed, for an export."""
        return self._view.query(self._text, self._stores)

    def begin(self) -> None:
        """Take the keyboard, and select the first row as soon as there is one."""
        self._beginning = True
        self._table.setFocus()

    def set_view(self, view: View) -> None:
        """List another view, from its top."""
        if view != self._view:
            self._view = view
            self._head.offer_new(offered=view is MEMORIES)
            self._banner.dismiss()
            self._table.clearSelection()
            self._follow = None
            self.refresh(keep_place=False)

    def set_stores(self, stores: frozenset[StoreId], opened: tuple[OpenedStore, ...]) -> None:
        """List other stores."""
        self._stores = stores
        self._opened = opened
        self.refresh()

    def set_text(self, text: str) -> None:
        """List what contains the text; the newest search wins."""
        if text != self._text:
            self._text = text
            self._delegate.mark(text)
            self._table.viewport().update()
            self.refresh()

    def refresh(self, *, keep_place: bool = True) -> None:
        """Search again, keeping selection and scroll."""
        if not self._opened:
            return
        if self._search is not None:
            self._search.cancel()
        blocks = self._model.blocks_in_use() if keep_place else ()
        anchors = list(Place.of(self._table, self._model.ids).anchors) if keep_place else []
        if self._follow is not None:
            anchors.append(self._follow)
        if not self._model.rowCount():
            self._reading.begin()
        self._search = self.bridge.call(
            find,
            self.services.library,
            self.query,
            self._head.sort,
            blocks=blocks,
            anchors=anchors,
            done=self._on_found,
            failed=self._on_search_failed,
            cancellable=True,
        )

    def stores_changed(self) -> None:
        """Another program wrote."""
        self.refresh()
        self._session.stores_changed()

    def go_to(self, row: int) -> None:
        """Select one row."""
        if 0 <= row < self._model.rowCount():
            self._table.go_to(row)

    def focus_list(self) -> None:
        """Give the list the keyboard, on its current or first row."""
        self._table.setFocus()
        if self._model.rowCount() and not self._table.selectionModel().hasSelection():
            self._table.go_to(max(0, self._table.currentIndex().row()))

    def edit_current(self) -> None:
        """Edit the record on the right."""
        record = self._detail.record
        if self._session.active:
            return
        if record is not None and record.kind == "memory" and record.state == State.LIVE:
            self._session.begin(record, self._opened)
            self._right.setCurrentWidget(self._editor)
        elif record is not None:
            self._banner.tell("info", self.words.say("Only memories can be edited."))
        else:
            self._say_none_chosen()

    def new_memory(self) -> None:
        """Write a new memory."""
        if not self._opened or not self.may_leave():
            return
        chosen = [one for one in self._opened if not self._stores or one.id in self._stores]
        self._session.begin_new((chosen or list(self._opened))[0], self._opened)
        self._right.setCurrentWidget(self._editor)

    def trash_selected(self) -> None:
        """Move the selected records to the trash; in the trash, ask to delete them."""
        ids = self.selected_ids()
        if not self.may_leave():
            return
        if not ids:
            self._say_none_chosen()
        elif self._view is TRASH:
            self._acts.ask_delete(ids)
        elif self._view is MEMORIES:
            self._acts.trash(ids)
        else:
            self._banner.tell("info", self.words.say("Only memories can go to the trash."))

    def restore_selected(self) -> None:
        """Take the selected records out of the trash."""
        self._acts.restore(self.selected_ids())

    def erase_selected(self) -> None:
        """Go to the erase page with the selected records."""
        ids = self.selected_ids()
        if not ids:
            self._say_none_chosen()
        elif self.may_leave():
            self._acts.erase(ids)

    def _say_none_chosen(self) -> None:
        self._banner.tell("info", self.words.say("Choose a record in the list first."))

    def undo(self) -> None:
        """Take the last act back."""
        self._acts.undo()

    def redo(self) -> None:
        """Do it again."""
        self._acts.redo()

    def selected_ids(self) -> list[int]:
        """Listing ids of the selected rows."""
        ids = self._model.ids
        return [
            number
            for first, last in sorted(self._table.selected_rows())
            for number in ids[first : last + 1]
        ]

    def may_leave(self) -> bool:
        if self._session.active and self._editor.dirty:
            say = self.words.say
            self._editor.banner.tell(
                "info",
                say("Save or cancel what you typed first."),
                (say("Discard it"), self._session.end),
            )
            return False
        self._session.end()
        return True

    def clear(self) -> None:
        self._session.end()
        if self._search is not None:
            self._search.cancel()
        self._opened = ()
        self._text = ""
        self._delegate.mark("")
        self._shown = None
        self._model.clear()
        self._detail.show_record(None)
        self._banner.dismiss()
        self._reading.end()
        self._busy.stop()
        self._head.clear()

    def retranslate(self) -> None:
        say = self.words.say
        self._table.setAccessibleName(say("Records"))
        self._banner.set_close_name(say("Close this message"))
        self._banner.dismiss()
        self._head.retranslate()
        self._detail.retranslate()
        self._editor.retranslate()
        say_nothing(self.words, self._none, self._view, searched=bool(self._text))
        self._table.viewport().update()

    # ---- searching

    def _on_found(self, found: Found) -> None:
        self._reading.end()
        place = Place.of(self._table, self._model.ids)
        stay = found.listing.query == self._shown
        self._shown = found.listing.query
        moved = self._model.show(found.listing.ids, found.blocks)
        self._head.say_total(found.listing.total, found.listing.ms, searched=bool(self._text))
        say_nothing(self.words, self._none, self._view, searched=bool(self._text))
        self._middle.setCurrentIndex(0 if found.listing.total else 1)
        if moved:
            place.restore(self._table, found.places, stay=stay)
        if self._follow is not None and self._follow in found.places:
            self._table.go_to(found.places[self._follow])
            self._follow = None
        chosen = self._table.selectionModel().hasSelection() and not self._beginning
        if found.listing.total and not chosen and not self._session.active:
            self._table.go_to(0)
        self._beginning = False
        self._on_selection_changed()
        self.counted.emit(found.counts)

    def _on_none_acted(self) -> None:
        if self._text:
            self.go.emit("clear_search", None)
        else:
            self.new_memory()

    def _on_search_failed(self, error: UserError | IntegrityError) -> None:
        self._reading.end()
        self._acts.tell(error)

    # ---- selecting

    def _show_current(self) -> None:
        count = self._table.selected_count()
        if count > 1:
            view = self._view
            several = Several(count, view is MEMORIES, view is TRASH, view is not ACTIVITY)
            self._detail.show_record(None, "", several)
            return
        index = self._table.currentIndex()
        record = self._model.record(index.row()) if index.isValid() and count else None
        name = ""
        if record is not None:
            store = next((one for one in self._opened if one.id == record.ref.store), None)
            name = store_name(self.words, store) if store else ""
        self._detail.show_record(record, name)

    def _on_selection_changed(self) -> None:
        if not self._session.active:
            self._show_current()

    def _on_rows_chosen(self) -> None:
        """A person chose other rows: an edit in which nothing was typed is over."""
        record = self._editor.record
        if self._session.active and record is not None and not self._editor.dirty:
            row = self._table.currentIndex().row()
            chosen = self._model.record(row) if row >= 0 else None
            if chosen is not None and chosen.ref != record.ref:
                self._session.end()
        self._on_selection_changed()

    def _on_data_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        if first.row() <= self._table.currentIndex().row() <= last.row():
            self._on_selection_changed()

    def _on_row_activated(self, row: int) -> None:
        self.edit_current()

    def _on_menu_wanted(self, where: QPoint) -> None:
        rows = {
            "edit": self.edit_current,
            "trash": self.trash_selected,
            "restore": self.restore_selected,
            "erase": self.erase_selected,
        }
        row_menu(self, self.words, self._view, rows).popup(where)

    # ---- after an act

    def _on_acts_changed(self, changes: ChangeSet) -> None:
        self.changed.emit(changes)
        self.refresh()

    def _on_session_saved(self, changes: ChangeSet) -> None:
        refs = (*changes.added, *changes.changed)
        if refs:
            self.bridge.call(self.services.library.id_of, refs[0], done=self._on_saved_id)
        self.changed.emit(changes)
        say = self.words.say
        self._banner.tell("ok", say("Saved."), (say("Undo"), self.undo))

    def _on_saved_id(self, number: int | None) -> None:
        self._follow = number
        self.refresh()

    def _on_session_ended(self) -> None:
        self._right.setCurrentWidget(self._detail)
        self._show_current()
        self._table.setFocus()

    def _on_erase_wanted(self, refs: object) -> None:
        self.go.emit("erase", refs)

    # ---- arranging

    def _arrange(self) -> None:
        self._middle.addWidget(self._table)
        self._middle.addWidget(self._none)
        self._right.addWidget(self._detail)
        self._right.addWidget(self._editor)
        self._split.addWidget(self._make_list_side())
        self._split.addWidget(self._right)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.setStretchFactor(0, 1)
        self._split.setStretchFactor(1, 0)
        self._split.setSizes([600, DETAIL_WIDTH])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._split)

    def _make_list_side(self) -> QWidget:
        told = QVBoxLayout()
        told.setContentsMargins(SPACE_M, 0, SPACE_M, 0)
        told.setSpacing(0)
        told.addWidget(self._busy)
        told.addWidget(self._banner)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addLayout(told)
        column.addWidget(Rule())
        column.addWidget(self._middle, 1)
        return side

    def _connect(self) -> None:
        self._table.selectionModel().selectionChanged.connect(self._on_rows_chosen)
        self._table.activated_row.connect(self._on_row_activated)
        self._table.doubleClicked.connect(self.edit_current)
        self._table.menu_wanted.connect(self._on_menu_wanted)
        self._model.dataChanged.connect(self._on_data_changed)
        self._head.sort_changed.connect(self._on_sort_changed)
        self._head.new_wanted.connect(self.new_memory)
        self._none.acted.connect(self._on_none_acted)
        self._detail.edit_wanted.connect(self.edit_current)
        self._detail.trash_wanted.connect(self.trash_selected)
        self._detail.restore_wanted.connect(self.restore_selected)
        self._detail.delete_wanted.connect(self.trash_selected)
        self._detail.erase_wanted.connect(self.erase_selected)
        self._acts.changed.connect(self._on_acts_changed)
        self._acts.foreign_wanted.connect(self.foreign_wanted)
        self._session.foreign_wanted.connect(self.foreign_wanted)
        self._acts.erase_wanted.connect(self._on_erase_wanted)
        self._session.saved.connect(self._on_session_saved)
        self._session.ended.connect(self._on_session_ended)

    def _on_sort_changed(self) -> None:
        self.refresh()
