# SPDX-License-Identifier: MIT
"""What may be done to records, and what was done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, Flag, StrEnum, auto
from hashlib import sha256
from itertools import chain

from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record, Ref, State, StoreId


class Capability(Flag):
    """What a store can do. What is missing is an error type (``store.cannot``), never a no-op."""

    NONE = 0
    ADD = auto()
    EDIT = auto()
    TRASH = auto()
    RESTORE = auto()
    DELETE = auto()
    TAG = auto()
    REVIEW = auto()
    ERASE = auto()
    WATCH = auto()
    ENCRYPT = auto()
    """It is a database that can be encrypted, made readable and given another key."""
    CONVERT = auto()
    """A store of its agent's present format can be made of it."""


Fields = Mapping[str, str | tuple[str, ...]]
"""Field names to values. Names are those of Record: title, text, scope, type, tags, and ``key``."""


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to be added; ``source`` tells the agent where it comes from.

    ``despite`` names the guards a person insists past.
    """

    kind: str
    fields: Fields
    source: str = "explicit"
    despite: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Target:
    """One record that an act is meant for, as it was read.

    When ``etag`` is given and the stored record differs, nothing is written (``record.changed``).
    """

    ref: Ref
    etag: str | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """New values for some fields of one record; ``despite`` names guards a person insists past."""

    target: Target
    fields: Fields
    despite: frozenset[str] = frozenset()


class Verdict(StrEnum):
    """What can be decided about a review item."""

    APPROVE = "approve"
    REJECT = "reject"
    REOPEN = "reopen"


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict on one review item; ``fields`` are the corrections of edit-then-approve.

    ``replaces`` is the etag of the memory that the person was shown as being replaced (None when
    none was): if that memory is another one now, nothing is written (``review.target_changed``).
    ``memory`` is the id that a new memory is to have, chosen before: where one with that id is
    there already, an approval that was stopped between two files has written it, and only the
    item's state is left to write.
    """

    target: Target
    verdict: Verdict
    fields: Fields = field(default_factory=dict)
    despite: frozenset[str] = frozenset()
    replaces: str | None = None
    memory: str = ""


class Outcome(StrEnum):
    """What approving a review item would do."""

    NEW = "new"
    IDENTICAL = "identical"
    REPLACES = "replaces"
    REFUSED = "refused"


class Why(StrEnum):
    """Why a saved record is shown beside a proposal."""

    SAME = "same"
    """It says the same under another key."""
    NEAR = "near"
    OPPOSITE = "opposite"
    """It gives the same thing the opposite, or another, value."""


@dataclass(frozen=True, slots=True)
class Alike:
    """A live record that a proposal is like. ``likeness`` is 0 to 1, over n-grams of letters.

    ``key`` is what the record is filed under, where its agent has keys.
    """

    record: Record
    why: Why
    likeness: float
    key: str = ""


