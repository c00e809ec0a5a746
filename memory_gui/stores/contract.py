# SPDX-License-Identifier: MIT
"""The contract of a store: what every open one must do, and what it must never do.

A Store belongs to the thread that opened it: every method but ``interrupt`` is called there and
nowhere else. Values go in and out synchronously. A store never adds a table, index, column or
trigger to an agent's database, and never loses one.
"""

# ruff: noqa: ARG002 - the default methods refuse, whatever they are given

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from memory_gui.domain.changes import (
    Addition,
    Capability,
    ChangeSet,
    Converted,
    Decision,
    Edit,
    Fields,
    KeyHolder,
    NewRecord,
    ReviewPreview,
    Since,
    Snapshot,
    StoreInfo,
    Target,
    Told,
)
from memory_gui.domain.erasing import EraseRows, EraseScope, MayHold, SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.graphs import Graph
from memory_gui.domain.kinds import Kind, kind_for
from memory_gui.domain.recordbatch import RecordBatch
from memory_gui.domain.records import Record, Ref, RefText, StoreId
from memory_gui.domain.work import nobody_asks

SCAN_ROWS = 2_000
"""The largest batch of a scan; each batch is its own short read transaction."""


T = TypeVar("T")


def at_places(values: Sequence[T], places: Sequence[int]) -> Sequence[T]:
    """Some of the values; a run of them is not picked one by one."""
    if isinstance(places, range) and places.step == 1:
        return values[places.start : places.stop]
    return [values[place] for place in places]


def _no_columns(_places: Sequence[int]) -> None:
    """For those that are only read record by record."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows of a kind, of which no record was made yet.

    ``numbers`` tell the rows of the kind apart. A row whose number and ``prints`` are the same as
    before is as it was. ``records`` makes those at some places. Without numbers all are to be made.
    ``columns`` makes a batch of as many of those as it can, and says at which places they are.
    ``work`` is how much was read for it, where that is not its rows.
    """

    kind: str
    size: int
    records: Callable[[Sequence[int]], Sequence[Record]]
    numbers: Sequence[int] = ()
    prints: Sequence[int] = ()
    columns: Callable[[Sequence[int]], tuple[RecordBatch, Sequence[int]] | None] = _no_columns
    work: int | None = None


