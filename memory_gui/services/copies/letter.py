# SPDX-License-Identifier: MIT
"""The letter to the person: what was done, what was kept and why, and whom they can ask.

A draft in plain text that a person reads and changes before it goes out; what only they can know
stands in square brackets. It names agents and numbers, never a path of this computer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from babel.dates import format_date

from memory_gui.cases.case import Case, CaseState
from memory_gui.cases.rights import Right
from memory_gui.domain.errors import UserError
from memory_gui.domain.keptfiles import HOLD, KEEP
from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.answering.reporting import CaseReport
from memory_gui.services.cases.book.holds import HoldLine
from memory_gui.services.cases.running.leftover import LeftOver
from memory_gui.services.cases.running.plans import StayingFile
from memory_gui.services.own.files import new_file
from memory_gui.words import N_, Words, reasons
from memory_gui.words import cases as said

ASKED: Final[dict[Right, str]] = {
    Right.ACCESS: N_("On {received} you asked which data about you our AI agents keep."),
    Right.RECTIFY: N_("On {received} you asked us to correct data about you."),
    Right.ERASE: N_("On {received} you asked us to erase the data about you."),
    Right.RESTRICT: N_("On {received} you asked us to keep data about you, but not to use it."),
    Right.PORTABILITY: N_(
        "On {received} you asked for the data about you in a form that machines can read."
    ),
}
_SEARCHED: Final = N_(
    "We searched the memories of all AI agents on our computers that we know of: records, "
    "proposals, summaries, logs and the files beside them, under your name and the other names "
    "that you gave us."
)
_SEARCHED_ONLY: Final = N_(
    "We searched [which places, and why only there] for the memories of AI agents: records, "
    "proposals, summaries, logs and the files beside them, under your name and the other names "
    "that you gave us."
)
_FOUND: Final = N_("We found: [nothing about you, or what, and what becomes of it].")
_COPY: Final = N_(
    "You find the copy with this letter: as a page to read, and as a file for machines in which "
    "each field is explained. If it is encrypted, you get the passphrase by another way."
)
_MORE_OF_15: Final = (
    N_("We use these data for: [purposes]."),
    N_("They were given to: [recipients, or: nobody]."),
    N_("They are kept until: [period, or how it is decided]."),
    N_("They come from: [your conversations with the agent, or other sources]."),
)
_PROVED: Final = N_(
    "That they are gone was proved: another program read the files as they lie on the disk and "
    "found none of these texts in them any more."
)
_PROVED_BUT_KEPT: Final = N_(
    "That they are gone was proved: another program read the files as they lie on the disk and "
    "found none of these texts in them any more, except in the files that stay, which are named "
    "below."
)
_PROVED_BUT: Final = N_(
    "That they are gone was proved, except for these places, in which some of it was found again "
    "and stays:"
)
_NOT_PROVED: Final = N_("This is not finished yet: [what is missing, and when we write again].")
_TOLD_OTHERS: Final = N_("We have seen to these places, which that program does not reach:")
_OPEN: Final = N_("These places still have to be seen to: [by whom, until when]")
_BACKUPS: Final = N_(
    "Backups cannot be changed record by record. They are put beyond use: nobody works with them, "
    "and they are overwritten by [date]. If one has to be restored, your data are erased again."
)
_RIGHTS: Final = N_(
    "You can ask for correction or erasure, or object to this use, at any time. If you do not "
    "agree with our answer, you can complain to a supervisory authority, such as [authority], or "
    "go to court."
)
_NO_NAME: Final = N_(
    "Of this request we keep its number, its dates and what was done, without your name."
)


def letter(words: Words, report: CaseReport, *, to: str = "", today: date | None = None) -> str:
    """The draft in the language of ``words``. ``to``: whom it is for, else the case's name."""
    paragraphs = [part for part in _parts(words, report, to, today) if part]
    return "\n\n".join(paragraphs) + "\n"


def write_letter(path: Path, text: str) -> Path:
    """Write what a person made of it to a new file, 0600.

    Raises:
        UserError: ``copy.exists``, ``copy.failed``.
    """
    try:
        with new_file(path) as stream:
            stream.write(text.encode("utf-8", "surrogatepass"))
    except FileExistsError as error:
        raise UserError("copy.exists", path=str(path)) from error
    except OSError as error:
        raise UserError("copy.failed", path=str(path), reason=error.strerror or "") from error
    return path


