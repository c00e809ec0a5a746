# SPDX-License-Identifier: MIT
"""What was found about a person: in which heap it lies, and what is to become of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as made
from datetime import date
from enum import StrEnum
from typing import Final

from memory_gui.cases.matching import OTHER_PERSON, Hit, Matcher
from memory_gui.cases.names import Subject
from memory_gui.domain.erasing import SideFile
from memory_gui.domain.records import Record, Ref, State, StoreId


class Heap(StrEnum):
    """Where a find lies. Only the first one is ticked by itself."""

    SURE = "sure"
    """It is about this person and nobody else, as far as can be seen."""
    MENTIONS = "mentions"
    """It may be another one."""
    SHARED = "shared"
    """It is about this person and about others."""


class Place(StrEnum):
    """What was found."""

    RECORD = "record"
    FILE = "file"
    """Passages of a file that the agent leaves beside its store."""
    OWN = "own"
    """A proposal in our own queue, in our own file."""


class Decision(StrEnum):
    """What is to become of a find."""

    NONE = "undecided"
    ERASE = "erase"
    KEEP = "keep"
    HOLD = "hold"
    REDACT = "redact"
    """The name goes, the rest stays."""
    RESTRICT = "restrict"
    """Kept, out of the agent's sight."""


ACTING: Final = frozenset({Decision.ERASE, Decision.REDACT, Decision.RESTRICT})
"""Those by which a store is written."""
STAYING: Final = frozenset({Decision.KEEP, Decision.HOLD})
"""Those by which a record stays where it is, for a reason."""
LASTING: Final = frozenset({Decision.HOLD, Decision.RESTRICT})
"""Those that keep a record from being erased by anybody."""

RESTRICTED: Final = "restricted"
"""The reason of a KEEP that was a RESTRICT and is done: it is in the trash until lifted."""


NO_RECIPE: Final = "no_recipe"
BY_AGENT: Final = "by_agent"
IN_GIT: Final = "in_git"
ONLY_KEPT: Final = (NO_RECIPE, BY_AGENT, IN_GIT)
"""Why a find can only be kept by this program: no recipe for its store, rows that its agent keeps
for itself, files whose older versions are kept. Its own agent has to take it out."""


