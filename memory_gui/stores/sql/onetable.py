# SPDX-License-Identifier: MIT
"""A store that is one table, of which every row is a record: rows are added, changed, taken out.

A format says how a row is named and read, what a person may give, and what its agent refuses.
"""

# ruff: noqa: ARG002 - the default methods say no, whatever they are given

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import ClassVar, Final

from memory_gui.domain.changes import (
    Addition,
    Capability,
    ChangeSet,
    Edit,
    Fields,
    NewRecord,
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
from memory_gui.stores.contract import Batch, Store
from memory_gui.stores.sql.cells import ROWID_KEY, Cell, RawRow, Row, numbers_and_prints
from memory_gui.stores.sql.onescope import erase_scope
from memory_gui.stores.sql.staying import staying
from memory_gui.stores.sql.table import Table

_NONE: Final = -(1 << 62)
"""A rowid that no row has."""
NAME_BYTES: Final = 12
"""Shorter names ("lin", "notes") are words of the trade, which prove nothing."""


class OneTableStore(Store):
    """``carriers`` are the columns that hold what is remembered, ``labels`` those that name it."""

    agent: ClassVar[str]
    agent_version: ClassVar[str] = ""
    write_ms: ClassVar[int | None] = None
    """How long a change waits for the file, in ms; None: as long as reading does."""
    kind: ClassVar[str]
    key_columns: tuple[str, ...]
    carriers: tuple[str, ...]
    labels: tuple[str, ...]

    def __init__(
        self,
        connection: Connection,
        table: Table,
        *,
        foreign: tuple[str, ...] = (),
        read_only: bool = False,
    ) -> None:
        """Take over a connection. ``read_only`` says that this place can never be written to."""
        self.id = StoreId(str(connection.path))
        self.connection = connection
        self.table = table
        self._foreign = foreign
        self._read_only = read_only
        self._inside = False
        self.changes = 0
        """Moves with every change of ours, as the token does with those of others."""
        self._told: tuple[tuple[int, int], tuple[Told, ...]] | None = None

    # ---- what a format says

    @abstractmethod
    def record_of(self, row: Row) -> Record:
        """A row as a person reads it."""

    @abstractmethod
    def new_cells(self, new: NewRecord) -> dict[str, Cell]:
        """The row that would be added, by its agent's own rules. Raises UserError."""

    @abstractmethod
    def edited_cells(self, row: Row, edit: Edit) -> dict[str, Cell]:
        """What an edit would change in a row; empty where nothing. Raises UserError."""

    @abstractmethod
    def check_room(self, cells: Mapping[str, Cell], but: Row | None) -> None:
        """Refuse a row whose key another one has, or for which there is no room.

        Inside the transaction. ``but`` is the row that is changed; None for a new one.
        """

    def same_as(self, cells: Mapping[str, Cell]) -> Sequence[Row]:
        """The rows that are in the way of a new one: they have its key, or say the very same."""
        return ()

    def written(self) -> None:
        """What has to hold after a change, inside its transaction. Raises UserError."""

    def prepare(self) -> None:
        """Look up what ``record_of`` needs beside the row. Before each batch of records."""

    def tell(self) -> tuple[Told, ...]:
        """What ``told`` gives, read anew."""
        return ()

    # ---- what a row says, for an erase

    def texts_of(self, row: Row) -> Iterable[str]:
        """What must not be found once the row is erased; whoever else has it is named."""
        return (row.text(column) for column in self.carriers)

    def names_of(self, row: Row) -> Iterable[str]:
        """What must be gone as well, unless a row that stays has it."""
        found = (row.text(column) for column in self.labels)
        return (name for name in found if len(name.strip().encode(errors="replace")) >= NAME_BYTES)

    def said_of(self, row: Row) -> Iterable[str]:
        """All that a row says: in it the texts and names of others are looked for."""
        return (row.text(column) for column in (*self.carriers, *self.labels))

    # ---- names

    def ref_of(self, row: Row) -> Ref:
        """The row's own key, or its rowid where that is no text."""
        parts = self.key_of(row)
        return Ref(self.id, self.kind, tuple(map(str, parts)) or (ROWID_KEY, str(row.rowid)))

    def key_of(self, row: Row) -> tuple[str | int, ...]:
        """The values of the key columns; empty where one of them is no text and no number."""
        cells = {self.table.rowid: row.rowid, **row.cells}
        parts = [cells.get(column) for column in self.key_columns]
        named = tuple(part for part in parts if isinstance(part, (str, int)))
        return named if len(named) == len(parts) else ()

    def row(self, ref: Ref) -> Row | None:
        """The row that a ref names."""
        if ref.store != self.id or ref.kind != self.kind:
            return None
        match ref.key:
            case (name, str() as number) if name == ROWID_KEY and number.lstrip("-").isdecimal():
                found = self.table.numbered(int(number)) if len(number) < 20 else None
                return found if found is not None and self.ref_of(found) == ref else None
        if len(ref.key) != len(self.key_columns):
            return None
        where = " AND ".join(f"{quote(column)} = ?" for column in self.key_columns)
        # A number never is the text that looks like it: the refs are compared as well.
        return next((r for r in self.table.select(where, ref.key) if self.ref_of(r) == ref), None)

    # ---- reading

    def info(self) -> StoreInfo:
        """Format, cipher, journal mode, counts."""
        connection = self.connection
        notes = []
        if connection.source == "copy":
            notes.append("opened.from_copy")
        elif self._read_only:
            notes.append("opened.read_only")
        if self._foreign:
            notes.append("foreign.objects")
        with connection.reading():
            number = self.table.count()
            told = self.told()
        return StoreInfo(
            id=self.id,
            path=str(connection.path),
            format=self.format,
            agent=self.agent,
            agent_version=self.agent_version,
            role="alone",
            encrypted=connection.encrypted,
            cipher=dict(connection.cipher),
            journal_mode=connection.journal_mode,
            writable=connection.writable,
            capabilities=self.capabilities,
            counts={self.kind: {State.LIVE: number} if number else {}},
            kinds=self.kinds,
            notes=tuple(notes),
            foreign_sql=self._foreign,
            declared=self.declared,
            reasons=self.reasons,
            told=told,
        )

    def told(self) -> tuple[Told, ...]:
        """Sentences about this very store; read once for each state that it is in."""
        state = self.state
        if self._told is None or self._told[0] != state:
            self._told = (state, self.tell())
        return self._told[1]

    @property
    def state(self) -> tuple[int, int]:
        """Moves with every change, of ours and of others."""
        return self.connection.data_version(), self.changes

    def scan(self, kinds: Collection[str] = ()) -> Iterator[tuple[Record, ...]]:
        """All records, in batches by rowid."""
        if kinds and self.kind not in kinds:
            return
        for rows in self.table.batches():
            self.prepare()
            yield tuple(map(self.record_of, rows))

    def batches(self) -> Iterator[Batch]:
        """Rows by their rowids, with a print of their bytes."""
        for rows in self.table.raw_batches():
            yield self._batch(rows)

    def _batch(self, rows: Sequence[RawRow]) -> Batch:
        def records(places: Sequence[int]) -> list[Record]:
            self.prepare()
            return [self.record_of(row) for row in self.table.made([rows[p] for p in places])]

        return Batch(self.kind, len(rows), records, *numbers_and_prints(rows))

    def fetch(self, refs: Sequence[Ref]) -> tuple[Record | None, ...]:
        """The records in the order asked."""
        rows = [self.row(ref) for ref in refs]
        self.prepare()
        return tuple(None if row is None else self.record_of(row) for row in rows)

    def resolve(self, ref: RefText) -> Ref | None:
        """The record that a person's text names."""
        if ref.kind not in (None, self.kind):
            return None
        wanted = Ref(self.id, self.kind, ref.key)
        return wanted if self.row(wanted) is not None else None

    def change_token(self) -> int:
        """SQLite's ``data_version``."""
        return self.connection.data_version()

    def together(self) -> AbstractContextManager[None]:
        """One transaction; the acts inside are its savepoints."""
        return self._writing()

    # ---- changing

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self.changes += 1
        if self.write_ms is None or self._inside or not self.connection.writable:
            with self.connection.writing():
                yield
            return
        self._inside = True
        before = int(self.connection.execute("PRAGMA busy_timeout")[0][0])
        self.connection.execute(f"PRAGMA busy_timeout = {self.write_ms}")
        try:
            with self.connection.writing():
                yield
        finally:
            self._inside = False
            self.connection.execute(f"PRAGMA busy_timeout = {before}")

    def add(self, new: NewRecord) -> ChangeSet:
        """Add a row.

        Raises:
            UserError: as ``new_cells`` and ``check_room``.
        """
        self._must("add", Capability.ADD)
        if new.kind != self.kind:
            raise self.cannot("add")
        with self._writing():
            cells = self.new_cells(new)
            self.check_room(cells, None)
            number = self.table.insert(cells)
            self.written()
            row = self.table.numbered(number)
        if row is None:  # a foreign trigger took it away again
            raise UserError("record.not_kept")
        return ChangeSet(added=(self.ref_of(row),))

    def may_add(self, new: NewRecord) -> Addition:
        """By the checks of ``add``."""
        self._must("add", Capability.ADD)
        if new.kind != self.kind:
            raise self.cannot("add")
        with self.connection.reading():
            cells = self.new_cells(new)
            same = self.same_as(cells)
            if not same:
                self.check_room(cells, None)
            holder = self.ref_of(same[0]) if same else None
            return Addition(self.kind, self.classify(new.fields), holder)

    def apply(self, edit: Edit) -> ChangeSet:
        """Change fields. With a new key it is another record: one removed, one added."""
        self._must("edit", Capability.EDIT)
        with self._writing():
            row, cells = self._edited(edit)
            if not cells:
                return ChangeSet()
            self.table.update(row, cells)
            self.written()
            after = self.table.numbered(row.rowid)
        now = edit.target.ref if after is None else self.ref_of(after)
        if now == edit.target.ref:
            return ChangeSet(changed=(now,))
        return ChangeSet(added=(now,), removed=(edit.target.ref,))

    def _edited(self, edit: Edit) -> tuple[Row, dict[str, Cell]]:
        row = self.wanted(edit.target)
        cells = self.edited_cells(row, edit)
        if cells:
            self.check_room({**row.cells, **cells}, row)
        return row, cells

    def delete(self, target: Target) -> ChangeSet:
        """Take the row out, as the agent does."""
        self._must("delete", Capability.DELETE)
        with self._writing():
            self.table.remove(self.wanted(target))
        return ChangeSet(removed=(target.ref,))

    def may(self, act: str, target: Target, fields: Fields | None = None) -> None:
        """What speaks against an act, by the act's own checks."""
        self._must(act, Capability[act.upper()])
        with self.connection.reading():
            if act == "edit":
                self._edited(Edit(target, fields or {}))
            else:
                self.wanted(target)

    def wanted(self, target: Target) -> Row:
        """The row, as it was read.

        Raises:
            UserError: ``record.gone``, ``record.changed``.
        """
        row = self.row(target.ref)
        if row is None:
            raise UserError("record.gone", ref=target.ref.text)
        if target.etag is not None and target.etag != row.etag:
            raise UserError("record.changed", ref=target.ref.text)
        return row

    def snapshot(self, refs: Sequence[Ref]) -> Snapshot:
        """The rows that ``delete`` of these records would take."""
        rows = [row for ref in refs if (row := self.row(ref)) is not None]
        cells = [self._saved(row) for row in rows]
        saved = tuple((self.table.name, tuple(c), tuple(c.values())) for c in cells)
        return Snapshot(self.id, saved)

    def _saved(self, row: Row) -> dict[str, Cell]:
        """With its number, where that is what names it."""
        number = {self.table.rowid: row.rowid} if self.table.rowid in self.key_columns else {}
        return {**number, **row.cells}

    def reinstate(self, snapshot: Snapshot, *, key: str = "") -> ChangeSet:
        """Put a snapshot's rows back as they were. Those that are there again are left alone.

        Raises:
            UserError: ``record.id_taken``; as ``check_room``.
        """
        self._must("delete", Capability.DELETE)
        added = []
        with self._writing():
            for _table, columns, values in snapshot.rows:
                cells = {n: _as_cell(v) for n, v in zip(columns, values, strict=True)}
                if (ref := self._put_back(cells)) is not None:
                    added.append(ref)
        return ChangeSet(added=tuple(added))

    def _put_back(self, cells: Mapping[str, Cell]) -> Ref | None:
        there = self.row(self.ref_of(Row(self._number_in(cells), cells)))
        if there is not None:
            if self._saved(there) == cells:
                return None
            raise UserError("record.id_taken")
        self.check_room(cells, None)
        number = self.table.insert(cells)
        self.written()
        row = self.table.numbered(number)
        return None if row is None else self.ref_of(row)

    def _number_in(self, cells: Mapping[str, Cell]) -> int:
        number = cells.get(self.table.rowid)
        return number if isinstance(number, int) else _NONE

    # ---- erasing

    def erase_scope(
        self,
        refs: Sequence[Ref],
        also_texts: Sequence[str] = (),
        check: Callable[[], object] = nobody_asks,
    ) -> EraseScope:
        """The rows; which others carry the same text; what must not be found afterwards."""
        self._must("erase", Capability.ERASE)
        with self.connection.reading():
            return erase_scope(self, refs, also_texts, check)

    def layout(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """The one table."""
        return {self.kind: (self.table.name, self.key_columns)}

    def owners(self, rows: Sequence[Row]) -> tuple[str, Mapping[tuple[str | int, ...], str]]:
        """A column, and what it holds in these rows, by which a number that came again is told."""
        return "", {}

    def staying(self, rows: EraseRows, secret: bytes) -> str:
        """By the keys that there are."""
        with self.connection.reading():
            return staying(self.connection, rows, secret)

    # ---- ending

    def interrupt(self) -> None:
        """Stop the running statement."""
        self.connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def _must(self, act: str, needed: Capability) -> None:
        if needed not in self.capabilities:
            raise self.cannot(act)


def _as_cell(value: object) -> Cell:
    if value is None or isinstance(value, (str, int, float, bytes)):
        return value
    raise TypeError(type(value).__name__)
