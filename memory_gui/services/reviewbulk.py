# SPDX-License-Identifier: MIT
"""Deciding on several proposals at once: what would become of each, before anything is done.

Nothing is approved in bulk that a person would have to look at twice: that is left, with its cause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from memory_gui.domain.changes import Decision, Outcome, ReviewPreview, Target, Verdict, Why
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.review import Review


@dataclass(frozen=True, slots=True)
class BulkPlan:
    """What a bulk act would do. ``decisions`` are pinned to what was looked at.

    ``outcomes`` counts them (new, identical, replaces; or the verdict), ``left`` are those that
    stay as they are, each once, with its cause.
    """

    verdict: Verdict
    decisions: tuple[Decision, ...] = field(repr=False)
    outcomes: Mapping[str, int]
    left: tuple[tuple[Ref, UserError], ...] = ()

    @property
    def causes(self) -> Mapping[str, int]:
        """How many are left, by the code of the cause."""
        return Counter(error.code for _ref, error in self.left)


def plan_bulk(
    review: Review,
    refs: Sequence[Ref],
    verdict: Verdict,
    despite: frozenset[str] = frozenset(),
    *,
    tick: Tick = no_tick,
    cancel: CancelToken | None = None,
) -> BulkPlan:
    """Look at each; nothing is written.

    Raises:
        Cancelled.
    """
    seen = review.previews_of(refs, tick=tick, cancel=cancel)
    decisions: list[Decision] = []
    outcomes: Counter[str] = Counter()
    left: list[tuple[Ref, UserError]] = []
    for one in seen:
        decision = pinned(one, verdict, despite)
        approving = verdict is Verdict.APPROVE
        error = cause_of(one, despite) if approving else None
        if approving and error is None and (one.warnings or one.refusal):
            error = next((why for _ref, why in review.would([decision]).failed), None)
        if error is not None:
            left.append((one.item.ref, error))
            continue
        decisions.append(decision)
        outcomes[_outcome(one) if verdict is Verdict.APPROVE else verdict.value] += 1
    there = {one.item.ref for one in seen}
    left += [(ref, UserError("record.gone", ref=ref.text)) for ref in refs if ref not in there]
    return BulkPlan(verdict, tuple(decisions), dict(outcomes), tuple(left))


def _outcome(seen: ReviewPreview) -> str:
    """What insisting makes of one that would be refused otherwise, too."""
    if seen.outcome is not Outcome.REFUSED:
        return seen.outcome.value
    return (Outcome.NEW if seen.existing is None else Outcome.REPLACES).value


def pinned(seen: ReviewPreview, verdict: Verdict, despite: frozenset[str]) -> Decision:
    """A decision on what was seen: the item and the memory that it would replace."""
    existing = seen.existing if verdict is Verdict.APPROVE else None
    replaces = None if existing is None else existing.etag
    return Decision(Target(seen.item.ref, seen.item.etag), verdict, {}, despite, replaces)


def cause_of(seen: ReviewPreview, despite: Collection[str]) -> UserError | None:
    """Why a person has to look at it before it is approved; None when nothing speaks against it."""
    existing = seen.existing
    if seen.outcome is Outcome.REPLACES and existing is not None and "conflict" not in despite:
        return UserError("review.conflict", existing=existing.ref.text)
    if "opposite" in seen.warnings and "conflict" not in despite:
        other = next(one for one in seen.alike if one.why is Why.OPPOSITE)
        return UserError("review.opposite", existing=other.record.ref.text)
    if "hidden" in seen.warnings and "hidden" not in despite:
        return UserError("review.hidden")
    return None
