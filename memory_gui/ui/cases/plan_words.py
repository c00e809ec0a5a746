# SPDX-License-Identifier: MIT
"""What the pages of a case say of plans and results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from memory_gui.domain.erasing import BY_HAND
from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.answering.reporting import CaseReport
from memory_gui.services.cases.running.leftover import LeftOver
from memory_gui.services.cases.running.plans import (
    CasePlan,
    CaseResult,
    PartResult,
    PlanCount,
    StayingFile,
    StorePart,
)
from memory_gui.ui.home.phrases import short_path
from memory_gui.ui.visible import visible
from memory_gui.words import N_, Words, formats, reasons
from memory_gui.words import cases as said
from memory_gui.words.erasure import PLACES, TABLES, state_text
from memory_gui.words.errors import explain
from memory_gui.words.reasons import kept_line, kept_records_line

# ---- the plan


def count_line(words: Words, count: PlanCount) -> tuple[str, str]:
    """(where, what becomes of how many)."""
    kind = kinds(words, count.kind)
    where = short_path(count.file or count.path)
    parts = [
        words.many("{n} erased", "{n} erased", count.erase) if count.erase else "",
        words.many("{n} without the name", "{n} without the name", count.redact)
        if count.redact
        else "",
        words.many("{n} restricted", "{n} restricted", count.restrict) if count.restrict else "",
    ]
    if count.along:
        parts.append(words.many("{n} more with it", "{n} more with them", count.along))
    said_of = words.row([part for part in parts if part])
    return where, words.say("{agent}, {kind}: {what}", agent=count.agent, kind=kind, what=said_of)


def kinds(words: Words, name: str) -> str:
    """Several of a kind of record, or what a file is."""
    if name in said.FILES:
        return words.say(said.FILES[name])
    return formats.kind(words, name)


def error_line(words: Words, part: StorePart) -> str:
    """What keeps a store from its part."""
    why = explain(words, part.error).title if part.error is not None else ""
    return words.say("{where}: {what}", where=short_path(part.path), what=why)


def plan_lead(words: Words, plan: CasePlan) -> str:
    """What the whole plan does, in one sentence."""
    if restricts_only(plan):
        return words.many(
            "{n} record goes out of its agent’s sight, into the trash, and stays there until the "
            "restriction is lifted.",
            "{n} records go out of their agents’ sight, into the trash, and stay there until the "
            "restriction is lifted.",
            plan.total,
        )
    return words.many(
        "{n} record or file is changed or goes for good. This cannot be undone.",
        "{n} records and files are changed or go for good. This cannot be undone.",
        plan.total,
    )


def restricts_only(plan: CasePlan) -> bool:
    """Whether nothing goes for good."""
    return bool(plan.counts) and not any(one.erase or one.redact for one in plan.counts)


def run_button(words: Words, plan: CasePlan) -> str:
    """What the button says."""
    if restricts_only(plan):
        return words.many("Restrict {n} record", "Restrict {n} records", plan.total)
    return words.many("Erase {n} find", "Erase {n} finds", plan.total)


def staying(words: Words, plan: CasePlan) -> list[str]:
    """What the plan leaves as it is."""
    lines = [
        said.stays_line(words, count, said.other_case(words, other))
        for other, count in plan.bound.items()
    ]
    if held := plan.held_here:
        lines.append(words.many("{n} record is held", "{n} records are held", held))
    if plan.kept:
        lines.append(words.many("{n} record is kept", "{n} records are kept", plan.kept))
    if plan.undecided:
        lines.append(
            words.many(
                "{n} find is still undecided, and stays",
                "{n} finds are still undecided, and stay",
                plan.undecided,
            )
        )
    return lines + file_lines(words, plan.kept_files)


def decided_otherwise(words: Words, plan: CasePlan) -> list[str]:
    """What goes although a case, this one or another, decided to keep it."""
    return [kept_records_line(words, one) for one in plan.kept_in_cases]


def file_lines(words: Words, files: Iterable[StayingFile]) -> list[str]:
    """The files that stay byte for byte, each with its reason."""
    return [
        kept_line(words, replace(one.file, path=short_path(one.file.path)), one.hits)
        for one in files
    ]


# ---- the result


def result_heading(words: Words, result: CaseResult) -> str:
    """How it ended, in a few words."""
    if result.keeps:
        return words.say("Done, and proved except in files that are kept")
    if result.accepted:
        return words.say("Done, and proved except for what you accepted")
    if result.state is EraseState.PROVED:
        return words.say("Done, and proved in every store")
    if result.state is EraseState.NOT_FINISHED:
        return words.say("Not finished: some stores are still to come")
    return words.say("Done, but not proved everywhere")


ENDED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "proved": N_("proved gone"),
        "not-finished": N_("not finished"),
        "not-proved": N_("not proved"),
        "planned": N_("nothing was done"),
    }
)


def ended(words: Words, state: str, *, accepted: bool = False, keeps: bool = False) -> str:
    """How it ended in one store, in two words."""
    if (accepted or keeps) and state == EraseState.PROVED:
        return state_text(words, state, accepted=accepted, keeps=keeps)
    return words.say(ENDED[state]) if state in ENDED else state


def part_line(words: Words, part: PartResult) -> str:
    """What became of one store."""
    parts = []
    if part.erased:
        parts.append(words.many("{n} erased", "{n} erased", part.erased))
    if part.redacted:
        parts.append(words.many("{n} without the name", "{n} without the name", part.redacted))
    if part.restricted:
        parts.append(words.many("{n} restricted", "{n} restricted", part.restricted))
    only_hidden = part.result is None and not (part.erased or part.redacted)
    if part.error is not None:
        parts.append(explain(words, part.error).title)
    elif part.state is EraseState.PROVED and only_hidden and part.restricted:
        parts.append(said.nothing_erased(words, restricted=True))
    else:
        done = part.result
        accepted, keeps = (done.accepted, done.keeps) if done is not None else (False, False)
        parts.append(ended(words, str(part.state), accepted=accepted, keeps=keeps))
    where = words.say("{agent}, {path}", agent=part.agent, path=short_path(part.path))
    return words.say("{where}: {what}", where=where, what=words.row(parts))


# ---- what remains


def _place(words: Words, one: LeftOver) -> str:
    """A file by its whole path, else what it is in its store."""
    if one.what in TABLES:
        where = words.say("the table {table}", table=visible(one.where))
        return words.say("{where}: {what}", where=short_path(one.store), what=where)
    if one.where in PLACES:
        where = words.say(PLACES[one.where])
        return words.say("{where}: {what}", where=short_path(one.store), what=where)
    return short_path(one.where)


def remain_line(words: Words, one: LeftOver) -> str:
    """Where text was found again, how often, and why it is not changed."""
    why, place = _why(words, one), _place(words, one)
    named = place in why  # some reasons name the file themselves
    if not one.count:
        return why if named else words.say("{where}: {what}", where=place, what=why)
    where = words.many(
        "{where} ({n} place)",
        "{where} ({n} places)",
        one.count,
        where=why if named else place,
    )
    return where if named else words.say("{where}: {what}", where=where, what=why)


def _why(words: Words, one: LeftOver) -> str:
    if one.error:
        several = words.say("several")  # of the file's names: how many is not kept
        return said.kept_code(words, one.error, path=short_path(one.where), names=several)
    if one.what in TABLES:
        return words.say("nothing is taken from there")
    if one.where in PLACES:
        return words.say("other records of the store say the same")
    if one.what in BY_HAND:
        return words.say(said.WHYS["by_hand"])
    return words.say("it is held, or was written anew meanwhile")


def let_stay_line(words: Words, one: LeftOver) -> str:
    """The same once a person has accepted it, and for which reason."""
    place = words.many(
        "{where} ({n} place)", "{where} ({n} places)", one.count, where=_place(words, one)
    )
    if not one.reason:
        return place
    reason = reasons.reason(words, one.reason)
    return words.say("{where}: {what}", where=place, what=reason)


def unproved_lines(words: Words, report: CaseReport) -> list[str]:
    """What is not proved for another reason than what remains, and what is still there."""
    waiting, case = {one.store for one in report.remains}, report.case
    lines = [said.unproved(words, case.unproved)] if case.unproved and not waiting else []
    if case.asking and not case.is_final:
        lines.append(
            words.many(
                "{n} find surely about the person is still there, and waits for a decision.",
                "{n} finds surely about the person are still there, and wait for a decision.",
                case.asking,
            )
        )
    return lines + [
        words.say(
            "{where}: {what}",
            where=short_path(one.path),
            what=said.kept_code(words, one.error, path=one.path)
            if one.error
            else ended(words, str(one.state)),
        )
        for one in report.runs
        if one.state is not EraseState.PROVED and one.path not in waiting
    ]
