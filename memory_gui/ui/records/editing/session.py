# SPDX-License-Identifier: MIT
"""One edit from its beginning to saved, cancelled or overtaken by another program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.changes import Edit, Fields, KeyHolder, NewRecord, Target
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.services import BulkResult, OpenedStore
from memory_gui.services.locking.drafts import Draft as KeptDraft
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.records.editing.able import able_of, addable
from memory_gui.ui.records.editing.draft import beside
from memory_gui.ui.records.editing.editor import Draft, Editor
from memory_gui.ui.records.editing.filing import FieldFaultError, look
from memory_gui.words.errors import explain

FOREIGN = "store.foreign_objects"
_MEANT = {"record.subject_change": "subject"}
"""Refusals that a person is asked about, and the guard to insist past."""


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
        self._looking: Handle | None = None
        self._saving: Handle | None = None
        self._edit = object()
        """Another one for each edit."""
        self._asking = Asking(context.bridge)
        """About the record that is edited; none of it is about the next one."""
        self._new = able_of(None, "memory").kind
        """What a new record is to be."""
        self.active = False
        editor.save_wanted.connect(self._on_save_wanted)
        editor.cancelled.connect(self.end)
        editor.classify_wanted.connect(self._on_classify_wanted)
        editor.taken.merge_wanted.connect(self._on_merge_wanted)
        editor.taken.swap_wanted.connect(self._on_swap_wanted)

    def begin(self, record: Record, stores: tuple[OpenedStore, ...]) -> None:
        """Edit a record."""
        self._drop()
        self._stores = stores
        self._store = record.ref.store
        self._theirs = None
        self.active = True
        self._begin(record)
        self._tell_format()

    def _begin(self, record: Record) -> None:
        store = record.ref.store
        kind = able_of(self._opened(store), record.kind).kind
        self._editor.begin(record, self._scopes(store), kind=kind)

    def begin_new(
        self, store: OpenedStore, stores: tuple[OpenedStore, ...], kind: Kind | None = None
    ) -> None:
        """Write a new record (the first kind that can be written), for the store's own scope."""
        self._drop()
        self._stores = stores
        self._store = store.id
        self._theirs = None
        self.active = True
        role = store.info.role
        scopes = self._scopes(store.id)
        self._new = kind or next(iter(addable(store)), able_of(None, "memory").kind)
        self._editor.begin(None, scopes, role if role in scopes else scopes[0], self._new)
        self._tell_format()

    def _tell_format(self) -> None:
        """How much its agent reads of a text depends on it."""
        formats = {one.id: one.info.format for one in self._stores}
        self._editor.set_format("" if self._store is None else formats.get(self._store, ""))

    def begin_merge(
        self, into: Record, text: str, tags: tuple[str, ...], stores: tuple[OpenedStore, ...]
    ) -> None:
        """Edit a record with another one's text below its own, for a person to shorten."""
        self.begin(into, stores)
        self._add_beside(text, tags)

    def end(self) -> None:
        """Close the editor and forget what was typed."""
        was_active, self.active = self.active, False
        self._theirs = None
        self._drop()
        self._editor.clear()
        if was_active:
            self.ended.emit()

    def _drop(self) -> None:
        """Another edit, or none: what is on its way was asked for the one before.

        What is being saved is saved, and told; it ends no other edit.
        """
        self._edit, self._saving = object(), None
        self._asking.drop()
        if self._looking is not None:
            self._looking.cancel()

    # ---- what is typed, over a lock

    def typed(self) -> KeptDraft | None:
        """What would be lost now; None when nothing was typed."""
        if not self.active or not self._editor.dirty or self._store is None:
            return None
        record = self._editor.record
        ref, etag = (None, "") if record is None else (record.ref, record.etag)
        return KeptDraft(self._store, self._editor.draft().fields(), ref, etag)

    def take_up(
        self, draft: KeptDraft, record: Record | None, stores: tuple[OpenedStore, ...]
    ) -> bool:
        """Go on with what was being typed; False when its store is not open.

        ``record`` is the record as it is now, None for a new one, or where it is gone: then what
        was typed becomes a new one.
        """
        store = next((one for one in stores if one.id == draft.store), None)
        if store is None:
            return False
        if record is None:
            self.begin_new(store, stores)
        else:
            self.begin(record, stores)
        self._editor.restore_draft(draft.fields)
        if record is not None and draft.etag and draft.etag != record.etag:
            # What it was then is not kept: theirs and mine are seen in "what will be saved".
            self._editor.banner.tell(
                "warn",
                self._context.words.say(
                    "Another program changed this memory since you typed. "
                    "Below you see what saving would change now."
                ),
            )
        return True

    # ---- another writer

    def stores_changed(self) -> None:
        """Another program wrote: look whether it was this record."""
        record = self._editor.record
        if self.active and record is not None:
            self._asking.anew(
                self._context.services.library.record,
                record.ref,
                done=self._on_fresh_record,
                failed=self._on_save_failed,
            )

    def _on_fresh_record(self, record: Record | None) -> None:
        mine = self._editor.record
        saving = self._saving is not None and not self._saving.finished
        if not self.active or mine is None or saving:
            return  # what is being saved finds out by itself
        say = self._context.words.say
        if record is None:
            self._editor.banner.tell(
                "warn",
                say("Another program took this memory away. What you typed is still here."),
                (say("Save as new"), self._on_save_as_new),
            )
        elif record.etag == mine.etag:
            return
        elif not self._editor.dirty:
            self._begin_again(record)
            self._editor.banner.tell("info", say("Another program has just changed this memory."))
        else:
            self._ask(record)

    def _ask(self, theirs: Record) -> None:
        """Nothing was written; a person decides."""
        self._theirs = theirs
        self._editor.show_theirs(theirs)
        say = self._context.words.say
        self._editor.ask(
            say("Another program changed this memory since you began. Nothing is lost yet."),
            say("Nothing was saved. First choose which to keep: theirs, yours, or both."),
            (say("Take theirs"), self._on_take_theirs),
            (say("Keep mine"), self._on_keep_mine),
            (say("Both"), self._on_both),
        )

    def _begin_again(self, record: Record) -> None:
        self._theirs = None
        self._begin(record)

    def _on_take_theirs(self) -> None:
        if self._theirs is not None:
            self._begin_again(self._theirs)

    def _on_keep_mine(self) -> None:
        theirs, self._theirs = self._theirs, None
        if theirs is not None:
            self._editor.rebase(theirs)
            self._editor.banner.dismiss()
            self._on_save_wanted(self._editor.draft())

    def _on_both(self) -> None:
        theirs, self._theirs = self._theirs, None
        if theirs is None:
            return
        clean = self._editor.merge_with(theirs)
        say = self._context.words.say
        text = (
            say("Both changes are in the text. Look at them below, then save.")
            if clean
            else say(
                "Where both changed the same words, they stand side by side: choose, then save."
            )
        )
        self._editor.banner.tell("info" if clean else "warn", text)

    def _on_save_as_new(self) -> None:
        draft, store = self._editor.draft(), self._opened(self._store)
        if store is not None:
            self.begin_new(store, self._stores)
            self._editor.put(draft)

    # ---- how it would be filed

    def _on_classify_wanted(self, draft: Draft) -> None:
        if self._store is None:
            return
        if self._looking is not None:
            self._looking.cancel()
        record = self._editor.record
        self._looking = self._context.bridge.call(
            look,
            self._context.services.editing,
            self._store,
            draft.fields(),
            record,
            self._kind_of(record),
            done=self._on_looked,
            failed=self._on_look_failed,
        )

    def _kind_of(self, record: Record | None) -> Kind:
        if record is None:
            return self._new
        return able_of(self._opened(record.ref.store), record.kind).kind

    def _on_looked(self, found: tuple[Fields, KeyHolder | None, str]) -> None:
        if self.active:
            self._editor.tell_fault("")
            if "key" in found[0]:
                self._editor.show_preview(found[0], found[2])
            self._editor.show_key_holder(found[1])

    def _on_look_failed(self, error: UserError | IntegrityError) -> None:
        """What the agent would refuse is said when it is saved; of some fields at once."""
        if isinstance(error, FieldFaultError):
            self._editor.tell_fault(explain(self._context.words, error).text)
            return
        if error.code == "record.key_empty":
            self._editor.show_preview({})
        self._editor.show_key_holder(None)

    # ---- a taken key

    def _on_merge_wanted(self, ref: Ref) -> None:
        draft = self._editor.draft()
        self._asking.anew(
            self._context.services.library.record,
            ref,
            done=partial(self._on_merge_found, draft),
            failed=self._on_save_failed,
        )

    def _on_merge_found(self, draft: Draft, record: Record | None) -> None:
        if record is None or not self.active:
            self._on_classify_wanted(draft)
            return
        self.begin(record, self._stores)
        self._add_beside(draft.text, draft.tags)

    def _add_beside(self, text: str, tags: tuple[str, ...]) -> None:
        self._editor.put(beside(self._editor.draft(), text, tags))
        say = self._context.words.say
        self._editor.banner.tell("info", say("Both texts are here. Keep what is right, then save."))

    def _on_swap_wanted(self, ref: Ref) -> None:
        self._save(self._editor.draft(), instead=Target(ref))

    # ---- saving

    def _on_save_wanted(self, draft: Draft) -> None:
        self._save(draft)

    def _save(
        self, draft: Draft, instead: Target | None = None, despite: frozenset[str] = frozenset()
    ) -> None:
        record = self._editor.record
        self._editor.set_busy(busy=True)
        editing = self._context.services.editing
        more = {} if instead is None else {"instead": instead}
        if record is None:
            assert self._store is not None  # noqa: S101 - begin_new sets it
            fields = {name: value for name, value in draft.fields().items() if value}
            new = NewRecord(self._new.name, fields, despite=despite)
            self._call(partial(editing.add, self._store, new, **more))
            return
        changes = draft.changes(record)
        if not changes:
            self.end()
            return
        edit = Edit(Target(record.ref, record.etag), changes, despite)
        self._call(partial(editing.edit, edit, **more))

    def _call(self, act: Callable[[], BulkResult]) -> None:
        self._saving = self._context.bridge.call(
            act,
            done=partial(self._on_saved, self._edit),
            failed=partial(self._on_not_saved, self._edit),
            broke=partial(self._on_broke, self._edit),
            in_turn=True,
        )

    def _on_saved(self, edit: object, result: BulkResult) -> None:
        if result.failed:
            self._on_not_saved(edit, result.failed[0][1])
            return
        if edit is self._edit:
            self.end()
        self.saved.emit(result.changes)

    def _on_not_saved(self, edit: object, error: UserError | IntegrityError) -> None:
        if edit is self._edit:
            self._on_save_failed(error)
        else:  # that edit was given up meanwhile: the editor holds another one, or none
            self._context.bridge.error.emit(error)

    def _on_broke(self, edit: object) -> None:
        """The window tells of the bug; what was typed can be saved again."""
        if edit is self._edit:
            self._editor.set_busy(busy=False)

    def _on_save_failed(self, error: UserError | IntegrityError) -> None:
        self._editor.set_busy(busy=False)
        record = self._editor.record
        if error.code in {"record.changed", "record.gone"} and record is not None:
            self.stores_changed()
            return
        if error.code == "record.key_taken":
            self._on_classify_wanted(self._editor.draft())
        words = self._context.words
        ways: tuple[tuple[str, Callable[[], object]], ...] = ()
        if error.code == FOREIGN:
            ways = ((words.say("Look at them"), self.foreign_wanted.emit),)
        elif error.code in _MEANT:
            despite = frozenset({_MEANT[error.code]})
            again = partial(self._save, self._editor.draft(), despite=despite)
            ways = ((words.say("Yes, save it so"), again),)
        self._editor.banner.tell("warn", explain(words, error).text, *ways)

    # ---- stores

    def _opened(self, store: StoreId | None) -> OpenedStore | None:
        return next((one for one in self._stores if one.id == store), None)

    def _scopes(self, store: StoreId) -> tuple[str, ...]:
        """What a memory of this store may apply to: only databases that are open."""
        mine = self._opened(store)
        if mine is None:
            return ()
        near = {mine.id, mine.partner}
        return tuple(one.info.role for one in self._stores if one.id in near) or ("project",)

    def edits(self, ref: Ref) -> bool:
        """Whether this record is being edited."""
        return self.active and self._editor.record is not None and self._editor.record.ref == ref
