# SPDX-License-Identifier: MIT
"""Deciding what the agent proposed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from memory_gui.domain.changes import Decision, Fields, NewRecord, ReviewPreview, Target
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.acts import Acts, Done
from memory_gui.services.editing import Editing, tried
from memory_gui.services.library import Library
from memory_gui.services.values import BulkResult

KIND = "review"


class Review:
    """The queue. Any thread may call."""

    def __init__(self, library: Library, acts: Acts, editing: Editing) -> None:
        self._library = library
        self._acts = acts
        self._editing = editing

    def items(
        self, stores: Collection[StoreId] = (), states: Collection[State] = (State.PENDING,)
    ) -> list[Record]:
        """The review items, oldest first."""
        query = Query(stores=frozenset(stores), kinds=frozenset({KIND}), states=frozenset(states))
        found = self._library.window(self._library.search(query, "created").ids)
        return [record for record in found if record is not None]

    def preview(self, ref: Ref, fields: Fields | None = None) -> ReviewPreview:
        """What approving would do, with what it would replace.

        ``fields`` are corrections; a corrected scope is looked up in that scope's database.
        """
        return self._acts.preview(ref, fields)

    def decide(self, decision: Decision) -> BulkResult:
        """Approve, reject or reopen one item. Undoable.

        Raises:
            UserError: ``record.changed``, ``review.*``, ``pair.needed``.
        """
        result = self.decide_all([decision])
        if result.failed:
            raise result.failed[0][1]
        return result

    def decide_all(
        self,
        decisions: Sequence[Decision],
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Several, each on its own; failures are listed."""
        by_ref = {decision.target.ref: decision for decision in decisions}
        verdict = decisions[0].verdict.value if decisions else "review"

        def decide(target: Target) -> Done:
            return self._acts.decide(replace(by_ref[target.ref], target=target))

        targets = [decision.target for decision in decisions]
        return self._editing.each(verdict, targets, decide, tick, cancel)

    def would(
        self, decisions: Sequence[Decision], *, cancel: CancelToken | None = None
    ) -> BulkResult:
        """What ``decide_all`` would do, by its own checks; nothing is written."""
        by_ref = {decision.target.ref: decision for decision in decisions}
        targets = [self._acts.target(one.target) for one in by_ref.values()]

        def look(target: Target) -> None:
            self._acts.may_decide(replace(by_ref[target.ref], target=target))

        return tried(targets, look, cancel)

    def propose(self, store: StoreId, new: NewRecord) -> BulkResult:
        """Put a record in the queue instead of among the memories.

        Raises:
            UserError: ``record.*``, ``store.cannot``.
        """
        return self._editing.add(store, replace(new, kind=KIND))
