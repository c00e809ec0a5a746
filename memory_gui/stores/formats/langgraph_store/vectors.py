# SPDX-License-Identifier: MIT
"""The vectors beside LangGraph's items; those whose items are gone are records of their own.

LangGraph never switches foreign keys on, so its own ``delete`` leaves an item's vectors (verified).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from memory_gui.domain.changes import Target
from memory_gui.domain.erasing import EraseRows
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.stores.contract import Batch
from memory_gui.stores.formats.langgraph_store import rules
from memory_gui.stores.sql.cells import Cell, RawRow, Row, print_of, rowid_of, shown
from memory_gui.stores.sql.table import Table

VECTOR: Final = "vector"
_ALONE: Final = (
    "NOT EXISTS (SELECT 1 FROM store AS held WHERE held.prefix = store_vectors.prefix"
    " AND held.key = store_vectors.key)"
)
_FLOAT: Final = 4
"""Bytes of one number in a vector."""
_SHOWN: Final = frozenset({"prefix", "key", "created_at", "updated_at"})
Saved = tuple[str, tuple[str, ...], tuple[object, ...]]


class Vectors:
    """Of a file without any, nothing. Belongs to the thread of its connection."""

    def __init__(self, store: StoreId, table: Table | None) -> None:
        self._store = store
        self._table = table

    @property
    def exist(self) -> bool:
        """Whether there is a table of them."""
        return self._table is not None

    # ---- those of an item

    def of(self, item: Row) -> list[Row]:
        """The vectors of an item."""
        if self._table is None:
            return []
        return self._table.select("prefix = ? AND key = ?", _key(item))

    def told(self, item: Row) -> str:
        """From what of an item vectors were made, and how long they are: ``$ (32)``."""
        return ", ".join(f"{one.text('field_name')} ({_length(one)})" for one in self.of(item))

    def follow(self, before: Row, after: Row) -> None:
        """The item was changed: its vectors tell what it said, or have its new key."""
        if self._table is None:
            return
        stale = before.cells["value"] != after.cells["value"]
        moved = _key(before) != _key(after)
        for one in self.of(before) if stale or moved else ():
            if stale:
                self._table.remove(one)
            else:
                prefix, key = _key(after)
                self._table.update(one, {"prefix": prefix, "key": key})

    def remove(self, vector: Row) -> None:
        """Take one out."""
        if self._table is not None:
            self._table.remove(vector)

    # ---- those without one

    def count(self) -> int:
        """How many are left over."""
        return 0 if self._table is None else self._table.count(_ALONE)

    def scan(self) -> Iterator[tuple[Record, ...]]:
        """Those left over, in batches."""
        for rows in self._table.batches(_ALONE) if self._table is not None else ():
            yield tuple(map(self.record_of, rows))

    def batches(self) -> Iterator[Batch]:
        """By their numbers, with a print of their bytes."""
        if self._table is not None:
            for rows in self._table.raw_batches(_ALONE):
                yield self._batch(self._table, rows)

    def _batch(self, table: Table, rows: Sequence[RawRow]) -> Batch:
        def records(places: Sequence[int]) -> list[Record]:
            return [self.record_of(row) for row in table.made([rows[p] for p in places])]

        numbers = [rowid_of(row) for row in rows]
        return Batch(VECTOR, len(rows), records, numbers, list(map(print_of, rows)))

    def row(self, ref: Ref) -> Row | None:
        """The row of one that is left over."""
        if self._table is None or ref.store != self._store or len(ref.key) != len(rules.VECTOR_KEY):
            return None
        where = f"prefix = ? AND key = ? AND field_name = ? AND {_ALONE}"
        found = self._table.select(where, ref.key)
        return next((row for row in found if self.ref_of(row) == ref), None)

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

    def record(self, ref: Ref) -> Record | None:
        """One that is left over."""
        row = self.row(ref)
        return None if row is None else self.record_of(row)

    def ref_of(self, row: Row) -> Ref:
        """By its own key."""
        return Ref(self._store, VECTOR, tuple(row.text(name) for name in rules.VECTOR_KEY))

    def record_of(self, row: Row) -> Record:
        """It says nothing in words; where it belonged and how long it is."""
        extra = {name: shown(cell) for name, cell in row.cells.items() if name not in _SHOWN}
        created, updated = row.cells.get("created_at"), row.cells.get("updated_at")
        return Record(
            ref=self.ref_of(row),
            etag=row.etag,
            state=State.LIVE,
            title=row.text("key"),
            text="",
            subject=row.text("prefix") or None,
            created_at=shown(created),
            updated_at=shown(updated),
            created_at_utc=rules.moment_of(created),
            updated_at_utc=rules.moment_of(updated),
            zone="utc",
            extra={**extra, "embedding": f"BLOB, {_size(row)}"},
            told=("langgraph.alone",),
        )

    # ---- for undo

    def saved(self, items: Sequence[Row], refs: Sequence[Ref]) -> tuple[Saved, ...]:
        """The vectors of items, and those that are named."""
        if self._table is None:
            return ()
        rows = [one for item in items for one in self.of(item)]
        rows += [row for ref in refs if (row := self.row(ref)) is not None]
        name = self._table.name
        return tuple((name, tuple(row.cells), tuple(row.cells.values())) for row in rows)

    def put_back(self, saved: Sequence[Saved]) -> tuple[Ref, ...]:
        """Put rows back that are not there; those that are left over then.

        Raises:
            UserError: ``record.id_taken``.
        """
        added = []
        for _name, columns, values in saved if self._table is not None else ():
            cells: dict[str, Cell] = dict(zip(columns, values, strict=True))  # type: ignore[arg-type]  # as they were read
            row = Row(-1, cells)
            ref = self.ref_of(row)
            there = self._table.select("prefix = ? AND key = ? AND field_name = ?", ref.key)  # type: ignore[union-attr]  # looked at above
            if there and dict(there[0].cells) != cells:
                raise UserError("record.id_taken")
            if there:
                continue
            self._table.insert(cells)  # type: ignore[union-attr]  # looked at above
            if self.row(ref) is not None:
                added.append(ref)
        return tuple(added)

    # ---- for an erase

    def taken(self, items: Sequence[Row], refs: Sequence[Ref]) -> tuple[list[Row], list[Ref]]:
        """The vectors that go with items, and those that are named; and which are not there."""
        found = {one.rowid: one for item in items for one in self.of(item)}
        missing = []
        for ref in refs:
            row = self.row(ref)
            if row is None:
                missing.append(ref)
            else:
                found[row.rowid] = row
        return list(found.values()), missing

    def names_kept(self, gone: set[int]) -> str:
        """What those that stay without an item are filed under, letter case aside."""
        kept = (row for rows in self._table.batches(_ALONE) for row in rows) if self._table else ()
        names = (
            row.text(name) for row in kept if row.rowid not in gone for name in rules.VECTOR_KEY
        )
        return "\x1f".join(names).casefold()


def rows_of(vectors: Iterable[Row], items: Collection[tuple[str, str]]) -> list[EraseRows]:
    """Vectors that are records, and those that are parts of items that go."""
    keys: dict[str, list[tuple[str, ...]]] = {}
    for vector in vectors:
        key = tuple(vector.text(name) for name in rules.VECTOR_KEY)
        keys.setdefault(rules.VECTORS if key[:2] in items else VECTOR, []).append(key)
    return [EraseRows(rules.VECTORS, rules.VECTOR_KEY, tuple(k), kind) for kind, k in keys.items()]


def _key(row: Row) -> tuple[Cell, Cell]:
    return row.cells["prefix"], row.cells["key"]


def _size(row: Row) -> int:
    cell = row.cells.get("embedding")
    return len(cell) if isinstance(cell, bytes) else 0


def _length(row: Row) -> int:
    return _size(row) // _FLOAT