class Store(ABC):
    """One open store of one agent."""

    format: str
    id: StoreId
    capabilities: Capability
    kinds: tuple[str, ...]
    declared: tuple[Kind, ...] = ()
    """The kinds with their words, and what can be done with a record of each."""
    bookkeeping: frozenset[str] = frozenset()
    """Kinds that are the agent's own and cannot be erased."""
    opaque_ids: bool = True
    """Whether the keys of its records are random or counted. Others are content: no receipt, note
    of an unfinished erase or log names them."""
    about_people: bool = True
    """Whether the subject of a record is a person, where it has one; of others it is an agent."""
    reasons: Mapping[str, str] = MappingProxyType({})
    """Act -> code (``words.formats``): why it is not possible here, for those that are not."""

    follows_path: bool = False
    """Its files are read by their paths each time: another file there is an ordinary change."""
    # ---- reading

    @abstractmethod
    def info(self) -> StoreInfo:
        """Format, cipher, journal mode, counts. What cannot be read raises; it never shows 0."""

    def told(self) -> tuple[Told, ...]:
        """Sentences about this very store as it is now: how full it is, what its agent never sees.

        Quick, also where there are many records; ``info`` has them too.
        """
        return ()

    @abstractmethod
    def scan(self, kinds: Collection[str] = ()) -> Iterator[tuple[Record, ...]]:
        """All records of the kinds (empty = all kinds), in batches of at most SCAN_ROWS, by key."""

    def batches(self) -> Iterator[Batch]:
        """As ``scan`` of all kinds, but records are made of those rows only that are asked for."""
        for found in self.scan():
            yield Batch("", len(found), lambda places, found=found: [found[i] for i in places])  # type: ignore[misc]  # mypy knows no defaults of a lambda

    def newest(self, count: int, check: Callable[[], object]) -> tuple[Record, ...]:
        """The live records that changed last, sooner than ``batches`` would come to all of them.

        None where the store has no quick way. ``check`` is called often, and may raise to end it.
        """
        return ()

    def beside(self) -> tuple[Record, ...]:
        """Records that our own changes wrote beside those they named, since the last call.

        The agent's log and counters, as they are now; for whoever follows changes by their refs.
        """
        return ()

    @abstractmethod
    def fetch(self, refs: Sequence[Ref]) -> tuple[Record | None, ...]:
        """The records in the order asked; None for one that is gone."""

    def fetch_printed(self, refs: Sequence[Ref]) -> tuple[tuple[Record, int | None] | None, ...]:
        """As ``fetch``, with the print of each record's row as ``batches`` gives it."""
        return tuple(None if one is None else (one, None) for one in self.fetch(refs))

    @abstractmethod
    def resolve(self, ref: RefText) -> Ref | None:
        """The record that a person's text names, in any kind when the kind was left out."""

    @abstractmethod
    def change_token(self) -> int:
        """Changes whenever another connection has committed (``PRAGMA data_version``)."""

    def changes_since(self, seen: Mapping[str, int]) -> Since | None:
        """Some of what others wrote since ``seen``, in a moment; a comparison finds the rest.

        None: there is no quick way. ``seen`` is what was told the last time, at first nothing.
        """
        return None

    def fields_of(self, record: Record) -> Fields:
        """A record's values as ``apply`` takes them (undo); with ``key`` where it has one."""
        fields: dict[str, str | tuple[str, ...]] = {"title": record.title, "text": record.text}
        fields.update((n, v) for n in ("scope", "type") if (v := getattr(record, n)) is not None)
        fields["tags"] = record.tags
        return fields

    def classify(self, fields: Fields) -> Fields:
        """A new record as the agent would save it (scope, type, key, title). Pure, writes nothing.

        Raises:
            UserError: what ``add`` would say of these values, whatever else the store holds.
        """
        return fields

    def kind_of(self, fields: Fields) -> str:
        """The kind of the new record that these values make."""
        given = {name for name, value in fields.items() if value}
        return kind_for(self.declared, given) or self.kinds[0]

    def may_add(self, new: NewRecord) -> Addition:
        """What ``add`` would do, by its own checks; writes nothing, and needs not be able to.

        Raises:
            UserError: as ``add`` would; a record that is in the way is told, and not raised.
        """
        raise self.cannot("add")

    def check_field(self, kind: str, name: str, value: str) -> None:
        """Refuse what a field of ``Kind.checked`` cannot hold, as ``add`` would. Pure.

        Raises:
            UserError: why, and where in it.
        """
        raise self.cannot("edit")

    def key_holder(self, kind: str, fields: Fields, but: Ref | None = None) -> KeyHolder | None:
        """Which record has the key that a record of these values would have among the live ones.

        ``fields`` as ``fields_of`` gives them; ``but`` names the record itself. None where the key
        is free, and in formats whose records may share one.
        """
        return None

    @property
    def can_together(self) -> bool:
        """Whether several acts can be one transaction here."""
        return type(self).together is not Store.together

    def together(self) -> AbstractContextManager[None]:
        """Inside, several acts are one transaction: all of them are done, or none."""
        raise self.cannot("together")

    # ---- changing: each call is one transaction (BEGIN IMMEDIATE), or raises and changed nothing

    def add(self, new: NewRecord) -> ChangeSet:
        """Add a record the way its agent does."""
        raise self.cannot("add")

    def take_in(self, record: Record) -> ChangeSet:
        """Add a record that moves here from the pair's other database: the first half of a move.

        It keeps title, text, type, tags, key, source, confidence and created time; scope is this
        store's. Where a live record here has the same key, title, text and created time nothing
        is written and that one is given as ``changed`` (the move was stopped in its middle).

        Raises:
            UserError: ``record.key_taken`` when a live record here has the key; as ``add``.
        """
        raise self.cannot("move")

    def apply(self, edit: Edit) -> ChangeSet:
        """Change some fields of one record. Moving to another store is the services' business."""
        raise self.cannot("edit")

    def trash(self, target: Target) -> ChangeSet:
        """Out of the agent's sight; the text stays in the file."""
        raise self.cannot("trash")

    def restore(self, target: Target) -> ChangeSet:
        """Back into the agent's sight. ``record.key_taken`` when a live record has its key."""
        raise self.cannot("restore")

    def delete(self, target: Target) -> ChangeSet:
        """Take the row out. Bytes may remain in the file."""
        raise self.cannot("delete")

    def may(self, act: str, target: Target, fields: Fields | None = None) -> None:
        """Raise what ``act`` (trash, restore, delete, edit with ``fields``) would; write nothing.

        By the same checks as the act itself.
        """
        raise self.cannot(act)

    def snapshot(self, refs: Sequence[Ref]) -> Snapshot:
        """The rows that ``delete`` of these records would take, for undo."""
        raise self.cannot("delete")

    def reinstate(self, snapshot: Snapshot, *, key: str = "") -> ChangeSet:
        """Put a snapshot's rows back as they were; a record that is given one, under a new key."""
        raise self.cannot("delete")

    def preview(
        self, ref: Ref, target: Store | None, fields: Fields | None = None
    ) -> ReviewPreview:
        """What approving the review item, with the corrections ``fields``, would do.

        ``target`` is the store that its scope belongs to; None when that one is not open.
        """
        raise self.cannot("review")

    def review(self, decision: Decision, target: Store | None) -> ChangeSet:
        """Decide. Approve writes the memory in ``target`` first (repeatable), then the status."""
        raise self.cannot("review")

    def fresh_id(self) -> str:
        """An id that a new record of the first kind can have; empty where it cannot be chosen."""
        return ""

    def may_review(self, decision: Decision, target: Store | None) -> None:
        """Raise what ``review`` would; write nothing. By the same checks."""
        raise self.cannot("review")

    # ---- erasing

    def erase_scope(
        self,
        refs: Sequence[Ref],
        also_texts: Sequence[str] = (),
        check: Callable[[], object] = nobody_asks,
    ) -> EraseScope:
        """Everything in this store that carries the content of the records, in every state.

        ``refs`` may name records of the pair's other store: then this one looks for its copies
        (review items, evidence) by ``also_texts``, the texts of those records. ``check`` is called
        now and then, and may raise to stop it.
        """
        raise self.cannot("erase")

    def may_hold(self, records: Sequence[Record]) -> tuple[MayHold, ...]:
        """Who was told what these records say: models, transcripts, summaries. Opens no database.

        Where its agent keeps nothing of the kind: nothing.
        """
        return ()

    def layout(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """Kind -> (table, key columns) of a store in SQL, so that a proof can name kept records."""
        return {}

    def graph(self, ref: Ref, steps: int = 2, most: int = 200) -> Graph:
        """What a record is related to, by so many steps; of kinds with the act ``graph``."""
        raise self.cannot("graph")

    def side_files(self) -> tuple[SideFile, ...]:
        """Files that the agent leaves beside this store, in every folder known to belong to it."""
        return ()

    # ---- into another format

    def convert_place(self) -> Path:
        """Where the store that ``convert`` makes belongs, so that its agent finds it."""
        raise self.cannot("convert")

    def convert(self, out: Path) -> Converted:
        """Make a store of the agent's present format, read it back, compare; this one stays.

        Raises:
            UserError: ``store.exists``, ``store.*``. IntegrityError: nothing was left there.
        """
        raise self.cannot("convert")

    def staying(self, rows: EraseRows, secret: bytes) -> str:
        """What tells the keys of a table without those of ``rows``, and names none; empty: nothing.

        For a format whose keys are content: an erase that was stopped is known by it to be done.
        """
        return ""

    # ---- ending

    @abstractmethod
    def interrupt(self) -> None:
        """Stop the statement that runs now. The one method that any thread may call."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection. May be called twice."""

    def cannot(self, act: str) -> UserError:
        """The error for what this store does not do; ``why`` is the code of its reason."""
        return UserError("store.cannot", act=act, format=self.format, why=self.reasons.get(act, ""))
