# SPDX-License-Identifier: MIT
"""Rules of review: what is decided without asking each time, because a person said so once.

A rule approves what was seen often enough and has nothing odd about it, or rejects what fits a
pattern. Rules run in the window while the store is open, and in the terminal when they are told
to. Each decision is written down before it is done, is listed, and can be taken back; what a
person opened again no rule decides on any more.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memory_gui.domain.changes import ChangeSet, Decision, Outcome, ReviewPreview, Target, Verdict
from memory_gui.domain.changes import joined as joined_changes
from memory_gui.domain.errors import UserError
from memory_gui.domain.patterns import fits
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.ledger.reviewrules import DONE, Rule
from memory_gui.services.activity.journal import Journal
from memory_gui.services.editing.acts import Acts
from memory_gui.services.editing.editing import Editing
from memory_gui.services.library.library import Library
from memory_gui.services.own.known import LedgerKeeper
from memory_gui.services.reviewing.bulk import pinned
from memory_gui.services.reviewing.proposals import KIND as OWN
from memory_gui.services.reviewing.review import KIND, Review, odd_in
from memory_gui.services.reviewing.rulebook import RuleBook
from memory_gui.services.reviewing.ruledecisions import Decided, RuleDecisions

__all__ = ["Decided", "Planned", "RulePlan", "RuleRun", "Rules"]

CODES: Final[Mapping[str, str]] = {"approve": "rule_approve", "reject": "rule_reject"}
"""Verdict -> the act's word in the list of activity."""
_BATCH: Final = 50
"""So many items are looked at before it is asked whether to stop."""
_LONGEST_NUMBER: Final = 9


@dataclass(frozen=True, slots=True)
class Planned:
    """What one rule would do with one item, pinned to what was looked at."""

    rule: Rule
    decision: Decision
    title: str = field(repr=False, default="")


@dataclass(frozen=True, slots=True)
class RulePlan:
    """What the rules would do. ``left`` counts what an approving rule leaves, by its cause.

    Causes: ``replaces``, ``alike``, ``hidden``, ``secret``, ``personal``, ``opposite``,
    ``rejected_before``, ``refused``, ``own`` (a proposal in our own queue: only a person approves
    it), ``opened_again``. ``looked_at`` is how many items waited.
    """

    planned: tuple[Planned, ...] = field(repr=False)
    left: Mapping[str, int]
    looked_at: int

    def count(self, verdict: Verdict) -> int:
        """How many would be approved, or rejected."""
        return sum(one.decision.verdict is verdict for one in self.planned)


@dataclass(frozen=True, slots=True)
class RuleRun:
    """What the rules did; ``failed`` are those that changed meanwhile, each once."""

    changes: ChangeSet
    approved: int
    rejected: int
    left: Mapping[str, int]
    failed: tuple[tuple[Ref, UserError], ...] = ()
    stopped: bool = False


