# SPDX-License-Identifier: MIT
"""What services hand out: frozen values, safe in any thread."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from memory_gui.domain.changes import ChangeSet, StoreInfo
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref, StoreId

STORE_SHIFT = 32
"""A listing id is ``store number << STORE_SHIFT | ordinal``; both are never reused while open."""


class KeyPlace(StrEnum):
    """Where the key of an open store came from."""

    NONE = "none"
    KEYCHAIN = "keychain"
    TYPED = "typed"
    THIS_RUN = "this run only"


@dataclass(frozen=True, slots=True)
class OpenedStore:
    """One open store and its partner.

    ``name`` is a short label: the project folder's name, or ``you`` for the user database.
    ``partner_problem`` says why the other database of the pair is not open (``pair.absent``,
    ``pair.key``, ``pair.unreadable``); None when it is open or the store stands alone.
    ``writable`` turns True after ``Library.allow_writing`` or the first change.
    """

    id: StoreId
    info: StoreInfo
    name: str
    partner: StoreId | None = None
    key_place: KeyPlace = KeyPlace.NONE
    partner_problem: UserError | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a store was read into memory: ``done`` of ``total`` records."""

    store: StoreId
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Listing:
    """The ids of the records that a query shows, in order. ``ids`` must not be changed.

    ``partial`` is True while a store is still being read into memory; ``progress`` says then how
    far each of those was read. ``counting`` is True where these are only the first of them, and
    how many there are is not known yet. ``ms`` is the time the search took.
    """

    query: Query
    sort: str
    ids: array[int]
    total: int
    partial: bool
    ms: float
    progress: tuple[Progress, ...] = ()
    counting: bool = False


@dataclass(frozen=True, slots=True)
class BulkResult:
    """What an act over several records did. Each failure stands once, with its reason.

    ``stopped`` is True when the person stopped it before the last record. ``remembered`` is False
    of a rejection that will not be known again when it is proposed again: nothing can keep it.
    """

    changes: ChangeSet = field(default_factory=ChangeSet)
    done: int = 0
    failed: tuple[tuple[Ref, UserError], ...] = ()
    stopped: bool = False
    remembered: bool = True


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One thing that was checked. ``code`` names its words, ``ok`` None means "could not tell"."""

    code: str
    ok: bool | None
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KnownStore:
    """A store opened before, as the ledger knows it. ``last_opened`` is ISO 8601 in UTC."""

    path: str
    name: str
    format: str
    last_opened: str
