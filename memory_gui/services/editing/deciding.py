# SPDX-License-Identifier: MIT
"""Deciding on what waits for it: an approval may write the other database of the pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

from memory_gui.domain.changes import ChangeSet, Decision, Fields, ReviewPreview, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, State
from memory_gui.services.editing.ground import Done, Ground
from memory_gui.services.editing.together import back
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.undo.steps import Redecide, Step, TakeOut, Values
from memory_gui.stores.contract import Store

OWN: Final = "proposal"
"""The kind of an item of our own queue."""
_VERDICT_OF: Final = {State.APPROVED: Verdict.APPROVE, State.REJECTED: Verdict.REJECT}


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


class Deciding:
    """Deciding on single items. Any thread may call."""

    def __init__(self, library: Library, ground: Ground) -> None:
        self._library = library
        self._ground = ground
        self.own: OwnQueue | None = None

    def queue(self, ref: Ref) -> OwnQueue | None:
        """Our own queue, where an item waits in it."""
        return self.own if ref.kind == OWN else None

    def preview(self, ref: Ref, fields: Fields | None = None) -> ReviewPreview:
        """What approving would do; where the other database is missing it says so as a refusal."""
        shelf = self._library.shelf(ref.store)
        scope = (fields or {}).get("scope") or self._ground.current(ref).scope
        try:
            there = self._ground.home_of(shelf, scope if isinstance(scope, str) else None)
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
                groups.setdefault(self._ground.home_of(shelf, item.scope), []).append(ref)
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
        item = self._ground.current(ref)
        there, existing = shelf, None
        if decision.verdict is Verdict.APPROVE:
            scope = decision.fields.get("scope") or item.scope
            there = self._ground.home_of(shelf, scope if isinstance(scope, str) else None)
            existing = self.preview(ref, decision.fields).existing
            if existing is not None:
                self._ground.refuse("edit", existing.ref)  # it would get other words
        if insist and existing is not None:
            decision = replace(decision, replaces=existing.etag)
        replaced = None if existing is None else self._ground.values(existing)
        changes = shelf.with_other(there, lambda store, other: store.review(decision, other))
        for one in dict.fromkeys((shelf, there)):
            one.absorb(changes)
        again = Verdict.REOPEN if item.state is State.PENDING else _VERDICT_OF.get(item.state)
        after = self._ground.current(ref).state
        steps: list[Step] = [] if again is None else [Redecide(ref, after, again)]
        steps += self._memory_steps(changes, ref, existing, replaced)
        return Done(changes, tuple(steps))

    def may_decide(self, decision: Decision) -> None:
        """Raise what ``decide`` would; nothing is written."""
        queue = self.queue(decision.target.ref)
        if queue is not None:
            queue.may(decision)
            return
        shelf = self._library.shelf(decision.target.ref.store)
        there = shelf
        if decision.verdict is Verdict.APPROVE:
            scope = decision.fields.get("scope") or self._ground.current(decision.target.ref).scope
            there = self._ground.home_of(shelf, scope if isinstance(scope, str) else None)
        for one in dict.fromkeys((shelf, there)):
            one.may_write(despite_foreign="foreign" in decision.despite)
        shelf.with_other(there, lambda store, other: store.may_review(decision, other), write=False)

    def again(self, step: Redecide) -> Done:
        """Do such a step; its ``steps`` do the opposite."""
        ref, verdict = step.ref, step.verdict
        queue = self.queue(ref)
        if queue is None:
            despite = frozenset({"secret", "hidden", "conflict"})
            return self.decide(Decision(Target(ref), verdict, step.fields, despite), insist=True)
        again = Verdict.REOPEN
        if verdict is Verdict.REOPEN:
            again = _VERDICT_OF.get(queue.item(ref).state, verdict)
        changes = queue.turn(ref, verdict)
        return Done(changes, (Redecide(ref, queue.item(ref).state, again),))

    def _memory_steps(
        self, changes: ChangeSet, item: Ref, existing: Record | None, replaced: Values | None
    ) -> list[Step]:
        """What takes back the memories that an approval wrote."""
        steps: list[Step] = [
            TakeOut(ref, self._ground.values(self._ground.current(ref)))
            for ref in changes.added
            if ref.kind == "memory" and ref != item
        ]
        if existing is not None and replaced is not None and existing.ref in changes.changed:
            now = self._ground.values(self._ground.current(existing.ref))
            if now != replaced:
                steps.append(back(existing.ref, replaced, now))
        return steps
