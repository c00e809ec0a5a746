# SPDX-License-Identifier: MIT
"""What a run of a case will do, as one value: the dry run shows it, the run carries it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from memory_gui.cases.case import Case, CheckItem
from memory_gui.cases.finds import Decision, Finds, Heap, NotLooked, OtherCase
from memory_gui.domain.changes import Fields, Target
from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.keptfiles import KeptFile
from memory_gui.domain.keptrecords import KeptRecords, merged
from memory_gui.domain.records import Ref, StoreId
from memory_gui.erasure.plan import ErasePlan
from memory_gui.erasure.result import EraseResult, EraseState, worst
from memory_gui.services.cases.finding.candidates import StoreFacts
from memory_gui.services.cases.finding.places import Where

SAMPLE: Final = 5
"""So many titles stand for all."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """A record that stays without the name: the fields as they are to be."""

    target: Target
    fields: Fields = field(repr=False)


@dataclass(frozen=True, slots=True)
class StorePart:
    """What becomes of one store, and with it of its pair's other one.

    ``erase`` is None where nothing is erased; ``error`` says why a part of it cannot be done.
    """

    path: str
    agent: str
    format: str
    refs: tuple[Ref, ...] = ()
    redactions: tuple[Redaction, ...] = ()
    restrict: tuple[Target, ...] = ()
    erase: ErasePlan | None = None
    error: UserError | None = None
    held: int = 0
    """Records that another case keeps: they are left as they are."""

    @property
    def acted(self) -> tuple[Ref, ...]:
        """The records about which something is done."""
        changed = (one.target.ref for one in self.redactions)
        return (*self.refs, *changed, *(one.ref for one in self.restrict))

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that are written."""
        if self.erase is None:
            return (self.path,)
        return tuple(one.path for one in self.erase.stores if one.is_written) or (self.path,)


@dataclass(frozen=True, slots=True)
class FilePart:
    """What becomes of the passages of one file that an agent left."""

    path: str
    store: str
    agent: str
    file: SideFile
    facts: StoreFacts = field(repr=False)
    wanted: Mapping[Heap, Decision] = field(hash=False)
    hits: int = 0


@dataclass(frozen=True, slots=True)
class StayingFile:
    """A file of an agent that this run leaves byte for byte, or what is kept in it, and why.

    ``finds`` of the case stand for it, with so many passages (``hits``) in all.
    """

    file: KeptFile
    store: str
    agent: str
    kind: str
    hits: int = 0
    finds: int = 1

    def as_json(self) -> dict[str, Any]:
        """As it stands in documents, and with the case."""
        more = {"store": self.store, "agent": self.agent, "kind": self.kind}
        return {**self.file.as_json(), **more, "hits": self.hits, "finds": self.finds}

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> StayingFile:
        """The same as a value."""
        store, agent, kind = (str(entry[name]) for name in ("store", "agent", "kind"))
        hits, finds = int(entry["hits"]), int(entry["finds"])
        return cls(KeptFile.of(entry), store, agent, kind, hits, finds)


@dataclass(frozen=True, slots=True)
class OwnPart:
    """Proposals in our own file that go."""

    store: StoreId
    refs: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class PlanCount:
    """How many records of one kind, in one store or file.

    ``along`` go with them: their copies, older versions, entries in the agent's log.
    """

    path: str
    agent: str
    kind: str
    file: str = ""
    erase: int = 0
    redact: int = 0
    restrict: int = 0
    along: int = 0

    def as_json(self) -> dict[str, Any]:
        """As it stands in documents."""
        return {
            "path": self.path,
            "agent": self.agent,
            "kind": self.kind,
            "file": self.file or None,
            "erase": self.erase,
            "redact": self.redact,
            "restrict": self.restrict,
            "along": self.along,
        }


