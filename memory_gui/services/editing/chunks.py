# SPDX-License-Identifier: MIT
"""Many records of one store written in one transaction, each by itself inside of it.

A transaction is bounded by number and by time, so that other programs get the file in between.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

from memory_gui.domain.changes import ChangeSet, Edit, Fields, Target, joined
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref
from memory_gui.domain.work import CancelToken, nobody_asks
from memory_gui.services.editing.ground import Done
from memory_gui.services.editing.together import edited, record_in, values_in
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.undo.steps import SetTrash
from memory_gui.stores.contract import Store

MOST: Final = 200
"""Records of one transaction."""
HELD_S: Final = 0.05
"""Seconds after which no other record is begun in it."""

T = TypeVar("T")

Outcome = Done | UserError
"""What an act on one record did, or why it did not."""


Asked = Callable[[Target, UserError | None], "OneAct"]
"""Makes the act on a record; with why it was refused, where it was."""


@dataclass(frozen=True, slots=True)
class OneAct:
    """An act on one record. ``do`` runs in the thread of the record's store."""

    ref: Ref
    do: Callable[[Store], Done]


def in_chunks(
    shelf: Shelf,
    wanted: Sequence[T],
    make: Callable[[T], OneAct],
    cancel: CancelToken | None = None,
    told: Callable[[], object] = nobody_asks,
    *,
    to_first_failure: bool = False,
) -> Iterator[list[Outcome]]:
    """Do acts on records of one store; what came of those of each transaction, once it is written.

    ``make`` makes an act right before its transaction. ``told`` is called for each record, behind
    its transaction. It ends before the last act when it is cancelled or, where that is wanted,
    behind the first failure.
    """
    at, most = 0, MOST
    while at < len(wanted) and not (cancel is not None and cancel.cancelled):
        some = [make(one) for one in wanted[at : at + most]]
        found = _done(shelf, some, cancel, first=to_first_failure)
        yield found
        for _ in found:
            told()
        if to_first_failure and isinstance(found[-1], UserError):
            return
        at += len(found)
        most = min(MOST, 2 * len(found))  # what there is no time for is not made for nothing


def _done(
    shelf: Shelf, acts: Sequence[OneAct], cancel: CancelToken | None, *, first: bool
) -> list[Outcome]:
    """One transaction, and memory as it leaves the file; a store that cannot be asked did none."""
    try:
        found = shelf.change(lambda store: _write(store, acts, cancel, first=first))
    except UserError as error:
        return [error] * len(acts)
    try:
        shelf.absorb(joined([one.changes for one in found if isinstance(one, Done)]))
    except UserError:
        shelf.reading.pace.wanted = True  # it is written: the next comparison has it in memory
    return found


def _write(
    store: Store, acts: Sequence[OneAct], cancel: CancelToken | None, *, first: bool
) -> list[Outcome]:
    """One transaction; where it cannot be begun or ended, none of its acts is done."""
    if not store.can_together:
        return [_tried(store, acts[0])]
    made: list[Outcome] = []
    try:
        with store.together():
            until = time.monotonic() + HELD_S
            for act in acts:
                made.append(_tried(store, act))
                if first and isinstance(made[-1], UserError):
                    break
                if time.monotonic() >= until or (cancel is not None and cancel.cancelled):
                    break
    except UserError as error:
        tried = made or [error] * len(acts)
        return [one if isinstance(one, UserError) else error for one in tried]
    return made


def _tried(store: Store, act: OneAct) -> Outcome:
    try:
        return act.do(store)
    except UserError as error:
        return error


# ---- acts, in the store's thread


def set_trash(target: Target, refusal: UserError | None, *, trash: bool) -> OneAct:
    """Trash or restore, unless that was refused."""

    def do(store: Store) -> Done:
        if refusal is not None:
            raise refusal
        changes = store.trash(target) if trash else store.restore(target)
        return Done(changes, (SetTrash(target.ref, trash=not trash),))

    return OneAct(target.ref, do)


def retag(
    target: Target, refusal: UserError | None, add: Collection[str], remove: Collection[str]
) -> OneAct:
    """Add and remove tags; nothing is written, or refused, where they are there already."""

    def do(store: Store) -> Done:
        record = record_in(store, target.ref)
        tags = retagged(record, add, remove)
        if tags == record.tags:
            return Done(ChangeSet())
        if refusal is not None:
            raise refusal
        return _edited(store, record, Edit(target, {"tags": tags}))

    return OneAct(target.ref, do)


def set_fields(
    ref: Ref, fields: Fields, despite: frozenset[str], refusal: UserError | None
) -> OneAct:
    """Give a record field values with which it stays where it is, unless that was refused."""

    def do(store: Store) -> Done:
        if refusal is not None:
            raise refusal
        return _edited(store, record_in(store, ref), Edit(Target(ref), fields, despite))

    return OneAct(ref, do)


def _edited(store: Store, record: Record, edit: Edit) -> Done:
    old = dict(store.fields_of(record))
    return edited(edit.target.ref, old, store.apply(edit), partial(values_in, store))


def retagged(record: Record, add: Collection[str], remove: Collection[str]) -> tuple[str, ...]:
    """A record's tags afterwards."""
    kept = [tag for tag in record.tags if tag not in remove]
    return tuple(dict.fromkeys([*kept, *add]))
