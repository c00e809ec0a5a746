# SPDX-License-Identifier: MIT
"""Steps of one store done as one transaction. Runs in the store's own thread."""

from __future__ import annotations

from typing import Final

from memory_gui.domain.changes import ChangeSet, Decision, Edit, Fields, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, State
from memory_gui.services.undo.steps import (
    OneStep,
    PutBack,
    Redecide,
    SetFields,
    SetTrash,
    TakeOut,
    Together,
    Values,
)
from memory_gui.stores.contract import Store

_INSIST: Final = frozenset({"secret"})


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


def _do(store: Store, step: OneStep) -> tuple[ChangeSet, OneStep]:
    match step:
        case SetTrash(ref=ref, trash=trash):
            act = store.trash if trash else store.restore
            return act(Target(ref)), SetTrash(ref, trash=not trash)
        case SetFields(ref=ref, fields=fields):
            old = _values(store, ref)
            touched = store.apply(Edit(Target(ref), fields, _INSIST))
            return touched, back(ref, old, _values(store, ref))
        case TakeOut(ref=ref):
            record = _record(store, ref)
            snapshot = store.snapshot([ref])
            live = dict(store.fields_of(record)) if record.state is State.LIVE else {}
            return store.delete(Target(ref)), PutBack(ref, snapshot, live)
        case PutBack(ref=ref, snapshot=snapshot, key=key):
            touched = store.reinstate(snapshot, key=key)
            return touched, TakeOut(ref, _values(store, ref))
        case Redecide():
            return _decide(store, step)


def _decide(store: Store, step: Redecide) -> tuple[ChangeSet, Redecide]:
    """Reject or reopen; approving is about two stores, and never stands here."""
    before = _record(store, step.ref)
    touched = store.review(Decision(Target(step.ref), step.verdict, step.fields), None)
    again = Verdict.REOPEN if before.state is State.PENDING else Verdict.REJECT
    fields: Fields = {"key": store.fields_of(before)["key"]} if "key" in step.fields else {}
    return touched, Redecide(step.ref, _record(store, step.ref).state, again, fields)


def _record(store: Store, ref: Ref) -> Record:
    found = store.fetch([ref])[0]
    if found is None:
        raise UserError("record.gone", ref=ref.text)
    return found


def _values(store: Store, ref: Ref) -> Values:
    return dict(store.fields_of(_record(store, ref)))
