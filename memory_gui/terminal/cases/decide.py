# SPDX-License-Identifier: MIT
"""``case hold``, ``correct``, ``accept``: what becomes of single records, and of what remains."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memory_gui.cases.case import Case
from memory_gui.cases.finds import Decision, Finds, Place
from memory_gui.domain.errors import UserError
from memory_gui.services.cases.finding.places import Where
from memory_gui.terminal.cases.args import LIFT
from memory_gui.terminal.cases.finds import finds_json, tell_finds
from memory_gui.terminal.cases.given import finds_of, given_day, given_text, the_case
from memory_gui.terminal.cases.result import result_json, status_of_result, tell_result
from memory_gui.terminal.cases.run import where_of
from memory_gui.terminal.cases.show import case_json, tell_case
from memory_gui.terminal.inputs import plain
from memory_gui.terminal.session import Session
from memory_gui.terminal.setting import values_of
from memory_gui.terminal.status import Exit
from memory_gui.terminal.telling import tell_left
from memory_gui.words.erasure import state_text


def hold(session: Session) -> Exit:
    """Decide about records by their names, wherever else the case looks."""
    args, mine, service = session.args, the_case(session), session.services.cases
    if not (args.refs or args.file) or (args.refs and args.store is None):
        raise UserError("usage.nothing_chosen")
    where = _at_store(session, mine)
    if args.decision == LIFT and mine.subject is None:
        return _lift_closed(session, mine, where)
    finds = finds_of(session, mine, where)
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
            text=given_text(session),
            who=plain(args.who, "--who"),
            until=given_day(args.until),
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


def correct(session: Session) -> Exit:
    """Art. 16: another text for one record, and the old one gone for good."""
    args, mine, service = session.args, the_case(session), session.services.cases
    if args.store is None or len(args.refs) != 1:
        raise UserError("usage.nothing_chosen")
    where = _at_store(session, mine)
    finds = finds_of(session, mine, where)
    (number,) = _numbers(session, finds)
    find = next(one for one in finds.finds if one.number == number)
    fields = values_of(session)
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


def _at_store(session: Session, mine: Case) -> Where:
    """The store of ``--store``: a part of where the case looks; a file needs none."""
    if session.args.store is None:
        return replace(where_of(session, mine), in_passing=True)
    where = session.services.cases.where([session.args.store], key=session.key())
    return replace(where, in_passing=True)


def accept(session: Session) -> Exit:
    """What the runs found again in other places stays there, for a reason that is told."""
    done = session.services.cases.accept(
        the_case(session), reason=session.args.reason, text=given_text(session)
    )
    session.out.document(case_json(session, done))
    tell_case(session, done)
    return Exit.DONE