def _parts(words: Words, report: CaseReport, to: str, today: date | None) -> Iterator[str]:
    say, case = words.say, report.case
    yield _day(words, today or datetime.now(UTC).astimezone().date())
    yield say("Dear {name},", name=to or case.title or say("[name]"))
    yield _asked(words, case)
    if case.state is CaseState.REFUSED:
        yield say(
            "We cannot do that: {reason}", reason=said.said(words, said.REFUSALS, case.refusal)
        )
        yield say(_RIGHTS)
        yield say("Yours sincerely")
        return
    yield say(_SEARCHED_ONLY if case.looked_only else _SEARCHED)
    has_copy = case.right in (Right.ACCESS, Right.PORTABILITY)
    if has_copy:
        yield say(_COPY)
    if case.right is Right.ACCESS:
        yield _lines(say(one) for one in _MORE_OF_15)
    told = [*_done(words, report), *_kept(words, report), *_left(words, report)]
    yield from told if any(told) or has_copy else [say(_FOUND)]
    yield from _elsewhere(words, report)
    yield say(_RIGHTS)
    yield say(_NO_NAME) if case.right is Right.ERASE and case.keep_until is None else ""
    yield say("Yours sincerely")


def _asked(words: Words, case: Case) -> str:
    asked = words.say(ASKED[case.right], received=_day(words, case.clock.received))
    if not case.number:
        return asked
    number = words.say("Your request has the number {number}.", number=str(case.number))
    return words.say("{read} {more}", read=asked, more=number)


def _done(words: Words, report: CaseReport) -> Iterator[str]:
    lines = [line for agent, sums in _by_agent(report).items() for line in _did(words, agent, sums)]
    if not lines:
        return
    yield _lines([words.say("This was done:"), *(f"– {line}" for line in lines)])
    if any(sums[0] or sums[3] for sums in _by_agent(report).values()):
        if report.state is not EraseState.PROVED:
            yield words.say(_NOT_PROVED)
        elif report.accepted:
            stays = (f"– {_lets_stay(words, one)}" for one in report.let_stay)
            yield _lines([words.say(_PROVED_BUT), *dict.fromkeys(stays)])
        else:
            yield words.say(_PROVED_BUT_KEPT if report.kept_files else _PROVED)


def _lets_stay(words: Words, one: LeftOver) -> str:
    """What a person accepted, and why where they said it; no path of this computer."""
    reason = reasons.reason(words, one.reason) if one.reason else words.say("[why]")
    kind = said.place_kind(words, one.what, one.where)
    where = words.say("{agent}, {kind}", agent=one.agent, kind=kind) if one.agent else kind
    return words.many(
        "{where} ({n} place): {reason}", "{where} ({n} places): {reason}", one.count,
        where=where, reason=reason,
    )  # fmt: skip


def _by_agent(report: CaseReport) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for one in report.runs:
        before = found.get(one.agent, (0, 0, 0, 0))
        more = (one.erased, one.redacted, one.restricted, one.corrected)
        found[one.agent] = tuple(map(int.__add__, before, more))
    return found


def _did(words: Words, agent: str, sums: tuple[int, ...]) -> Iterator[str]:
    erased, redacted, restricted, corrected = sums
    if erased:
        yield words.many(
            "{agent}: {n} record about you was erased",
            "{agent}: {n} records about you were erased",
            erased,
            agent=agent,
        )
    if corrected:
        yield words.many(
            "{agent}: {n} record about you was corrected, and the old words were erased",
            "{agent}: {n} records about you were corrected, and the old words were erased",
            corrected,
            agent=agent,
        )
    if redacted:
        yield words.many(
            "{agent}: your name was taken out of {n} record",
            "{agent}: your name was taken out of {n} records",
            redacted,
            agent=agent,
        )
    if restricted:
        yield words.many(
            "{agent}: {n} record is kept, and the agent no longer sees it",
            "{agent}: {n} records are kept, and the agent no longer sees them",
            restricted,
            agent=agent,
        )


def _kept(words: Words, report: CaseReport) -> Iterator[str]:
    holds = [line for line in report.kept if line.what == "hold"]
    if not holds:
        return
    lines = [words.say("This has to stay for now:")]
    for one in holds:
        count = _held(words, report, one)
        reason = reasons.reason(words, one.reason)
        if one.until is None:
            lines.append("– " + words.say("{count}: {reason}", count=count, reason=reason))
        else:
            until = _day(words, one.until)
            text = words.say(
                "{count}, until {until}: {reason}", count=count, until=until, reason=reason
            )
            lines.append("– " + text)
    yield _lines(lines)


