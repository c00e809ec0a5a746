# SPDX-License-Identifier: MIT
"""The plan of a case and what became of it: lines for a person, and JSON without any text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.running.plans import CasePlan, CaseResult, PartResult, StayingFile
from memory_gui.terminal.cases.show import tell_checklist
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit, status_of, worst
from memory_gui.terminal.telling import can_be_accepted, result_text, tell_left
from memory_gui.words import Words, formats
from memory_gui.words import cases as say
from memory_gui.words.erasure import state_text
from memory_gui.words.errors import explain
from memory_gui.words.reasons import kept_line, kept_records_line

_FOREIGN: Final = "store.foreign_objects"


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
    _tell_stays(session, plan)
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


def _tell_stays(session: Session, plan: CasePlan) -> None:
    """What stays, and what goes although a case decided to keep it."""
    words, out = session.words, session.out
    if plan.held_here or plan.kept:
        out.line(words.say("Held: {held}. Kept: {kept}.", held=plan.held_here, kept=plan.kept))
    for other, count in plan.bound.items():
        told = say.other_case(words, other)
        out.line(say.stays_line(words, count, told))
    _tell_kept(session, plan.kept_files)
    for kept in plan.kept_in_cases:
        out.line(kept_records_line(words, kept))


def tell_result(session: Session, result: CaseResult) -> None:
    """The whole first, then store by store."""
    words, out = session.words, session.out
    state = state_text(words, str(result.state), accepted=result.accepted, keeps=result.keeps)
    if result.parts and not any(map(_erased, result.parts)):
        state = say.nothing_erased(words, restricted=any(one.restricted for one in result.parts))
    left_out = say.left_out(words, result.case.outcome)
    if left_out:
        out.line(words.say("Result of what was done: {state}.", state=state))
    else:
        out.line(words.say("Result: {state}.", state=state))
    for line in left_out:
        out.line(line)
    _tell_kept(session, result.kept_files)
    for one in result.parts:
        out.line(words.say("{path}: {reason}", path=one.path, reason=_part(words, one)), lines=True)
        if one.error is not None:
            out.line(explain(words, one.error).text, lines=True)
        for who in one.result.open_by if one.result is not None else ():
            out.line(words.say("{name} (pid {pid}) has it open.", name=who.name, pid=str(who.pid)))
        if one.result is not None:
            tell_left(session, one.result)
    _tell_ways_on(session, result)
    if result.receipt:
        out.line(words.say("Receipt: {path}", path=result.receipt))


def _tell_kept(session: Session, files: Sequence[StayingFile]) -> None:
    """Files that stay byte for byte, each with its reason."""
    for one in files:
        session.out.line(kept_line(session.words, one.file, one.hits))


def _tell_ways_on(session: Session, result: CaseResult) -> None:
    """What a person can do about what kept it from being proved."""
    words, out = session.words, session.out
    if any(one.error is not None and one.error.code == _FOREIGN for one in result.parts):
        out.line(
            words.say("Look at them, then run it again with --despite foreign if you know them.")
        )
    if any(one.result is not None and can_be_accepted(one.result) for one in result.parts):
        out.line(
            words.say(
                "Clean or delete what is named, then run it again; or accept it with "
                "--accept side-files."
            )
        )


def _erased(one: PartResult) -> bool:
    """Whether its state speaks of an erase: not where it only hid records, or all were on hold."""
    return one.state is not EraseState.PROVED or one.result is not None or bool(one.erased)


def _part(words: Words, one: PartResult) -> str:
    if one.result is not None:
        text = result_text(words, replace(one.result, state=one.state))
    elif not _erased(one):
        text = say.nothing_erased(words, restricted=bool(one.restricted))
    else:
        text = state_text(words, str(one.state))
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
        "kept_files": [one.as_json() for one in result.kept_files],
        "receipt": result.receipt,
    }


def status_of_result(result: CaseResult) -> Exit:
    """Of its parts: what was refused is no store that was busy, and waiting does not help."""
    return worst(map(_status, result.parts))


def _status(one: PartResult) -> Exit:
    if one.error is not None:
        why = status_of(one.error.code)
        return Exit.NOT_PROVED if one.state is EraseState.NOT_PROVED else why
    match one.state:
        case EraseState.NOT_PROVED:
            return Exit.NOT_PROVED
        case EraseState.NOT_FINISHED:
            return Exit.NOT_FINISHED
    return Exit.DONE
