# SPDX-License-Identifier: MIT
"""Single acts on single records, each with the steps that take it back. No undo stack here.

Every act is one transaction of one store, except a move: add there, read back, delete here. A
move that was stopped between the two leaves the record in both; done again it is finished. Of many
records several are one transaction, each whole or not at all (``chunks``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TypeGuard

from memory_gui.domain.changes import (
    Capability,
    ChangeSet,
    Edit,
    Fields,
    NewRecord,
    Target,
)
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.services.editing.chunks import (
    Asked,
    OneAct,
    Outcome,
    in_chunks,
    set_fields,
    set_trash,
)
from memory_gui.services.editing.deciding import Deciding
from memory_gui.services.editing.ground import Done, Ground
from memory_gui.services.editing.together import INSIST, back, do_together, edited, swapped
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.undo.steps import (
    OneStep,
    PutBack,
    Redecide,
    SetFields,
    SetTrash,
    Step,
    TakeOut,
    Together,
    Values,
    fits,
    single_steps,
)
from memory_gui.stores.contract import Store

SmallStep = SetTrash | SetFields


def is_small(step: Step) -> TypeGuard[SmallStep]:
    """Whether it may be one of many of a transaction: its record stays in its store."""
    return isinstance(step, SetTrash) or (
        isinstance(step, SetFields) and set(step.fields) == {"tags"}
    )


class Acts(Ground):
    """The acts. Any thread may call."""

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self.deciding = Deciding(library, self)

    # ---- the acts

    def add(self, shelf: Shelf, new: NewRecord, instead: Target | None = None) -> Done:
        """Add in the database that the record's scope belongs to; the queue is the project's.

        ``instead`` goes to the trash in the same transaction.
        """
        self._refuse_instead(instead)
        scope = "project"  # where the queue is; a proposal has fields that no memory has
        if new.kind != "review":
            told = shelf.screen(lambda store: store.classify(new.fields)).get("scope")
            scope = told if isinstance(told, str) else ""
        shelf = self.home_of(shelf, scope)
        changes = self._write(
            shelf, shelf.change(lambda store: _instead(store, instead, lambda: store.add(new)))
        )
        steps = [
            swapped(TakeOut(ref, self.values(self.current(ref))), instead)
            for ref in changes.added
            if ref.kind == new.kind
        ]
        return Done(changes, tuple(steps))

    def edit(self, edit: Edit, instead: Target | None = None) -> Done:
        """Change fields; a new scope moves the record.

        ``instead`` goes to the trash: in the same transaction, or before a move in one of its own.
        """
        ref = edit.target.ref
        self.refuse("edit", ref)
        self._refuse_instead(instead)
        shelf = self._library.shelf(ref.store)
        before = self.current(ref)
        old = self.values(before)
        scope = edit.fields.get("scope")
        if isinstance(scope, str) and scope != before.scope:
            there = self.home_of(shelf, scope)
            if there is not shelf:
                room = Done(ChangeSet()) if instead is None else self.trash(instead)
                moved = self._move(edit, before, shelf, there)
                steps = (*moved.steps, *room.steps)
                return replace(moved, changes=room.changes | moved.changes, steps=steps)
        changes = self._write(
            shelf, shelf.change(lambda store: _instead(store, instead, lambda: store.apply(edit)))
        )
        return edited(ref, old, changes, lambda now: self.values(self.current(now)), instead)

    def trash(self, target: Target) -> Done:
        """Out of the agent's sight."""
        return self._set_trash(target, trash=True)

    def restore(self, target: Target) -> Done:
        """Back into the agent's sight."""
        return self._set_trash(target, trash=False)

    def _set_trash(self, target: Target, *, trash: bool) -> Done:
        self.refuse("trash" if trash else "restore", target.ref)
        shelf = self._library.shelf(target.ref.store)
        done = shelf.change(set_trash(target, None, trash=trash).do)
        self._write(shelf, done.changes)
        return done

    def delete(self, target: Target) -> Done:
        """Take the row out; the snapshot for undo is taken just before."""
        self.refuse("delete", target.ref)
        shelf = self._library.shelf(target.ref.store)
        snapshot = shelf.change(lambda store: store.snapshot([target.ref]))
        before = self._library.record(target.ref)
        live = before is not None and before.state is State.LIVE
        values = self.values(before) if before is not None and live else {}
        changes = self._write(shelf, shelf.change(lambda store: store.delete(target)))
        return Done(changes, (PutBack(target.ref, snapshot, values),))

    def delete_trashed(self, target: Target) -> Done:
        """As ``delete``, but only what the agent no longer sees, where it has a trash.

        Raises:
            UserError: ``record.trash_first``.
        """
        self._must_be_trashed(target.ref)
        return self.delete(target)

    def _must_be_trashed(self, ref: Ref) -> None:
        info = self._library.shelf(ref.store).info
        if ref.kind != info.kinds[0] or Capability.TRASH not in info.capabilities:
            return
        if self.current(ref).state is State.LIVE:
            raise UserError("record.trash_first", ref=ref.text)

    def may(
        self,
        act: str,
        target: Target,
        fields: Fields | None = None,
        *,
        despite: frozenset[str] = frozenset(),
    ) -> None:
        """Raise what an act (trash, restore, delete, edit) would; nothing is written."""
        shelf = self._library.shelf(target.ref.store)
        shelf.may_write(despite_foreign="foreign" in despite)
        self.refuse(act, target.ref)
        if act == "delete":
            self._must_be_trashed(target.ref)
        shelf.screen(lambda store: store.may(act, target, fields))

    def _refuse_instead(self, instead: Target | None) -> None:
        if instead is not None:
            self.refuse("trash", instead.ref)

    # ---- where a record belongs

    def _move(self, edit: Edit, before: Record, here: Shelf, there: Shelf) -> Done:
        """Add there, read back, change the other fields there, delete here."""
        ref = edit.target.ref
        if edit.target.etag is not None and edit.target.etag != before.etag:
            raise UserError("record.changed", ref=ref.text)
        self.refuse("delete", ref)  # what must stay would be under another name
        here.allow_writing()
        added = self._write(there, there.change(lambda store: store.take_in(before)))
        new_ref = next(r for r in added.refs if r.kind == ref.kind)
        arrived = self.current(new_ref)
        if (arrived.title, arrived.text, arrived.tags) != (before.title, before.text, before.tags):
            raise IntegrityError("record.not_read_back", ref=new_ref.text)
        try:
            changes = added | self._change_there(edit, new_ref, there)
            gone = here.change(lambda store: store.delete(Target(ref, before.etag)))
        except UserError:
            # Refused there, or changed here meanwhile: it stays where it was, once.
            self._write(there, there.change(lambda store: store.delete(Target(new_ref))))
            raise
        changes |= self._write(here, gone)
        old = self.values(before)
        new = self.values(self.current(new_ref))
        return Done(changes, (back(new_ref, old, new),), moved=(ref, new_ref))

    def _change_there(self, edit: Edit, ref: Ref, there: Shelf) -> ChangeSet:
        fields = {name: value for name, value in edit.fields.items() if name != "scope"}
        if not fields:
            return ChangeSet()
        change = Edit(Target(ref), fields, edit.despite)
        return self._write(there, there.change(lambda store: store.apply(change)))

    def _write(self, shelf: Shelf, changes: ChangeSet) -> ChangeSet:
        shelf.absorb(changes)
        return changes

    # ---- taking back

    def check(self, steps: Sequence[Step]) -> None:
        """Whether steps still find what they expect. Raises UserError ``undo.changed``."""
        plain = [part for step in steps for part in single_steps(step)]
        known: dict[Ref, tuple[Record, Values]] = {}
        by_store: dict[StoreId, list[Ref]] = {}
        for one in plain:
            if self.deciding.queue(one.ref) is None:
                by_store.setdefault(one.ref.store, []).append(one.ref)
        for store, refs in by_store.items():
            known.update(self._library.shelf(store).screen(partial(_records, refs=refs)))
        for one in plain:
            self._check(one, known)

    def _check(self, step: OneStep, known: Mapping[Ref, tuple[Record, Values]]) -> None:
        queue = self.deciding.queue(step.ref)
        record, values = known.get(step.ref, (None, {}))
        if queue is not None:
            record = queue.item(step.ref)
        match step:
            case SetFields(expected=expected) | TakeOut(expected=expected):
                as_it_was = record is not None and fits(values, expected)
            case SetTrash(trash=trash):
                as_it_was = record is not None and (record.state is State.TRASH) is not trash
            case PutBack():
                as_it_was = record is None
            case _:
                as_it_was = record is not None and record.state is step.expected
        if not as_it_was:
            raise UserError("undo.changed", ref=step.ref.text, store=str(step.ref.store))

    def take_together(
        self,
        store: StoreId,
        steps: Sequence[SmallStep],
        cancel: CancelToken | None,
        told: Callable[[], object],
    ) -> Iterator[list[Outcome]]:
        """As ``take`` of each, many in one transaction; it ends behind the first that fails."""

        def act(step: SmallStep) -> OneAct:
            if isinstance(step, SetTrash):
                refusal = self.refusal("trash" if step.trash else "restore", step.ref)
                return set_trash(Target(step.ref), refusal, trash=step.trash)
            return set_fields(step.ref, step.fields, INSIST, self.refusal("edit", step.ref))

        shelf = self._library.shelf(store)
        return in_chunks(shelf, steps, act, cancel, told, to_first_failure=True)

    def do_together(
        self,
        store: StoreId,
        targets: Sequence[Target],
        asked: tuple[str, Asked],
        cancel: CancelToken | None,
        told: Callable[[], object],
    ) -> Iterator[tuple[Ref, Outcome]]:
        """An act on records of one store, many in one transaction; what came of each.

        ``asked`` has its name for who may refuse it.
        """
        name, act = asked

        def make(target: Target) -> OneAct:
            return act(target, self.refusal(name, target.ref))

        try:
            shelf = self._library.shelf(store)
        except UserError as error:  # closed meanwhile
            for target in targets:
                yield target.ref, error
                told()
            return
        results = chain.from_iterable(in_chunks(shelf, targets, make, cancel, told))
        for result, target in zip(results, targets, strict=False):  # fewer when it is cancelled
            yield target.ref, result

    def take(self, step: Step) -> Done:
        """Do a step, after ``check``; its ``steps`` do the opposite."""
        match step:
            case SetFields(ref=ref, fields=fields):
                return self.edit(Edit(Target(ref), fields, INSIST))
            case SetTrash(ref=ref, trash=trash):
                return self.trash(Target(ref)) if trash else self.restore(Target(ref))
            case TakeOut(ref=ref):
                return self.delete(Target(ref))
            case PutBack(ref=ref, snapshot=snapshot, key=key):
                shelf = self._library.shelf(ref.store)
                again = shelf.change(lambda store: store.reinstate(snapshot, key=key))
                changes = self._write(shelf, again)
                return Done(changes, (TakeOut(ref, self.values(self.current(ref))),))
            case Redecide():
                return self.deciding.again(step)
            case Together():
                shelf = self._library.shelf(step.ref.store)
                done, opposite = shelf.change(lambda store: do_together(store, step))
                return Done(self._write(shelf, done), (opposite,))


def _records(store: Store, refs: Sequence[Ref]) -> dict[Ref, tuple[Record, Values]]:
    """Those that are there, with their values."""
    found = store.fetch(refs)
    return {one.ref: (one, dict(store.fields_of(one))) for one in found if one is not None}


def _instead(store: Store, instead: Target | None, act: Callable[[], ChangeSet]) -> ChangeSet:
    """Put ``instead`` into the trash and act, both or neither."""
    if instead is None:
        return act()
    with store.together():
        return store.trash(instead) | act()
