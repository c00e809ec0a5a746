# SPDX-License-Identifier: MIT
"""What is kept of a case: its report for the answer, and its receipt. No name in either."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from memory_gui import __version__
from memory_gui.cases.case import Case, CheckItem
from memory_gui.cases.finds import NotLooked, OnlyKept
from memory_gui.cases.rights import ARTICLES
from memory_gui.domain.erasing import MayHold
from memory_gui.erasure.keptfiles import KEPT_LIMITS, passages_limit
from memory_gui.erasure.limits import Limit
from memory_gui.erasure.receipt import refuse_receipt
from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.answering.closing import kept_why
from memory_gui.services.cases.book.holds import HoldLine, Holds
from memory_gui.services.cases.book.marks import CaseBooks
from memory_gui.services.cases.running.leftover import (
    BEFORE,
    LeftOver,
    can_be_accepted,
    let_stay,
    places,
    still_let_be,
)
from memory_gui.services.cases.running.plans import StayingFile, check_json
from memory_gui.services.cases.running.unfinished import BEGUN
from memory_gui.services.erased.receipts import Receipts

_WORDS: Final = {
    EraseState.PROVED: "verified",
    EraseState.NOT_PROVED: "done, not verified",
    EraseState.NOT_FINISHED: "partial",
    EraseState.PLANNED: "nothing done",
}
_ACCEPTED: Final = "verified, except for what was accepted"
_KEPT: Final = "verified, except in files that are kept"
_WORST: Final = (EraseState.NOT_PROVED, EraseState.NOT_FINISHED, EraseState.PLANNED)


@dataclass(frozen=True, slots=True)
class RunLine:
    """What the last run that worked on it did at one store or file."""

    at: str
    path: str
    agent: str
    state: EraseState
    erased: int
    redacted: int
    restricted: int
    error: str
    file: bool
    document: Mapping[str, Any] = field(default_factory=dict, hash=False, repr=False)
    corrected: int = 0


@dataclass(frozen=True, slots=True)
class CaseReport:
    """All that an answer to the person needs, and a receipt. ``case.title`` is the only name."""

    case: Case
    state: EraseState
    runs: tuple[RunLine, ...]
    kept: tuple[HoldLine, ...]
    undecided: int
    left: int
    """Finds that a person decided to keep."""
    not_looked: tuple[NotLooked, ...]
    not_covered: tuple[Limit, ...]
    may_hold: tuple[MayHold, ...]
    checklist: tuple[CheckItem, ...]
    left_why: tuple[tuple[str, int], ...] = ()
    """Code of the reason, or nothing, and how many of those were kept for it."""
    kept_files: tuple[StayingFile, ...] = ()
    """Files that the last run left byte for byte; their finds count in ``left`` or ``kept`` too."""
    left_undecided: int = 0
    """Finds surely about the person with which it was closed although nobody had decided."""

    @property
    def accepted(self) -> bool:
        """Whether a text was found again, and a person let that be: not simply gone."""
        return any(one.document.get("accepted") or one.document.get(BEFORE) for one in self.runs)

    @property
    def remains(self) -> tuple[LeftOver, ...]:
        """Where a run found again what it had erased: to be cleaned, or accepted with a reason."""
        waiting = (one for one in self.runs if one.state is EraseState.NOT_PROVED)
        return _places(places, (one for one in waiting if can_be_accepted(one.document)))

    @property
    def let_stay(self) -> tuple[LeftOver, ...]:
        """The same where a person has accepted it."""
        return _places(let_stay, self.runs)

    @property
    def erased(self) -> int:
        """Finds that are gone, over all runs."""
        return sum(one.erased for one in self.runs)

    @property
    def redacted(self) -> int:
        """Records from which the name is gone."""
        return sum(one.redacted for one in self.runs)

    @property
    def restricted(self) -> int:
        """Records that are out of the agent's sight."""
        return sum(one.restricted for one in self.runs)

    @property
    def corrected(self) -> int:
        """Records that got another text."""
        return sum(one.corrected for one in self.runs)


