# SPDX-License-Identifier: MIT
"""One open file of LangGraph's store: its items, and vectors that outlived theirs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final
from uuid import uuid4

from memory_gui.domain.changes import (
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
from memory_gui.domain.erasing import EraseScope
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import Kind, Shelf
from memory_gui.domain.records import Record, Ref, RefText, State
from memory_gui.domain.work import nobody_asks
from memory_gui.engine.database import Connection
from memory_gui.stores import jsontext
from memory_gui.stores.contract import Batch
from memory_gui.stores.formats.langgraph_store import rules
from memory_gui.stores.formats.langgraph_store.layout import foreign_objects, tables_of
from memory_gui.stores.formats.langgraph_store.vectors import VECTOR, Vectors, rows_of
from memory_gui.stores.sql.cells import Cell, Row, cells_of, shown
from memory_gui.stores.sql.onescope import Elsewhere, nowhere
from memory_gui.stores.sql.onescope import erase_scope as onescope
from memory_gui.stores.sql.onetable import NAME_BYTES, OneTableStore

NAME: Final = "langgraph-store"
ITEM: Final = "item"
DECLARED: Final = (
    Kind(
        ITEM,
        Shelf.MEMORY,
        frozenset({"add", "edit", "delete", "erase"}),
        rules.FIELDS,
        ("subject", "expires_at", "ttl_minutes", "vectors"),
        optional=frozenset({"title"}),
        labels={
            "subject": "langgraph.namespace",
            "title": "langgraph.key",
            "text": "langgraph.value",
        },
        paths={"subject": rules.DIVIDER},
        checked=frozenset({"text"}),
        json=frozenset({"text"}),
    ),
    Kind(
        VECTOR,
        Shelf.MEMORY,
        frozenset({"delete", "erase"}),
        columns=("subject", "field_name"),
        labels={"subject": "langgraph.namespace", "title": "langgraph.key"},
        paths={"subject": rules.DIVIDER},
    ),
)
_ALL: Final = (
    Capability.ADD
    | Capability.EDIT
    | Capability.DELETE
    | Capability.ERASE
    | Capability.WATCH
    | Capability.ENCRYPT
)
_TEXT_BYTES: Final = 16
"""From here on a text in a value is somebody's; shorter ones ("fact", "zh") may be words of use."""
_LEAST: Final = 4
"""Bytes of a text that is looked for at all."""
_FILED: Final = frozenset(rules.COLUMNS)