def _held(words: Words, report: CaseReport, line: HoldLine) -> str:
    """How many records, and how many files of which agent."""
    mine = [one for one in _files(report, HOLD) if one.file.reason == line.reason]
    records = line.count - sum(one.finds for one in mine)
    many = words.many("{n} record", "{n} records", records) if records > 0 or not mine else ""
    return words.row([part for part in (many, *_file_names(words, mine)) if part])


def _files(report: CaseReport, what: str) -> list[StayingFile]:
    """Files that this case keeps or holds itself."""
    mine = (one for one in report.kept_files if one.file.case == report.case.number)
    return [one for one in mine if one.file.what == what]


def _file_names(words: Words, files: Iterable[StayingFile]) -> list[str]:
    """Never the path: it is one of this computer, and may tell of others."""
    counted = Counter((one.file.part, one.agent, one.kind) for one in files)
    return [
        words.many(
            "what is kept in {n} file ({agent}, {kind})",
            "what is kept in {n} files ({agent}, {kind})",
            count,
            agent=agent,
            kind=said.said(words, said.FILES, kind),
        )
        if part
        else words.many(
            "{n} file ({agent}, {kind}), as it is",
            "{n} files ({agent}, {kind}), as they are",
            count,
            agent=agent,
            kind=said.said(words, said.FILES, kind),
        )
        for (part, agent, kind), count in counted.items()
    ]


def _left(words: Words, report: CaseReport) -> Iterator[str]:
    """What names the person and was neither erased nor held: an answer must not hide it."""
    lines = [line for why in report.left_why for line in _stays(words, report, *why)]
    lines += [
        words.say("{count}: {reason}", count=name, reason=words.say("[why]"))
        for name in _file_names(
            words, (one for one in report.kept_files if one.file.case != report.case.number)
        )
    ]
    sure = report.left_undecided or report.case.asking
    if sure:
        lines.append(
            words.many(
                "{n} record about you is still there: [why, and until when]",
                "{n} records about you are still there: [why, and until when]",
                sure,
            )
        )
    if unsure := max(0, report.undecided - sure):
        lines.append(
            words.many(
                "{n} record that may be about you is still there: [why, and until when]",
                "{n} records that may be about you are still there: [why, and until when]",
                unsure,
            )
        )
    for agent, count in _by_its_agent(report).items():
        lines.append(
            words.many(
                "of these, {n} can be deleted by {agent} alone: [what was done, and when]",
                "of these, {n} can be deleted by {agent} alone: [what was done, and when]",
                count,
                agent=agent,
            )
        )
    if report.not_looked:
        lines.append(
            words.many(
                "{n} place could not be looked into: [which, and what becomes of it]",
                "{n} places could not be looked into: [which, and what becomes of them]",
                len(report.not_looked),
            )
        )
    yield _lines(lines)


def _by_its_agent(report: CaseReport) -> dict[str, int]:
    """Agent -> finds that this program can only keep: the answer must not hide them."""
    found: Counter[str] = Counter()
    for one in report.case.only_kept:
        found[one.agent] += one.count
    return dict(found)


def _stays(words: Words, report: CaseReport, code: str, count: int) -> Iterator[str]:
    """What a person decided to keep, and why where they said it."""
    reason = reasons.reason(words, code) if code else words.say("[why]")
    mine = [one for one in _files(report, KEEP) if one.file.reason == code]
    records = count - sum(one.finds for one in mine)
    if records > 0 or not mine:
        yield words.many(
            "{n} record was looked at, and stays: {reason}",
            "{n} records were looked at, and stay: {reason}",
            records,
            reason=reason,
        )
    for name in _file_names(words, mine):
        yield words.say("{count}: {reason}", count=name, reason=reason)


def _elsewhere(words: Words, report: CaseReport) -> Iterator[str]:
    done = [one for one in report.checklist if one.done_on is not None]
    still = [one for one in report.checklist if one.done_on is None]
    for title, items in ((_TOLD_OTHERS, done), (_OPEN, still)):
        if items:
            lines = (f"– {said.check(words, one.code, one.params)}" for one in items)
            yield _lines([words.say(title), *lines])
    if report.case.right is Right.ERASE:
        yield words.say(_BACKUPS)


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def _day(words: Words, day: date) -> str:
    return str(format_date(day, "long", locale=words.locale))
