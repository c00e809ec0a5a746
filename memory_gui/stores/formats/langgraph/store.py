# SPDX-License-Identifier: MIT
"""One open file with LangGraph's items and its threads: what one says the other may say too."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from memory_gui.domain.changes import ChangeSet, Edit, Fields, Snapshot, StoreInfo, Target, Told
from memory_gui.domain.erasing import EraseScope
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, RefText
from memory_gui.domain.work import nobody_asks
from memory_gui.engine.database import Connection
from memory_gui.stores.contract import Batch
from memory_gui.stores.formats.langgraph_checkpoints import records as threads
from memory_gui.stores.formats.langgraph_checkpoints import scope
from memory_gui.stores.formats.langgraph_checkpoints.layout import COLUMNS
from memory_gui.stores.formats.langgraph_checkpoints.store import CheckpointsStore
from memory_gui.stores.formats.langgraph_store import store as items
from memory_gui.stores.sql import onescope

NAME: Final = "langgraph"
DECLARED: Final = (*items.DECLARED, *threads.DECLARED)
_OF_THREADS: Final = frozenset(kind.name for kind in threads.DECLARED)


class SharedStore(items.LanggraphStore):
    """Items as in a file of their own; threads by what a file of checkpoints does with them."""

    format = NAME
    kinds = tuple(kind.name for kind in DECLARED)
    declared = DECLARED
    reasons = MappingProxyType({**CheckpointsStore.reasons, **items.LanggraphStore.reasons})

    def __init__(
        self,
        connection: Connection,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        read_only: bool = False,
    ) -> None:
        """Take over a connection.

        Raises:
            UserError: ``store.other_schema``.
        """
        super().__init__(connection, clock=clock, read_only=read_only)
        self.threads = CheckpointsStore(connection, read_only=read_only)
        self._foreign = tuple(dict.fromkeys((*self._foreign, *self.threads.foreign)))

    # ---- reading

    def info(self) -> StoreInfo:
        """As of both."""
        with self.connection.reading():
            info, talks = super().info(), self.threads.info()
        mine = sum(sum(states.values()) for states in info.counts.values())
        counts = {kind: {**talks.counts, **info.counts}[kind] for kind in self.kinds}
        return replace(info, counts=counts, work=mine + (talks.work or 0))

    def scan(self, kinds: Collection[str] = ()) -> Iterator[tuple[Record, ...]]:
        """The items, then thread by thread."""
        yield from super().scan(kinds)
        if not kinds or _OF_THREADS & set(kinds):
            yield from self.threads.scan(kinds)

    def batches(self) -> Iterator[Batch]:
        """Of both."""
        yield from super().batches()
        yield from self.threads.batches()

    def _record(self, ref: Ref) -> Record | None:
        if ref.kind in _OF_THREADS:
            return self.threads.fetch((ref,))[0]
        return super()._record(ref)

    def resolve(self, ref: RefText) -> Ref | None:
        """The record that a person's text names.

        Raises:
            UserError: ``ref.ambiguous``.
        """
        both = (super().resolve(ref), self.threads.resolve(ref))
        found = [one for one in both if one is not None]
        if len(found) > 1:
            raise UserError("ref.ambiguous", kinds=", ".join(one.kind for one in found))
        return found[0] if found else None

    def fields_of(self, record: Record) -> Fields:
        """As the one or the other has them."""
        mine = record.ref.kind not in _OF_THREADS
        return super().fields_of(record) if mine else self.threads.fields_of(record)

    def tell(self) -> tuple[Told, ...]:
        """Of both."""
        return (*super().tell(), *self.threads.told())

    # ---- changing

    def apply(self, edit: Edit) -> ChangeSet:
        """An item; nothing in a thread is changed."""
        if edit.target.ref.kind in _OF_THREADS:
            raise self.threads.cannot("edit")
        return super().apply(edit)

    def delete(self, target: Target) -> ChangeSet:
        """An item with its vectors, or a whole thread."""
        if target.ref.kind not in _OF_THREADS:
            return super().delete(target)
        with self._writing():
            return self.threads.delete(target)

    def may(self, act: str, target: Target, fields: Fields | None = None) -> None:
        """What speaks against an act, by the act's own checks."""
        if target.ref.kind in _OF_THREADS:
            self.threads.may(act, target, fields)
        else:
            super().may(act, target, fields)

    def snapshot(self, refs: Sequence[Ref]) -> Snapshot:
        """Items with their vectors, and all rows of threads."""
        talks = self.threads.snapshot(refs)
        mine = super().snapshot([ref for ref in refs if ref.kind not in _OF_THREADS])
        return replace(mine, rows=(*mine.rows, *talks.rows))

    def reinstate(self, snapshot: Snapshot, *, key: str = "") -> ChangeSet:
        """Put the rows back as they were.

        Raises:
            UserError: ``record.id_taken``.
        """
        talks = tuple(row for row in snapshot.rows if row[0] in COLUMNS)
        mine = tuple(row for row in snapshot.rows if row[0] not in COLUMNS)
        with self._writing():
            changes = super().reinstate(replace(snapshot, rows=mine), key=key)
            return changes | self.threads.reinstate(replace(snapshot, rows=talks))

    # ---- erasing

    def erase_scope(
        self,
        refs: Sequence[Ref],
        also_texts: Sequence[str] = (),
        check: Callable[[], object] = nobody_asks,
        elsewhere: onescope.Elsewhere = onescope.nowhere,  # noqa: ARG002 - both are here
    ) -> EraseScope:
        """Items with their vectors and whole threads; who of either carries the same text."""
        talks = [ref for ref in refs if ref.kind in _OF_THREADS and ref.store == self.id]
        others = [ref for ref in refs if ref.kind not in _OF_THREADS]
        with self.connection.reading():
            taken = {row.rowid: row for ref in others if (row := self.row(ref)) is not None}
            names = scope.threads_of(self.threads, talks)

            def in_threads(texts: Sequence[str], short: Sequence[str]) -> onescope.Kept:
                return scope.kept(self.threads, names, texts, short, check)

            def in_items(texts: Sequence[str], short: Sequence[str]) -> onescope.Kept:
                return onescope.kept(self, taken, texts, short, check)

            mine = super().erase_scope(others, also_texts, check, in_threads)
            theirs = scope.erase_scope(self.threads, talks, also_texts, check, in_items)
        return EraseScope(
            store=self.id,
            rows=(*mine.rows, *theirs.rows),
            texts=tuple(dict.fromkeys((*mine.texts, *theirs.texts))),
            missing=(*mine.missing, *theirs.missing),
            still_in=tuple(dict.fromkeys((*mine.still_in, *theirs.still_in))),
            tables=scope.TABLES,
        )

    def layout(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """The tables of both."""
        return {**super().layout(), **self.threads.layout()}

    # ---- ending

    def close(self) -> None:
        """Close the connection, and forget what was read."""
        self.threads.close()
