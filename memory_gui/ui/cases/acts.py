# SPDX-License-Identifier: MIT
"""What the page of a case asks of the services, in a thread of the bridge."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from memory_gui.cases.case import Case
from memory_gui.cases.finds import LASTING, RESTRICTED, CaseFind, Decision, Finds
from memory_gui.cases.names import Subject
from memory_gui.domain.changes import Fields
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record
from memory_gui.domain.work import CancelToken, Tick
from memory_gui.erasure.receipt import refuse_receipt, write_new
from memory_gui.services import Services
from memory_gui.services.cases.answering.reporting import CaseReport
from memory_gui.services.cases.book.holds import HoldLine
from memory_gui.services.cases.book.lifting import Lifted
from memory_gui.services.cases.finding.places import Where
from memory_gui.services.cases.running.plans import CasePlan, CaseResult
from memory_gui.services.copies import Copied, write_copy
from memory_gui.services.copies.letter import write_letter
from memory_gui.services.erasing.forgetting import Corrected
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
    holds: tuple[HoldLine, ...] = ()
    """Of one that is closed: what still has to stay."""


def look(services: Services, case: Case | int) -> Seen:
    """The case as it is now."""
    cases = services.cases
    found = cases.case(case) if isinstance(case, int) else case
    if isinstance(case, Case) and case.number:
        found = cases.case(case.number)
    told = bool(found.outcome) or found.is_final
    earlier = cases.same_as(found.subject) if found.subject is not None and found.number else ()
    others = tuple(one for one in earlier if one.number != found.number)
    return Seen(found, cases.report(found) if told else None, others, _holds(services, found))


def _holds(services: Services, case: Case) -> tuple[HoldLine, ...]:
    return services.cases.holds(case.number) if case.is_final and case.number else ()


def lift(services: Services, case: Case) -> tuple[Lifted, Seen]:
    """What still has to stay for a closed case need not any more."""
    done = services.cases.lift_closed(case, services.cases.where())
    return done, look(services, case)


@dataclass(frozen=True, slots=True)
class Found:
    """Finds, where they were looked for, and the case as it is now."""

    finds: Finds
    where: Where
    case: Case


def find(services: Services, case: Case, *, tick: Tick, cancel: CancelToken) -> Found:
    """Look where it looked before; at first in every store that is open, known, or may be found."""
    where = services.cases.where_of(case)
    finds = services.cases.find(case, where, tick=tick, cancel=cancel)
    return Found(finds, where, _now(services, case))


def find_again(
    services: Services, case: Case, names: tuple[str, ...], *, tick: Tick, cancel: CancelToken
) -> Found:
    """The same for a case that is answered: under its number, and its clock stands.

    Raises:
        UserError: ``case.somebody_else``: these names are not those of the case; ``case.no_name``.
    """
    wanted = services.cases.again(Subject.of(names[0] if names else "", names[1:]))
    if wanted is None or wanted.number != case.number:
        raise UserError("case.somebody_else", number=case.number)
    where = services.cases.where()
    finds = services.cases.find(wanted, where, tick=tick, cancel=cancel)
    return Found(finds, where, wanted)


def answer(services: Services, case: Case) -> Seen:
    """What there is to tell the person, whatever was done until now."""
    now = _now(services, case)
    return Seen(now, services.cases.report(now))


def _now(services: Services, case: Case) -> Case:
    """As it is kept; one that is answered gets the names back by which it is looked for again."""
    if not case.number:
        return case
    now = services.cases.case(case.number)
    return replace(now, subject=case.subject) if now.is_final and now.subject is None else now


def decide(
    services: Services,
    found: Found,
    *,
    numbers: list[int],
    decision: Decision,
    hold: Hold | None,
) -> Found:
    """The same finds with other decisions; saying nothing any more ends a hold or restriction."""
    case, finds, where = found.case, found.finds, found.where
    mine = [one for one in finds.finds if one.number in numbers]
    if decision is Decision.NONE and case.number and any(map(lasts, mine)):
        done = services.cases.lift(case, finds, numbers, where)
    elif hold is None:
        done = services.cases.decide(case, finds, numbers, decision)
    else:
        done = services.cases.decide(
            case,
            finds,
            numbers,
            decision,
            reason=hold.reason,
            text=hold.text,
            who=hold.who,
            until=hold.until,
        )
    return Found(done, where, _now(services, case))


def lasts(find: CaseFind) -> bool:
    """Whether something keeps it from everybody until that is lifted."""
    return find.decision in LASTING or find.reason == RESTRICTED


def read(services: Services, found: Found, find: CaseFind) -> Record:
    """A find in full, to be corrected. Raises UserError ``record.gone``."""
    for content in services.cases.contents(found.finds, found.where, [find.number]):
        if content.record is not None:
            return content.record
    raise UserError("record.gone", ref=find.ref.text if find.ref is not None else "")


def correct(
    services: Services, found: Found, find: CaseFind, fields: Fields, *, tick: Tick
) -> tuple[Corrected, Found]:
    """Another text for a record; the old one is erased for good. It is no find any more."""
    done = services.cases.correct(found.case, find, fields, found.where, tick=tick)
    left = tuple(one for one in found.finds.finds if one.number != find.number)
    finds = replace(found.finds, finds=left)
    return done, Found(finds, found.where, _now(services, found.case))


def copy(
    services: Services, found: Found, wanted: Wanted, *, tick: Tick, cancel: CancelToken
) -> Copied:
    """Write the copy for the person."""
    return write_copy(
        services.cases,
        found.case,
        found.finds,
        found.where,
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


def accept(services: Services, case: Case, reason: str, text: str) -> Seen:
    """Let stay what the runs found again in other places; for a reason that is told."""
    done = services.cases.accept(case, reason=reason, text=text)
    return Seen(done, services.cases.report(done))


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
        case,
        closing.outcome,
        reason=closing.reason,
        keep_until=closing.keep_until,
        leave_undecided=closing.leave_undecided,
    )
    return Seen(done, services.cases.report(done), holds=_holds(services, done))
