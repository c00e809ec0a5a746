# SPDX-License-Identifier: MIT
"""Cases, finds, plans and results as lines for a person, and as JSON without any text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

from memory_gui.cases.case import Case, CheckItem
from memory_gui.cases.finds import CaseFind, Finds, Heap, NotLooked, Place
from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.holds import HoldLine
from memory_gui.services.cases.plans import CasePlan, CaseResult, PartResult
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit, status_of, worst
from memory_gui.terminal.telling import can_be_accepted, tell_left
from memory_gui.words import Words, formats
from memory_gui.words import cases as say
from memory_gui.words.erasure import state_text
from memory_gui.words.errors import explain

_TITLE: Final = 40
_SIGNS: Final = {True: "[{}]", False: "({})"}
"""What stands around a match: one that is sure, one that is not."""


# ---- cases


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
        "identity": {"method": case.identity.method or None, "result": case.identity.result},
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
        "left_undecided": case.left_undecided,
        "outcome": {k: v for k, v in case.outcome.items() if k != "parts"} or None,
    }


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
    tell_undecided(session, case)
    tell_checklist(session, case.checklist)


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
    reason = say.said(words, say.HOLD_REASONS, one.reason)
    if one.until is None:
        return words.many(
            "{n} record on hold: {reason}.", "{n} records on hold: {reason}.", one.count,
            reason=reason,
        )  # fmt: skip
    return words.many(
        "{n} record on hold until {date}: {reason}.",
        "{n} records on hold until {date}: {reason}.",
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


# ---- finds


def finds_json(finds: Finds) -> dict[str, Any]:
    """Where the person is named: refs and codes."""
    return {
        "finds": [_find_json(one) for one in finds.finds],
        "heaps": {str(heap): number for heap, number in finds.counts.items()},
        "looked": list(finds.looked),
        "not_looked": [
            {"path": one.path, "agent": one.agent, "code": one.code} for one in finds.not_looked
        ],
        "records_read": finds.records,
        "files_read": finds.side_files,
        "stopped": finds.stopped,
        "limits": list(finds.limits),
    }


def _find_json(one: CaseFind) -> dict[str, Any]:
    return {
        "number": one.number,
        "store": str(one.store),
        "place": str(one.place),
        "ref": None if one.ref is None else one.ref.text,
        "file": one.path if one.place is Place.FILE else None,
        "kind": one.kind,
        "state": None if one.state is None else str(one.state),
        "heap": str(one.heap),
        "why": list(one.why),
        "hits": one.hits,
        "decision": str(one.decision),
        "can": sorted(map(str, one.can)),
        "etag": one.etag,
    }


def tell_finds(session: Session, finds: Finds) -> None:
    """Heap by heap, each with the text around the match."""
    words, out = session.words, session.out
    for heap in Heap:
        mine = finds.heap(heap)
        title = say.said(words, say.HEAPS, heap)
        out.line(words.say("{heap}: {n}", heap=title, n=len(mine)))
        for one in mine:
            _tell_find(session, one)
    tell_not_looked(session, finds.not_looked)


def _tell_find(session: Session, one: CaseFind) -> None:
    words = session.words
    name = one.path if one.ref is None else one.ref.text
    decision = say.said(words, say.DECISIONS, one.decision)
    where = str(one.store) if one.place is not Place.FILE else kind(words, one)
    session.out.line(
        words.say(
            "{n}. {name} · {where} · {decision}",
            n=one.number,
            name=name,
            where=where,
            decision=decision,
        )
    )
    for piece in one.pieces[:1]:
        session.out.line("   " + marked(piece.text, piece.marks))
    why = [say.said(words, say.WHYS, code) for code in one.why]
    if why:
        session.out.line("   " + words.row(why))


def marked(text: str, marks: Iterable[tuple[int, int, bool]]) -> str:
    """The text in one line, with signs around what was found."""
    parts, at = [], 0
    for start, end, sure in marks:
        parts += [text[at:start], _SIGNS[sure].format(text[start:end])]
        at = end
    return " ".join("".join((*parts, text[at:])).split())


def kind(words: Words, one: CaseFind) -> str:
    """What it is."""
    if one.place is Place.FILE:
        return say.said(words, say.FILES, one.kind)
    return formats.kind(words, one.kind)


def tell_not_looked(session: Session, not_looked: Sequence[NotLooked]) -> None:
    """Where nobody could look, and why."""
    words = session.words
    if not_looked:
        session.out.line(words.say("Not looked into:"))
    for one in not_looked:
        why = say.not_looked(words, one.code, one.params)
        session.out.line(words.say("{path}: {reason}", path=one.path, reason=why), lines=True)


# ---- plan and result


def tell_plan(session: Session, plan: CasePlan) -> None:
    """What would be done, by store, kind and file."""
    words, out = session.words, session.out
    for one in plan.counts:
        what = one.file or formats.kind(words, one.kind)
        if one.kind in say.FILES and not one.file:
            what = say.said(words, say.FILES, one.kind)
        out.line(
            words.say(
                "{path} · {what}: {erase} to erase, {along} along with them, {redact} to take the "
                "name out of, {restrict} to restrict",
                path=one.path,
                what=what,
                erase=one.erase,
                along=one.along,
                redact=one.redact,
                restrict=one.restrict,
            )
        )
    for part in plan.parts:
        if part.error is not None:
            reason = explain(words, part.error).text
            out.line(words.say("{path}: {reason}", path=part.path, reason=reason), lines=True)
    if plan.held or plan.kept:
        out.line(words.say("Held: {held}. Kept: {kept}.", held=plan.held, kept=plan.kept))
    if plan.undecided:
        out.line(
            words.many(
                "{n} find is undecided and stays.", "{n} finds are undecided and stay.",
                plan.undecided,
            )
        )  # fmt: skip
    if plan.asks:
        out.line(
            words.many(
                "{n} of them is surely about the person. Where this program cannot erase from a "
                "store, do it with its agent, or keep it with a reason.",
                "{n} of them are surely about the person. Where this program cannot erase from a "
                "store, do it with its agent, or keep them with a reason.",
                plan.asks,
            )
        )
    if session.args.dry_run:
        tell_checklist(session, plan.checklist)


def tell_result(session: Session, result: CaseResult) -> None:
    """The whole first, then store by store."""
    words, out = session.words, session.out
    state = state_text(words, str(result.state), accepted=result.accepted)
    if result.parts and not any(map(_erased, result.parts)):
        state = say.nothing_erased(words, restricted=any(one.restricted for one in result.parts))
    left_out = say.left_out(words, result.case.outcome)
    if left_out:
        out.line(words.say("Result of what was done: {state}.", state=state))
    else:
        out.line(words.say("Result: {state}.", state=state))
    for line in left_out:
        out.line(line)
    for one in result.parts:
        out.line(words.say("{path}: {reason}", path=one.path, reason=_part(words, one)), lines=True)
        if one.error is not None:
            out.line(explain(words, one.error).text, lines=True)
        for who in one.result.open_by if one.result is not None else ():
            out.line(words.say("{name} (pid {pid}) has it open.", name=who.name, pid=str(who.pid)))
        if one.result is not None:
            tell_left(session, one.result)
    if any(one.result is not None and can_be_accepted(one.result) for one in result.parts):
        out.line(
            words.say(
                "Clean or delete what is named, then run it again; or accept it with "
                "--accept side-files."
            )
        )
    if result.receipt:
        out.line(words.say("Receipt: {path}", path=result.receipt))


def _state(words: Words, state: EraseState) -> str:
    return state_text(words, str(state))


def _erased(one: PartResult) -> bool:
    """Whether its state speaks of an erase: not where it only hid records, or all were on hold."""
    return one.state is not EraseState.PROVED or one.result is not None or bool(one.erased)


def _part(words: Words, one: PartResult) -> str:
    if one.result is not None:
        result = one.result
        text = state_text(
            words,
            str(one.state),
            key=result.key,
            accepted=result.accepted,
            out_of_reach=result.out_of_reach,
            other_store=result.other_store,
        )
    elif not _erased(one):
        text = say.nothing_erased(words, restricted=bool(one.restricted))
    else:
        text = _state(words, one.state)
    return words.say(
        "{state} ({erased} erased, {redacted} without the name, {restricted} restricted)",
        state=text,
        erased=one.erased,
        redacted=one.redacted,
        restricted=one.restricted,
    )


def result_json(result: CaseResult) -> dict[str, Any]:
    """As it stands in the document of a run."""
    return {
        "state": str(result.state),
        "case": result.case.number or None,
        "parts": [one.as_json() for one in result.parts],
        "stores": [one.result.as_json() for one in result.parts if one.result is not None],
        "undecided": int(result.case.outcome.get("undecided", 0)),
        "receipt": result.receipt,
    }


def status_of_finds(finds: Finds) -> Exit:
    """What it means for the whole that some places were not looked into."""
    found = [status_of(one.code) for one in finds.not_looked]
    refused = [Exit.REFUSED if one in {Exit.FAILED, Exit.NO_SUCH} else one for one in found]
    return worst([*refused, Exit.NOT_FINISHED if finds.stopped else Exit.DONE])


def status_of_plan(finds: Finds) -> Exit:
    """A dry run is done when it has planned what can be: what it could not look into it names.

    A key that is missing and a store that is busy can be helped before the run, and are told by
    the status too; so is that there was no place at all that could be looked into.
    """
    status = status_of_finds(finds)
    return Exit.DONE if status is Exit.REFUSED and finds.looked else status


def status_of_left(finds: Finds) -> Exit:
    """What is surely about the person and undecided: nothing erases it, or nobody said so."""
    return Exit.REFUSED if finds.asked else Exit.DONE


def status_of_result(result: CaseResult) -> Exit:
    """Of its parts, with what kept one from being done."""
    errors = [status_of(one.error.code) for one in result.parts if one.error is not None]
    return worst([Exit(result.exit_code), *errors])


def today() -> date:
    """By this computer's clock."""
    return datetime.now(UTC).astimezone().date()