class LanggraphStore(OneTableStore):
    """Readable or encrypted, with a journal or in WAL."""

    format = NAME
    agent = "LangGraph"
    kind = ITEM
    kinds: tuple[str, ...] = (ITEM, VECTOR)
    declared: tuple[Kind, ...] = DECLARED
    capabilities = _ALL
    opaque_ids = False
    key_columns = rules.KEY_COLUMNS
    carriers = ("value",)
    labels = ("key", "prefix")
    reasons = MappingProxyType(
        dict.fromkeys(("trash", "restore"), "langgraph.no_trash")
        | {"tag": "langgraph.no_tags", "review": "langgraph.no_review"}
    )

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
        schema = connection.schema()
        items, vectors = tables_of(connection, schema)
        foreign = foreign_objects(schema)
        super().__init__(connection, items, foreign=foreign, read_only=read_only)
        self.vectors = Vectors(self.id, vectors)
        self._clock = clock

    @property
    def now(self) -> str:
        """The present, as SQLite writes it."""
        return rules.now_text(self._clock())

    # ---- reading

    def info(self) -> StoreInfo:
        """As of one table; with what has expired and the vectors left over."""
        with self.connection.reading():
            info = super().info()
            expired = self._count_expired()
            live = info.counts[ITEM].get(State.LIVE, 0) - expired
            left = self.vectors.count()
        counted = {
            ITEM: {State.LIVE: live, State.EXPIRED: expired},
            VECTOR: {State.LIVE: left},
        }
        return replace(info, counts={kind: _some(states) for kind, states in counted.items()})

    def _count_expired(self) -> int:
        if "expires_at" not in self.table.columns:
            return 0
        return self.table.count("expires_at < ?", (self.now,))

    def record_of(self, row: Row) -> Record:
        """The row; a value that LangGraph cannot read is told."""
        cells = row.cells
        expired = rules.is_expired(cells.get("expires_at"), self.now)
        extra = {name: shown(cell) for name, cell in cells.items() if name not in _FILED}
        if fields := self.vectors.told(row):
            extra["vectors"] = fields
        return Record(
            ref=self.ref_of(row),
            etag=row.etag,
            state=State.EXPIRED if expired else State.LIVE,
            title=row.text("key"),
            text=rules.shown_value(cells["value"]),
            subject=row.text("prefix") or None,
            created_at=shown(cells["created_at"]),
            updated_at=shown(cells["updated_at"]),
            created_at_utc=rules.moment_of(cells["created_at"]),
            updated_at_utc=rules.moment_of(cells["updated_at"]),
            zone="utc",
            extra=extra,
            told=_told_of(row, expired=expired),
        )

    def fields_of(self, record: Record) -> Fields:
        """Namespace, key, value."""
        return {"subject": record.subject or "", "title": record.title, "text": record.text}

    def scan(self, kinds: Collection[str] = ()) -> Iterator[tuple[Record, ...]]:
        """The items, then vectors whose items are gone."""
        yield from super().scan(kinds)
        if not kinds or VECTOR in kinds:
            yield from self.vectors.scan()

    def batches(self) -> Iterator[Batch]:
        """Both; an item is another one once it has expired."""
        now = self.now
        for batch, rows in self._raw():
            expired = [rules.is_expired(row.cells.get("expires_at"), now) for row in rows]
            prints = [one ^ gone for one, gone in zip(batch.prints, expired, strict=True)]
            yield replace(batch, prints=prints)
        yield from self.vectors.batches()

    def _raw(self) -> Iterator[tuple[Batch, Sequence[Row]]]:
        for rows in self.table.raw_batches():
            yield self._batch(rows), self.table.made(rows)

    def fetch(self, refs: Sequence[Ref]) -> tuple[Record | None, ...]:
        """The records in the order asked."""
        return tuple(self._record(ref) for ref in refs)

    def _record(self, ref: Ref) -> Record | None:
        if ref.kind == VECTOR:
            return self.vectors.record(ref)
        row = self.row(ref)
        return None if row is None else self.record_of(row)

    def resolve(self, ref: RefText) -> Ref | None:
        """The record that a person's text names."""
        found = super().resolve(ref)
        if found is None and ref.kind in (None, VECTOR):
            wanted = Ref(self.id, VECTOR, ref.key)
            found = wanted if self.vectors.row(wanted) is not None else None
        return found

    def tell(self) -> tuple[Told, ...]:
        """What lies in the file although nobody would think so, and what stops its agent."""
        told = []
        if left := self.vectors.count():
            told.append(Told("langgraph.left", {"n": left}))
        if expired := self._count_expired():
            told.append(Told("langgraph.swept_late", {"n": expired}))
        if broken := self._count_broken():
            told.append(Told("langgraph.broken_rows", {"n": broken}))
        if self.vectors.exist:
            told.append(Told("langgraph.vectors"))
        return tuple(told)

    def _count_broken(self) -> int:
        return self.table.count("NOT coalesce(json_valid(CAST(value AS TEXT)), 0)")

    # ---- changing

    def classify(self, fields: Fields) -> Fields:
        """The row that ``add`` would write, by the names of its fields."""
        cells = self._new(fields)
        given = {name: shown(cells[column]) or "" for name, column in rules.COLUMN_OF.items()}
        return given | {"text": rules.shown_value(cells["value"])}

    def check_field(self, kind: str, name: str, value: str) -> None:
        """Whether a value is JSON that LangGraph keeps."""
        if (kind, name) == (ITEM, "text"):
            rules.stored_value(value, None)

    def _new(self, fields: Fields) -> dict[str, Cell]:
        given = cells_of(fields, rules.COLUMN_OF)
        cells: dict[str, Cell] = {
            "prefix": given.get("prefix") or "",
            "key": given.get("key") or str(uuid4()),
        }
        rules.check(cells)
        return {**cells, "value": rules.stored_value(str(given.get("value") or ""), None)}

    def new_cells(self, new: NewRecord) -> dict[str, Cell]:
        """An item of now, which never expires: as ``put`` writes one."""
        return {**self._new(new.fields), "created_at": self.now, "updated_at": self.now}

    def edited_cells(self, row: Row, edit: Edit) -> dict[str, Cell]:
        """What differs, and the time of the change. When it was made stays, unlike with ``put``."""
        given = cells_of(edit.fields, rules.COLUMN_OF)
        before = {"prefix": row.text("prefix"), "key": row.text("key")}
        cells: dict[str, Cell] = {n: c for n, c in given.items() if n in before and c != before[n]}
        text = given.get("value")
        if isinstance(text, str) and text != rules.shown_value(row.cells["value"]):
            value = rules.stored_value(text, row.cells["value"])
            if value != row.cells["value"]:
                cells["value"] = value
        if not cells:
            return {}
        if "prefix" in cells and "subject" not in edit.despite:
            raise UserError("record.subject_change")
        rules.check({**row.cells, **cells})
        return {**cells, "updated_at": self.now}

    def check_room(self, cells: Mapping[str, Cell], but: Row | None) -> None:
        """A namespace has a key once.

        Raises:
            UserError: ``record.key_taken``.
        """
        if any(but is None or row.rowid != but.rowid for row in self.same_as(cells)):
            raise UserError("record.key_taken")

    def same_as(self, cells: Mapping[str, Cell]) -> Sequence[Row]:
        """The item with that key in that namespace."""
        return self.table.select("prefix = ? AND key = ?", (cells["prefix"], cells["key"]))

    def apply(self, edit: Edit) -> ChangeSet:
        """Change fields. Vectors go along to another key, and go away with the words they tell."""
        if edit.target.ref.kind == VECTOR:
            raise self.cannot("edit")
        with self._writing():
            row = self.row(edit.target.ref)
            changes = super().apply(edit)
            after = None if row is None else self.table.numbered(row.rowid)
            if row is not None and after is not None:
                self.vectors.follow(row, after)
        return changes

    def delete(self, target: Target) -> ChangeSet:
        """Take the item out with its vectors, which LangGraph would leave."""
        with self._writing():
            if target.ref.kind == VECTOR:
                self.vectors.remove(self.vectors.wanted(target))
                return ChangeSet(removed=(target.ref,))
            for vector in self.vectors.of(self.wanted(target)):
                self.vectors.remove(vector)
            return super().delete(target)

    def may(self, act: str, target: Target, fields: Fields | None = None) -> None:
        """What speaks against an act, by the act's own checks."""
        if target.ref.kind != VECTOR:
            super().may(act, target, fields)
            return
        if act != "delete":
            raise self.cannot(act)
        self.vectors.wanted(target)

    def snapshot(self, refs: Sequence[Ref]) -> Snapshot:
        """The items with their vectors, and vectors alone."""
        found = super().snapshot(refs)
        rows = [row for ref in refs if (row := self.row(ref)) is not None]
        saved = self.vectors.saved(rows, [ref for ref in refs if ref.kind == VECTOR])
        return replace(found, rows=(*found.rows, *saved))

    def reinstate(self, snapshot: Snapshot, *, key: str = "") -> ChangeSet:
        """Put the rows back as they were.

        Raises:
            UserError: ``record.id_taken``.
        """
        mine = [row for row in snapshot.rows if row[0] == self.table.name]
        others = [row for row in snapshot.rows if row[0] != self.table.name]
        with self._writing():
            changes = super().reinstate(replace(snapshot, rows=tuple(mine)), key=key)
            return changes | ChangeSet(added=self.vectors.put_back(others))

    # ---- erasing

    def texts_of(self, row: Row) -> Iterable[str]:
        """The texts in its value; a broken value is one text."""
        text = rules.text_of(row.cells["value"])
        if text is None:
            return (row.text("value"),)
        return (said for said in jsontext.leaves(text)[0] if _bytes(said) >= _TEXT_BYTES)

    def names_of(self, row: Row) -> Iterable[str]:
        """Short texts, the names in its value, and what it is filed under."""
        text = rules.text_of(row.cells["value"])
        said, names = ([], []) if text is None else jsontext.leaves(text)
        short = (one for one in (*said, *names) if _LEAST <= _bytes(one) < _TEXT_BYTES)
        return (
            *short,
            *(one for one in names if _bytes(one) >= NAME_BYTES),
            *super().names_of(row),
        )

    def said_of(self, row: Row) -> Iterable[str]:
        """All of its value, and what it is filed under."""
        text = rules.text_of(row.cells["value"])
        value = (row.text("value"),) if text is None else jsontext.texts(text)
        numbers = () if text is None else jsontext.leaves(text)[0]
        return (*value, *numbers, row.text("key"), row.text("prefix"))

    def erase_scope(
        self,
        refs: Sequence[Ref],
        also_texts: Sequence[str] = (),
        check: Callable[[], object] = nobody_asks,
        elsewhere: Elsewhere = nowhere,
    ) -> EraseScope:
        """The items with their vectors; vectors alone."""
        items = [ref for ref in refs if ref.kind != VECTOR]
        alone = [ref for ref in refs if ref.kind == VECTOR and ref.store == self.id]
        with self.connection.reading():
            scope = onescope(self, items, also_texts, check, elsewhere)
            rows = [row for ref in items if (row := self.row(ref)) is not None]
            taken, missing = self.vectors.taken(rows, alone)
            held = self.vectors.names_kept({vector.rowid for vector in taken})
            names = {name for row in rows for name in self.names_of(row)}
            more = rows_of(taken, {(row.text("prefix"), row.text("key")) for row in rows})
        texts = (text for text in scope.texts if not (text in names and text.casefold() in held))
        return replace(
            scope,
            rows=(*scope.rows, *more),
            texts=tuple(texts),
            missing=(*scope.missing, *missing),
        )

    def layout(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """Both tables."""
        vectors = {VECTOR: (rules.VECTORS, rules.VECTOR_KEY)} if self.vectors.exist else {}
        return {**super().layout(), **vectors}


def _told_of(row: Row, *, expired: bool) -> tuple[str, ...]:
    told = ["langgraph.expired"] if expired else []
    if rules.text_of(row.cells["value"]) is None:
        told.append("langgraph.broken")
    elif not isinstance(row.cells["value"], bytes):
        told.append("langgraph.as_text")
    return tuple(told)


def _some(states: Mapping[State, int]) -> dict[State, int]:
    return {state: number for state, number in states.items() if number}


def _bytes(text: str) -> int:
    return len(text.strip().encode(errors="replace"))