@dataclass(frozen=True, slots=True)
class OnlyKept:
    """Finds about the person at one store that only its own agent can take out."""

    path: str
    agent: str
    why: str
    count: int


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands around some matches. ``marks``: (start, end, sure) in ``text``."""

    field: str
    text: str = made(repr=False)
    marks: tuple[tuple[int, int, bool], ...] = ()
    before: bool = False
    """Whether more stands before it."""
    after: bool = False


@dataclass(frozen=True, slots=True)
class OtherCase:
    """What another case has decided about a record or file: HOLD, RESTRICT or KEEP."""

    number: int
    decision: Decision
    reason: str = ""
    until: date | None = None

    def as_json(self) -> dict[str, object]:
        """As it stands in documents."""
        return {
            "case": self.number,
            "decision": str(self.decision),
            "reason": self.reason or None,
            "until": None if self.until is None else self.until.isoformat(),
        }


@dataclass(frozen=True, slots=True)
class CaseFind:
    """One find. ``number`` is its own among the finds of one search.

    ``path`` is the store's main file, of a FILE that file. ``why`` are codes of what makes it
    unsure or shared; ``others`` who else is in it. ``can`` is what can become of it. ``reason`` is
    that of a HOLD or a KEEP, ``until`` that of a HOLD.
    """

    number: int
    store: StoreId
    format: str
    agent: str
    place: Place
    kind: str
    heap: Heap
    path: str
    ref: Ref | None = None
    state: State | None = None
    title: str = made(default="", repr=False)
    pieces: tuple[Piece, ...] = made(default=(), repr=False)
    hits: int = 0
    why: tuple[str, ...] = ()
    others: tuple[str, ...] = made(default=(), repr=False)
    decision: Decision = Decision.NONE
    reason: str = ""
    until: date | None = None
    can: frozenset[Decision] = frozenset()
    etag: str = ""
    created_at: str | None = None
    other: OtherCase | None = None
    """What was decided elsewhere; a KEEP there binds that case alone."""

    @property
    def bound(self) -> bool:
        """Whether it stays, because another case holds or restricts what was chosen to go here."""
        other = self.other
        return self.decision in ACTING and other is not None and other.decision in LASTING

    @property
    def only_kept(self) -> str:
        """The code of why this program cannot take it out; empty where it can."""
        return next((code for code in self.why if code in ONLY_KEPT), "")


@dataclass(frozen=True, slots=True)
class NotLooked:
    """A store or file that was not looked into. ``code`` says why, as a UserError's does."""

    path: str
    agent: str
    code: str
    params: Mapping[str, object] = made(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Finds:
    """All that one search found, and where it could not look.

    ``looked`` are the stores' main files; ``side_files`` how many files beside them were read;
    ``records`` how many records. ``stopped``: a person ended it, more may be there.
    """

    subject: Subject = made(repr=False)
    finds: tuple[CaseFind, ...] = ()
    looked: tuple[str, ...] = ()
    not_looked: tuple[NotLooked, ...] = ()
    limits: tuple[str, ...] = ()
    """Codes of what ended the walk through folders early (``words.discovery``)."""
    stopped: bool = False
    records: int = 0
    side_files: int = 0
    people: frozenset[str] = made(default=frozenset(), repr=False)
    """Whom else the stores have a field for, folded."""
    beside: Mapping[str, SideFile] = made(default_factory=dict, hash=False, repr=False)
    """The agents' other files in which something was found, by path."""
    salts: Mapping[str, str] = made(default_factory=dict, hash=False, repr=False)
    """By path, in hex, of the encrypted stores: what names one wherever it lies."""

    def heap(self, heap: Heap) -> tuple[CaseFind, ...]:
        """Those of one heap."""
        return tuple(one for one in self.finds if one.heap is heap)

    def by_number(self, number: int) -> CaseFind | None:
        """One of them."""
        return next((one for one in self.finds if one.number == number), None)

    @property
    def counts(self) -> Mapping[Heap, int]:
        """How many lie in each heap."""
        return {heap: len(self.heap(heap)) for heap in Heap}

    @property
    def ticked(self) -> tuple[CaseFind, ...]:
        """Those of which something is to be written."""
        return tuple(one for one in self.finds if one.decision in ACTING)

    @property
    def undecided(self) -> tuple[CaseFind, ...]:
        """Those about which nobody has said anything."""
        return tuple(one for one in self.finds if one.decision is Decision.NONE)

    @property
    def asked(self) -> tuple[CaseFind, ...]:
        """Those that are surely about the person, and about which nobody has said anything."""
        return tuple(one for one in self.undecided if one.heap is Heap.SURE)

    @property
    def waiting(self) -> Mapping[str, tuple[int, int]]:
        """Store -> (surely about the person, neither kept nor held; the rest, undecided)."""
        sure = (one for one in self.heap(Heap.SURE) if one.decision not in STAYING)
        counted = Counter(str(one.store) for one in sure)
        unsure = Counter(str(one.store) for one in self.undecided if one.heap is not Heap.SURE)
        paths = dict.fromkeys((*counted, *unsure))
        return {path: (counted[path], unsure[path]) for path in paths}

    @property
    def only_kept(self) -> tuple[OnlyKept, ...]:
        """What is about the person, and can only be taken out by its own agent."""
        counted = Counter(
            (str(one.store), one.agent, one.only_kept)
            for one in self.finds
            if one.only_kept and one.heap is not Heap.MENTIONS
        )
        return tuple(OnlyKept(*place, count) for place, count in counted.items())

    def decided(self, numbers: Collection[int], change: Callable[[CaseFind], CaseFind]) -> Finds:
        """The same with some of them changed."""
        wanted = frozenset(numbers)
        finds = tuple(change(one) if one.number in wanted else one for one in self.finds)
        return replace(self, finds=finds)


# ---- judging

SUBJECT: Final = "subject"
OTHER_SUBJECT: Final = "other_subject"
OTHER_CONTACT: Final = "other_contact"
OTHER_NAMED: Final = "other_named"
OTHER_NEAR: Final = "other_near"
SHARED_WHYS: Final = (OTHER_SUBJECT, OTHER_CONTACT, OTHER_NAMED, OTHER_NEAR)


@dataclass(frozen=True, slots=True)
class Judged:
    """A heap, why, and who else is in it."""

    heap: Heap
    why: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def judge(
    hits: Sequence[Hit],
    *,
    own: bool,
    other_subject: str = "",
    others: Iterable[str] = (),
    contacts: bool = False,
) -> Judged:
    """In which heap something lies.

    ``own``: a field of its own says that it is about the person; ``other_subject``: about somebody
    else. ``others`` are other people that are named in it; ``contacts``: it has somebody else's
    e-mail or telephone.
    """
    sure = own or any(hit.sure for hit in hits)
    doubts = tuple(dict.fromkeys(hit.why for hit in hits if hit.why))
    if not sure:
        more = (OTHER_SUBJECT,) if other_subject else ()
        return Judged(Heap.MENTIONS, (*doubts, *more), (other_subject,) if other_subject else ())
    named = tuple(dict.fromkeys(others))
    shared = [OTHER_SUBJECT] if other_subject else []
    shared += [OTHER_NAMED] if named else []
    shared += [OTHER_CONTACT] if contacts else []
    near = {"inside_name", OTHER_PERSON, "next_word"}.intersection(doubts)
    shared += [OTHER_NEAR] if near else []
    if not shared:
        return Judged(Heap.SURE)
    told = (other_subject, *named) if other_subject else named
    return Judged(Heap.SHARED, tuple(shared), tuple(dict.fromkeys(told)))


# ---- what a record shows

_AROUND: Final = 60
_MOST: Final = 6


def fields_of(record: Record) -> tuple[tuple[str, str], ...]:
    """Every text of a record with the name of its field."""
    named = ("title", "text", "subject", "scope", "type", "source")
    found = [(name, value) for name in named if (value := getattr(record, name))]
    found += [("tags", tag) for tag in record.tags]
    for name, value in record.extra.items():
        found += [(name, text) for text in record.lists.get(name, (value,) if value else ())]
    return tuple(found)


def hits_in(matcher: Matcher, record: Record) -> tuple[tuple[str, str, tuple[Hit, ...]], ...]:
    """(field, its text, where it names the person), of those fields that do."""
    found = ((name, text, matcher.find(text)) for name, text in fields_of(record))
    return tuple((name, text, hits) for name, text, hits in found if hits)


def pieces_of(found: Iterable[tuple[str, str, tuple[Hit, ...]]]) -> tuple[Piece, ...]:
    """What to show of some fields: at most _MOST places, with what stands around them."""
    pieces: list[Piece] = []
    for name, text, hits in found:
        at = 0
        while at < len(hits) and len(pieces) < _MOST:
            start, end = max(0, hits[at].start - _AROUND), hits[at].end + _AROUND
            mine = []
            while at < len(hits) and hits[at].start < end:
                mine.append(hits[at])
                end = max(end, min(hits[at].end + _AROUND, start + 8 * _AROUND))
                at += 1
            end = min(end, len(text))
            marks = tuple((h.start - start, min(h.end, end) - start, h.sure) for h in mine)
            pieces.append(Piece(name, text[start:end], marks, start > 0, end < len(text)))
    return tuple(pieces)


def redacted(text: str, hits: Iterable[Hit], filler: str) -> str:
    """The text without the names that are sure."""
    parts, at = [], 0
    for hit in hits:
        if hit.sure:
            parts += [text[at : hit.start], filler]
            at = hit.end
    return "".join((*parts, text[at:]))
