# SPDX-License-Identifier: MIT
"""Single acts on single records, each with the steps that take it back. No undo stack here.

Every act is one transaction of one store, except a move: add there, read back, delete here. A
move that was stopped between the two leaves the record in both; done again it is finished.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from memory_gui.domain.changes import (
    Capability,
    ChangeSet,
    Decision,
    Edit,
    Fields,
    NewRecord,
    ReviewPreview,
    Target,
    Verdict,
)
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Record, Ref, State
from memory_gui.services.editing.together import back, do_together
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
)
from memory_gui.stores.contract import Store

OWN: Final = "proposal"
"""The kind of an item of our own queue."""
_VERDICT_OF: Final = {State.APPROVED: Verdict.APPROVE, State.REJECTED: Verdict.REJECT}
_ROLE_OF_SCOPE: Final[Mapping[str, str]] = {"project": "project", "user": "user"}


@dataclass(frozen=True, slots=True)
class Done:
    """What an act did, and how to take it back. ``moved`` is (old ref, new ref)."""

    changes: ChangeSet
    steps: tuple[Step, ...] = ()
    moved: tuple[Ref, Ref] | None = None


class OwnQueue(Protocol):
    """Items that wait in no store: those of our own queue."""

    def item(self, ref: Ref) -> Record:
        """One of them. Raises UserError ``record.gone``."""
        ...

    def turn(self, ref: Ref, verdict: Verdict) -> ChangeSet:
        """Give it that state; nothing else is written."""
        ...

    def may(self, decision: Decision) -> object:
        """Raise what deciding would; nothing is written."""
        ...


class Acts:
    """The acts. Any thread may call."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.own: OwnQueue | None = None
        self._refuse: Callable[[str, Ref], object] = lambda _act, _ref: None

    def refuse_with(self, refuse: Callable[[str, Ref], object]) -> None:
        """Ask before an act on a record; it raises where that must stay as it is."""
        self._refuse = refuse

    def _redecide(self, step: Redecide) -> Done:
        ref, verdict = step.ref, step.verdict
        if ref.kind != OWN or self.own is None:
            despite = frozenset({"secret", "hidden", "conflict"})
            return self.decide(Decision(Target(ref), verdict, step.fields, despite), insist=True)
        again = Verdict.REOPEN
        if verdict is Verdict.REOPEN:
            again = _VERDICT_OF.get(self.own.item(ref).state, verdict)
        changes = self.own.turn(ref, verdict)
        return Done(changes, (Redecide(ref, self.own.item(ref).state, again),))

    # ---- reading what is there

    def target(self, wanted: Ref | Target) -> Target:
        """A Ref with the etag of the record as the app last read it."""
        if isinstance(wanted, Target):
            return wanted
        shelf = self._library.shelf(wanted.store)
        return Target(wanted, shelf.etag(wanted) if shelf.reading.begun else None)

    def current(self, ref: Ref) -> Record:
        """The record now. Raises UserError ``record.gone``."""
        record = self._library.record(ref)
        if record is None:
            raise UserError("record.gone", ref=ref.text)
        return record

    def values(self, record: Record) -> Values:
        """The record's values by the names that an edit takes."""
        shelf = self._library.shelf(record.ref.store)
        return dict(shelf.screen(lambda store: store.fields_of(record)))

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
            _swapped(TakeOut(ref, self.values(self.current(ref))), instead)
            for ref in changes.added
            if ref.kind == new.kind
        ]
        return Done(changes, tuple(steps))

    def edit(self, edit: Edit, instead: Target | None = None) -> Done:
        """Change fields; a new scope moves the record.

        ``instead`` goes to the trash: in the same transaction, or before a move in one of its own.
        """
        ref = edit.target.ref
        self._refuse("edit", ref)
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
        now = _named_now(ref, changes)
        if now.kind != ref.kind:
            # A mended line is a record of its own kind now: no edit of that gives the line back.
            return Done(changes, moved=(ref, now))
        new = self.values(self.current(now))
        steps = (_swapped(back(now, old, new), instead),) if old != new else ()
        return Done(changes, steps, moved=None if now == ref else (ref, now))

    def trash(self, target: Target) -> Done:
        """Out of the agent's sight."""
        self._refuse("trash", target.ref)
        shelf = self._library.shelf(target.ref.store)
        changes = self._write(shelf, shelf.change(lambda store: store.trash(target)))
        return Done(changes, (SetTrash(target.ref, trash=False),))

    def restore(self, target: Target) -> Done:
        """Back into the agent's sight."""
        self._refuse("restore", target.ref)
        shelf = self._library.shelf(target.ref.store)
        changes = self._write(shelf, shelf.change(lambda store: store.restore(target)))
        return Done(changes, (SetTrash(target.ref, trash=True),))

    def delete(self, target: Target) -> Done:
        """Take the row out; the snapshot for undo is taken just before."""
        self._refuse("delete", target.ref)
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
        self._refuse(act, target.ref)
        if act == "delete":
            self._must_be_trashed(target.ref)
        shelf.screen(lambda store: store.may(act, target, fields))

    def _refuse_instead(self, instead: Target | None) -> None:
        if instead is not None:
            self._refuse("trash", instead.ref)

    # ---- deciding

    def preview(self, ref: Ref, fields: Fields | None = None) -> ReviewPreview:
        """What approving would do; where the other database is missing it says so as a refusal."""
        shelf = self._library.shelf(ref.store)
        scope = (fields or {}).get("scope") or self.current(ref).scope
        try:
            there = self.home_of(shelf, scope if isinstance(scope, str) else None)
        except UserError as error:
            seen = shelf.screen(lambda store: store.preview(ref, None, fields))
            return replace(seen, refusal=seen.refusal or error.code)
        return shelf.with_other(
            there, lambda store, other: store.preview(ref, other, fields), write=False
        )

    def previews(self, refs: Sequence[Ref]) -> list[ReviewPreview]:
        """As ``preview``, of several that wait in one store; those that are gone are left out.

        The other database is opened once for all that go there.
        """
        found: dict[Ref, ReviewPreview] = {}
        groups: dict[Shelf, list[Ref]] = {}
        for ref, item in self._library.records(refs).items():
            shelf = self._library.shelf(ref.store)
            if item is None:
                continue
            try:
                groups.setdefault(self.home_of(shelf, item.scope), []).append(ref)
            except UserError:
                found[ref] = self.preview(ref)
        for there, mine in groups.items():
            shelf = self._library.shelf(mine[0].store)

            def look(store: Store, other: Store, mine: list[Ref] = mine) -> list[ReviewPreview]:
                return [store.preview(ref, other, None) for ref in mine]

            found.update(zip(mine, shelf.with_other(there, look, write=False), strict=True))
        return [found[ref] for ref in refs if ref in found]

    def decide(self, decision: Decision, *, insist: bool = False) -> Done:
        """Decide on one review item. ``insist`` replaces whatever memory is there now."""
        ref = decision.target.ref
        shelf = self._library.shelf(ref.store)
        item = self.current(ref)
        there, existing = shelf, None
        if decision.verdict is Verdict.APPROVE:
            scope = decision.fields.get("scope") or item.scope
            there = self.home_of(shelf, scope if isinstance(scope, str) else None)
            existing = self.preview(ref, decision.fields).existing
            if existing is not None:
                self._refuse("edit", existing.ref)  # it would get other words
        if insist and existing is not None:
            decision = replace(decision, replaces=existing.etag)
        replaced = None if existing is None else self.values(existing)
        changes = shelf.with_other(there, lambda store, other: store.review(decision, other))
        for one in dict.fromkeys((shelf, there)):
            one.absorb(changes)
        again = Verdict.REOPEN if item.state is State.PENDING else _VERDICT_OF.get(item.state)
        after = self.current(ref).state
        steps: list[Step] = [] if again is None else [Redecide(ref, after, again)]
        steps += self._memory_steps(changes, ref, existing, replaced)
        return Done(changes, tuple(steps))

    def may_decide(self, decision: Decision) -> None:
        """Raise what ``decide`` would; nothing is written."""
        if decision.target.ref.kind == OWN and self.own is not None:
            self.own.may(decision)
            return
        shelf = self._library.shelf(decision.target.ref.store)
        there = shelf
        if decision.verdict is Verdict.APPROVE:
            scope = decision.fields.get("scope") or self.current(decision.target.ref).scope
            there = self.home_of(shelf, scope if isinstance(scope, str) else None)
        for one in dict.fromkeys((shelf, there)):
            one.may_write(despite_foreign="foreign" in decision.despite)
        shelf.with_other(there, lambda store, other: store.may_review(decision, other), write=False)

    def _memory_steps(
        self, changes: ChangeSet, item: Ref, existing: Record | None, replaced: Values | None
    ) -> list[Step]:
        """What takes back the memories that an approval wrote."""
        steps: list[Step] = [
            TakeOut(ref, self.values(self.current(ref)))
            for ref in changes.added
            if ref.kind == "memory" and ref != item
        ]
        if existing is not None and replaced is not None and existing.ref in changes.changed:
            now = self.values(self.current(existing.ref))
            if now != replaced:
                steps.append(back(existing.ref, replaced, now))
        return steps

    # ---- where a record belongs

    def home_of(self, shelf: Shelf, scope: str | None) -> Shelf:
        """The database of the pair that a scope belongs to.

        Raises:
            UserError: ``pair.needed`` when that one is not open; never the wrong one instead.
        """
        role = _ROLE_OF_SCOPE.get(scope or "")
        if role is None or shelf.info.role in {role, "alone"}:
            return shelf
        partner = self._library.partner_of(shelf)
        if partner is None:
            problem = shelf.problem
            raise UserError(
                "pair.needed", scope=scope, reason="" if problem is None else problem.code
            )
        return partner

    def _move(self, edit: Edit, before: Record, here: Shelf, there: Shelf) -> Done:
        """Add there, read back, change the other fields there, delete here."""
        ref = edit.target.ref
        if edit.target.etag is not None and edit.target.etag != before.etag:
            raise UserError("record.changed", ref=ref.text)
        self._refuse("delete", ref)  # what must stay would be under another name
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

    def check(self, step: Step) -> None:
        """Whether a step still finds what it expects. Raises UserError ``undo.changed``."""
        if isinstance(step, Together):
            for one in step.steps:
                self.check(one)
            return
        own = step.ref.kind == OWN and self.own is not None
        record = self.own.item(step.ref) if own and self.own else self._library.record(step.ref)
        match step:
            case SetFields(expected=expected) | TakeOut(expected=expected):
                as_it_was = record is not None and fits(self.values(record), expected)
            case SetTrash(trash=trash):
                as_it_was = record is not None and (record.state is State.TRASH) is not trash
            case PutBack():
                as_it_was = record is None
            case _:
                as_it_was = record is not None and record.state is step.expected
        if not as_it_was:
            raise UserError("undo.changed", ref=step.ref.text, store=str(step.ref.store))

    def take(self, step: Step) -> Done:
        """Do a step, after ``check``; its ``steps`` do the opposite."""
        match step:
            case SetFields(ref=ref, fields=fields):
                return self.edit(Edit(Target(ref), fields, frozenset({"secret", "subject"})))
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
                return self._redecide(step)
            case Together():
                shelf = self._library.shelf(step.ref.store)
                done, opposite = shelf.change(lambda store: do_together(store, step))
                return Done(self._write(shelf, done), (opposite,))


def _named_now(ref: Ref, changes: ChangeSet) -> Ref:
    """What an edited record is named now: its key may be among what was edited."""
    if ref not in changes.removed:
        return ref
    same = (one for one in changes.added if one.kind == ref.kind)
    return next(same, changes.added[0] if changes.added else ref)


def _instead(store: Store, instead: Target | None, act: Callable[[], ChangeSet]) -> ChangeSet:
    """Put ``instead`` into the trash and act, both or neither."""
    if instead is None:
        return act()
    with store.together():
        return store.trash(instead) | act()


def _swapped(step: OneStep, instead: Target | None) -> Step:
    """What takes both back."""
    if instead is None:
        return step
    return Together(step.ref, (step, SetTrash(instead.ref, trash=False)))
