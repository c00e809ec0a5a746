# SPDX-License-Identifier: MIT
"""One open Agentao database: the store contract over its five tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import (
    Addition,
    Capability,
    ChangeSet,
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
)
from memory_gui.domain.erasing import EraseScope, MayHold, SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, RefText, StoreId
from memory_gui.domain.work import nobody_asks
from memory_gui.engine.database import Connection
from memory_gui.stores.contract import Batch, Store
from memory_gui.stores.formats.agentao import schema
from memory_gui.stores.formats.agentao.adding import added, may_add
from memory_gui.stores.formats.agentao.clashes import key_holder
from memory_gui.stores.formats.agentao.columns import batches_of
from memory_gui.stores.formats.agentao.drafts import new_draft
from memory_gui.stores.formats.agentao.following import changes_since
from memory_gui.stores.formats.agentao.memories import Clock, Memories, local_now
from memory_gui.stores.formats.agentao.pairing import Role, role_of
from memory_gui.stores.formats.agentao.review import Queue
from memory_gui.stores.formats.agentao.rows import record_of, ref_of
from memory_gui.stores.formats.agentao.scope import erase_scope
from memory_gui.stores.formats.agentao.sidefiles import side_files_of
from memory_gui.stores.formats.agentao.snapshots import put_back, snapshot_of
from memory_gui.stores.formats.agentao.tables import Tables
from memory_gui.stores.formats.agentao.witnesses import may_hold
from memory_gui.stores.naming import the_one

_ALL = (
    Capability.ADD
    | Capability.EDIT
    | Capability.TRASH
    | Capability.RESTORE
    | Capability.DELETE
    | Capability.TAG
    | Capability.ERASE
    | Capability.WATCH
    | Capability.ENCRYPT
)
_SEVERAL: Final = 8
"""So many records are looked up in one statement."""
_MANY: Final = 16
"""Of more records the scope of an erase is looked for outside a transaction."""
_LOOKS: Final = 2
_KEPT = frozenset({"memory"})
"""Kinds that a person may edit, trash and restore."""
_DELETABLE = frozenset({"memory", "review", "summary"})
"""Kinds whose rows a person may take out; events and meta are the agent's own log and counters."""


