# SPDX-License-Identifier: MIT
"""Decisions in memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fakes.records import PROJECT
from memory_gui.domain.changes import (
    ChangeSet,
    Decision,
    Outcome,
    ReviewPreview,
    Verdict,
)
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.services import BulkResult
from memory_gui.services.agent.outlook import Outlook, Sight
from memory_gui.services.reviewing.review import Queued

if TYPE_CHECKING:
    from fake_services import FakeServices


class FakeReview:
    """Decides by changing states."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.previews: dict[Ref, ReviewPreview] = {}
        self.own: tuple[Record, ...] = ()

    def items(
        self, stores: Collection[StoreId] = (), states: Collection[State] = (State.PENDING,)
    ) -> list[Record]:
        query = Query(
            stores=frozenset(stores), kinds=frozenset({"review"}), states=frozenset(states)
        )
        found = [one for one in self._fake.library.records.values() if query.matches(one)]
        return [*found, *(one for one in self.own if one.state in states)]

    def preview(self, ref: Ref, fields: Any = None) -> ReviewPreview:
        if ref in self.previews:
            return self.previews[ref]
        item = self._fake.library.records[ref]
        fields = {"title": item.title, "text": item.text, "key": item.title, "tags": item.tags}
        return ReviewPreview(item, Outcome.NEW, fields, PROJECT)

    def queue(
        self,
        states: Collection[State] = (State.PENDING,),
        near: Ref | None = None,
        store: StoreId | None = None,
    ) -> Queued:
        found = [one for one in self.items(states=states) if store in (None, one.ref.store)]
        return Queued(tuple(one.ref for one in found), {one.ref: one for one in found})

    def waiting(self, text: str = "", *, rejected_before: bool = False, **kwargs: Any) -> list[Ref]:
        states = kwargs.get("states", (State.PENDING,))
        refs = [
            one.ref for one in self.items(states=states) if text.casefold() in one.text.casefold()
        ]
        if rejected_before:
            refs = [ref for ref in refs if self.preview(ref).rejected_at]
        return refs

    def previews_of(self, refs: Sequence[Ref], **kwargs: Any) -> list[ReviewPreview]:
        return [self.preview(ref) for ref in refs]

    def would(self, decisions: Sequence[Decision], **kwargs: Any) -> BulkResult:
        refs = [one.target.ref for one in decisions]
        refusals = [(ref, self.preview(ref).refusal) for ref in refs]
        failed = tuple((ref, UserError(code)) for ref, code in refusals if code)
        return BulkResult(done=len(refs) - len(failed), failed=failed)

    def outlook(self, seen: ReviewPreview) -> Outlook | None:
        if seen.item.state is State.REJECTED:
            return Outlook(Sight.NEVER, "rejected")
        return Outlook(Sight.ALWAYS if seen.item.scope == "user" else Sight.RECALL)

    def sight(self, item: Record) -> Outlook | None:
        if item.kind != "memory":
            return None
        if item.state is State.TRASH:
            return Outlook(Sight.NEVER, "trash")
        return Outlook(Sight.ALWAYS if item.scope == "user" else Sight.RECALL)

    def with_evidence(self, store: StoreId | None = None) -> tuple[Ref, ...]:
        decided = self.items(states=(State.APPROVED, State.REJECTED))
        return tuple(one.ref for one in decided if one.extra.get("evidence"))

    def decide(self, decision: Decision) -> BulkResult:
        self._fake.note("decide", decision)
        states = {
            Verdict.APPROVE: State.APPROVED,
            Verdict.REJECT: State.REJECTED,
            Verdict.REOPEN: State.PENDING,
        }
        ref = decision.target.ref
        self._fake.editing._keep(decision.verdict.value, [ref])
        self._fake.library.put(
            replace(self._fake.library.records[ref], state=states[decision.verdict])
        )
        return BulkResult(ChangeSet(changed=(ref,)), 1)

    def decide_all(self, decisions: Sequence[Decision], **kwargs: Any) -> BulkResult:
        changes = ChangeSet()
        for decision in decisions:
            changes |= self.decide(decision).changes
        return BulkResult(changes, len(decisions))
