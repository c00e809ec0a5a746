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
    KeyHolder,
    NewRecord,
    Target,
)
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.services import BulkResult
from memory_gui.services.editing.clashes import Choice, Clash, Way
from memory_gui.services.editing.stopped import StoppedAct

if TYPE_CHECKING:
    from fake_services import FakeServices


class FakeEditing:
    """Edits with one step of undo per act."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self._undo: list[tuple[str, list[tuple[Ref, Record | None]]]] = []
        self._redo: list[tuple[str, list[tuple[Ref, Record | None]]]] = []
        self.stopped_acts: dict[StoreId, list[StoppedAct]] = {}
        self._new = itertools.count(9000)
        self.held: dict[Ref, Clash] = {}
        """What ``clashes``, ``undo_clashes`` and ``redo_clashes`` find."""
        self.holder: KeyHolder | None = None
        """What ``key_holder`` finds, unless it is the record itself."""

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

    def undo(self, choices: Any = None, **kwargs: Any) -> ChangeSet:
        if choices is not None:
            self._fake.note("undo_so", choices)
            self.held.clear()
        return self._swap("undo", self._undo, self._redo)

    def redo(self, choices: Any = None, **kwargs: Any) -> ChangeSet:
        return self._swap("redo", self._redo, self._undo)

    def clashes(self, refs: Sequence[Ref]) -> tuple[Clash, ...]:
        self._fake.note("clashes", tuple(refs))
        return tuple(self.held[ref] for ref in refs if ref in self.held)

    def undo_clashes(self) -> tuple[Clash, ...]:
        return tuple(self.held.values())

    def redo_clashes(self) -> tuple[Clash, ...]:
        return tuple(self.held.values())

    def settle(self, chosen: Sequence[tuple[Clash, Choice]]) -> BulkResult:
        self._fake.note("settle", tuple(chosen))
        refs = tuple(clash.ref for clash, choice in chosen if choice.way is not Way.LEAVE)
        return BulkResult(ChangeSet(changed=refs), len(refs))

    def key_holder(
        self, store: StoreId, fields: Any, but: Ref | None = None, kind: str = "memory"
    ) -> KeyHolder | None:
        self._fake.note("key_holder", store, fields, but)
        holder = self.holder
        key = fields.get("key") or fields.get("title")
        return None if holder is None or holder.ref == but or key != holder.key else holder

    def undo_text(self) -> tuple[str, int] | None:
        return (self._undo[-1][0], len(self._undo[-1][1])) if self._undo else None

    def redo_text(self) -> tuple[str, int] | None:
        return (self._redo[-1][0], len(self._redo[-1][1])) if self._redo else None

    def classify(self, store: StoreId, fields: Any) -> dict[str, Any]:
        title = str(fields.get("title", ""))
        key = "".join(c if c.isascii() and c.isalnum() else "_" for c in title.lower()).strip("_")
        return {**fields, "key": fields.get("key") or key, "type": fields.get("type") or "note"}

    def stopped(self, store: StoreId, acts: Any = ()) -> tuple[StoppedAct, ...]:
        return tuple(self.stopped_acts.get(store, ()))

    def forget_stopped(self, store: StoreId, stopped: StoppedAct) -> None:
        self._fake.note("forget_stopped", store, stopped)

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