class Reporting:
    """Tells what was done. Any thread."""

    def __init__(self, books: CaseBooks, holds: Holds, receipts: Receipts) -> None:
        self._books = books
        self._holds = holds
        self._receipts = receipts

    def report(self, case: Case) -> CaseReport:
        """Of all its runs; a store counts as its last run left it, and its erased add up."""
        runs = _summed(self._lines(case))
        outcome, left = case.outcome, self._left(case)
        documents = [one.document for one in runs]
        staying = _staying(case, runs)
        return CaseReport(
            case=case,
            state=_state(runs),
            runs=runs,
            kept=self._holds.lines(case.number) if case.number else (),
            undecided=int(outcome.get("undecided", 0)),
            left=sum(left.values()),
            left_why=tuple(sorted(left.items())),
            left_undecided=case.left_undecided,
            not_looked=tuple(
                NotLooked(one["path"], one["agent"], one["code"], {"path": one["path"]})
                for one in outcome.get("not_looked", ())
            ),
            kept_files=staying,
            not_covered=(
                *_with_kept(
                    [Limit(one["code"], one["params"]) for one in _each(documents, "not_covered")],
                    staying,
                ),
                *map(_by_its_agent, case.only_kept),
            ),
            may_hold=tuple(
                MayHold(one["code"], one["params"]) for one in _each(documents, "may_still_hold")
            ),
            checklist=case.checklist,
        )

    def receipt(self, case: Case) -> dict[str, Any]:
        """The document, not signed yet."""
        report = self.report(case)
        proved = report.state is EraseState.PROVED
        return {
            "receipt": 2,
            "kind": "case",
            "id": case.ident,
            "standard": "NIST SP 800-88: selective erasure; sanitisation of the medium is not "
            "claimed",
            "program": {"name": "memory-gui", "version": __version__},
            "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "case": _case_json(case),
            "state": str(report.state),
            "result": _result(report),
            "accepted": proved and report.accepted,
            "counts": {
                "erased": report.erased,
                "redacted": report.redacted,
                "restricted": report.restricted,
                "corrected": report.corrected,
                "kept": report.left,
                "held": sum(line.count for line in report.kept),
                "undecided": report.undecided,
                "left_undecided": report.left_undecided,
            },
            "kept": [{"reason": why or None, "count": n} for why, n in report.left_why],
            "kept_files": [one.as_json() for one in report.kept_files],
            "parts": [
                {
                    "path": one.path,
                    "at": one.at,
                    "state": str(one.state),
                    "erased": one.erased,
                    "redacted": one.redacted,
                    "restricted": one.restricted,
                    "corrected": one.corrected,
                    "error": one.error or None,
                    **{n: v for n, v in one.document.items() if n not in {"part", "state"}},
                }
                for one in report.runs
            ],
            "held": [
                {
                    "what": line.what,
                    "reason": line.reason,
                    "until": None if line.until is None else line.until.isoformat(),
                    "count": line.count,
                }
                for line in report.kept
            ],
            "not_looked": [
                {"path": one.path, "agent": one.agent, "code": one.code}
                for one in report.not_looked
            ],
            "not_covered": [one.as_json() for one in report.not_covered],
            "may_still_hold": [one.as_json() for one in report.may_hold],
            "checklist": [check_json(one) for one in report.checklist],
        }

    def save_receipt(self, case: Case, path: Path) -> Path:
        """Sign it, put it into the chain of receipts and write it to a new file (0600).

        Raises:
            UserError: ``receipt.exists``, ``receipt.failed``.
        """
        refuse_receipt(path)
        self._receipts.write(self.receipt(case), path)
        return path

    # ---- inside

    def _left(self, case: Case) -> dict[str, int]:
        """What a person has decided to keep, by reason: as of now, or as it was at the answer."""
        if case.number and not case.is_final:
            return kept_why(self._books.rows().decided(case.number))
        told, kept = case.outcome.get("kept_why"), int(case.outcome.get("kept", 0))
        return dict(told) if told is not None else {"": kept} if kept else {}

    def _lines(self, case: Case) -> list[RunLine]:
        if not case.number:
            return [_line(str(case.outcome["at"]), one) for one in case.outcome.get("parts", ())]
        rows = self._books.rows().acts(case.number)
        return [_line(one.at, one.document) for one in rows if one.state != BEGUN]


