# SPDX-License-Identifier: MIT
"""``case``: requests with their clock, from the first day to the answer."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Final

from memory_gui.cases.case import Case, CaseState, Identity, NewCase
from memory_gui.cases.clock import Term
from memory_gui.cases.finds import Decision, Finds, Place
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import Right
from memory_gui.domain.errors import UserError
from memory_gui.services.cases.places import Where
from memory_gui.terminal.cases_args import LIFT, case_arguments
from memory_gui.terminal.cases_copy import answer, export, opened
from memory_gui.terminal.cases_finds import (
    finds_json,
    status_of_finds,
    status_of_left,
    status_of_plan,
    tell_finds,
    tell_not_looked,
)
from memory_gui.terminal.cases_result import (
    result_json,
    status_of_result,
    tell_plan,
    tell_result,
)
from memory_gui.terminal.cases_run import confirm, included, look, run, where_of
from memory_gui.terminal.cases_show import (
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
from memory_gui.terminal.telling import tell_left
from memory_gui.words import N_
from memory_gui.words import cases as say
from memory_gui.words.erasure import state_text


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
            _day(args.received),
            Term(args.term or Term.MONTH),
            _day(args.due),
            Identity(args.identity or "", args.identity_result or "pending", at=_checked_on(args)),
            _text(session),
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
    args, before = session.args, _case(session)
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
            fields[name] = _day(getattr(args, name))
    if args.identity or args.identity_result or args.on:
        identity = before.identity
        fields["identity"] = replace(
            identity,
            method=args.identity or identity.method,
            result=args.identity_result or identity.result,
            at=_checked_on(args) or ("" if args.identity_result else identity.at),
        )
    if args.text_file is not None:
        fields["notes"] = _text(session)
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
    return _told(session, _case(session))


def _extend(session: Session) -> Exit:
    args = session.args
    done = session.services.cases.extend(
        _case(session), plain(args.reason, "--reason"), _day(args.until)
    )
    return _told(session, done)


def _check(session: Session) -> Exit:
    args = session.args
    if args.item is None:
        raise UserError("usage.wrong", detail="--item")
    done = session.services.cases.check_off(
        _case(session), args.item - 1, _day(args.on) or today(), _text(session)
    )
    return _told(session, done)


# ---- finding and deciding


def _find(session: Session) -> Exit:
    found = _case(session)
    where = where_of(session, found)
    finds = _finds(session, found, where)
    session.out.document({**finds_json(finds), "places": places_json(where.kept)})
    tell_finds(session, finds)
    nothing = Exit.DONE if finds.finds else Exit.NO_SUCH
    return worst([nothing, status_of_finds(finds)])


def _hold(session: Session) -> Exit:
    """Decide about records by their names, wherever else the case looks."""
    args, mine, service = session.args, _case(session), session.services.cases
    if args.store is None or not (args.refs or args.file):
        raise UserError("usage.nothing_chosen")
    where = _at_store(session)
    if args.decision == LIFT and mine.subject is None:
        return _lift_closed(session, mine, where)
    finds = _finds(session, mine, where)
    numbers = _numbers(session, finds)
    if args.decision == LIFT:
        finds = service.lift(mine, finds, numbers, where)
    else:
        finds = service.decide(
            mine,
            finds,
            numbers,
            Decision(args.decision),
            reason=args.reason,
            text=_text(session),
            who=plain(args.who, "--who"),
            until=_day(args.until),
        )
        if args.decision == Decision.RESTRICT:
            return _restrict(session, mine, finds, numbers, where)
    kept = replace(finds, finds=tuple(one for one in finds.finds if one.number in numbers))
    session.out.document(finds_json(kept))
    tell_finds(session, kept)
    return Exit.DONE


def _lift_closed(session: Session, mine: Case, where: Where) -> Exit:
    """By keyed marks: nobody knows the name any more."""
    file = "" if session.args.file is None else str(Path(session.args.file).resolve())
    done = session.services.cases.lift_closed(
        mine, where, session.args.refs, file=file, cancel=session.cancel
    )
    session.out.document({"case": mine.number, "lifted": done.lifted, "restored": done.restored})
    session.out.line(
        session.words.many("{n} record is free again.", "{n} records are free again.", done.lifted)
    )
    return Exit.DONE


def _correct(session: Session) -> Exit:
    """Art. 16: another text for one record, and the old one gone for good."""
    args, mine, service = session.args, _case(session), session.services.cases
    if args.store is None or len(args.refs) != 1:
        raise UserError("usage.nothing_chosen")
    where = _at_store(session)
    finds = _finds(session, mine, where)
    (number,) = _numbers(session, finds)
    find = next(one for one in finds.finds if one.number == number)
    fields = session.values()
    session.confirm(
        session.words.say(
            "Change {ref} and erase its old text for good? This cannot be undone.",
            ref=args.refs[0],
        )
    )
    with session.progress() as tick:
        done = service.correct(mine, find, fields, where, tick=tick, cancel=session.cancel)
    session.out.document({"case": mine.number, "ref": args.refs[0], "erase": done.erase.as_json()})
    state = state_text(session.words, str(done.erase.state), key=done.erase.key)
    session.out.line(session.words.say("Result: {state}.", state=state))
    tell_left(session, done.erase)
    return Exit(done.erase.exit_code)


def _restrict(session: Session, mine: Case, finds: Finds, numbers: set[int], where: Where) -> Exit:
    """The mark is kept; now the record leaves the agent's sight. All else waits for its own run."""
    others = [one.number for one in finds.ticked if one.number not in numbers]
    only = finds.decided(others, lambda one: replace(one, decision=Decision.NONE))
    service = session.services.cases
    plan = replace(service.plan(mine, only, where, cancel=session.cancel), whole=False)
    result = service.run(plan, typed=plan.word, cancel=session.cancel)
    session.out.document(result_json(result))
    tell_result(session, result)
    return status_of_result(result)


