# SPDX-License-Identifier: MIT
"""One edit from its beginning to saved, cancelled or overtaken by another program."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.services import BulkResult, OpenedStore
from memory_gui.ui.context import Context
from memory_gui.ui.records.bulk.acts import FOREIGN
from memory_gui.ui.records.editing.editor import Draft, Editor
from memory_gui.words.errors import explain


class EditSession(QObject):
    """Drives the editor. ``active`` while it is open. GUI thread."""

    saved = Signal(object)
    """A ChangeSet."""
    ended = Signal()
    foreign_wanted = Signal()

    def __init__(self, context: Context, editor: Editor, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._editor = editor
        self._stores: tuple[OpenedStore, ...] = ()
        self._store: StoreId | None = None
        self._theirs: Record | None = None
        self.active = False
        editor.save_wanted.connect(self._on_save_wanted)
        editor.cancelled.connect(self.end)
        editor.classify_wanted.connect(self._on_classify_wanted)

    def begin(self, record: Record, stores: tuple[OpenedStore, ...]) -> None:
        """Edit a record."""
        self._stores = stores
        self._store = record.ref.store
        self.active = True
        self._editor.begin(record, self._scopes(record.ref.store))

    def begin_new(self, store: OpenedStore, stores: tuple[OpenedStore, ...]) -> None:
        """Write a new memory, at first for the scope that the store is for."""
        self._stores = stores
        self._store = store.id
        self.active = True
        role = store.info.role
        scopes = self._scopes(store.id)
        self._editor.begin(None, scopes, role if role in scopes else scopes[0])

    def end(self) -> None:
        """Close the editor and forget what was typed."""
        was_active, self.active = self.active, False
        self._theirs = None
        self._editor.clear()
        if was_active:
            self.ended.emit()

    def stores_changed(self) -> None:
        """Another program wrote: look whether it was this record."""
        record = self._editor.record
        if self.active and record is not None:
            self._context.bridge.call(
                self._context.services.library.record,
                record.ref,
                done=self._on_fresh_record,
                failed=self._on_save_failed,
            )

    def _scopes(self, store: StoreId) -> tuple[str, ...]:
        """What a memory of this store may apply to: only databases that are open."""
        mine = next((one for one in self._stores if one.id == store), None)
        if mine is None:
            return ()
        near = {mine.id, mine.partner}
        return tuple(one.info.role for one in self._stores if one.id in near) or ("project",)

    def _on_classify_wanted(self, draft: Draft) -> None:
        if self._store is not None:
            self._context.bridge.call(
                self._context.services.editing.classify,
                self._store,
                draft.fields(),
                done=self._editor.show_preview,
                failed=self._on_classify_failed,
            )

    def _on_classify_failed(self, error: UserError | IntegrityError) -> None:
        """A field the agent would refuse is said when it is saved, not while it is typed."""

    def _on_save_wanted(self, draft: Draft) -> None:
        record = self._editor.record
        self._editor.set_busy(busy=True)
        editing = self._context.services.editing
        if record is None:
            assert self._store is not None  # noqa: S101 - begin_new sets it
            fields = {name: value for name, value in draft.fields().items() if value}
            new = NewRecord("memory", fields)
            self._call(editing.add, self._store, new)
            return
        changes = draft.changes(record)
        if not changes:
            self.end()
            return
        self._call(editing.edit, Edit(Target(record.ref, record.etag), changes))

    def _call(self, act: object, *args: object) -> None:
        assert callable(act)  # noqa: S101 - a method of the services
        self._context.bridge.call(
            act, *args, done=self._on_saved, failed=self._on_save_failed, in_turn=True
        )

    def _on_saved(self, result: BulkResult) -> None:
        if result.failed:
            self._on_save_failed(result.failed[0][1])
            return
        self.end()
        self.saved.emit(result.changes)

    def _on_save_failed(self, error: UserError | IntegrityError) -> None:
        self._editor.set_busy(busy=False)
        record = self._editor.record
        if error.code == "record.changed" and record is not None:
            self.stores_changed()
            return
        words = self._context.words
        look = ((words.say("Look at them"), self.foreign_wanted.emit),)
        ways = look if error.code == FOREIGN else ()
        self._editor.banner.tell("warn", explain(words, error).text, *ways)

    def _on_fresh_record(self, record: Record | None) -> None:
        mine = self._editor.record
        if not self.active or mine is None:
            return
        if record is None:
            say = self._context.words.say
            self._editor.banner.tell(
                "warn", say("Another program took this memory away. What you typed is still here.")
            )
        elif record.etag != mine.etag:
            self._theirs = record
            self._editor.ask_theirs_or_mine(self._on_take_theirs, self._on_keep_mine)

    def _on_take_theirs(self) -> None:
        theirs = self._theirs
        self._theirs = None
        if theirs is not None:
            self._editor.begin(theirs, self._scopes(theirs.ref.store))

    def _on_keep_mine(self) -> None:
        theirs = self._theirs
        self._theirs = None
        if theirs is not None:
            self._editor.rebase(theirs)
            self._editor.banner.dismiss()
            self._on_save_wanted(self._editor.draft())

    def edits(self, ref: Ref) -> bool:
        """Whether this record is being edited."""
        return self.active and self._editor.record is not None and self._editor.record.ref == ref
