# SPDX-License-Identifier: MIT
"""A key that only one record may have, wanted back while another has it: which, and the ways on.

Restoring, reopening and taking back may all meet it. Nothing is ever overwritten for it: either
the other record makes room (and can come back), or this one gets another key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import Final

from memory_gui.domain.changes import Fields, KeyHolder, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.services.editing.acts import Acts
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.undo.parts import Steps
from memory_gui.services.undo.steps import (
    OneStep,
    PutBack,
    Redecide,
    SetFields,
    SetTrash,
    Step,
    TakeOut,
    Together,
)
from memory_gui.stores.contract import Store

AT_ONCE: Final = 200
"""Steps that are looked at together."""
REVIEW: Final = "review"
TAKEN: Final = frozenset({"record.key_taken", "review.proposed_again"})
"""What is said where another record has the key."""


class Way(StrEnum):
    """What can be done about a clash."""

    SWAP = "swap"
    """The other one goes to the trash (a proposal: is rejected), this one takes its place."""
    BOTH = "both"
    """This one gets another key."""
    LEAVE = "leave"
    """This one stays where it is."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A way for one clash; ``key`` is the other key, for BOTH."""

    way: Way
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Clash:
    """A record (``ref``, with the values it would have) whose key another one has now.

    ``free`` is a key near it that nobody has. ``ways`` are those that can be taken.
    """

    ref: Ref
    fields: Fields = field(repr=False)
    holder: Record = field(repr=False)
    key: str = field(repr=False)
    free: str = field(repr=False)
    ways: tuple[Way, ...] = (Way.SWAP, Way.BOTH, Way.LEAVE)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a step would make of its record, and in which store."""

    shelf: Shelf
    kind: str
    fields: Fields = field(repr=False)
    ways: tuple[Way, ...] = (Way.SWAP, Way.BOTH, Way.LEAVE)


class Clashes:
    """Finds them, and turns a choice into steps. Any thread may call."""

    def __init__(self, library: Library, acts: Acts) -> None:
        self._library = library
        self._acts = acts

    def step_for(self, ref: Ref) -> Step:
        """What restoring a record, or reopening a proposal, is as a step.

        Raises:
            UserError: ``record.gone``.
        """
        if ref.kind == REVIEW:
            return Redecide(ref, self._acts.current(ref).state, Verdict.REOPEN)
        return SetTrash(ref, trash=False)

    def of(self, step: Step) -> Clash | None:
        """The clash that a step would meet now."""
        wanted = self._wanted(step)
        if wanted is None:
            return None
        holder = self._holder(wanted, step.ref)
        if holder is None:
            return None
        record = self._library.record(holder.ref)
        if record is None:
            return None
        return Clash(step.ref, wanted.fields, record, holder.key, holder.free, wanted.ways)

    def of_all(self, steps: Steps) -> tuple[Clash, ...]:
        """Those of several steps that are done one after the other.

        Holders that they are about make room by themselves.
        """
        return self.but_among([clash for some in pieces(steps) for clash in self.met(some)], steps)

    def met(self, steps: Sequence[Step]) -> list[Clash]:
        """Those of some steps, whatever the others are about."""
        free = self._free(steps)
        return [clash for step in steps if step.ref not in free and (clash := self.of(step))]

    def _free(self, steps: Sequence[Step]) -> set[Ref]:
        """The records that are restored and whose key nobody has: looked up together."""
        by_store: dict[StoreId, list[Ref]] = {}
        for step in steps:
            if isinstance(step, SetTrash) and not step.trash:
                by_store.setdefault(step.ref.store, []).append(step.ref)
        free: set[Ref] = set()
        for store, refs in by_store.items():
            free.update(self._library.shelf(store).screen(partial(_with_free_key, refs=refs)))
        return free

    @staticmethod
    def but_among(found: Sequence[Clash], steps: Steps) -> tuple[Clash, ...]:
        """Those whose holders do not make room by themselves, as the steps are about them."""
        held = {clash.holder.ref for clash in found}
        theirs = {step.ref for step in steps if step.ref in held} if held else held
        return tuple(clash for clash in found if clash.holder.ref not in theirs)

    def settled(self, step: Step, clash: Clash, choice: Choice) -> tuple[Step, ...]:
        """The steps that do what was chosen. One transaction, where one store is concerned.

        Raises:
            UserError: ``clash.changed`` when the clash is another one now; ``clash.way``.
        """
        if choice.way is Way.LEAVE:
            return ()
        now = self.of(step)
        if now is None:
            return (step,)  # the other one has made room meanwhile
        if (now.holder.ref, now.holder.etag) != (clash.holder.ref, clash.holder.etag):
            raise UserError("clash.changed", ref=step.ref.text)
        if choice.way not in now.ways or isinstance(step, Together | TakeOut):
            raise UserError("clash.way", ref=step.ref.text)
        if choice.way is Way.BOTH:
            return self._renamed(step, choice.key.strip() or now.free)
        return self._swapped(step, now)

    # ---- inside

    def _holder(self, wanted: _Wanted, ref: Ref) -> KeyHolder | None:
        return wanted.shelf.screen(
            lambda store: store.key_holder(wanted.kind, wanted.fields, but=ref)
        )

    def _wanted(self, step: Step) -> _Wanted | None:
        """What the step's record would be among the live ones; None where it would be none."""
        shelf = self._library.shelf(step.ref.store)
        match step:
            case PutBack(ref=ref, live=live) if live:
                return _Wanted(shelf, ref.kind, live)
            case SetTrash(ref=ref, trash=False):
                return _Wanted(shelf, ref.kind, self._acts.values(self._acts.current(ref)))
            case Redecide(ref=ref, verdict=Verdict.REOPEN) if ref.kind == REVIEW:
                return self._reopened(shelf, ref)
            case SetFields(ref=ref, fields=fields) if {"key", "title", "scope"} & set(fields):
                return self._renaming(shelf, ref, fields)
        return None

    def _reopened(self, shelf: Shelf, ref: Ref) -> _Wanted:
        record = self._acts.current(ref)
        values = self._acts.values(record)
        if record.state is not State.REJECTED:  # approved again it must find its own key
            return _Wanted(shelf, ref.kind, values, (Way.SWAP, Way.LEAVE))
        return _Wanted(shelf, ref.kind, values)

    def _renaming(self, shelf: Shelf, ref: Ref, fields: Fields) -> _Wanted | None:
        record = self._acts.current(ref)
        if record.state is not State.LIVE:
            return None
        scope = fields.get("scope")
        there = self._acts.home_of(shelf, scope) if isinstance(scope, str) else shelf
        return _Wanted(there, ref.kind, {**self._acts.values(record), **fields})

    def _renamed(self, step: OneStep, key: str) -> tuple[Step, ...]:
        match step:
            case PutBack(live=live):
                return (replace(step, key=key, live={**live, "key": key}),)
            case SetFields(fields=fields):
                return (replace(step, fields={**fields, "key": key}),)
            case Redecide():
                return (Together(step.ref, (replace(step, fields={"key": key}),)),)
        values = self._acts.values(self._acts.current(step.ref))
        rename = SetFields(step.ref, expected=values, fields={"key": key})
        return (Together(step.ref, (rename, step)),)

    @staticmethod
    def _swapped(step: OneStep, clash: Clash) -> tuple[Step, ...]:
        holder = clash.holder.ref
        room: OneStep = SetTrash(holder, trash=True)
        approved = isinstance(step, Redecide) and step.expected is State.APPROVED
        if isinstance(step, Redecide):
            room = Redecide(holder, State.PENDING, Verdict.REJECT)
        if holder.store != step.ref.store or approved:
            return (room, step)  # two stores: a kill in between leaves the other one in the trash
        return (Together(step.ref, (room, step)),)


def pieces(steps: Steps) -> Iterator[tuple[Step, ...]]:
    """The steps in their order, some at a time."""
    every = iter(steps)
    while some := tuple(islice(every, AT_ONCE)):
        yield some


def _with_free_key(store: Store, refs: Sequence[Ref]) -> list[Ref]:
    found = [record for record in store.fetch(refs) if record is not None]
    return [
        one.ref
        for one in found
        if store.key_holder(one.ref.kind, store.fields_of(one), but=one.ref) is None
    ]
