# SPDX-License-Identifier: MIT
"""The page of the list and the one record beside it: joins what is chosen with what is done."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.services import OpenedStore
from memory_gui.services.drafts import Draft
from memory_gui.ui.clashes.request import ClashRequest
from memory_gui.ui.context import Context
from memory_gui.ui.names import named
from memory_gui.ui.pages.page import Page
from memory_gui.ui.phrases import store_name
from memory_gui.ui.privacy.clipboard import copied_words
from memory_gui.ui.records.acting import Acting
from memory_gui.ui.records.bulk.acts import Acts
from memory_gui.ui.records.editing.detail import Several
from memory_gui.ui.records.editing.homes import homes_menu, homes_of
from memory_gui.ui.records.editing.pane import RecordPane
from memory_gui.ui.records.facets.panel import WIDTH
from memory_gui.ui.records.listing.model import MemoryTableModel
from memory_gui.ui.records.listing.pane import ListPane
from memory_gui.ui.records.listing.rowmenu import row_menu
from memory_gui.ui.tokens import DETAIL_WIDTH
from memory_gui.ui.views import View

ROOMY: Final = 680
"""In so much room, filters and list need none of the record's."""
LEAST_DETAIL: Final = 320


class MemoriesPage(Page):
    """Middle and right pane. What it lists follows ``set_view``, ``set_stores``, ``set_text``."""

    foreign_wanted = Signal()
    """A change was refused: what the agent did not make has to be looked at first."""
    counted = Signal(object)
    """kind -> state -> number of the chosen stores."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.list = ListPane(context)
        self.right = RecordPane(context)
        self._acts = Acts(context, self.list.banner, self.list.busy, self.list.failures, self)
        self._acting = Acting(context, self.list, self._acts, self.may_leave, self)
        self._split = named(QSplitter(Qt.Orientation.Horizontal), "memories.split")
        self._arrange()
        self._connect()
        self.retranslate()

    # ---- what the window does

    @property
    def model(self) -> MemoryTableModel:
        """The list's model."""
        return self.list.model

    @property
    def view(self) -> View:
        """What is listed."""
        return self.list.searching.view

    @property
    def query(self) -> Query:
        """What is listed, for an export."""
        return self.list.searching.query

    def wear(self) -> None:
        """Look as the settings say."""
        values = self.services.settings.values
        compact = values.density == "compact"
        self.list.show_looks(values.list_order, compact=compact, filters=values.filters_shown)

    def toggle_filters(self) -> None:
        """Show what the list can be narrowed to, with the keyboard on it; or hide it."""
        self.list.toggle_filters()

    def begin(self) -> None:
        """Take the keyboard, and select the first row as soon as there is one."""
        self.list.begin()

    def set_view(self, view: View) -> None:
        """List another view, from its top."""
        if view != self.view:
            self.list.set_view(view)

    def set_stores(self, stores: frozenset[StoreId], opened: tuple[OpenedStore, ...]) -> None:
        """List other stores."""
        self._acts.note.follow(opened)
        self.list.set_stores(stores, opened)

    def set_text(self, text: str) -> None:
        """List what contains the text; the newest search wins."""
        if text != self.list.searching.text:
            self.list.set_text(text)

    def refresh(self) -> None:
        self.list.refresh()

    def stores_changed(self) -> None:
        """Another program wrote."""
        self.list.refresh()
        self.right.stores_changed()

    def go_to(self, row: int) -> None:
        """Select one row."""
        self.list.go_to(row)

    def focus_list(self) -> None:
        """Give the list the keyboard, on its current or first row."""
        self.list.focus_list()

    # ---- acts

    def edit_current(self) -> None:
        """Edit the record on the right."""
        record = self.right.detail.record
        if self.right.editing:
            return
        if record is not None and record.kind == "memory" and record.state == State.LIVE:
            self.list.held = True
            self.right.edit(record, self.list.searching.opened)
        elif record is not None:
            self.list.banner.tell("info", self.words.say("Only memories can be edited."))
        else:
            self._acting.say_none_chosen()

    def new_memory(self) -> None:
        """Write a new memory."""
        searching = self.list.searching
        if not searching.opened or not self.may_leave():
            return
        homes = homes_of(searching.opened, searching.stores)
        if not homes:
            text = self.words.say("Nothing can be written here: it can only be read.")
            self.list.banner.tell("info", text)
        elif len(homes) == 1:
            self._write_new(homes[0])
        else:
            menu, button = homes_menu(self, self.words, homes, self._write_new), self.list.head.new
            menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
            menu.setActiveAction(menu.actions()[0])

    def _write_new(self, store: OpenedStore) -> None:
        self.list.held = True
        self.right.write_new(store, self.list.searching.opened)

    def trash_selected(self) -> None:
        """Move the chosen records to the trash; in the trash, ask to delete them."""
        self._acting.trash()

    def restore_selected(self) -> None:
        """Take the chosen records out of the trash."""
        self._acting.restore()

    def erase_selected(self) -> None:
        """Go to the erase page with the chosen records."""
        self._acting.erase()

    def run(self, act: str, refs: Sequence[Ref]) -> None:
        """Do an act of the services to named records, and tell of it here."""
        self._acts.run(act, refs)

    def copy_current(self) -> None:
        """Copy the text of the record on the right; it leaves the clipboard by itself."""
        record = self.right.detail.record
        if record is None or not record.text:
            self._acting.say_none_chosen()
            return
        clipboard = self.context.privacy.clipboard
        clipboard.copy(record.text)
        self.list.banner.tell("ok", copied_words(self.words, clipboard.seconds))

    def undo(self) -> None:
        """Take the last act back."""
        self._acts.undo()

    def redo(self) -> None:
        """Do it again."""
        self._acts.redo()

    # ---- what is typed, over a lock

    def drafts(self) -> tuple[Draft, ...]:
        typed = self.right.typed()
        return (typed,) if typed is not None else ()

    def take_up(self, draft: Draft, record: Record | None) -> bool:
        """Go on with what was being typed; False when that cannot be now."""
        if not self.may_leave() or not self.right.take_up(
            draft, record, self.list.searching.opened
        ):
            return False
        self.list.held = True
        self.go.emit("memories", None)
        return True

    def merge(self, into: Record, text: str, tags: tuple[str, ...]) -> None:
        """Edit a record with another one's text beside its own."""
        if self.may_leave():
            self.list.held = True
            self.right.merge(into, text, tags, self.list.searching.opened)

    # ---- the shell's calls

    def may_leave(self) -> bool:
        return self.right.may_leave()

    def clear(self) -> None:
        self.right.clear()
        self.list.clear()
        self._acts.clear()

    def retranslate(self) -> None:
        self.list.retranslate()
        self.right.retranslate()

    # ---- what is chosen

    def _on_chosen(self) -> None:
        if self.right.editing:
            return
        count = self.list.selected_count
        if count > 1:
            # What can be done with them stands below the list.
            self.right.detail.show_record(None, "", Several(count, erasable=False))
            return
        record = self.list.record
        store = self.list.searching.store(record.ref.store) if record is not None else None
        self.right.detail.show_record(record, store_name(self.words, store) if store else "")

    def _on_chosen_by_hand(self) -> None:
        row = self.list.table.currentIndex().row()
        self.right.leave_for(self.list.model.record(row) if row >= 0 else None)
        self._on_chosen()

    def _on_menu_wanted(self, where: QPoint) -> None:
        rows = {
            "edit": self.edit_current,
            "trash": self.trash_selected,
            "restore": self.restore_selected,
            "erase": self.erase_selected,
        }
        row_menu(self, self.words, self.view, rows).popup(where)

    # ---- after an act

    def _on_acts_changed(self, changes: ChangeSet) -> None:
        self.changed.emit(changes)
        self.list.refresh()

    def _on_saved(self, changes: ChangeSet) -> None:
        refs = (*changes.added, *changes.changed)
        if refs:
            self.bridge.call(self.services.library.id_of, refs[0], done=self._on_saved_id)
        self.changed.emit(changes)
        say, stores = self.words.say, {ref.store for ref in changes.refs}
        note = self._acts.note.on_act("edit", stores) if changes.changed else ""
        text = say("{what} {note}", what=say("Saved."), note=note) if note else say("Saved.")
        self.list.banner.tell("ok", text, (say("Undo"), self.undo))

    def _on_saved_id(self, number: int | None) -> None:
        self.list.follow(number)

    def _on_edit_ended(self) -> None:
        self.list.held = False
        self._on_chosen()
        self.list.table.setFocus()

    def _on_history_wanted(self, ref: Ref) -> None:
        self.go.emit("history", ref)

    def _on_clash_wanted(self, request: ClashRequest) -> None:
        self.go.emit("clash", request)

    def _on_erase_wanted(self, refs: object) -> None:
        self.go.emit("erase", refs)

    def _on_export_wanted(self, refs: object) -> None:
        self.go.emit("export", refs)

    def _on_looks_changed(self, name: str, value: object) -> None:
        change = partial(self.services.settings.change, **{name: value})
        self.bridge.call(change, in_turn=True)

    def _on_clear_wanted(self) -> None:
        self.go.emit("clear_search", None)

    # ---- arranging

    def _make_room(self, shown: bool) -> None:
        """The filters take their room from the record, as far as that can still be read."""
        listed, read = self._split.sizes()
        wanted = min(read - LEAST_DETAIL, WIDTH) if shown else -WIDTH
        if (shown and listed < ROOMY and wanted > 0) or (not shown and read < DETAIL_WIDTH):
            self._split.setSizes([listed + wanted, read - wanted])

    def _arrange(self) -> None:
        self._split.addWidget(self.list)
        self._split.addWidget(self.right)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.setStretchFactor(0, 1)
        self._split.setStretchFactor(1, 0)
        self._split.setSizes([600, DETAIL_WIDTH])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._split)

    def _connect(self) -> None:
        self.list.chosen.connect(self._on_chosen)
        self.list.chosen_by_hand.connect(self._on_chosen_by_hand)
        self.list.counted.connect(self.counted)
        self.list.edit_wanted.connect(self.edit_current)
        self.list.new_wanted.connect(self.new_memory)
        self.list.clear_wanted.connect(self._on_clear_wanted)
        self.list.menu_wanted.connect(self._on_menu_wanted)
        self.list.failed.connect(self._acts.tell)
        detail = self.right.detail
        detail.edit_wanted.connect(self.edit_current)
        detail.trash_wanted.connect(self.trash_selected)
        detail.restore_wanted.connect(self.restore_selected)
        detail.delete_wanted.connect(self.trash_selected)
        detail.erase_wanted.connect(self.erase_selected)
        detail.copy_wanted.connect(self.copy_current)
        self.right.saved.connect(self._on_saved)
        self.right.ended.connect(self._on_edit_ended)
        self.right.foreign_wanted.connect(self.foreign_wanted)
        self.right.history_wanted.connect(self._on_history_wanted)
        self._acts.changed.connect(self._on_acts_changed)
        self._acts.foreign_wanted.connect(self.foreign_wanted)
        self._acts.erase_wanted.connect(self._on_erase_wanted)
        self._acts.clash_wanted.connect(self._on_clash_wanted)
        self._acting.export_wanted.connect(self._on_export_wanted)
        self.list.looks_changed.connect(self._on_looks_changed)
        self.list.narrowing.shown_changed.connect(self._make_room)
