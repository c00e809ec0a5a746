# SPDX-License-Identifier: MIT
"""The page of the list and the one record beside it: joins what is chosen with what is done."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.services import OpenedStore
from memory_gui.services.locking.drafts import Draft
from memory_gui.ui.clashes.request import ClashRequest
from memory_gui.ui.context import Context
from memory_gui.ui.names import named
from memory_gui.ui.pages.page import Page
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.records.acting import Acting
from memory_gui.ui.records.bulk.acts import Acts
from memory_gui.ui.records.editing.pane import RecordPane
from memory_gui.ui.records.halves import Halves
from memory_gui.ui.records.listing.model import MemoryTableModel
from memory_gui.ui.records.listing.pane import ListPane
from memory_gui.ui.records.listing.rowmenu import row_menu
from memory_gui.ui.records.writing import Writing
from memory_gui.ui.views import View
from memory_gui.ui.visible import one_line

_SUBJECT: Final = 40
"""Characters of whom a record is about that a menu shows."""


class MemoriesPage(Page):
    """Middle and right pane. What it lists follows ``set_view``, ``set_stores``, ``set_text``."""

    foreign_wanted = Signal()
    """A change was refused: what the agent did not make has to be looked at first."""
    counted = Signal(object)
    """kind -> state -> number of the chosen stores."""

    def __init__(
        self,
        context: Context,
        parent: QWidget | None = None,
        *,
        listed: ListPane | None = None,
        right: RecordPane | None = None,
    ) -> None:
        """``listed`` and ``right`` where they are made already: one at a time is quick enough."""
        super().__init__(context, parent)
        self._showing = Showing(context.words, context.privacy)
        self.list = listed or ListPane(context)
        self.right = right or RecordPane(context)
        self._acts = Acts(context, self.list.banner, self.list.busy, self.list.failures, self)
        self._acting = Acting(context, self.list, self._acts, self.may_leave, self)
        self._writing = Writing(context, self.list, self.right, self._acts.note, self)
        self._split = named(Halves(self.list, self.right), "memories.split")
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
        self.list.looks.wear(values.list_order, compact=compact, filters=values.filters_shown)

    def toggle_filters(self) -> None:
        """Show what the list can be narrowed to, with the keyboard on it; or hide it."""
        self.list.looks.toggle_filters()

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
        self._writing.edit()

    def new_memory(self) -> None:
        """Write a new memory."""
        self._writing.write_new()

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
        self._writing.copy()

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
        if not self._writing.take_up(draft, record):
            return False
        self.go.emit("memories", None)
        return True

    def merge(self, into: Record, text: str, tags: tuple[str, ...]) -> None:
        """Edit a record with another one's text beside its own."""
        self._writing.merge(into, text, tags)

    # ---- the shell's calls

    def may_leave(self) -> bool:
        return self.right.may_leave()

    def clear(self) -> None:
        self.right.clear()
        self.list.clear()
        self._acts.clear()
        self._writing.clear()

    def retranslate(self) -> None:
        self.list.retranslate()
        self.right.retranslate()

    # ---- what is asked for

    def _on_menu_wanted(self, where: QPoint) -> None:
        rows = {
            "edit": self.edit_current,
            "trash": self.trash_selected,
            "restore": self.restore_selected,
            "erase": self.erase_selected,
        }
        able, record = self.list.searching.able, self.list.record
        subject = (record.subject or "") if record and self.list.selected_count == 1 else ""
        rows["erase_subject"] = partial(self._acting.erase_about, subject)
        shown = self._showing.line(one_line(subject, _SUBJECT))
        several = self.list.selected_count > 1
        refused = self.list.bar.refused if several else self.right.held.refused
        menu = row_menu(self, self.words, self.view, rows, able, subject=shown, refused=refused)
        menu.popup(where)

    # ---- after an act

    def _on_acts_changed(self, changes: ChangeSet) -> None:
        self.changed.emit(changes)
        self.list.refresh()

    def _on_history_wanted(self, ref: Ref) -> None:
        self.go.emit("history", ref)

    def _on_record_wanted(self, ref: Ref) -> None:
        self.go.emit("record", ref)

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

    def _on_search_wanted(self, text: str) -> None:
        self.go.emit("search", text)

    def open_saved(self) -> None:
        """Show the filters, and the menu of saved searches above them."""
        if not self.list.narrowing.shown:
            self.list.looks.toggle_filters()
        self.list.narrowing.saved.open()

    # ---- arranging

    def _arrange(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._split)

    def _connect(self) -> None:
        self.list.counted.connect(self.counted)
        self.list.clear_wanted.connect(self._on_clear_wanted)
        self.list.search_wanted.connect(self._on_search_wanted)
        self.list.menu_wanted.connect(self._on_menu_wanted)
        self.list.failed.connect(self._acts.tell)
        detail = self.right.detail
        detail.trash_wanted.connect(self.trash_selected)
        detail.restore_wanted.connect(self.restore_selected)
        detail.delete_wanted.connect(self.trash_selected)
        detail.erase_wanted.connect(self.erase_selected)
        self._writing.saved.connect(self.changed)
        self._writing.undo_wanted.connect(self.undo)
        self.right.foreign_wanted.connect(self.foreign_wanted)
        self.right.history_wanted.connect(self._on_history_wanted)
        self.right.relations.wanted.connect(lambda ref: self.go.emit("graph", ref))
        self._acts.changed.connect(self._on_acts_changed)
        self._acts.foreign_wanted.connect(self.foreign_wanted)
        self._acts.erase_wanted.connect(self._on_erase_wanted)
        self._acts.clash_wanted.connect(self._on_clash_wanted)
        self._acts.record_wanted.connect(self._on_record_wanted)
        self._acting.export_wanted.connect(self._on_export_wanted)
        self.list.looks.changed.connect(self._on_looks_changed)
        self.list.narrowing.shown_changed.connect(self._split.make_room)
