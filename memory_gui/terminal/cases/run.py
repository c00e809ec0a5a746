# SPDX-License-Identifier: MIT
"""What ``forget`` and ``case run`` share: looking, choosing, asking, running."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Final

from memory_gui.cases.case import Case, CaseState
from memory_gui.cases.finds import Decision, Finds, Heap
from memory_gui.domain.errors import UserError
from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.finding.places import Where
from memory_gui.services.cases.running.plans import CasePlan, CaseResult
from memory_gui.terminal.changing import despite
from memory_gui.terminal.parser import Parser
from memory_gui.terminal.session import Session
from memory_gui.words import Words

SIDE_FILES: Final = "side-files"
HEAPS: Final = (str(Heap.MENTIONS), str(Heap.SHARED))


def with_places(parser: Parser, words: Words) -> None:
    """``--in``."""
    parser.add_argument(
        "--in",
        dest="places",
        metavar="PLACE",
        action="append",
        default=[],
        help=words.say(
            "a store, or a folder to look below, and nowhere else; may be given again. Without it: "
            "the known stores and the usual places; a case looks where it looked before"
        ),
    )


def with_everywhere(parser: Parser, words: Words) -> None:
    """``--everywhere``."""
    parser.add_argument(
        "--everywhere",
        action="store_true",
        help=words.say("look at the known stores and the usual places as well from now on"),
    )


def with_run(parser: Parser, words: Words) -> None:
    """What a run takes."""
    say = words.say
    parser.add_argument(
        "--include",
        metavar="HEAP",
        action="append",
        choices=HEAPS,
        default=[],
        help=say("take this heap too, after a dry run: mentions or shared; may be given again"),
    )
    parser.add_argument(
        "--dry-run", action="store_true", help=say("say what would be done and write nothing")
    )
    parser.add_argument("--yes", action="store_true", help=say("do not ask"))
    parser.add_argument(
        "--accept",
        metavar="WHAT",
        choices=(SIDE_FILES,),
        help=say("side-files: what is left in other files is named, and not a failure"),
    )


def where_of(session: Session, case: Case | None = None) -> Where:
    """Where to look: what ``--in`` names; else where the case looked before, and that is told.

    Without a case, or before its first search: all that is known and the usual places.
    """
    places, service = session.args.places, session.services.cases
    if case is None or places or session.args.everywhere or case.looked_in is None:
        return service.where(places, usual=not places, key=session.key())
    if case.looked_in.only:
        named = session.words.row(case.looked_in.named)
        session.out.note(
            session.words.say(
                "Looking where the case looked before: {places} (--in or --everywhere: elsewhere)",
                places=named,
            )
        )
    return service.where_of(case, key=session.key())


def look(session: Session, cases: list[Case], where: Where) -> list[Finds]:
    """Find, with progress; Ctrl+C gives what was found until then."""
    with session.progress() as tick:
        return session.services.cases.find_many(cases, where, tick=tick, cancel=session.cancel)


def included(finds: Finds, heaps: Collection[str]) -> Finds:
    """With the heaps that a person takes as a whole, for this run; single decisions stay."""
    wanted = [
        one.number
        for one in finds.finds
        if str(one.heap) in heaps and one.decision is Decision.NONE and Decision.ERASE in one.can
    ]
    return finds.decided(wanted, lambda one: replace(one, decision=Decision.ERASE))


def confirm(session: Session, plan: CasePlan) -> str:
    """What the person typed: the number of the plan.

    With ``--yes`` nobody is asked, nor where nothing would be changed.

    Raises:
        UserError: ``usage.yes_needed`` where nobody can be asked, ``usage.not_confirmed``.
    """
    if session.args.yes or not plan.total:
        return plan.word
    question = session.words.many(
        "{n} find is erased or changed for good. Type {word} to go on: ",
        "{n} finds are erased or changed for good. Type {word} to go on: ",
        plan.total,
        word=plan.word,
    )
    try:
        with Path("/dev/tty").open("r+b", buffering=0) as terminal:
            terminal.write(question.encode("utf-8", "replace"))
            answer = terminal.readline().decode("utf-8", "replace").strip()
    except OSError as error:
        raise UserError("usage.yes_needed") from error
    if answer != plan.word:
        raise UserError("usage.not_confirmed")
    return answer


def run(session: Session, plan: CasePlan, typed: str, receipt: Path | None) -> CaseResult:
    """Do it, with progress."""
    with session.progress() as tick:
        return session.services.cases.run(
            plan,
            typed=typed,
            tick=tick,
            cancel=session.cancel,
            receipt=receipt,
            despite_foreign="foreign" in despite(session),
            accept_side_files=session.args.accept == SIDE_FILES,
        )


def closed(session: Session, result: CaseResult, finds: Finds) -> Case:
    """A case that has nothing open any more is closed, and holds no name from then on."""
    case = result.case
    whole = result.state is EraseState.PROVED and not (finds.not_looked or finds.stopped)
    open_yet = case.number and not case.is_final  # one that was answered before is that still
    if open_yet and whole and not case.outcome.get("undecided"):
        return session.services.cases.close(case, CaseState.CLOSED)
    return case
