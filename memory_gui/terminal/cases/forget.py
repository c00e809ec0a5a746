# SPDX-License-Identifier: MIT
"""``forget``: one person, or a list of people, out of every store; found, shown, erased, proved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from memory_gui.cases.case import Case, CaseState, NewCase
from memory_gui.cases.finds import Finds, Heap
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import Right
from memory_gui.domain.errors import UserError
from memory_gui.services.cases.finding.places import Where
from memory_gui.services.cases.running.plans import CasePlan
from memory_gui.terminal.cases.finds import (
    finds_json,
    status_of_finds,
    status_of_left,
    status_of_plan,
    tell_finds,
    tell_not_looked,
)
from memory_gui.terminal.cases.people import Person, listed
from memory_gui.terminal.cases.result import (
    result_json,
    status_of_result,
    tell_plan,
    tell_result,
)
from memory_gui.terminal.cases.run import (
    closed,
    confirm,
    included,
    look,
    run,
    where_of,
    with_places,
    with_run,
)
from memory_gui.terminal.changing import with_despite
from memory_gui.terminal.inputs import plain
from memory_gui.terminal.parser import Parser, Verb
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit, worst
from memory_gui.words import N_, Words
from memory_gui.words import cases as say
from memory_gui.words.errors import explain


def _arguments(parser: Parser, words: Words) -> None:
    parser.add_argument(
        "subject",
        metavar="SUBJECT",
        nargs="?",
        help=words.say(
            "the person's name, e-mail address, telephone number or id; others on this computer "
            "can see arguments, so use --subjects for what is private"
        ),
    )
    parser.add_argument(
        "--also",
        metavar="NAME",
        action="append",
        default=[],
        help=words.say("another name, e-mail address, telephone number or id of the same person"),
    )
    parser.add_argument(
        "--other",
        metavar="NAME",
        action="append",
        default=[],
        help=words.say("somebody else who must be kept apart"),
    )
    parser.add_argument(
        "--subjects",
        metavar="FILE",
        help=words.say(
            "a CSV file, or - for standard input: columns subject, also, other, receipt, parted by "
            "commas, semicolons or tabs; several names in a cell are cut at semicolons"
        ),
    )
    with_places(parser, words)
    with_run(parser, words)
    with_despite(parser, words)
    parser.add_argument(
        "--receipt",
        metavar="FILE",
        help=words.say("where to write the receipt; with --subjects a folder for all of them"),
    )


def forget(session: Session) -> Exit:
    """Find, show, ask, erase, prove."""
    people = _people(session)
    drafts = [_case_of(session, one) for one in people]
    where = where_of(session)
    found = look(session, drafts, where)
    found = [included(one, session.args.include) for one in found]
    if session.args.subjects is None:
        return _one(session, people[0], drafts[0], found[0], where)
    return _several(session, people, drafts, found, where)


def _case_of(session: Session, person: Person) -> Case:
    """One that waits already; one that was answered, where the person came back; else a draft."""
    service = session.services.cases
    found = service.ongoing(person.subject)
    if found is None and (before := service.again(person.subject)) is not None:
        return before
    if found is None or found.subject is None or found.right is not Right.ERASE:
        return service.draft(NewCase(person.subject))
    known = found.subject
    more = Subject(
        tuple(dict.fromkeys((*known.named, *person.subject.named))),
        tuple(dict.fromkeys((*known.others, *person.subject.others))),
    )
    return replace(found, subject=more)


# ---- one


def _one(session: Session, person: Person, draft: Case, finds: Finds, where: Where) -> Exit:
    service = session.services.cases
    if session.args.yes:  # what a script prints is kept in logs: no memory text there
        tell_not_looked(session, finds.not_looked)
    else:
        tell_finds(session, finds)
    if not finds.finds:
        error = UserError("case.no_such_subject")
        session.out.error(error, finds_json(finds))
        return worst([Exit.NO_SUCH, status_of_finds(finds)])
    plan = service.plan(draft, finds, where, cancel=session.cancel)
    tell_plan(session, plan)
    if session.args.dry_run or not plan.has_some:
        session.out.document({**plan.as_json(), **finds_json(finds)})
        return _planned(session, finds)
    typed = confirm(session, plan)
    document, status = _run(session, person, plan, finds, typed)
    session.out.document(document)
    return status


def _planned(session: Session, finds: Finds) -> Exit:
    """What ends without a run: a dry run, or there is nothing that could be erased."""
    if session.args.dry_run:
        return status_of_plan(finds)
    return worst([Exit.NO_SUCH, status_of_finds(finds)])


def _run(
    session: Session, person: Person, plan: CasePlan, finds: Finds, typed: str
) -> tuple[dict[str, Any], Exit]:
    """Run the plan as a case of its own, where cases can be kept."""
    service = session.services.cases
    awaited = _is_awaited(plan.case)
    plan = service.as_case(plan) if service.is_kept else plan
    result = run(session, plan, typed, person.receipt)
    tell_result(session, result)
    case = result.case if awaited else closed(session, result, finds)
    if case.number and not case.is_final:
        session.out.note(session.words.say("Case {number} stays open.", number=str(case.number)))
    document = {**result_json(result), **finds_json(finds), "case_state": str(case.state)}
    return document, worst(
        [status_of_result(result), status_of_left(finds), status_of_finds(finds)]
    )


def _is_awaited(case: Case) -> bool:
    """Whether it is a request that somebody waits to be answered, and not left by a run of ours."""
    if not case.number or case.is_final:
        return False
    told = case.ground or case.notes or case.identity.method or case.clock.extended_until
    return bool(told) or case.state in _NOT_OURS


_NOT_OURS: Final = frozenset({CaseState.OPEN, CaseState.IDENTITY, CaseState.DONE})
"""States in which this verb leaves no case behind."""


# ---- several


def _several(
    session: Session,
    people: list[Person],
    drafts: list[Case],
    found: list[Finds],
    where: Where,
) -> Exit:
    tell_not_looked(session, found[0].not_looked if found else ())
    ticked = sum(not one.bound for finds in found for one in finds.ticked)
    for finds in found:
        _tell_line(session, finds)
    if not session.args.dry_run and ticked and not session.args.yes:
        _confirm_all(session, ticked)
    documents: list[dict[str, Any]] = []
    statuses: list[Exit] = []
    for place, (person, draft, finds) in enumerate(zip(people, drafts, found, strict=True), 1):
        try:
            document, status = _each(session, person, draft, finds, where)
        except UserError as error:
            document = {"error": session.out.error_data(error)}
            session.out.note(explain(session.words, error).text)
            status = Exit.FAILED
        documents.append({"line": place, **document, "status": int(status)})
        statuses.append(status)
    session.out.document({"subjects": documents, "summary": _summary(found, statuses)})
    _tell_summary(session, statuses)
    return worst(statuses)


def _each(
    session: Session, person: Person, draft: Case, finds: Finds, where: Where
) -> tuple[dict[str, Any], Exit]:
    if not finds.finds:
        return finds_json(finds), worst([Exit.NO_SUCH, status_of_finds(finds)])
    plan = session.services.cases.plan(draft, finds, where, cancel=session.cancel)
    if session.args.dry_run or not plan.has_some:
        return {**plan.as_json(), **finds_json(finds)}, _planned(session, finds)
    return _run(session, person, plan, finds, plan.word)


def _confirm_all(session: Session, total: int) -> None:
    session.confirm(
        session.words.many(
            "Erase {n} record for good? This cannot be undone.",
            "Erase {n} records for good? This cannot be undone.",
            total,
        )
    )


def _tell_line(session: Session, finds: Finds) -> None:
    words = session.words
    name = "" if session.args.yes else finds.subject.title
    heaps = [
        words.say("{heap}: {n}", heap=say.said(words, say.HEAPS, heap), n=finds.counts[heap])
        for heap in Heap
    ]
    session.out.line(words.row([name, *heaps] if name else heaps))


def _summary(found: list[Finds], statuses: list[Exit]) -> dict[str, Any]:
    return {
        "subjects": len(found),
        "done": sum(one is Exit.DONE for one in statuses),
        "not_found": sum(one is Exit.NO_SUCH for one in statuses),
        "other": sum(one not in {Exit.DONE, Exit.NO_SUCH} for one in statuses),
        "undecided": sum(len(one.undecided) for one in found),
    }


def _tell_summary(session: Session, statuses: list[Exit]) -> None:
    session.out.line(
        session.words.say(
            "People: {all}. Done: {done}. Not found: {missing}. Other results: {other}.",
            all=len(statuses),
            done=sum(one is Exit.DONE for one in statuses),
            missing=sum(one is Exit.NO_SUCH for one in statuses),
            other=sum(one not in {Exit.DONE, Exit.NO_SUCH} for one in statuses),
        )
    )


# ---- who


def _people(session: Session) -> list[Person]:
    """The person of the arguments, or the people of a list.

    Raises:
        UserError: ``usage.nothing_chosen``, ``case.*``, ``receipt.exists``.
    """
    args = session.args
    if args.subject is None and args.subjects is None:
        raise UserError("case.no_name")
    if args.subject is not None and args.subjects is not None:
        raise UserError("usage.nothing_chosen")
    receipt = None if args.receipt is None else Path(args.receipt)
    if args.subjects is None:
        also = [plain(text, "--also") for text in args.also]
        other = [plain(text, "--other") for text in args.other]
        return [Person(Subject.of(plain(args.subject, "SUBJECT"), also, other), receipt)]
    return listed(session, args.subjects, receipt)


VERBS = (Verb("forget", N_("erase all about a person, in every store, and prove it"), _arguments),)
RUN = {"forget": forget}
