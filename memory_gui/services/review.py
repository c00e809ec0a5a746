# SPDX-License-Identifier: MIT
"""Deciding what the agent proposed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memory_gui.domain.changes import Decision, NewRecord, ReviewPreview
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.values import BulkResult


class Review:
    """The queue. Any thread may call."""

    def items(
        self, stores: Collection[StoreId] = (), states: Collection[State] = (State.PENDING,)
    ) -> list[Record]:
        """The review items, oldest first."""
        raise NotImplementedError

    def preview(self, ref: Ref) -> ReviewPreview:
        """What approving would do, with what it would replace."""
        raise NotImplementedError

    def decide(self, decision: Decision) -> BulkResult:
        """Approve, reject or reopen one item. Undoable.

        Raises:
            UserError: ``record.changed``, ``review.*``, ``pair.needed``.
        """
        raise NotImplementedError

    def decide_all(
        self,
        decisions: Sequence[Decision],
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Several, each on its own; failures are listed."""
        raise NotImplementedError

    def propose(self, store: StoreId, new: NewRecord) -> BulkResult:
        """Put a record in the queue instead of among the memories."""
        raise NotImplementedError
