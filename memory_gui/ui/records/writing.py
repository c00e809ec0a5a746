# SPDX-License-Identifier: MIT
"""Between the list and the record that is read or written beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record, Ref
from memory_gui.services import OpenedStore, Services
from memory_gui.services.locking.drafts import Draft
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.phrases import store_name
from memory_gui.ui.privacy.clipboard import copied_words
from memory_gui.ui.records.bulk.agentnote import AgentNote
from memory_gui.ui.records.bulk.turned import TitledNews, title_of
from memory_gui.ui.records.editing.able import Able, able_of, addable
from memory_gui.ui.records.editing.detail import Several
from memory_gui.ui.records.editing.homes import homes_menu, homes_of
from memory_gui.ui.records.editing.longer import whole_of
from memory_gui.ui.records.editing.pane import RecordPane
from memory_gui.ui.records.listing.pane import ListPane
from memory_gui.words import Words, formats


class Writing(QObject):
    """Shows what is chosen, begins edits, and follows what was saved. GUI thread."""

    saved = Signal(object)
    """A ChangeSet."""
    undo_wanted = Signal()

    def __init__(
        self, context: Context, pane: ListPane, right: RecordPane, note: AgentNote, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._parent = parent
        self._list = pane
        self._right = right
        self._note = note
        self._news = TitledNews(context, pane.banner, self)
        self._reading: Handle | None = None
        """What reads a long record whole, for whatever was asked for last."""
        pane.chosen.connect(self.show_chosen)
        pane.chosen_by_hand.connect(self._on_chosen_by_hand)
        pane.edit_wanted.connect(self.edit)
        pane.new_wanted.connect(self.write_new)
        right.detail.edit_wanted.connect(self.edit)
        right.detail.copy_wanted.connect(self.copy)
        right.detail.whole_wanted.connect(self._on_whole_wanted)
        right.saved.connect(self._on_saved)
        right.ended.connect(self._on_edit_ended)

    def clear(self) -> None:
        """Forget what was told, and what is being read."""
        if self._reading is not None:
            self._reading.cancel()
        self._news.forget()

    # ---- reading

    def show_chosen(self) -> None:
        """Show the chosen record; of several, how many there are."""
        if self._right.editing:
            return
        count = self._list.selected_count
        self._right.detail.look_for(self._list.delegate.needles)
        if count > 1:
            # What can be done with them stands below the list.
            self._right.detail.show_record(None, "", Several(count, erasable=False))
            return
        record = self._list.record
        store = self._list.searching.store(record.ref.store) if record is not None else None
        name = store_name(self._context.words, store) if store else ""
        able = None if record is None else able_of(store, record.kind)
        self._right.detail.show_record(record, name, able=able)

    def copy(self) -> None:
        """Copy the text of the record; it leaves the clipboard by itself."""
        record = self._right.detail.record
        if record is None or not (record.text or record.pale):
            self._list.say_none_chosen()
        elif record.more or record.pale:
            self._read(record.ref, self._copy)
        else:
            self._copy(record)

    def _copy(self, record: Record) -> None:
        clipboard = self._context.privacy.clipboard
        clipboard.copy(record.text)
        self._list.banner.tell("ok", copied_words(self._context.words, clipboard.seconds))

    def _on_whole_wanted(self, ref: Ref) -> None:
        detail = self._right.detail
        self._call(
            partial(whole_of, self._context.services.library, ref, detail.covering),
            done=detail.show_whole,
            failed=lambda _error: detail.show_whole(None),
        )

    def _read(self, ref: Ref, then: Callable[[Record], object]) -> None:
        """Read a record whole of which the list has the beginning; one that is gone has no use."""

        def done(record: Record | None) -> None:
            if record is not None:
                then(record)

        self._call(partial(self._context.services.library.record, ref), done=done, token=False)

    def _call(
        self,
        read: Callable[..., Any],
        *,
        done: Callable[[Any], object],
        failed: Callable[[UserError | IntegrityError], object] | None = None,
        token: bool = True,
    ) -> None:
        if self._reading is not None:
            self._reading.cancel()
        self._reading = self._context.bridge.call(read, done=done, failed=failed, cancellable=token)

    # ---- writing

    def edit(self) -> None:
        """Edit the record on the right."""
        record, say = self._right.detail.record, self._context.words.say
        if self._right.editing:
            return
        if record is not None and self._able(record).can("edit", record):
            if record.more or record.pale:
                self._read(record.ref, self._begin_edit)
            else:
                self._begin_edit(record)
        elif record is not None:
            why = (formats.reason(self._context.words, c) for c in self._able(record).reasons)
            text = next((text for text in why if text), say("Only memories can be edited."))
            self._list.banner.tell("info", text)
        else:
            self._list.say_none_chosen()

    def _able(self, record: Record) -> Able:
        return able_of(self._list.searching.store(record.ref.store), record.kind)

    def _begin_edit(self, record: Record) -> None:
        shown = self._right.detail.record
        if not self._right.editing and shown is not None and shown.ref == record.ref:
            self._list.held = True
            self._right.edit(record, self._list.searching.opened)

    def write_new(self) -> None:
        """Write a new memory; of several stores that may keep it, one is asked for."""
        searching, words = self._list.searching, self._context.words
        if not searching.opened or not self._right.may_leave():
            return
        homes = homes_of(searching.opened, searching.stores)
        if not homes:
            text = words.say("Nothing can be written here: it can only be read.")
            self._list.banner.tell("info", text)
        elif len(homes) == 1 and len(addable(homes[0])) == 1:
            self._write_in(homes[0], addable(homes[0])[0])
        else:
            menu, button = (
                homes_menu(self._parent, words, homes, self._write_in),
                self._list.head.new,
            )
            menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
            menu.setActiveAction(menu.actions()[0])

    def take_up(self, draft: Draft, record: Record | None) -> bool:
        """Go on with what was being typed; False when that cannot be now."""
        opened = self._list.searching.opened
        if not self._right.may_leave() or not self._right.take_up(draft, record, opened):
            return False
        self._list.held = True
        return True

    def merge(self, into: Record, text: str, tags: tuple[str, ...]) -> None:
        """Edit a record with another one's text beside its own."""
        if self._right.may_leave():
            self._list.held = True
            self._right.merge(into, text, tags, self._list.searching.opened)

    def _write_in(self, store: OpenedStore, kind: Kind) -> None:
        self._list.held = True
        self._right.write_new(store, self._list.searching.opened, kind)

    # ---- what came of it

    def _on_chosen_by_hand(self) -> None:
        row = self._list.table.currentIndex().row()
        self._right.leave_for(self._list.model.record(row) if row >= 0 else None)
        self.show_chosen()

    def _on_saved(self, changes: ChangeSet) -> None:
        refs = (*changes.added, *changes.changed)
        self.saved.emit(changes)
        stores = {ref.store for ref in changes.refs}
        note = self._note.on_act("edit", stores) if changes.changed else ""
        if refs:
            self._context.bridge.call(
                saved_one,
                self._context.services,
                refs[0],
                done=partial(self._on_saved_one, note),
                failed=lambda _error: self._say_saved(note, ""),
            )
        else:
            self._say_saved(note, "")

    def _on_saved_one(self, note: str, found: tuple[int | None, str]) -> None:
        number, title = found
        self._list.follow(number)
        self._say_saved(note, title)

    def _say_saved(self, note: str, title: str) -> None:
        words = self._context.words
        undo = (words.say("Undo"), self.undo_wanted.emit)
        self._news.tell(partial(saved_sentence, words, note), title, undo)

    def _on_edit_ended(self) -> None:
        self._list.held = False
        self.show_chosen()
        self._list.table.setFocus()


def saved_one(services: Services, ref: Ref) -> tuple[int | None, str]:
    """The listing id and the title of what was saved. In a thread of the bridge."""
    return services.library.id_of(ref), title_of(services, ref)


def saved_sentence(words: Words, note: str, title: str) -> str:
    """That it is saved, and what there is to know about a running agent."""
    what = words.say("“{title}” is saved.", title=title) if title else words.say("Saved.")
    return words.say("{what} {note}", what=what, note=note) if note else what