class Rules:
    """Runs them. Any thread. ``book`` has the rules, ``decisions`` what they decided."""

    def __init__(
        self,
        library: Library,
        review: Review,
        acts: Acts,
        editing: Editing,
        *,
        journal: Journal | None = None,
        keeper: LedgerKeeper | None = None,
    ) -> None:
        self._library = library
        self._review = review
        self._acts = acts
        self._journal = journal
        self.book = RuleBook(library, keeper)
        self.decisions = RuleDecisions(library, review, acts, editing, self.book)
        self._guard = threading.Lock()
        self._looked: dict[StoreId, dict[Ref, tuple[str | None, frozenset[str]]]] = {}
        self._at_it = threading.Lock()
        library.when_closed(self._on_closed)
        review.when_reopened(self.book.take_out)
        editing.when_taken_back(self._on_taken_back)

    def plan(
        self,
        stores: Collection[StoreId] = (),
        *,
        only_new: bool = False,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> RulePlan:
        """What they would do with what waits now; nothing is written.

        ``only_new``: without what the same rules have looked at before, as it is.

        Raises:
            Cancelled.
        """
        planned: list[Planned] = []
        left: Counter[str] = Counter()
        looked_at = 0
        for shelf in self._library.shelves(stores):
            rules = [one for one in self.book.of(shelf.id) if one.running]
            if not rules:
                continue
            refs = self._review.waiting(store=shelf.id)
            if only_new:
                refs = self._news(shelf.id, refs, frozenset(one.id for one in rules))
            looked_at += len(refs)
            for start in range(0, len(refs), _BATCH):
                if cancel is not None:
                    cancel.check()
                planned += self._planned(shelf.id, rules, refs[start : start + _BATCH], left)
                tick("preview", min(start + _BATCH, len(refs)), len(refs))
        return RulePlan(tuple(planned), dict(left), looked_at)

    def run(
        self,
        stores: Collection[StoreId] = (),
        *,
        only_new: bool = False,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> RuleRun:
        """Do it. Not on the undo stack: what a rule decided is taken back in its own list.

        Raises:
            Cancelled: while it was looking; nothing was written.
        """
        with self._at_it:
            for shelf in self._library.shelves(stores):
                self.decisions.settle(shelf.id)
            try:
                plan = self.plan(stores, only_new=only_new, tick=tick, cancel=cancel)
            except BaseException:
                self._on_closed([shelf.id for shelf in self._library.shelves(stores)])
                raise
            return self._run(plan, tick, cancel)

    # ---- inside

    def _run(self, plan: RulePlan, tick: Tick, cancel: CancelToken | None) -> RuleRun:
        made: list[ChangeSet] = []
        failed: list[tuple[Ref, UserError]] = []
        done: Counter[str] = Counter()
        stopped = False
        for number, one in enumerate(plan.planned):
            if cancel is not None and cancel.cancelled:
                stopped = True
                break
            try:
                made.append(self._decide(one))
                done[one.rule.verdict] += 1
            except UserError as error:
                failed.append((one.decision.target.ref, error))
            tick("decide", number + 1, len(plan.planned))
        return RuleRun(
            joined_changes(made),
            done[Verdict.APPROVE.value],
            done[Verdict.REJECT.value],
            plan.left,
            tuple(failed),
            stopped,
        )

    def _decide(self, one: Planned) -> ChangeSet:
        rows, ref = self.book.made(), one.decision.target.ref
        number = rows.begin(one.rule, ref.kind, ref.plain)
        try:
            changes = self._review.decide_by_rule(one.decision)
        except UserError:
            rows.drop(number)
            raise
        added = next((added.plain for added in changes.added if added.kind not in {KIND, OWN}), "")
        rows.settle(number, DONE, added)
        if self._journal is not None:
            self._journal.done(CODES[one.rule.verdict], tuple(dict.fromkeys(changes.refs)))
        return changes

    def _planned(
        self, store: StoreId, rules: Sequence[Rule], refs: Sequence[Ref], left: Counter[str]
    ) -> Iterator[Planned]:
        rejecting = [one for one in rules if one.verdict == Verdict.REJECT.value]
        approving = [one for one in rules if one.verdict == Verdict.APPROVE.value]
        taken_out = self.book.taken_out(store)
        often: dict[Ref, Rule] = {}
        for ref, item in self._review.look_up(refs).items():
            rule = next((one for one in rejecting if fits(one.pattern, _searched(item))), None)
            wanted = rule or next((one for one in approving if _seen(item) >= one.least), None)
            if wanted is None:
                continue
            if (ref.kind, ref.plain) in taken_out:
                left["opened_again"] += 1
            elif rule is not None:
                decision = Decision(Target(ref, item.etag), Verdict.REJECT)
                yield Planned(rule, decision, item.title or item.text)
            elif ref.kind == OWN:
                left["own"] += 1
            else:
                often[ref] = wanted
        for seen in self._review.previews_of(list(often)):
            if cause := _cause(seen):
                left[cause] += 1
                continue
            decision = pinned(seen, Verdict.APPROVE, frozenset())
            yield Planned(often[seen.item.ref], decision, seen.item.title or seen.item.text)

    def _news(self, store: StoreId, refs: Sequence[Ref], rules: frozenset[str]) -> list[Ref]:
        """Those that are new, or changed since the same rules have looked at them."""
        known = [ref for ref in refs if ref.kind != OWN]
        etags: dict[Ref, str | None] = {}
        for start in range(0, len(known), _BATCH):
            some = self._acts.targets(known[start : start + _BATCH])
            etags.update((one.ref, one.etag) for one in some)
        now = {ref: (etags.get(ref), rules) for ref in refs}
        with self._guard:
            before = self._looked.get(store, {})
            self._looked[store] = now
        return [ref for ref in refs if before.get(ref) != now[ref]]

    def _on_taken_back(self, changes: ChangeSet) -> None:
        """Undo: what waits again because of it."""
        refs = [ref for ref in dict.fromkeys(changes.refs) if ref.kind in {KIND, OWN}]
        items = self._review.look_up(refs) if refs and self.book.rows() is not None else {}
        self.book.take_out([ref for ref, one in items.items() if one.state is State.PENDING])

    def _on_closed(self, stores: Iterable[StoreId]) -> None:
        with self._guard:
            for store in stores:
                self._looked.pop(store, None)


def _seen(item: Record) -> int:
    told = item.extra.get("occurrences") or ""
    return int(told) if told.isdecimal() and len(told) <= _LONGEST_NUMBER else 0


def _searched(item: Record) -> tuple[str, ...]:
    return (item.title, item.subject or "", item.text)


def _cause(seen: ReviewPreview) -> str:
    """Why an approving rule leaves it for the person; empty when nothing speaks against it."""
    if seen.rejected_at:
        return "rejected_before"
    if seen.outcome is Outcome.REPLACES:
        return "replaces"
    odd = (*seen.warnings, *odd_in([seen.item.extra.get("evidence") or ""]))
    for code in ("hidden", "secret", "personal", "opposite"):
        if code in odd:
            return code
    if seen.alike and seen.outcome is not Outcome.IDENTICAL:
        return "alike"
    if seen.refusal or odd or seen.outcome is Outcome.REFUSED:
        return "refused"
    return ""