def _line(at: str, document: Mapping[str, Any]) -> RunLine:
    part = document["part"]
    return RunLine(
        at,
        part["path"],
        part["agent"],
        EraseState(part["state"]),
        int(part["erased"]),
        int(part["redacted"]),
        int(part["restricted"]),
        part["error"] or "",
        bool(part["file"]),
        document,
        int(part.get("corrected", 0)),
    )


def _summed(lines: Sequence[RunLine]) -> tuple[RunLine, ...]:
    found: dict[str, RunLine] = {}
    for one in lines:
        before = found.get(one.path)
        if before is None:
            found[one.path] = one
            continue
        document: Mapping[str, Any] = {**before.document, "part": one.document["part"]}
        if len(one.document) > 1:
            document = still_let_be(before.document, one.document)
        found[one.path] = RunLine(
            one.at,
            one.path,
            one.agent or before.agent,
            one.state,
            before.erased + one.erased,
            before.redacted + one.redacted,
            before.restricted + one.restricted,
            one.error,
            one.file,
            document,
            before.corrected + one.corrected,
        )
    return tuple(found.values())


def _places(
    named: Callable[[str, str, Mapping[str, Any]], Iterable[LeftOver]], lines: Iterable[RunLine]
) -> tuple[LeftOver, ...]:
    """Each place once: the stores of one agent name the same files."""
    found: dict[tuple[str, str], LeftOver] = {}
    for line in lines:
        for one in named(line.path, line.agent, line.document):
            found.setdefault((one.where, one.what), one)
    return tuple(found.values())


def _result(report: CaseReport) -> str:
    """In a few words, for a program that reads nothing else: never "verified" of what stays."""
    if report.state is EraseState.PROVED and report.accepted:
        return _ACCEPTED
    if report.state is EraseState.PROVED and report.kept_files:
        return _KEPT
    return _WORDS[report.state]


def _staying(case: Case, runs: Sequence[RunLine]) -> tuple[StayingFile, ...]:
    """Files that the last run left for what it found, and those that an erase met besides."""
    found = {one.file.path: one for one in map(StayingFile.of, case.outcome.get("kept_files", ()))}
    for line in runs:
        for entry in line.document.get("kept_files", ()):
            more = {"store": line.path, "agent": line.agent, "hits": 0, "finds": 0}
            found.setdefault(entry["path"], StayingFile.of({**entry, **more}))
    return tuple(found.values())


def _with_kept(limits: list[Limit], files: Sequence[StayingFile]) -> tuple[Limit, ...]:
    """With the files that stay, where no store's run has named them for what it erased."""
    named = {one.params.get("path") for one in limits if one.code in KEPT_LIMITS}
    more = (one for one in files if one.file.path not in named)
    return (*limits, *(passages_limit(one.file, one.hits) for one in more))


def _state(runs: Sequence[RunLine]) -> EraseState:
    states = {one.state for one in runs}
    if not states:
        return EraseState.PLANNED
    return next((state for state in _WORST if state in states), EraseState.PROVED)


def _by_its_agent(one: OnlyKept) -> Limit:
    told = {"agent": one.agent, "path": one.path, "count": str(one.count)}
    return Limit("limit.by_its_agent", told)


def _each(documents: Sequence[Mapping[str, Any]], name: str) -> list[dict[str, Any]]:
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for document in documents:
        for one in document.get(name, ()):
            found[one["code"], *map(str, one["params"].values())] = one
    return list(found.values())


def _case_json(case: Case) -> dict[str, Any]:
    clock = case.clock
    return {
        "number": case.number or None,
        "subject": case.mark or None,
        "right": str(case.right),
        "article": ARTICLES[case.right],
        "ground": case.ground or None,
        "received": clock.received.isoformat(),
        "term": str(clock.term),
        "due": clock.due.isoformat(),
        "extended_until": None
        if clock.extended_until is None
        else clock.extended_until.isoformat(),
        "identity": {
            "method": case.identity.method or None,
            "result": case.identity.result,
            "at": case.identity.at or None,
        },
        "state": str(case.state),
        "refusal": case.refusal or None,
    }
