# SPDX-License-Identifier: MIT
"""What the page of a case asks of the services, in a thread of the bridge."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from memory_gui.cases.case import Case
from memory_gui.cases.finds import LASTING, Decision, Finds
from memory_gui.domain.work import CancelToken, Tick
from memory_gui.erasure.receipt import refuse_receipt, write_new
from memory_gui.services import Services
from memory_gui.services.cases.places import Where
from memory_gui.services.cases.plans import CasePlan, CaseResult
from memory_gui.services.cases.reporting import CaseReport
from memory_gui.services.copies import Copied, write_copy
from memory_gui.services.copies.letter import write_letter
from memory_gui.ui.cases.answer_view import Closing
from memory_gui.ui.cases.copy_view import Wanted
from memory_gui.ui.cases.hold_form import Hold
from memory_gui.ui.cases.papers import letter_pdf, receipt_pdf
from memory_gui.words import Words


@dataclass(frozen=True, slots=True)
class Seen:
    """A case and, once it is answered or was run, what there is to tell of it."""

    case: Case
    report: CaseReport | None
    earlier: tuple[Case, ...] = ()
    """Other cases about the same person."""


def look(services: Services, case: Case | int) -> Seen:
    """The case as it is now."""
    cases = services.cases
    found = cases.case(case) if isinstance(case, int) else case
    if isinstance(case, Case) and case.number:
        found = cases.case(case.number)
    told = bool(found.outcome) or found.is_final
    earlier = cases.same_as(found.subject) if found.subject is not None and found.number else ()
    others = tuple(one for one in earlier if one.number != found.number)
    return Seen(found, cases.report(found) if told else None, others)


def find(services: Services, case: Case, *, tick: Tick, cancel: CancelToken) -> tuple[Finds, Where]:
    """Look in every store that is open, known, or may be looked for."""
    where = services.cases.where()
    return services.cases.find(case, where, tick=tick, cancel=cancel), where


def decide(
    services: Services,
    case: Case,
    finds: Finds,
    where: Where,
    *,
    numbers: list[int],
    decision: Decision,
    hold: Hold | None,
) -> Finds:
    """The same finds with other decisions; saying nothing any more ends a hold or restriction."""
    mine = [one for one in finds.finds if one.number in numbers]
    if decision is Decision.NONE and case.number and any(one.decision in LASTING for one in mine):
        return services.cases.lift(case, finds, numbers, where)
    if hold is None:
        return services.cases.decide(case, finds, numbers, decision)
    return services.cases.decide(
        case,
        finds,
        numbers,
        decision,
        reason=hold.reason,
        text=hold.text,
        who=hold.who,
        until=hold.until,
    )


def copy(
    services: Services,
    case: Case,
    finds: Finds,
    where: Where,
    wanted: Wanted,
    *,
    tick: Tick,
    cancel: CancelToken,
) -> Copied:
    """Write the copy for the person."""
    return write_copy(
        services.cases,
        case,
        finds,
        where,
        wanted.path,
        form=wanted.form,
        numbers=wanted.numbers,
        passphrase=wanted.passphrase,
        tick=tick,
        cancel=cancel,
    )


def run(
    services: Services, plan: CasePlan, typed: str, *, tick: Tick, cancel: CancelToken
) -> tuple[CaseResult, CaseReport]:
    """Carry a plan out: it showed the SQL of what is foreign, and the number is the yes to it."""
    result = services.cases.run(
        plan, typed=typed, tick=tick, cancel=cancel, despite_foreign=bool(plan.foreign_sql)
    )
    return result, services.cases.report(result.case)


def save_letter(words: Words, path: Path, text: str) -> Path:
    """As a PDF where the name ends so, else as plain text."""
    whole = path.expanduser()
    if whole.suffix.lower() != ".pdf":
        return write_letter(whole, text)
    refuse_receipt(whole)
    write_new(whole, letter_pdf(words, text))
    return whole


def save_receipt(services: Services, words: Words, case: Case, path: Path) -> Path:
    """Sign it and write it to a new file, with a PDF beside; gives the first path."""
    whole = path.expanduser()
    printed = whole.with_suffix(".pdf")
    if printed == whole:
        whole = whole.with_suffix(".json")
    refuse_receipt(printed)
    services.cases.save_receipt(case, whole)
    document = json.loads(whole.read_text("utf-8", "surrogatepass"))
    write_new(printed, receipt_pdf(words, document))
    return whole


def close(services: Services, case: Case, closing: Closing) -> Seen:
    """End it."""
    done = services.cases.close(
        case, closing.outcome, reason=closing.reason, keep_until=closing.keep_until
    )
    return Seen(done, services.cases.report(done))
