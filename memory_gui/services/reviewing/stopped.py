# SPDX-License-Identifier: MIT
"""Decisions over several proposals that a kill stopped: going on with them, or taking them back.

Going on looks at each again: what the agent changed since, nobody has seen, so it is left. Taking
an approval back puts the memory that it added into the trash first and lets the item wait then: a
stop between the two is finished by taking back once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from memory_gui.domain.changes import ChangeSet, Decision, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.ledger.begun import BegunAct, BegunActs
from memory_gui.services.activity.journal import Journal
from memory_gui.services.editing.acts import Acts
from memory_gui.services.editing.deciding import OWN
from memory_gui.services.editing.editing import Editing
from memory_gui.services.editing.ground import Done
from memory_gui.services.editing.stopped import UNAPPROVE, StoppedAct
from memory_gui.services.library.library import Library
from memory_gui.services.reviewing.bulk import plan_bulk
from memory_gui.services.reviewing.review import Review
from memory_gui.services.reviewing.story import Stories
from memory_gui.services.values import BulkResult

ACTS: Final = frozenset({*(str(verdict.value) for verdict in Verdict), UNAPPROVE})
"""The acts that are decisions."""
BACK: Final = frozenset({Verdict.APPROVE.value, Verdict.REJECT.value})
"""Those that can be taken back as one."""
_LEAVES: Final = {Verdict.APPROVE.value: State.APPROVED, Verdict.REJECT.value: State.REJECTED}
"""The state that an act leaves its items in."""
_NAMED: Final = 200
"""So many of what a killed act decided are written down by name, as of any act."""
_BY_APPROVAL: Final = "crystallized"
"""The source of a memory that an approval has saved."""
_SLACK: Final = timedelta(seconds=3)
"""An agent's times have whole seconds, and of an approval over two files the memory is first."""