class AgentaoStore(Store):
    """Agentao's project or user database, readable or encrypted."""

    format = "agentao"
    kinds = tuple(schema.TABLES)
    declared = schema.DECLARED
    bookkeeping = frozenset({"meta"})

    def __init__(
        self,
        connection: Connection,
        *,
        home: Path | None,
        names: tuple[Path, ...] = (),
        clock: Clock = local_now,
        read_only: bool = False,
    ) -> None:
        """Take over a connection. ``read_only`` says that this place can never be written to."""
        self.id = StoreId(str(connection.path))
        self._read_only = read_only
        self._connection = connection
        self._home = home
        self._places = (connection.path, *names)
        self.tables = Tables(connection, self.id)
        self.version = self.tables.version
        self.memories = Memories(self.tables, lambda: self.role, clock)
        self._queue = Queue(self)

    @cached_property
    def role(self) -> Role:
        """Its place in the pair; found when it is first asked for."""
        scopes = self.tables.scopes()
        has_queue = any(
            self.tables.select(kind, "1", tail="LIMIT 1") for kind in ("review", "summary")
        )
        return role_of(self._connection.path, self._home, scopes, has_queue=has_queue)

    @cached_property
    def capabilities(self) -> Capability:  # type: ignore[override]  # what is found once stays
        """What can be done here."""
        if self.version > schema.NEWEST:
            return Capability.WATCH | Capability.ENCRYPT
        has_queue = set(schema.REVIEW_COLUMNS) <= set(self.tables.columns("review"))
        # Agentao reads the queue of the project's file only.
        return _ALL | Capability.REVIEW if has_queue and self.role is not Role.USER else _ALL

    # ---- reading

    def info(self) -> StoreInfo:
        """Format, cipher, journal mode, counts."""
        connection = self._connection
        notes = []
        if connection.source == "copy":
            notes.append("opened.from_copy")
        elif self._read_only:
            notes.append("opened.read_only")
        if self.version > schema.NEWEST:
            notes.append("opened.newer_schema")
        if self.tables.foreign:
            notes.append("foreign.objects")
        with connection.reading():
            counts = self.tables.counts()
        return StoreInfo(
            id=self.id,
            path=str(connection.path),
            format=self.format,
            agent="Agentao",
            agent_version="0.5.13+" if self.tables.has_counter else "0.2.6–0.5.12",
            role=str(self.role),
            encrypted=connection.encrypted,
            cipher=dict(connection.cipher),
            journal_mode=connection.journal_mode,
            writable=connection.writable,
            capabilities=self.capabilities,
            counts=counts,
            kinds=self.kinds,
            declared=self.declared,
            notes=tuple(notes),
            foreign_sql=self.tables.foreign,
        )

    def scan(self, kinds: Collection[str] = ()) -> Iterator[tuple[Record, ...]]:
        """All records of the kinds, in batches by rowid."""
        for kind in self.kinds:
            if (not kinds or kind in kinds) and self.tables.has(kind):
                for rows in self.tables.batches(kind):
                    yield tuple(record_of(self.id, kind, row) for row in rows)

    def batches(self) -> Iterator[Batch]:
        """Rows by their rowids, with a print of their bytes."""
        return batches_of(self.tables, self.id, self.kinds)

    def newest(self, count: int, check: Callable[[], object]) -> tuple[Record, ...]:
        """Of the memories: there are most of them, and they are listed first."""
        rows = self.tables.newest(count, check)
        return tuple(record_of(self.id, "memory", row) for row in rows)

    def beside(self) -> tuple[Record, ...]:
        """The log and the change counter."""
        rows = [("event", row) for row in self.memories.logged()]
        if self.tables.has_counter:  # it moves with deletes too, which the log says nothing of
            rows += [("meta", row) for row in self.tables.select("meta", "key = 'memories_change'")]
        return tuple(record_of(self.id, kind, row) for kind, row in rows)

    def fetch(self, refs: Sequence[Ref]) -> tuple[Record | None, ...]:
        """The records in the order asked."""
        memories = [ref for ref in refs if self._is_named(ref)]
        several = memories if len(memories) >= _SEVERAL else []
        named = self.tables.rows("memory", [ref.key[0] for ref in several])
        asked = frozenset(several)
        rows = [
            (ref, named.get(ref.key[0]) if ref in asked else self.tables.row(ref)) for ref in refs
        ]
        return tuple(
            None if row is None else record_of(self.id, ref.kind, row) for ref, row in rows
        )

    def _is_named(self, ref: Ref) -> bool:
        """Whether it is a memory of this store with an id."""
        return ref.kind == "memory" and len(ref.key) == 1 and ref.store == self.id

    def fetch_printed(self, refs: Sequence[Ref]) -> tuple[tuple[Record, int | None] | None, ...]:
        """The records in the order asked, with the prints of their rows."""
        found = [self.tables.printed(ref) for ref in refs]
        return tuple(
            None if one is None else (record_of(self.id, ref.kind, one[0]), one[1])
            for ref, one in zip(refs, found, strict=True)
        )

    def resolve(self, ref: RefText) -> Ref | None:
        """The record that a person's text names.

        Raises:
            UserError: ``ref.ambiguous`` when records of several kinds have that key.
        """
        return the_one(ref, self.id, self.kinds, lambda one: self.tables.row(one) is not None)

    def change_token(self) -> int:
        """SQLite's ``data_version``."""
        return self._connection.data_version()

    def changes_since(self, seen: Mapping[str, int]) -> Since:
        """By the rows' numbers and Agentao's own log."""
        return changes_since(self.tables, self.id, seen)

    def fields_of(self, record: Record) -> Fields:
        """With the key, where there is one of its own."""
        fields = dict(super().fields_of(record))
        if record.kind in {"memory", "review"}:
            fields["key"] = record.extra.get("key_normalized") or ""
        return fields

    def classify(self, fields: Fields) -> Fields:
        """The values as Agentao would save a new memory."""
        return new_draft(fields).fields()

    def key_holder(self, kind: str, fields: Fields, but: Ref | None = None) -> KeyHolder | None:
        """The live memory, or waiting proposal, with the same scope and key."""
        with self._connection.reading():
            return key_holder(self.tables, kind, fields, but)

    def together(self) -> AbstractContextManager[None]:
        """One transaction; the acts inside are its savepoints."""
        return self.tables.writing()

    # ---- changing

    def add(self, new: NewRecord) -> ChangeSet:
        """A memory as Agentao's ``upsert`` saves a new one; or a proposal.

        Raises:
            UserError: ``record.*``, ``scope.other_store``, ``record.key_taken``.
        """
        self._must("add", Capability.ADD)
        if new.kind == "review":
            self._must("propose", Capability.REVIEW)
            return self._queue.propose(new)
        self._only_memory("add", new.kind)
        return added(self.tables, self.memories, new)

    def may_add(self, new: NewRecord) -> Addition:
        """By the checks of ``add``; a memory with the same key is in its way."""
        self._must("add", Capability.ADD)
        self._only_memory("add", new.kind)
        with self._connection.reading():
            return may_add(self.tables, self.memories, new)

    def apply(self, edit: Edit) -> ChangeSet:
        """Change fields of a memory, live or in the trash.

        Raises:
            UserError: ``record.*``, ``scope.other_store`` when the new scope is the other file's.
        """
        self._permit("edit", edit.target.ref.kind)
        with self.tables.writing():
            row, cells = self.memories.edited(edit)
            if not cells:
                return ChangeSet()
            self.memories.change(row, cells)
        return ChangeSet(changed=(edit.target.ref,))

    def trash(self, target: Target) -> ChangeSet:
        """Agentao's soft delete."""
        self._permit("trash", target.ref.kind)
        with self.tables.writing():
            row = self.memories.checked("trash", target)
            self.memories.change(row, {"deleted_at": self.memories.now()}, "soft_delete")
        return ChangeSet(changed=(target.ref,))

    def restore(self, target: Target) -> ChangeSet:
        """Out of the trash. Agentao has no word for it, so its log says ``update``."""
        self._permit("restore", target.ref.kind)
        with self.tables.writing():
            row = self.memories.checked("restore", target)
            self.memories.change(row, {"deleted_at": None})
        return ChangeSet(changed=(target.ref,))

    def delete(self, target: Target) -> ChangeSet:
        """Take the row out."""
        kind = target.ref.kind
        self._permit("delete", kind)
        with self.tables.writing():
            row = self.memories.checked("delete", target)
            if kind == "memory":
                self.memories.remove(row)
            else:
                self.tables.remove(kind, row)
        return ChangeSet(removed=(target.ref,))

    def may(self, act: str, target: Target, fields: Fields | None = None) -> None:
        """What speaks against an act, by the act's own checks."""
        self._permit(act, target.ref.kind)
        with self._connection.reading():
            if act == "edit":
                self.memories.edited(Edit(target, fields or {}))
            else:
                self.memories.checked(act, target)

    def _permit(self, act: str, kind: str) -> None:
        self._must(act, Capability[act.upper()])
        if kind not in (_DELETABLE if act == "delete" else _KEPT):
            raise self.cannot(act)

    def snapshot(self, refs: Sequence[Ref]) -> Snapshot:
        """The rows that ``delete`` of these records would take."""
        return snapshot_of(self.tables, refs)

    def reinstate(self, snapshot: Snapshot, *, key: str = "") -> ChangeSet:
        """Put a snapshot's rows back. Rows that are there again already are left alone.

        Raises:
            UserError: ``record.key_taken``, ``record.id_taken``.
        """
        self._must("delete", Capability.DELETE)
        return put_back(self.tables, self.memories, snapshot, key=key)

    def take_in(self, record: Record) -> ChangeSet:
        """The first half of a move from the pair's other file; the id is kept where it is free."""
        self._must("add", Capability.ADD)
        self._only_memory("move", record.kind)
        with self.tables.writing():
            arrived = self.memories.arrived(record)
            if arrived is not None:
                return ChangeSet(changed=(ref_of(self.id, "memory", arrived),))
            return ChangeSet(added=(self.memories.settle(record),))

    # ---- review

    def preview(
        self, ref: Ref, target: Store | None, fields: Fields | None = None
    ) -> ReviewPreview:
        """What approving the review item would do."""
        self._must("review", Capability.REVIEW)
        return self._queue.preview(ref, self._side(target), fields or {})

    def review(self, decision: Decision, target: Store | None) -> ChangeSet:
        """Decide on a review item.

        Raises:
            UserError: ``record.*``, ``review.*``, ``scope.partner_missing``,
                ``scope.other_store``.
        """
        self._must("review", Capability.REVIEW)
        return self._queue.decide(decision, self._side(target))

    def fresh_id(self) -> str:
        """One of Agentao's random ids that no memory has."""
        return self.memories.free_id()

    def may_review(self, decision: Decision, target: Store | None) -> None:
        """What speaks against a decision, by its own checks."""
        self._must("review", Capability.REVIEW)
        with self._connection.reading():
            self._queue.may(decision, self._side(target))

    @staticmethod
    def _side(target: Store | None) -> AgentaoStore | None:
        if target is None or isinstance(target, AgentaoStore):
            return target
        raise UserError("scope.partner_missing", scope="user")

    # ---- erasing

    def erase_scope(
        self,
        refs: Sequence[Ref],
        also_texts: Sequence[str] = (),
        check: Callable[[], object] = nobody_asks,
    ) -> EraseScope:
        """Everything here that carries the content of the records, in every state.

        Of many it takes seconds in which others may write: it looks again, at last they wait.
        """
        self._must("erase", Capability.ERASE)
        for _ in range(_LOOKS if len(refs) + len(also_texts) > _MANY else 0):
            before = self.change_token()
            found = erase_scope(self.tables, refs, also_texts, check)
            if self.change_token() == before:
                return found
        with self._connection.reading():
            return erase_scope(self.tables, refs, also_texts, check)

    def may_hold(self, records: Sequence[Record]) -> tuple[MayHold, ...]:
        """Models and sessions."""
        found = (may_hold(place, self.tables, records) for place in self._places)
        return tuple(dict.fromkeys(one for some in found for one in some))

    def layout(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """The five tables."""
        return {k: (table, (schema.KEY_COLUMNS[k],)) for k, table in schema.TABLES.items()}

    def side_files(self) -> tuple[SideFile, ...]:
        """Agentao's other files beside this store."""
        return side_files_of(self._places, self._home, is_home=self.role is Role.USER)

    # ---- ending

    def interrupt(self) -> None:
        """Stop the running statement."""
        self._connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    # ---- guards

    def _must(self, act: str, needed: Capability) -> None:
        newer = self.version > schema.NEWEST
        # What every store of this layout can do needs no look at its rows.
        if (needed in _ALL and not newer) or needed in self.capabilities:
            return
        if newer:
            raise UserError(
                "store.newer_schema",
                path=str(self._connection.path),
                found=self.version,
                known=schema.NEWEST,
            )
        raise self.cannot(act)

    def _only_memory(self, act: str, kind: str) -> None:
        if kind != "memory":
            raise self.cannot(act)
