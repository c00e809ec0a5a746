# SPDX-License-Identifier: MIT
"""Steps of one store done as one transaction. Runs in the store's own thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from memory_gui.domain.changes import ChangeSet, Decision, Edit, Fields, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, State
from memory_gui.services.editing.ground import Done
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
)
from memory_gui.stores.contract import Store

INSIST: Final = frozenset({"secret", "subject"})
"""What a step is done despite: the values were there before."""


def do_together(store: Store, step: Together) -> tuple[ChangeSet, Together]:
    """Do the steps, all or none; what was touched, and the steps that take it back.

    Raises:
        UserError: as the acts do; then nothing is written.
    """
    changes = ChangeSet()
    opposites: list[OneStep] = []
    with store.together():
        for one in step.steps:
            touched, opposite = _do(store, one)
            changes |= touched
            opposites.append(opposite)
    return changes, Together(step.ref, tuple(reversed(opposites)))


def back(ref: Ref, old: Values, new: Values) -> SetFields:
    """The step from ``new`` to ``old``: only the fields that differ are given."""
    changed = {name: value for name, value in old.items() if new.get(name) != value}
    return SetFields(ref, expected=dict(new), fields=changed)


def swapped(step: OneStep, instead: Target | None) -> Step:
    """What takes both back: the step, and that ``instead`` went to the trash for it."""
    if instead is None:
        return step
    return Together(step.ref, (step, SetTrash(instead.ref, trash=False)))


def edited(
    ref: Ref,
    old: Values,
    changes: ChangeSet,
    values_of: Callable[[Ref], Values],
    instead: Target | None = None,
) -> Done:
    """What an edit did that was made; ``values_of`` tells what there is now."""
    now = named_now(ref, changes)
    if now.kind != ref.kind:
        # A mended line is a record of its own kind now: no edit of that gives the line back.
        return Done(changes, moved=(ref, now))
    new = values_of(now)
    steps = (swapped(back(now, old, new), instead),) if old != new else ()
    return Done(changes, steps, moved=None if now == ref else (ref, now))


def named_now(ref: Ref, changes: ChangeSet) -> Ref:
    """What an edited record is named now: its key may be among what was edited."""
    if ref not in changes.removed:
        return ref
    same = (one for one in changes.added if one.kind == ref.kind)
    return next(same, changes.added[0] if changes.added else ref)


def record_in(store: Store, ref: Ref) -> Record:
    """The record as it is now. Raises UserError ``record.gone``."""
    found = store.fetch([ref])[0]
    if found is None:
        raise UserError("record.gone", ref=ref.text)
    return found


def values_in(store: Store, ref: Ref) -> Values:
    """Its values by the names that an edit takes. Raises as ``record_in``."""
    return dict(store.fields_of(record_in(store, ref)))


def _do(store: Store, step: OneStep) -> tuple[ChangeSet, OneStep]:
    match step:
        case SetTrash(ref=ref, trash=trash):
            act = store.trash if trash else store.restore
            return act(Target(ref)), SetTrash(ref, trash=not trash)
        case SetFields(ref=ref, fields=fields):
            old = values_in(store, ref)
            touched = store.apply(Edit(Target(ref), fields, INSIST))
            return touched, back(ref, old, values_in(store, ref))
        case TakeOut(ref=ref):
            record = record_in(store, ref)
            snapshot = store.snapshot([ref])
            live = dict(store.fields_of(record)) if record.state is State.LIVE else {}
            return store.delete(Target(ref)), PutBack(ref, snapshot, live)
        case PutBack(ref=ref, snapshot=snapshot, key=key):
            touched = store.reinstate(snapshot, key=key)
            return touched, TakeOut(ref, values_in(store, ref))
        case Redecide():
            return _decide(store, step)


def _decide(store: Store, step: Redecide) -> tuple[ChangeSet, Redecide]:
    """Reject or reopen; approving is about two stores, and never stands here."""
    before = record_in(store, step.ref)
    touched = store.review(Decision(Target(step.ref), step.verdict, step.fields), None)
    again = Verdict.REOPEN if before.state is State.PENDING else Verdict.REJECT
    fields: Fields = {"key": store.fields_of(before)["key"]} if "key" in step.fields else {}
    return touched, Redecide(step.ref, record_in(store, step.ref).state, again, fields)
