# SPDX-License-Identifier: MIT
"""What a run made of a case: the numbers of all its runs, and what is left of the finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from memory_gui.cases.case import Case
from memory_gui.cases.finds import ACTING, RESTRICTED, CaseFind, Decision, Finds, Place
from memory_gui.erasure.result import EraseState
from memory_gui.ledger.cases import DoneAt
from memory_gui.services.cases.book.book import now
from memory_gui.services.cases.running.plans import (
    CasePlan,
    PartResult,
    StayingFile,
    not_looked_json,
)
from memory_gui.services.cases.running.unfinished import BEGUN

_COUNTED: Final = ("erased", "redacted", "restricted", "corrected")
_GONE: Final = frozenset({EraseState.PROVED, EraseState.NOT_PROVED})
"""States of a part whose rows were taken out, whether that is proved or not."""

Part = Mapping[str, Any]


def parts_of(acts: Iterable[DoneAt]) -> list[Part]:
    """What each run did at each place, in order, as it is kept."""
    return [one.document["part"] for one in acts if one.state != BEGUN]


def totals(parts: Iterable[Part]) -> dict[str, int]:
    """Over all runs. ``unproved``: erased, and no later run has proved it at that place."""
    counts = dict.fromkeys(_COUNTED, 0)
    unproved: dict[str, int] = {}
    for one in parts:
        for name in _COUNTED:
            counts[name] += int(one.get(name, 0))
        before = unproved.get(one["path"], 0)
        if one["state"] == EraseState.PROVED:
            unproved.pop(one["path"], None)
        elif one["state"] == EraseState.NOT_PROVED:
            unproved[one["path"]] = before + int(one["erased"])
    return {**counts, "unproved": sum(unproved.values())}


def counted(case: Case, acts: Iterable[DoneAt]) -> Case:
    """The case with the numbers over all its runs, as they are kept now."""
    return replace(case, outcome={**case.outcome, **totals(parts_of(acts))})


def outcome_of(
    plan: CasePlan, case: Case, state: EraseState, now_done: Sequence[Part], ever: Sequence[Part]
) -> dict[str, Any]:
    """Plain values without a name or a text. ``ever``: what all runs did, this one among them."""
    this = {
        "at": now(),
        "state": str(state),
        **{name: sum(int(one.get(name, 0)) for one in now_done) for name in _COUNTED[:3]},
    }
    return {
        **this,
        **totals(ever),
        "held": plan.held,
        "kept": plan.kept,
        "undecided": plan.undecided,
        "not_looked": [not_looked_json(one) for one in plan.not_looked],
        "kept_why": _kept_why(plan),
        "kept_files": [one.as_json() for one in _kept_files(plan, case)],
        "runs": [*case.outcome.get("runs", ()), this],
    }


def _kept_files(plan: CasePlan, case: Case) -> list[StayingFile]:
    """An earlier run may have taken out of a file what was not kept in it: it stays told."""
    earlier = map(StayingFile.of, case.outcome.get("kept_files", ()))
    cut = {one.file.path for one in earlier if one.file.part}
    files = ((one, one.file.part or one.file.path in cut) for one in plan.kept_files)
    return [replace(one, file=replace(one.file, part=part)) for one, part in files]


def left_of(plan: CasePlan, finds: Finds, parts: Sequence[PartResult]) -> Finds:
    """What is there after a run: what was not acted upon, and what could not be done.

    A record that another case keeps was left as it is, whatever was decided in this one.
    """
    gone = {(one.path, one.file) for one in parts if one.state in _GONE}
    refs = {ref for part in plan.parts if (part.path, False) in gone for ref in part.acted}

    def is_left(find: CaseFind) -> bool:
        if find.decision not in ACTING:
            return True
        match find.place:
            case Place.RECORD:
                return find.ref not in refs
            case Place.FILE:
                return (find.path, True) not in gone
        return False

    return replace(finds, finds=tuple(one for one in finds.finds if is_left(one)))


def _kept_why(plan: CasePlan) -> dict[str, int]:
    finds = plan.finds.finds if plan.finds is not None else ()
    kept = (one.reason for one in finds if one.decision is Decision.KEEP)
    return dict(Counter(reason for reason in kept if reason != RESTRICTED))