@dataclass(frozen=True, slots=True)
class CasePlan:
    """All of it. ``total`` is what a person types: the finds that are written about."""

    case: Case
    id: str
    parts: tuple[StorePart, ...]
    files: tuple[FilePart, ...]
    own: tuple[OwnPart, ...]
    counts: tuple[PlanCount, ...]
    total: int
    held: int
    kept: int
    undecided: int
    not_looked: tuple[NotLooked, ...]
    checklist: tuple[CheckItem, ...]
    kept_files: tuple[StayingFile, ...] = ()
    """Files that stay byte for byte: what was decided on them, here or by a hold of any case."""
    asks: int = 0
    """Finds surely about the person on which nobody has decided."""
    whole: bool = True
    """Whether what is not acted upon stays because of it; else it waits for a run of its own."""
    sample: tuple[str, ...] = field(default=(), repr=False)
    finds: Finds | None = field(default=None, repr=False)
    where: Where = field(default_factory=Where, repr=False)

    @property
    def word(self) -> str:
        """What is typed to confirm it."""
        return str(self.total)

    @property
    def has_some(self) -> bool:
        """Whether something was chosen: what another case keeps is left, and has to be decided."""
        return bool(self.total or self.bound)

    @property
    def bound(self) -> Mapping[OtherCase, int]:
        """What was chosen to go and stays, because another case says so."""
        finds = () if self.finds is None else self.finds.finds
        return Counter(one.other for one in finds if one.bound and one.other is not None)

    @property
    def held_here(self) -> int:
        """What is held apart from ``bound``, which is told case by case."""
        return self.held - sum(self.bound.values())

    @property
    def kept_in_cases(self) -> tuple[KeptRecords, ...]:
        """Records that a case, this one or another, decided to keep, and that go all the same."""
        plans = (part.erase for part in self.parts if part.erase is not None)
        return merged(*(plan.kept_in_cases for plan in plans))

    @property
    def foreign_sql(self) -> tuple[str, ...]:
        """Statements of what is foreign in the databases from which rows go."""
        plans = (part.erase for part in self.parts if part.erase is not None)
        return tuple(sql for plan in plans for sql in plan.foreign_sql)

    def as_json(self) -> dict[str, Any]:
        """As it stands in the document of a dry run: no name and no text."""
        return {
            "state": str(EraseState.PLANNED),
            "case": self.case.number or None,
            "total": self.total,
            "counts": [one.as_json() for one in self.counts],
            "held": self.held,
            "kept": self.kept,
            "kept_files": [one.as_json() for one in self.kept_files],
            "kept_in_cases": [one.as_json() for one in self.kept_in_cases],
            "undecided": self.undecided,
            "asks": self.asks,
            "not_looked": [not_looked_json(one) for one in self.not_looked],
            "errors": [
                {"path": part.path, "code": part.error.code}
                for part in self.parts
                if part.error is not None
            ],
            "checklist": [check_json(one) for one in self.checklist],
            "foreign_sql": list(self.foreign_sql),
        }


@dataclass(frozen=True, slots=True)
class PartResult:
    """What a run did at one store or file. ``error`` is what kept it from a part of it."""

    path: str
    agent: str
    state: EraseState
    result: EraseResult | None = None
    error: UserError | None = None
    erased: int = 0
    redacted: int = 0
    restricted: int = 0
    file: bool = False
    corrected: int = 0

    def as_json(self) -> dict[str, Any]:
        """No content."""
        return {
            "path": self.path,
            "agent": self.agent,
            "state": str(self.state),
            "erased": self.erased,
            "redacted": self.redacted,
            "restricted": self.restricted,
            "corrected": self.corrected,
            "file": self.file,
            "error": None if self.error is None else self.error.code,
        }


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What a run did. The whole is proved only where each part is."""

    case: Case
    state: EraseState
    parts: tuple[PartResult, ...]
    id: str
    receipt: str | None = None

    @property
    def exit_code(self) -> int:
        """By CLI.md: 0 proved, 4 not finished, 7 not proved."""
        if self.state is EraseState.NOT_PROVED:
            return 7
        return 4 if self.state is EraseState.NOT_FINISHED else 0

    @property
    def accepted(self) -> bool:
        """Whether it is proved except for what a person accepted: never "proved gone"."""
        done = [one.result for one in self.parts if one.result is not None]
        let_be = any(one.accepted for one in done) or bool(self.kept_files)
        return self.state is EraseState.PROVED and let_be

    @property
    def keeps(self) -> bool:
        """Whether nothing else speaks against "proved gone" than files that stay as they are."""
        done = [one.result for one in self.parts if one.result is not None]
        return self.accepted and not any(one.has_accepted for one in done)

    @property
    def kept_files(self) -> tuple[StayingFile, ...]:
        """Files that it left byte for byte, with what they say of the person."""
        return tuple(StayingFile.of(one) for one in self.case.outcome.get("kept_files", ()))

    @property
    def erased(self) -> int:
        """Finds that are gone."""
        return sum(one.erased for one in self.parts)


def state_of(parts: tuple[PartResult, ...]) -> EraseState:
    """The state that speaks for all."""
    return worst([one.state for one in parts])


def not_looked_json(one: NotLooked) -> dict[str, Any]:
    """As it stands in documents."""
    return {"path": one.path, "agent": one.agent, "code": one.code}


def check_json(one: CheckItem) -> dict[str, Any]:
    """As it stands in documents and receipts: what a person wrote beside it stays with the case."""
    return {
        "code": one.code,
        "params": dict(one.params),
        "done_on": None if one.done_on is None else one.done_on.isoformat(),
    }
