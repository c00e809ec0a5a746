# SPDX-License-Identifier: MIT
"""One open file of LangGraph's checkpoints: threads are read, deleted and erased as a whole.

A message lies in many checkpoints at once, each a value of its own: to change one would mean to
encode all of them anew. So nothing in them is changed; a thread goes with all its rows, or stays.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from hashlib import blake2b
from types import MappingProxyType
from typing import Final

from memory_gui.domain.changes import (
    Capability,
    ChangeSet,
    Fields,
    Snapshot,
    StoreInfo,
    Target,
    Told,
)
from memory_gui.domain.erasing import EraseRows, EraseScope
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, RefText, State, StoreId
from memory_gui.domain.work import nobody_asks
from memory_gui.engine.database import Connection
from memory_gui.engine.sql import quote
from memory_gui.stores.contract import SCAN_ROWS, Batch, Store
from memory_gui.stores.formats.langgraph_checkpoints import scope, snapshots
from memory_gui.stores.formats.langgraph_checkpoints.layout import (
    CHECKPOINTS,
    COLUMNS,
    foreign_objects,
    is_ordinary,
)
from memory_gui.stores.formats.langgraph_checkpoints.records import (
    DECLARED,
    EARLIER,
    MESSAGE,
    STATE,
    THREAD,
    records_of,
)
from memory_gui.stores.formats.langgraph_checkpoints.source import Extent, Source
from memory_gui.stores.formats.langgraph_checkpoints.threads import Gathered
from memory_gui.stores.naming import the_one
from memory_gui.stores.sql.staying import staying

NAME: Final = "langgraph-checkpoints"
_WIDTHS: Final = {THREAD: 1, MESSAGE: 2, EARLIER: 2, STATE: 3}
"""How many parts the keys of each kind have; the first is the thread."""
COUNTED_BYTES: Final = 32 << 20
"""Files with less are read through when they are opened, so that their messages are counted."""
_KEPT: Final = 4
"""So many threads are kept as they were read, for whoever fetches one record after another."""
_MIB: Final = 1 << 20


@dataclass(slots=True)
class _Known:
    """A thread as it was read last: by kind the numbers and prints of its records."""

    mark: tuple[int, ...]
    rows: dict[str, tuple[array[int], array[int]]] = field(default_factory=dict)


class CheckpointsStore(Store):
    """Readable or encrypted, in WAL as LangGraph makes it, or with a journal."""

    format = NAME
    kinds = tuple(kind.name for kind in DECLARED)
    declared = DECLARED
    opaque_ids = False
    capabilities = Capability.DELETE | Capability.ERASE | Capability.WATCH | Capability.ENCRYPT
    reasons = MappingProxyType(
        dict.fromkeys(("add", "edit"), "langgraph.as_whole")
        | dict.fromkeys(("trash", "restore"), "langgraph.no_trash")
        | {"tag": "langgraph.no_tags", "review": "langgraph.no_review"}
    )

    def __init__(self, connection: Connection, *, read_only: bool = False) -> None:
        """Take over a connection.

        Raises:
            UserError: ``store.other_schema``.
        """
        self.id = StoreId(str(connection.path))
        self.connection = connection
        schema = connection.schema()
        for table, columns in COLUMNS.items():
            names = {str(row[1]) for row in connection.table_info(table)}
            if not (is_ordinary(schema, table) and set(columns) <= names):
                raise UserError("store.other_schema", path=str(connection.path))
        self.source = Source(connection)
        self.foreign = foreign_objects(schema)
        self._read_only = read_only
        self._changes = 0
        self._known: dict[str, _Known] = {}
        self._kept: OrderedDict[str, tuple[tuple[int, ...], tuple[Record, ...]]] = OrderedDict()

    # ---- reading

    def info(self) -> StoreInfo:
        """Threads; what is in them is counted where the file is not too large for that."""
        connection = self.connection
        notes = ["opened.from_copy"] if connection.source == "copy" else []
        notes += ["opened.read_only"] if self._read_only and not notes else []
        notes += ["foreign.objects"] if self.foreign else []
        extents = self.source.extents()
        counts = dict.fromkeys(self.kinds, 0) | {THREAD: len(extents)}
        if self._is_counted(extents):
            for batch in self._batches(extents):
                counts[batch.kind] = counts.get(batch.kind, 0) + batch.size
            counts[THREAD] = len(extents)
        return StoreInfo(
            id=self.id,
            path=str(connection.path),
            format=self.format,
            agent="LangGraph",
            agent_version="",
            role="alone",
            encrypted=connection.encrypted,
            cipher=dict(connection.cipher),
            journal_mode=connection.journal_mode,
            writable=connection.writable,
            capabilities=self.capabilities,
            counts={
                kind: {State.LIVE: counts[kind]} if counts[kind] else {} for kind in self.kinds
            },
            kinds=self.kinds,
            notes=tuple(notes),
            foreign_sql=self.foreign,
            declared=self.declared,
            reasons=self.reasons,
            told=self.told(),
            work=sum(extent.rows for extent in extents.values()),
        )

    @staticmethod
    def _is_counted(extents: Mapping[str, Extent]) -> bool:
        return sum(extent.size for extent in extents.values()) < COUNTED_BYTES

    def told(self) -> tuple[Told, ...]:
        """How much a conversation takes, and what is not read."""
        extents = self.source.extents()
        rows = sum(extent.rows for extent in extents.values())
        size = sum(extent.size for extent in extents.values())
        values: dict[str, str | int]
        values = {"rows": rows, "threads": len(extents), "size": f"{size / _MIB:.1f}"}
        told = [Told("langgraph.copies", values)]
        if not self._is_counted(extents):
            told.append(Told("langgraph.uncounted"))
        if odd := self.source.odd():
            told.append(Told("langgraph.odd_rows", {"n": odd}))
        return tuple(told)

    def scan(self, kinds: Collection[str] = ()) -> Iterator[tuple[Record, ...]]:
        """Thread by thread."""
        for thread in self.source.extents():
            found = [one for one in self._records(thread) if not kinds or one.kind in kinds]
            for at in range(0, len(found), SCAN_ROWS):
                yield tuple(found[at : at + SCAN_ROWS])

    def batches(self) -> Iterator[Batch]:
        """Thread by thread; one that has no other rows than before is not read again."""
        yield from self._batches(self.source.extents())

    def _batches(self, extents: Mapping[str, Extent]) -> Iterator[Batch]:
        for gone in self._known.keys() - extents.keys():
            del self._known[gone]
        for thread, extent in extents.items():
            known = self._known.get(thread)
            if known is None or known.mark != extent.mark:
                found = Gathered()
                for rows in self.source.gather(thread, found):
                    yield Batch("", 0, lambda _places: (), work=rows)
                known = self._known[thread] = _Known(extent.mark)
                records = tuple(records_of(self.id, thread, extent, found))
                self._keep(thread, extent, records)
                known.rows.update(_rows_of(records))
            else:
                yield Batch("", 0, lambda _places: (), work=extent.rows)
            for kind, (numbers, prints) in known.rows.items():
                yield Batch(kind, len(numbers), self._maker(thread, kind), numbers, prints, work=0)

    def _maker(self, thread: str, kind: str) -> Callable[[Sequence[int]], list[Record]]:
        def records(places: Sequence[int]) -> list[Record]:
            mine = [one for one in self._records(thread) if one.kind == kind]
            return [mine[place] for place in places if place < len(mine)]

        return records

    def _records(self, thread: str) -> tuple[Record, ...]:
        """All of one thread, as it is now; empty where there is none of that name."""
        extent = self.source.extents(thread).get(thread)
        if extent is None:
            return ()
        kept = self._kept.get(thread)
        if kept is not None and kept[0] == extent.mark:
            self._kept.move_to_end(thread)
            return kept[1]
        found = Gathered()
        for _rows in self.source.gather(thread, found):
            pass
        return self._keep(thread, extent, tuple(records_of(self.id, thread, extent, found)))

    def _keep(self, thread: str, extent: Extent, records: tuple[Record, ...]) -> tuple[Record, ...]:
        self._kept[thread] = (extent.mark, records)
        self._kept.move_to_end(thread)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return records

    def fetch(self, refs: Sequence[Ref]) -> tuple[Record | None, ...]:
        """The records in the order asked; each thread is read once."""
        return tuple(self._record(ref) for ref in refs)

    def _record(self, ref: Ref) -> Record | None:
        if ref.store != self.id or _WIDTHS.get(ref.kind) != len(ref.key):
            return None
        return next((one for one in self._records(ref.key[0]) if one.ref == ref), None)

    def resolve(self, ref: RefText) -> Ref | None:
        """The record that a person's text names.

        Raises:
            UserError: ``ref.ambiguous``.
        """
        return the_one(ref, self.id, self.kinds, lambda one: self._record(one) is not None)

    def change_token(self) -> int:
        """SQLite's ``data_version``."""
        return self.connection.data_version()

    def together(self) -> AbstractContextManager[None]:
        """One transaction; the acts inside are its savepoints."""
        return self.connection.writing()

    # ---- changing

    def delete(self, target: Target) -> ChangeSet:
        """Take a thread out with all its checkpoints and writes, as LangGraph does.

        Raises:
            UserError: ``store.cannot`` of all but a thread; ``record.gone``, ``record.changed``.
        """
        with self.connection.writing():
            thread = self._wanted("delete", target)
            refs = tuple(one.ref for one in self._records(thread))
            for table in COLUMNS:
                self.connection.execute(
                    f"DELETE FROM {quote(table)} WHERE thread_id = ?",  # noqa: S608 - names of ours
                    (thread,),
                )
        self._kept.pop(thread, None)
        return ChangeSet(removed=refs)

    def may(self, act: str, target: Target, fields: Fields | None = None) -> None:  # noqa: ARG002 - nothing has fields here
        """What speaks against an act, by the act's own checks."""
        if act != "delete":
            raise self.cannot(act)
        with self.connection.reading():
            self._wanted(act, target)

    def _wanted(self, act: str, target: Target) -> str:
        """The thread, as it was read."""
        ref = target.ref
        if ref.kind != THREAD and ref.kind in self.kinds:
            raise UserError("store.cannot", act=act, format=self.format, why="langgraph.as_whole")
        record = self._record(ref)
        if record is None:
            raise UserError("record.gone", ref=ref.text)
        if target.etag is not None and target.etag != record.etag:
            raise UserError("record.changed", ref=ref.text)
        return ref.key[0]

    def snapshot(self, refs: Sequence[Ref]) -> Snapshot:
        """All rows of the threads, for undo.

        Raises:
            UserError: ``langgraph.large`` where that is more than memory should hold.
        """
        threads = [ref.key[0] for ref in refs if ref.kind == THREAD and ref.store == self.id]
        with self.connection.reading():
            return snapshots.taken(self.connection, self.source, self.id, threads)

    def reinstate(self, snapshot: Snapshot, *, key: str = "") -> ChangeSet:  # noqa: ARG002 - a thread keeps its name
        """Put the rows of threads back; those that are there again as they were are left alone.

        Raises:
            UserError: ``record.id_taken`` when a thread of that name is another one now.
        """
        with self.connection.writing():
            back = snapshots.put_back(self.connection, snapshot)
            return ChangeSet(added=tuple(one.ref for t in back for one in self._records(t)))

    # ---- erasing

    def erase_scope(
        self,
        refs: Sequence[Ref],
        also_texts: Sequence[str] = (),
        check: Callable[[], object] = nobody_asks,
    ) -> EraseScope:
        """The whole threads of the records: what one message says lies all over its thread."""
        with self.connection.reading():
            return scope.erase_scope(self, refs, also_texts, check)

    def layout(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """Of both tables a row belongs to a thread."""
        return {THREAD: (CHECKPOINTS, ("thread_id",))}

    def staying(self, rows: EraseRows, secret: bytes) -> str:
        """By the keys that there are."""
        with self.connection.reading():
            return staying(self.connection, rows, secret)

    # ---- ending

    def interrupt(self) -> None:
        """Stop the running statement."""
        self.connection.interrupt()

    def close(self) -> None:
        """Close the connection and forget what was read."""
        self._kept.clear()
        self._known.clear()
        self.connection.close()


def _rows_of(records: Sequence[Record]) -> dict[str, tuple[array[int], array[int]]]:
    """By kind a number for each record, and its print."""
    rows: dict[str, tuple[array[int], array[int]]] = {}
    for record in records:
        numbers, prints = rows.setdefault(record.kind, (array("q"), array("q")))
        name = blake2b(record.ref.text.encode(), digest_size=8).digest()
        numbers.append(int.from_bytes(name, "big", signed=True) | 1)
        prints.append(int(record.etag, 16) >> 1)
    return rows
