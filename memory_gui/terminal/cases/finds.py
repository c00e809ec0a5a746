# SPDX-License-Identifier: MIT
"""Finds of a case, and where nobody could look: lines for a person, and JSON without any text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from memory_gui.cases.finds import CaseFind, Decision, Finds, Heap, NotLooked, Place
from memory_gui.services.cases.running.plans import not_looked_json
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit, status_of, worst
from memory_gui.words import Words, formats
from memory_gui.words import cases as say

_SIGNS: Final = {True: "[{}]", False: "({})"}
"""What stands around a match: one that is sure, one that is not."""


def finds_json(finds: Finds) -> dict[str, Any]:
    """Where the person is named: refs and codes."""
    return {
        "finds": [_find_json(one) for one in finds.finds],
        "heaps": {str(heap): number for heap, number in finds.counts.items()},
        "looked": list(finds.looked),
        "not_looked": [not_looked_json(one) for one in finds.not_looked],
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
        "agent": one.agent,
        "only_kept": one.only_kept or None,
        "decision": str(one.decision),
        "other_case": None if one.other is None else one.other.as_json(),
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
    decision = decided_line(words, one)
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
    if one.only_kept and one.decision is Decision.NONE:
        session.out.line("   " + say.way_out(words, one.agent))


def decided_line(words: Words, one: CaseFind) -> str:
    """What becomes of it; what another case says of it stands in the same row."""
    decision, other = say.said(words, say.DECISIONS, one.decision), one.other
    if other is None:
        return decision
    told = say.other_case(words, other)
    return told if one.bound else words.say("{decision} ({other})", decision=decision, other=told)


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