class StoppedDecisions:
    """Any thread."""

    def __init__(
        self,
        library: Library,
        review: Review,
        acts: Acts,
        editing: Editing,
        *,
        begun: BegunActs,
        journal: Journal,
        stories: Stories,
    ) -> None:
        self._begun = begun
        self._stories = stories
        self._review = review
        self._acts = acts
        self._editing = editing
        self._journal = journal
        library.when_opened(self._note)

    def of(self, store: StoreId) -> tuple[StoppedAct, ...]:
        """Those of a store."""
        return self._editing.stopped(store, ACTS)

    def go_on(
        self,
        store: StoreId,
        one: StoppedAct,
        despite: frozenset[str] = frozenset(),
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Decide on those that are left and still wait; failures are listed, each once.

        ``record.changed``: its agent has changed it since.
        """
        if one.act == UNAPPROVE:
            return self._open_again(store, one, one.left, tick, cancel)
        verdict = Verdict(one.act)
        items = self._review.look_up(one.left)
        waits = verdict is not Verdict.REOPEN
        wanted = [  # of several stopped acts one may have decided what another has left
            ref
            for ref in one.left
            if ref not in items or (items[ref].state is State.PENDING) is waits
        ]
        left: list[tuple[Ref, UserError]] = []
        for ref in wanted:
            item = items.get(ref)
            if item is None:
                left.append((ref, UserError("record.gone", ref=ref.text)))
            elif waits and _is_after(item.updated_at_utc, one.started_at):
                left.append((ref, UserError("record.changed", ref=ref.text)))
        out = {ref for ref, _ in left}
        refs = [ref for ref in wanted if ref not in out]
        if verdict is Verdict.APPROVE:
            plan = plan_bulk(self._review, refs, verdict, despite, tick=tick, cancel=cancel)
            decisions = list(plan.decisions)
            left += plan.left
        else:
            decisions = [Decision(Target(ref, items[ref].etag), verdict) for ref in refs]
        result = self._review.decide_all(decisions, tick=tick, cancel=cancel)
        self._editing.forget_stopped(store, one)
        return replace(result, failed=(*left, *result.failed))

    def take_back(
        self,
        store: StoreId,
        one: StoppedAct,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Let those wait again that it came to. Undoable, as one act; failures are listed.

        ``rules.memory_changed``, ``review.replaced``: what it saved is not what would be taken
        back, and that proposal stays approved.
        """
        return self._open_again(store, one, one.reached, tick, cancel)

    def take_back_named(
        self,
        refs: Sequence[Ref],
        verdict: Verdict,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Let decided items wait again as undo would, in a later run: failures are listed.

        A memory that approving has added goes to the trash. ``review.not_so``: it is decided
        otherwise, or not at all; ``review.stays``: its store does not tell whether approving has
        added the memory; else as ``take_back``.
        """
        approved = verdict is Verdict.APPROVE
        wanted = State.APPROVED if approved else State.REJECTED
        items = self._review.look_up(refs)

        def back(target: Target) -> Done:
            item = items.get(target.ref)
            if item is None:
                raise UserError("record.gone", ref=target.ref.text)
            if item.state is not wanted:
                raise UserError("review.not_so")
            return self._back(item, approved=approved, named=True)

        code = UNAPPROVE if approved else Verdict.REOPEN.value
        result = self._editing.each(code, [Target(ref) for ref in refs], back, tick, cancel)
        failed = {ref for ref, _ in result.failed}
        self._review.opened_again([ref for ref in items if ref not in failed])
        return result

    # ---- inside

    def _note(self, store: StoreId) -> None:
        """An act is kept when it ends: of one that was killed, what it did is kept at the opening.

        Else the agent's log would stand alone, as if its agent had approved by itself.
        """
        for one in self._begun.list(str(store)):
            if one.act in _LEAVES and not one.is_held():
                with suppress(UserError):
                    self._keep(store, one)

    def _keep(self, store: StoreId, one: BegunAct) -> None:
        refs = [Ref(store, kind, key) for kind, key in one.records[:_NAMED]]
        began, state = _time(one.started_at), _LEAVES[one.act]
        if began is None:
            return
        items, end = [], None
        for item in self._review.look_up(refs).values():
            when = _time(item.updated_at_utc)
            if item.state is state and when is not None and when >= began - _SLACK:
                items.append(item)
                end = when if end is None else max(end, when)
        if end is None:
            return
        at = end.isoformat()
        kept = ((act.code, act.at, act.store_path) for act in self._journal.list())
        if (one.act, at, str(store)) in kept:
            return
        saved = map(self._saved_by, items if one.act == Verdict.APPROVE else ())
        refs = [*(memory.ref for memory in saved if memory), *(item.ref for item in items)]
        seconds = max(0.0, (end - began).total_seconds())
        self._journal.done(one.act, refs, seconds=seconds, at=at)

    def _saved_by(self, item: Record) -> Record | None:
        """The memory that approving this item has written."""
        memory = self._review.preview(item.ref).existing
        if memory is None or memory.source != _BY_APPROVAL:
            return None
        times = (memory.created_at_utc, memory.updated_at_utc)
        return memory if any(_is_about(when, item.updated_at_utc) for when in times) else None

    def _open_again(
        self,
        store: StoreId,
        one: StoppedAct,
        refs: Sequence[Ref],
        tick: Tick,
        cancel: CancelToken | None,
    ) -> BulkResult:
        approved = one.act in {Verdict.APPROVE.value, UNAPPROVE}
        wanted = State.APPROVED if approved else State.REJECTED
        items = {ref: it for ref, it in self._review.look_up(refs).items() if it.state is wanted}
        untold = [one]

        def back(target: Target) -> Done:
            while untold:  # this act is written down by now: the stopped one is told no more
                self._editing.forget_stopped(store, untold.pop())
            return self._back(items[target.ref], approved=approved)

        targets = [Target(ref, item.etag) for ref, item in items.items()]
        if len(targets) < 2:
            self._editing.forget_stopped(store, untold.pop())
        code = UNAPPROVE if approved else Verdict.REOPEN.value
        result = self._editing.each(code, targets, back, tick, cancel)
        failed = {ref for ref, _ in result.failed}
        opened = [ref for ref in result.changes.refs if ref in items and ref not in failed]
        self._review.opened_again(list(dict.fromkeys(opened)))
        return result

    def _back(self, item: Record, *, approved: bool, named: bool = False) -> Done:
        gone = Done(ChangeSet())
        if approved and (memory := self._added_by(item, named=named)) is not None:
            gone = self._acts.trash(Target(memory.ref, memory.etag))
        opened = self._review.take(Decision(Target(item.ref, item.etag), Verdict.REOPEN))
        # To undo it the memory comes back first: approving then finds it, and adds no second one.
        return Done(gone.changes | opened.changes, (*gone.steps, *opened.steps))

    def _added_by(self, item: Record, *, named: bool) -> Record | None:
        """The memory that approving this item has added; None: it was saved before, or is gone.

        One that a person ``named`` may have been corrected before it was approved.
        """
        seen = self._review.preview(item.ref)
        memory = self._stories.of(seen).memory if named else seen.existing
        lives = memory is not None and memory.state is State.LIVE
        if item.ref.kind == OWN and memory is not None and lives and memory.source != _BY_APPROVAL:
            # Its store says of no record how it came there, so none is taken out unasked.
            raise UserError("review.stays", memory=memory.ref.text)
        if memory is None or memory.source != _BY_APPROVAL or memory.state is not State.LIVE:
            return None
        added = _is_about(memory.created_at_utc, item.updated_at_utc)
        if not added and _is_about(memory.updated_at_utc, item.updated_at_utc):
            raise UserError("review.replaced", memory=memory.ref.text)
        as_made = named and memory.updated_at == memory.created_at
        if added and memory.text != seen.fields.get("text") and not as_made:
            raise UserError("rules.memory_changed", ref=item.ref.text, memory=memory.ref.text)
        return memory if added else None


def _is_after(when: str | None, moment: str) -> bool:
    found, other = _time(when), _time(moment)
    return found is not None and other is not None and found > other


def _is_about(when: str | None, moment: str | None) -> bool:
    found, other = _time(when), _time(moment)
    return found is not None and other is not None and abs(found - other) <= _SLACK


def _time(text: str | None) -> datetime | None:
    try:
        found = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found and found.tzinfo is None else found
