# SPDX-License-Identifier: MIT
"""``case``: requests with their clock, from the first day to the answer."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from memory_gui.cases.case import Case, CaseState, Identity, NewCase
from memory_gui.cases.clock import Term
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import Right
from memory_gui.domain.errors import UserError
from memory_gui.terminal.cases.args import case_arguments
from memory_gui.terminal.cases.copy import answer, export, opened
from memory_gui.terminal.cases.decide import accept, correct, hold
from memory_gui.terminal.cases.finds import (
    finds_json,
    status_of_finds,
    status_of_left,
    status_of_plan,
    tell_finds,
    tell_not_looked,
)
from memory_gui.terminal.cases.given import finds_of, given_day, given_text, missing, the_case
from memory_gui.terminal.cases.result import (
    result_json,
    status_of_result,
    tell_plan,
    tell_result,
)
from memory_gui.terminal.cases.run import confirm, included, run, where_of
from memory_gui.terminal.cases.show import (
    case_json,
    places_json,
    tell_case,
    tell_undecided,
    today,
)
from memory_gui.terminal.inputs import plain
from memory_gui.terminal.parser import Verb
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit, worst
from memory_gui.words import N_
from memory_gui.words import cases as say


def case(session: Session) -> Exit:
    """One of the acts."""
    try:
        return _RUN[session.args.act](session)
    except UserError as error:
        if error.code == "case.no_ledger":
            session.check_it_may_ask()  # there may well be a keychain: this call may not use it
        raise


# ---- making and showing


def _new(session: Session) -> Exit:
    args = session.args
    if args.subject is None:
        raise UserError("case.no_name")
    also = [plain(text, "--also") for text in args.also]
    other = [plain(text, "--other") for text in args.other]
    subject = Subject.of(plain(args.subject, "SUBJECT"), also, other)
    earlier = session.services.cases.same_as(subject)
    made = session.services.cases.new(
        NewCase(
            subject,
            Right(args.right or Right.ERASE),
            args.ground or "",
            plain(args.ground_text or "", "--ground-text"),
            given_day(args.received),
            Term(args.term or Term.MONTH),
            given_day(args.due),
            Identity(args.identity or "", args.identity_result or "pending", at=_checked_on(args)),
            given_text(session),
        )
    )
    session.out.document({**case_json(session, made), "earlier": [one.number for one in earlier]})
    tell_case(session, made)
    for one in earlier:
        session.out.note(
            session.words.say("Case {number} was about the same person.", number=str(one.number))
        )
    return Exit.DONE


def _edit(session: Session) -> Exit:
    args, before = session.args, the_case(session)
    fields: dict[str, object] = {}
    if (args.also or args.other) and before.subject is not None:
        fields["subject"] = Subject.of(
            f"{before.subject.named[0].form}:{before.subject.title}",
            [*before.subject.also, *(plain(text, "--also") for text in args.also)],
            [*before.subject.others, *(plain(text, "--other") for text in args.other)],
        )
    if args.right:
        fields["right"] = Right(args.right)
    if args.ground:
        fields["ground"] = args.ground
    if args.ground_text is not None:
        fields["ground_text"] = plain(args.ground_text, "--ground-text")
    if args.term:
        fields["term"] = Term(args.term)
    for name in ("received", "due"):
        if getattr(args, name):
            fields[name] = given_day(getattr(args, name))
    if args.identity or args.identity_result or args.on:
        identity = before.identity
        fields["identity"] = replace(
            identity,
            method=args.identity or identity.method,
            result=args.identity_result or identity.result,
            at=_checked_on(args) or ("" if args.identity_result else identity.at),
        )
    if args.text_file is not None:
        fields["notes"] = given_text(session)
    return _told(session, session.services.cases.edit(before, **fields))


def _list(session: Session) -> Exit:
    words, found = session.words, session.services.cases.all(final=session.args.all)
    if session.services.cases.any_yet and not session.services.cases.is_kept:
        raise UserError("case.no_ledger")  # "none is waiting" would be a guess
    session.services.cases.tidy()
    session.out.document({"cases": [case_json(session, one) for one in found]})
    if not found:
        session.out.line(words.say("No case is waiting."))
        return Exit.DONE
    heads = [words.say("Case"), words.say("Name"), words.say("State"), words.say("Due")]
    rows = []
    for one in found:
        left = one.clock.days_left(today())
        due = "" if left is None else say.due(words, one.clock.ends, left)
        state = say.said(words, say.STATES, one.state)
        rows.append([str(one.number), one.title, state, due])
    session.out.table(heads, rows)
    return Exit.DONE


def _show(session: Session) -> Exit:
    return _told(session, the_case(session))


def _extend(session: Session) -> Exit:
    args = session.args
    done = session.services.cases.extend(
        the_case(session), plain(args.reason, "--reason"), given_day(args.until)
    )
    return _told(session, done)


def _check(session: Session) -> Exit:
    args = session.args
    if args.item is None:
        raise missing(session, "--item")
    done = session.services.cases.check_off(
        the_case(session), args.item - 1, given_day(args.on) or today(), given_text(session)
    )
    return _told(session, done)


# ---- finding and deciding


def _find(session: Session) -> Exit:
    found = the_case(session)
    where = where_of(session, found)
    finds = finds_of(session, found, where)
    session.out.document({**finds_json(finds), "places": places_json(where.kept)})
    tell_finds(session, finds)
    nothing = Exit.DONE if finds.finds else Exit.NO_SUCH
    return worst([nothing, status_of_finds(finds)])


# ---- running and closing


def _run_case(session: Session) -> Exit:
    args, mine, service = session.args, the_case(session), session.services.cases
    where = where_of(session, mine)
    finds = included(finds_of(session, mine, where), args.include)
    plan = service.plan(mine, finds, where, cancel=session.cancel)
    at = {"places": places_json(where.kept)}
    if args.yes:  # what a script prints is kept in logs: no memory text there
        tell_not_looked(session, finds.not_looked)
    else:
        tell_finds(session, finds)
    tell_plan(session, plan)
    if args.dry_run:
        session.out.document({**plan.as_json(), **finds_json(finds), **at})
        return status_of_plan(finds)
    typed = confirm(session, plan)
    receipt = None if args.receipt is None else Path(args.receipt)
    result = run(session, plan, typed, receipt)
    session.out.document({**result_json(result), **finds_json(finds), **at})
    tell_result(session, result)
    tell_undecided(session, result.case)
    is_asking = result.case.state is CaseState.ASKING  # what another case holds, too
    left = Exit.REFUSED if is_asking else status_of_left(finds)
    return worst([status_of_result(result), left, status_of_finds(finds)])


def _close(session: Session) -> Exit:
    args = session.args
    done = session.services.cases.close(
        the_case(session),
        CaseState(args.outcome),
        reason=args.reason,
        keep_until=given_day(args.keep_until),
        leave_undecided=args.leave_undecided,
    )
    return _told(session, done)


def _export(session: Session) -> Exit:
    mine = the_case(session)
    where = where_of(session, mine)
    return export(session, mine, finds_of(session, mine, where), where)


def _letter(session: Session) -> Exit:
    return answer(session, the_case(session))


# ---- inside


def _checked_on(args: Namespace) -> str:
    """ISO 8601, or nothing."""
    day = given_day(args.on)
    return "" if day is None else day.isoformat()


def _told(session: Session, mine: Case) -> Exit:
    session.out.document(case_json(session, mine))
    tell_case(session, mine)
    return Exit.DONE


_RUN: Final[Mapping[str, Callable[[Session], Exit]]] = {
    "new": _new,
    "list": _list,
    "show": _show,
    "edit": _edit,
    "extend": _extend,
    "check": _check,
    "find": _find,
    "hold": hold,
    "correct": correct,
    "accept": accept,
    "export": _export,
    "open-copy": opened,
    "letter": _letter,
    "run": _run_case,
    "close": _close,
}

VERBS = (Verb("case", N_("requests to be forgotten, with their clock"), case_arguments),)
RUN = {"case": case}