def _numbers(session: Session, finds: Finds) -> set[int]:
    """The finds that were named. Raises UserError ``ref.unknown``."""
    found: set[int] = set()
    for text in session.args.refs:
        mine = [
            one.number
            for one in finds.finds
            if one.ref is not None and text in {one.ref.text, one.ref.id}
        ]
        if len(mine) != 1:
            raise UserError("ref.unknown", ref=text)
        found.update(mine)
    if session.args.file is not None:
        path = Path(session.args.file).resolve()
        files = (one for one in finds.finds if one.place is Place.FILE)
        mine = [one.number for one in files if Path(one.path).resolve() == path]
        if not mine:
            raise UserError("ref.unknown", ref=session.args.file)
        found.update(mine)
    return found


# ---- running and closing


def _run_case(session: Session) -> Exit:
    args, mine, service = session.args, _case(session), session.services.cases
    where = where_of(session, mine)
    finds = included(_finds(session, mine, where), args.include)
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
    return worst([status_of_result(result), status_of_left(finds), status_of_finds(finds)])


def _close(session: Session) -> Exit:
    args = session.args
    done = session.services.cases.close(
        _case(session),
        CaseState(args.outcome),
        reason=args.reason,
        keep_until=_day(args.keep_until),
        leave_undecided=args.leave_undecided,
    )
    return _told(session, done)


def _export(session: Session) -> Exit:
    mine = _case(session)
    where = where_of(session, mine)
    return export(session, mine, _finds(session, mine, where), where)


def _letter(session: Session) -> Exit:
    return answer(session, _case(session))


# ---- inside


def _case(session: Session) -> Case:
    """The case that is named by its number. Raises UserError ``case.unknown``."""
    text = session.args.subject or ""
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise UserError("case.unknown", number=text)
    return session.services.cases.case(int(text))


def _finds(session: Session, mine: Case, where: Where) -> Finds:
    return look(session, [mine], where)[0]


def _at_store(session: Session) -> Where:
    """The store of ``--store``: a part of where the case looks."""
    where = session.services.cases.where([session.args.store], key=session.key())
    return replace(where, in_passing=True)


def _checked_on(args: Namespace) -> str:
    """ISO 8601, or nothing."""
    day = _day(args.on)
    return "" if day is None else day.isoformat()


def _told(session: Session, mine: Case) -> Exit:
    session.out.document(case_json(session, mine))
    tell_case(session, mine)
    return Exit.DONE


def _text(session: Session) -> str:
    name = session.args.text_file
    return "" if name is None else session.read_text(name).strip()


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UserError("case.date", date=text) from error


_RUN: Final[Mapping[str, Callable[[Session], Exit]]] = {
    "new": _new,
    "list": _list,
    "show": _show,
    "edit": _edit,
    "extend": _extend,
    "check": _check,
    "find": _find,
    "hold": _hold,
    "correct": _correct,
    "export": _export,
    "open-copy": opened,
    "letter": _letter,
    "run": _run_case,
    "close": _close,
}

VERBS = (Verb("case", N_("requests to be forgotten, with their clock"), case_arguments),)
RUN = {"case": case}
