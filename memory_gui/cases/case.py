# SPDX-License-Identifier: MIT
"""One request of one person, with its clock. Values only; kept in our own encrypted file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any, Final

from memory_gui.cases.clock import Clock, Term
from memory_gui.cases.finds import OnlyKept
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import DECIDING, Right


class CaseState(StrEnum):
    """How far it is."""

    OPEN = "open"
    IDENTITY = "identity"
    """Waits until it is known who asks."""
    RUNNING = "running"
    """Erasing was begun, and not everything is proved."""
    ASKING = "asking"
    """All that was decided is done; something surely about the person waits for a decision."""
    DONE = "done"
    """All that was decided is done; the person waits for the answer."""
    CLOSED = "closed"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


FINAL: Final = frozenset({CaseState.CLOSED, CaseState.REFUSED, CaseState.WITHDRAWN})
"""States in which the clock stands."""


@dataclass(frozen=True, slots=True)
class Identity:
    """How it was checked who asks, and with what result. Never the document."""

    method: str = ""
    result: str = "pending"
    """``pending``, ``confirmed`` or ``failed``."""
    by: str = field(default="", repr=False)
    at: str = ""
    """ISO 8601."""


@dataclass(frozen=True, slots=True)
class CheckItem:
    """Something that cannot be reached from here, and when a person took care of it."""

    code: str
    params: Mapping[str, str] = field(default_factory=dict, hash=False)
    done_on: date | None = None
    note: str = field(default="", repr=False)


LOOKED_ONLY: Final = "looked_only"
"""In the outcome of a closed case, which keeps no path: see ``Case.looked_only``."""


@dataclass(frozen=True, slots=True)
class LookedIn:
    """Where a case was looked for, over all its searches: paths of stores, and folders.

    ``only``: never anywhere else; otherwise also what is open and known, and with ``usual`` the
    places where agents put their stores.
    """

    stores: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    usual: bool = False
    only: bool = True

    @property
    def named(self) -> tuple[str, ...]:
        """What a person named: a store that is a folder stands once."""
        return tuple(dict.fromkeys((*self.folders, *self.stores)))

    def joined(self, other: LookedIn | None) -> LookedIn:
        """Both."""
        if other is None:
            return self
        return LookedIn(
            tuple(dict.fromkeys((*other.stores, *self.stores))),
            tuple(dict.fromkeys((*other.folders, *self.folders))),
            usual=self.usual or other.usual,
            only=self.only and other.only,
        )


@dataclass(frozen=True, slots=True)
class Case:
    """A request. ``number`` 0: it is not kept anywhere.

    ``subject`` is None once it was reduced to ``mark``, a keyed one, which is made when the case
    is. ``outcome`` are plain values without a name or a text: how the last run ended and what it
    left, the numbers of all runs, and under ``runs`` those of each.
    """

    number: int
    ident: str
    subject: Subject | None = field(repr=False)
    right: Right
    clock: Clock
    mark: str = ""
    ground: str = ""
    ground_text: str = field(default="", repr=False)
    identity: Identity = Identity()
    state: CaseState = CaseState.OPEN
    notes: str = field(default="", repr=False)
    checklist: tuple[CheckItem, ...] = ()
    keep_until: date | None = None
    refusal: str = ""
    """The code of why it was refused."""
    waiting: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    """What each store had when it was last looked into: ``Finds.waiting``."""
    only_kept: tuple[OnlyKept, ...] = ()
    """What each store had then that only its own agent can take out."""
    looked_in: LookedIn | None = None
    """None before the first search."""
    left_undecided: int = 0
    """How many of those there were when a person chose to close it all the same."""
    outcome: Mapping[str, Any] = field(default_factory=dict, hash=False, repr=False)
    made_at: str = ""
    changed_at: str = ""
    closed_at: str = ""

    @property
    def is_final(self) -> bool:
        """Whether it is answered."""
        return self.state in FINAL

    @property
    def looked_only(self) -> bool:
        """Whether only places that a person named were looked into; still known when closed."""
        if self.looked_in is not None:
            return self.looked_in.only
        return bool(self.outcome.get(LOOKED_ONLY))

    @property
    def asking(self) -> int:
        """How many finds surely about the person wait for a decision before it can be answered."""
        return sum(sure for sure, _ in self.waiting.values()) if self.right in DECIDING else 0

    @property
    def unproved(self) -> int:
        """How many finds were erased without a proof yet: they are not there any more."""
        return int(self.outcome.get("unproved", 0))

    @property
    def title(self) -> str:
        """The name on it; empty once it holds none."""
        return "" if self.subject is None else self.subject.title


@dataclass(frozen=True, slots=True)
class NewCase:
    """What a person says of a request. Without ``received`` it came today."""

    subject: Subject = field(repr=False)
    right: Right = Right.ERASE
    ground: str = ""
    ground_text: str = field(default="", repr=False)
    received: date | None = None
    term: Term = Term.MONTH
    due: date | None = None
    identity: Identity = Identity()
    notes: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class DueLine:
    """A case that waits, for a list of what is due. ``days_left`` is negative when it is over."""

    number: int
    title: str = field(repr=False)
    right: Right
    state: CaseState
    due: date
    days_left: int


# ---- as it is kept


def to_json(case: Case) -> dict[str, Any]:
    """Plain JSON values."""
    found = asdict(case)
    found["subject"] = None if case.subject is None else case.subject.as_json()
    found["outcome"] = dict(case.outcome)
    found["waiting"] = dict(case.waiting)
    plain: dict[str, Any] = _plain(found)
    return plain


def from_json(number: int, found: Mapping[str, Any]) -> Case:
    """The other way."""
    clock, subject = found["clock"], found["subject"]
    waiting = found.get("waiting", {})  # none in a case of an earlier version
    return Case(
        number=number,
        ident=str(found["ident"]),
        subject=None if subject is None else Subject.from_json(subject),
        right=Right(found["right"]),
        clock=Clock(
            _needed(clock["received"]),
            Term(clock["term"]),
            _needed(clock["due"]),
            _day(clock["extended_until"]),
            str(clock["extension_reason"]),
            _day(clock["stopped_on"]),
        ),
        mark=str(found["mark"]),
        ground=str(found["ground"]),
        ground_text=str(found["ground_text"]),
        identity=Identity(**found["identity"]),
        state=CaseState(found["state"]),
        notes=str(found["notes"]),
        checklist=tuple(
            CheckItem(one["code"], one["params"], _day(one["done_on"]), one["note"])
            for one in found["checklist"]
        ),
        keep_until=_day(found["keep_until"]),
        refusal=str(found["refusal"]),
        waiting={path: (sure, unsure) for path, (sure, unsure) in waiting.items()},
        only_kept=tuple(OnlyKept(**one) for one in found.get("only_kept", ())),
        looked_in=_looked_in(found.get("looked_in")),
        left_undecided=int(found.get("left_undecided", 0)),
        outcome=found["outcome"],
        made_at=str(found["made_at"]),
        changed_at=str(found["changed_at"]),
        closed_at=str(found["closed_at"]),
    )


def _looked_in(found: Mapping[str, Any] | None) -> LookedIn | None:
    if found is None:
        return None
    return LookedIn(
        tuple(found["stores"]),
        tuple(found["folders"]),
        usual=bool(found["usual"]),
        only=bool(found["only"]),
    )


def _plain(value: Any) -> Any:
    match value:
        case date():
            return value.isoformat()
        case dict():
            return {str(name): _plain(one) for name, one in value.items()}
        case list() | tuple():
            return [_plain(one) for one in value]
    return value


def _needed(text: str) -> date:
    return date.fromisoformat(text)


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
