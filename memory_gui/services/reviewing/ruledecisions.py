# SPDX-License-Identifier: MIT
"""What rules of review decided: the list of it, and taking it back."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from memory_gui.domain.changes import ChangeSet, Decision, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.ledger.reviewrules import BEGUN, DONE, TAKEN_BACK, ByRule, Rule
from memory_gui.services.editing.acts import Acts
from memory_gui.services.editing.editing import Editing
from memory_gui.services.editing.ground import Done
from memory_gui.services.library.library import Library
from memory_gui.services.reviewing.review import Review
from memory_gui.services.reviewing.rulebook import RuleBook
from memory_gui.services.values import BulkResult

_STALE: Final = timedelta(seconds=60)
"""A decision that is begun for longer was stopped."""


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision of a rule. ``title`` is empty when the item is gone, ``rule`` None likewise."""

    act: ByRule
    ref: Ref
    title: str = field(repr=False, default="")
    rule: Rule | None = None

    @property
    def can_be_taken_back(self) -> bool:
        """Whether it stands, and its item is there."""
        return self.act.state == DONE and bool(self.title)


class RuleDecisions:
    """Any thread."""

    def __init__(
        self, library: Library, review: Review, acts: Acts, editing: Editing, book: RuleBook
    ) -> None:
        self._library = library
        self._review = review
        self._acts = acts
        self._editing = editing
        self._book = book

    def settle(self, store: StoreId) -> None:
        """Find out what became of decisions that a stop left unsettled."""
        rows = self._book.rows()
        for act in () if rows is None else rows.decided(self._book.name(store)):
            assert rows is not None  # noqa: S101 - looked at above
            if act.state != BEGUN or not _is_stale(act.at):
                continue
            item = self._review.look_up([Ref(store, act.kind, (act.item,))])
            if all(one.state is State.PENDING for one in item.values()):
                rows.drop(act.number)
            else:
                rows.settle(act.number, DONE)

    def list(self, store: StoreId) -> tuple[Decided, ...]:
        """What the rules of a store decided, the last one first."""
        rows = self._book.rows()
        if rows is None:
            return ()
        self.settle(store)
        rules = {one.id: one for one in self._book.of(store)}
        acts = rows.decided(self._book.name(store))
        refs = [Ref(store, act.kind, (act.item,)) for act in acts]
        items = self._review.look_up(refs)
        return tuple(
            Decided(act, ref, _title(items.get(ref)), rules.get(act.rule))
            for act, ref in zip(acts, refs, strict=True)
        )

    def take_back(
        self,
        store: StoreId,
        numbers: Collection[int],
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Let items wait again that rules decided; a memory that was added goes to the trash.

        Undoable, as one act. Failures are listed: ``rules.gone``, ``rules.memory_changed``,
        ``review.*``.
        """
        rows = self._book.made()
        wanted = {one.number: one for one in rows.decided(self._book.name(store))}
        acts = [wanted[number] for number in numbers if number in wanted]
        by_ref = {Ref(store, act.kind, (act.item,)): act for act in acts if act.state == DONE}

        def back(target: Target) -> Done:
            done = self._back(by_ref[target.ref], target)
            rows.settle(by_ref[target.ref].number, TAKEN_BACK)
            return done

        result = self._editing.each("reopen", [Target(ref) for ref in by_ref], back, tick, cancel)
        self._review.opened_again([ref for ref in result.changes.refs if ref in by_ref])
        return result

    def _back(self, act: ByRule, target: Target) -> Done:
        item = self._review.look_up([target.ref]).get(target.ref)
        if item is None:
            raise UserError("rules.gone", ref=target.ref.text)
        memory = self._memory(target.ref.store, act.memory) if act.memory else None
        gone = Done(ChangeSet())
        if memory is not None and memory.state is State.LIVE:
            if memory.text != item.text:
                raise UserError("rules.memory_changed", ref=target.ref.text, memory=memory.ref.text)
            gone = self._acts.trash(Target(memory.ref, memory.etag))
        opened = self._review.take(Decision(Target(target.ref, item.etag), Verdict.REOPEN))
        # To undo it the memory comes back first: approving then finds it, and adds no second one.
        return Done(gone.changes | opened.changes, (*gone.steps, *opened.steps))

    def _memory(self, store: StoreId, ident: str) -> Record | None:
        shelf = self._library.shelf(store)
        partner = self._library.partner_of(shelf)
        for one in (shelf, *(() if partner is None else (partner,))):
            found = self._library.record(Ref(one.id, one.info.kinds[0], (ident,)))
            if found is not None:
                return found
        return None


def _title(item: Record | None) -> str:
    return "" if item is None else item.title or item.text or item.ref.text


def _is_stale(at: str) -> bool:
    try:
        return datetime.now(UTC) - datetime.fromisoformat(at) > _STALE
    except ValueError:
        return True