@dataclass(frozen=True, slots=True)
class ReviewPreview:
    """What approving would do, before it is done.

    ``fields`` are the values as they would be saved (key, title, text, scope, type, tags, source,
    confidence). ``existing`` is the live memory with the same key in the target store.
    ``warnings`` are codes: ``hidden`` (characters that do not show), ``secret``, ``conflict``
    (a different text would be lost), ``opposite`` (one of ``alike`` says the contrary).
    ``refusal`` is the code of the UserError that approve raises. ``fields`` has ``proposed_key``,
    a free one, where another text has the key. ``alike`` are records under other keys.
    ``rejected_at``: the same was rejected before, then (ISO 8601 in UTC). ``cause`` is the refusal
    with its values; ``undecoded`` is how many bytes of what would be saved are no text.
    """

    item: Record
    outcome: Outcome
    fields: Fields
    target_store: StoreId | None
    existing: Record | None = None
    warnings: tuple[str, ...] = ()
    refusal: str | None = None
    alike: tuple[Alike, ...] = ()
    rejected_at: str | None = None
    cause: UserError | None = field(default=None, compare=False)
    undecoded: int = 0

    @property
    def pin(self) -> str:
        """Names the item and the memory it would replace, as both are now: 16 hex digits.

        A decision that carries it is refused when either was changed since.
        """
        replaced = "" if self.existing is None else self.existing.etag
        return sha256(f"{self.item.etag}/{replaced}".encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """The refs that a mutation touched. Views redraw from it and never query everything again."""

    added: tuple[Ref, ...] = ()
    changed: tuple[Ref, ...] = ()
    removed: tuple[Ref, ...] = ()

    def __or__(self, other: ChangeSet) -> ChangeSet:
        """Both, in order."""
        return ChangeSet(
            self.added + other.added, self.changed + other.changed, self.removed + other.removed
        )

    @property
    def refs(self) -> tuple[Ref, ...]:
        """All that were touched."""
        return self.added + self.changed + self.removed


@dataclass(frozen=True, slots=True)
class KeyHolder:
    """Which record has a key that only one may have; ``free`` is a key near it that none has."""

    ref: Ref
    key: str
    free: str


@dataclass(frozen=True, slots=True)
class Addition:
    """What adding a record would do, found out by the checks of ``add`` itself.

    ``fields`` are the values as they would be saved. ``holder`` is the record that is in its way:
    it has the key, or says the very same; then ``add`` refuses. ``free`` is a key near it that no
    record has, where the agent has keys beside titles.
    """

    kind: str
    fields: Fields = field(repr=False)
    holder: Ref | None = None
    free: str = ""


def joined(sets: Sequence[ChangeSet]) -> ChangeSet:
    """All of them, in order, in time that grows with their refs only."""
    return ChangeSet(
        tuple(chain.from_iterable(one.added for one in sets)),
        tuple(chain.from_iterable(one.changed for one in sets)),
        tuple(chain.from_iterable(one.removed for one in sets)),
    )


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Rows as they were stored, so that a delete can be undone. In memory only, gone with the lock.

    ``rows`` are (table, columns, values), in the order in which they must be put back.
    """

    store: StoreId
    rows: tuple[tuple[str, tuple[str, ...], tuple[object, ...]], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Converted:
    """A store that was made of another one. ``lost`` names values that have no place in it."""

    path: str
    records: int
    lost: tuple[str, ...] = ()


Since = tuple[tuple[Record, ...], Mapping[str, int]]
"""Records that others wrote since a look, and by which the next look is told what is known."""


class Confidence(Enum):
    """How sure a format is that a location is one of its own."""

    NO = 0
    MAYBE = 1
    LIKELY = 2
    CERTAIN = 3


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence about a store: its code (``words.formats``) and the values in it, no content."""

    code: str
    values: Mapping[str, str | int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """What is known about an open store without reading its records.

    ``role`` is ``project``, ``user`` or ``alone``. ``counts`` is kind -> state -> number and adds
    up to the tables' rows. ``notes`` are codes a person should know (``opened.from_copy``,
    ``opened.read_only``, ``foreign.objects``); ``foreign_sql`` has the statements of objects that
    the adapter does not know from its agent. ``declared`` are the kinds with their words;
    ``reasons`` maps an act that is not possible to the code of its reason. ``told`` are sentences
    for a person about this very store (limits, what its agent never sees): code and values.
    ``parts`` are the paths of its other files, where it is made of several. ``work`` is how much
    there is to read (the sum of its batches' ``work``), where that is not its records.
    """

    id: StoreId
    path: str
    format: str
    agent: str
    agent_version: str
    role: str
    encrypted: bool
    cipher: Mapping[str, str]
    journal_mode: str
    writable: bool
    capabilities: Capability
    counts: Mapping[str, Mapping[State, int]]
    kinds: tuple[str, ...]
    notes: tuple[str, ...] = ()
    foreign_sql: tuple[str, ...] = ()
    declared: tuple[Kind, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    told: tuple[Told, ...] = ()
    parts: tuple[str, ...] = ()
    work: int | None = None


@dataclass(frozen=True, slots=True)
class OpenBy:
    """Another process that has a file open. ``pid`` 0 and name ``?`` when it may not be seen."""

    pid: int
    name: str
