# SPDX-License-Identifier: MIT
"""What the erase page asks of the services, in a thread of the bridge. Knows no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.records import Ref
from memory_gui.domain.work import CancelToken, Tick
from memory_gui.erasure.joining import taking_whole
from memory_gui.erasure.plan import ErasePlan
from memory_gui.services import Services
from memory_gui.services.erasing.everything import Part
from memory_gui.ui.pages.erase_plan_view import SAMPLE
from memory_gui.ui.pages.erase_run import Outcome, outcome_of
from memory_gui.ui.pages.whole import Whole


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the plan page shows, asked for in one go."""

    plan: ErasePlan
    titles: tuple[str, ...]
    open_by: tuple[OpenBy, ...]
    held: tuple[tuple[str, int, float], ...] = ()
    """Stores that are held longer than their agents wait."""
    refs: tuple[Ref, ...] = ()
    """What was chosen; of everything it is found only now."""
    parts: tuple[Part, ...] = ()
    """Of an erase of everything."""


def prepare(services: Services, refs: Sequence[Ref], whole: Whole | None = None) -> Prepared:
    """Plan an erase and look at what the person should know before. Writes nothing; any thread.

    Raises:
        UserError: ``erase.nothing``: of everything there is nothing.
    """
    if whole is not None:
        more = services.everything.refs(whole.store, pair=whole.pair, scope=whole.scope)
        refs = (*more, *refs)
    if not refs:
        raise UserError("erase.nothing")
    plan = services.erasing.plans.plan(refs)
    records = [services.library.record(ref) for ref in refs[:SAMPLE]]
    titles = tuple(record.title or record.text for record in records if record is not None)
    erasing = services.erasing
    parts = services.everything.parts(plan) if whole is not None else ()
    held = erasing.plans.held_for(plan)
    return Prepared(plan, titles, erasing.open_by(plan), held, tuple(refs), parts)


def run(
    services: Services,
    plan: ErasePlan,
    parts: Sequence[Part] = (),
    *,
    tick: Tick,
    stop: CancelToken,
    keep_files: bool = False,
    whole_files: bool = False,
) -> Outcome | None:
    """Carry a plan out; None when it was stopped while nothing was changed yet. Any thread."""
    try:
        # The plan showed the SQL of what is foreign: carrying it out is the yes to it.
        result = services.erasing.run(
            taking_whole(plan) if whole_files else plan,
            tick=tick,
            cancel=stop,
            clean_side_files=not keep_files,
            despite_foreign=bool(plan.foreign_sql),
        )
    except Cancelled:
        return None
    done = services.everything.outcome(parts, result, plan) if parts else ()
    return replace(outcome_of(result, plan), parts=done)


def accept(services: Services, plan: ErasePlan, outcome: Outcome) -> Outcome:
    """The same erase, whose finds a person accepts: nothing is read or written again. Any thread.

    Raises:
        UserError: ``pending.*``: it stays listed as not proved.
    """
    accepted = outcome_of(services.erasing.accept(outcome.result, plan), plan)
    return replace(accepted, parts=outcome.parts)
