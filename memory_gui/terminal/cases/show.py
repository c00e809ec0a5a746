# SPDX-License-Identifier: MIT
"""A case as lines for a person, and as JSON without any memory text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from memory_gui.cases.case import Case, CheckItem, LookedIn
from memory_gui.services.cases.answering.reporting import CaseReport
from memory_gui.services.cases.book.holds import HoldLine
from memory_gui.services.cases.running.leftover import LeftOver
from memory_gui.terminal.session import Session
from memory_gui.words import Words, reasons
from memory_gui.words import cases as say
from memory_gui.words.reasons import kept_line


def case_json(session: Session, case: Case) -> dict[str, Any]:
    """A case as a script sees it. The name stands in it as long as the case holds one."""
    clock = case.clock
    return {
        "number": case.number or None,
        "subject": case.title or None,
        "mark": case.mark or None,
        "right": str(case.right),
        "ground": case.ground or None,
        "received": clock.received.isoformat(),
        "due": clock.due.isoformat(),
        "extended_until": None if clock.extended_until is None else str(clock.extended_until),
        "days_left": clock.days_left(today()),
        "identity": {
            "method": case.identity.method or None,
            "result": case.identity.result,
            "at": case.identity.at[:10] or None,
        },
        "places": None if case.looked_in is None else places_json(case.looked_in),
        "state": str(case.state),
        "keep_until": None if case.keep_until is None else str(case.keep_until),
        "checklist": [
            {
                "code": one.code,
                "params": dict(one.params),
                "done_on": None if one.done_on is None else str(one.done_on),
            }
            for one in case.checklist
        ],
        "holds": [_hold_json(one) for one in session.services.cases.holds(case.number)],
        "asking": 0 if case.is_final else case.asking,
        "unproved": case.unproved,
        "left_undecided": case.left_undecided,
        "outcome": {k: v for k, v in case.outcome.items() if k != "parts"} or None,
    }


def places_json(where: LookedIn) -> dict[str, Any]:
    """Where it was looked for. ``everywhere``: at the known stores and the usual places too."""
    return {"named": list(where.named), "everywhere": not where.only}


def tell_case(session: Session, case: Case) -> None:
    """All that is known of it."""
    words, out = session.words, session.out
    out.line(_headline(words, case))
    out.line(words.say("Right: {right}", right=say.said(words, say.RIGHTS, case.right)))
    if case.ground:
        out.line(words.say("Ground: {ground}", ground=say.said(words, say.GROUNDS, case.ground)))
    if case.ground_text:
        out.line(case.ground_text, lines=True)
    _tell_clock(session, case)
    checked = say.said(words, say.RESULTS, case.identity.result)
    if case.identity.method:
        method = say.said(words, say.METHODS, case.identity.method)
        out.line(words.say("Identity: {result}, {method}", result=checked, method=method))
    else:
        out.line(words.say("Identity: {result}", result=checked))
    if case.notes:
        out.line(case.notes, lines=True)
    if case.subject is not None and case.subject.named[1:]:
        others = [one.text for one in case.subject.named[1:]]
        out.line(words.say("Other names: {names}", names=words.row(others)))
    for one in session.services.cases.holds(case.number):
        out.line(hold_line(words, one))
    _tell_what_stays(session, session.services.cases.report(case))
    if case.looked_in is not None:
        out.line(words.say("Looked in: {places}", places=_places(words, case.looked_in)))
    tell_undecided(session, case)
    tell_checklist(session, case.checklist)


def _tell_what_stays(session: Session, report: CaseReport) -> None:
    """Files that a run left as they are, and places that a person let be."""
    words, out = session.words, session.out
    for staying in report.kept_files:
        out.line(kept_line(words, staying.file, staying.hits))
    if report.let_stay:
        out.line(words.say("Accepted: it was found again, and stays"))
    for place in report.let_stay:
        out.line(_let_stay_line(words, place))


def _let_stay_line(words: Words, one: LeftOver) -> str:
    """Where, and for which reason a person accepted it."""
    place = words.many("{where} ({n} place)", "{where} ({n} places)", one.count, where=one.where)
    if not one.reason:
        return place
    reason = reasons.reason(words, one.reason)
    return words.say("{where}: {what}", where=place, what=reason)


def _places(words: Words, where: LookedIn) -> str:
    rest = () if where.only else (words.say("the known stores and the usual places"),)
    return words.row([*where.named, *rest])


def tell_undecided(session: Session, case: Case) -> None:
    """What has to be decided before it can be closed, or was left so."""
    words = session.words
    if case.left_undecided:
        session.out.line(say.left_undecided(words, case.left_undecided))
    elif case.asking and not case.is_final:
        session.out.line(
            words.many(
                "{n} find is surely about the person and still there: erase it, hold it, or keep "
                "it with a reason.",
                "{n} finds are surely about the person and still there: erase them, hold them, or "
                "keep them with a reason.",
                case.asking,
            )
        )
    if case.unproved:
        session.out.line(say.unproved(words, case.unproved))


def _headline(words: Words, case: Case) -> str:
    shown = say.said(words, say.STATES, case.state)
    if not case.title:
        return words.say("Case {number}: {state}", number=str(case.number), state=shown)
    return words.say(
        "Case {number}, {name}: {state}", number=str(case.number), name=case.title, state=shown
    )


def _tell_clock(session: Session, case: Case) -> None:
    words, clock = session.words, case.clock
    received = say.day(words, clock.received)
    session.out.line(words.say("Received: {date}", date=received))
    left = clock.days_left(today())
    if left is not None:
        session.out.line(words.say("Due: {due}", due=say.due(words, clock.ends, left)))
    elif clock.stopped_on is not None:
        ended = say.day(words, clock.stopped_on)
        session.out.line(words.say("Answered on {date}", date=ended))
    if clock.extended_until is not None and clock.extension_reason:
        session.out.line(words.say("Extended: {reason}", reason=clock.extension_reason))


def tell_checklist(session: Session, checklist: Sequence[CheckItem]) -> None:
    """What cannot be reached from here, with the number by which it is ticked off."""
    words = session.words
    if checklist:
        session.out.line(words.say("Not to be reached from here:"))
    for place, one in enumerate(checklist, 1):
        text = say.check(words, one.code, one.params)
        if one.done_on is None:
            session.out.line(words.say("{n}. {text}", n=place, text=text))
        else:
            done = say.day(words, one.done_on)
            session.out.line(
                words.say("{n}. {text} Done on {date}.", n=place, text=text, date=done)
            )


def hold_line(words: Words, one: HoldLine) -> str:
    """Why how many records stay, and until when."""
    if one.what == "restrict":
        return words.many(
            "{n} record restricted since {date}.",
            "{n} records restricted since {date}.",
            one.count,
            date=say.day(words, date.fromisoformat(one.since)),
        )
    reason = reasons.reason(words, one.reason)
    if one.until is None:
        return words.many(
            "{n} record or file on hold: {reason}.",
            "{n} records and files on hold: {reason}.",
            one.count,
            reason=reason,
        )  # fmt: skip
    return words.many(
        "{n} record or file on hold until {date}: {reason}.",
        "{n} records and files on hold until {date}: {reason}.",
        one.count,
        date=say.day(words, one.until),
        reason=reason,
    )


def _hold_json(one: HoldLine) -> dict[str, Any]:
    return {
        "what": one.what,
        "reason": one.reason or None,
        "until": None if one.until is None else str(one.until),
        "since": one.since,
        "count": one.count,
    }


def today() -> date:
    """By this computer's clock."""
    return datetime.now(UTC).astimezone().date()
