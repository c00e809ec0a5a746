# SPDX-License-Identifier: MIT
"""Changes in memory, with undo."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fakes.records import record
from memory_gui.domain.changes import (
    ChangeSet,
    Edit,
    NewRecord,
    Target,
)
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.services import BulkResult

if TYPE_CHECKING:
    from fake_services import FakeServices


class FakeEditing:
    """Edits with one step of undo per act."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self._undo: list[tuple[str, list[tuple[Ref, Record | None]]]] = []
        self._redo: list[tuple[str, list[tuple[Ref, Record | None]]]] = []
        self._new = itertools.count(9000)

    def add(self, store: StoreId, new: NewRecord) -> BulkResult:
        self._fake.note("add", store, new)
        one = record(next(self._new), kind=new.kind, store=store)
        one = replace(one, **{k: v for k, v in new.fields.items() if k != "key"})
        self._keep("add", [one.ref])
        self._fake.library.put(one)
        return BulkResult(ChangeSet(added=(one.ref,)), 1)

    def edit(self, edit: Edit) -> BulkResult:
        self._fake.note("edit", edit)
        old = self._fake.library.record(edit.target.ref)
        if old is None:
            raise UserError("record.gone")
        if edit.target.etag is not None and edit.target.etag != old.etag:
            raise UserError("record.changed")
        self._keep("edit", [old.ref])
        fields = {k: v for k, v in edit.fields.items() if k != "key"}
        self._fake.library.put(replace(old, etag=f"{next(self._new):016x}", **fields))
        return BulkResult(ChangeSet(changed=(old.ref,)), 1)

    def trash(self, records: Sequence[Ref | Target], **kwargs: Any) -> BulkResult:
        return self._state("trash", records, State.TRASH)

    def restore(self, records: Sequence[Ref | Target], **kwargs: Any) -> BulkResult:
        return self._state("restore", records, State.LIVE)

    def delete(self, records: Sequence[Ref | Target], **kwargs: Any) -> BulkResult:
        self._fake.note("delete", tuple(records))
        refs = [one.ref if isinstance(one, Target) else one for one in records]
        self._keep("delete", refs)
        for ref in refs:
            self._fake.library.drop(ref)
        return BulkResult(ChangeSet(removed=tuple(refs)), len(refs))

    def tag(self, records: Sequence[Ref | Target], **kwargs: Any) -> BulkResult:
        self._fake.note("tag", tuple(records), kwargs)
        return BulkResult()

    def undo(self) -> ChangeSet:
        return self._swap("undo", self._undo, self._redo)

    def redo(self) -> ChangeSet:
        return self._swap("redo", self._redo, self._undo)

    def undo_text(self) -> tuple[str, int] | None:
        return (self._undo[-1][0], len(self._undo[-1][1])) if self._undo else None

    def redo_text(self) -> tuple[str, int] | None:
        return (self._redo[-1][0], len(self._redo[-1][1])) if self._redo else None

    def classify(self, store: StoreId, fields: Any) -> dict[str, Any]:
        title = str(fields.get("title", ""))
        key = "".join(c if c.isascii() and c.isalnum() else "_" for c in title.lower()).strip("_")
        return {**fields, "key": key, "type": fields.get("type") or "note"}

    def forget(self) -> None:
        self._undo.clear()
        self._redo.clear()

    def _state(self, name: str, records: Sequence[Ref | Target], state: State) -> BulkResult:
        self._fake.note(name, tuple(records))
        refs = [one.ref if isinstance(one, Target) else one for one in records]
        self._keep(name, refs)
        for ref in refs:
            old = self._fake.library.records[ref]
            self._fake.library.put(replace(old, state=state))
        return BulkResult(ChangeSet(changed=tuple(refs)), len(refs))

    def _keep(self, name: str, refs: Sequence[Ref]) -> None:
        self._undo.append((name, [(ref, self._fake.library.records.get(ref)) for ref in refs]))
        self._redo.clear()

    def _swap(self, name: str, source: list[Any], target: list[Any]) -> ChangeSet:
        self._fake.note(name)
        if not source:
            raise UserError("undo.nothing")
        what, before = source.pop()
        target.append((what, [(ref, self._fake.library.records.get(ref)) for ref, _ in before]))
        for ref, old in before:
            if old is None:
                self._fake.library.drop(ref)
            else:
                self._fake.library.put(old)
        return ChangeSet(changed=tuple(ref for ref, _ in before))
