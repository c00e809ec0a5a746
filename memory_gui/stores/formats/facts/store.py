# SPDX-License-Identifier: MIT
"""One open database of facts: the store contract over the table that holds them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Final
from uuid import uuid4

from memory_gui.domain.changes import Capability, ChangeSet, Edit, Fields, NewRecord, Target, Told
from memory_gui.domain.erasing import EraseRows
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import Kind, Shelf
from memory_gui.domain.records import Record, State
from memory_gui.engine.database import Connection
from memory_gui.engine.rowsets import parts, where
from memory_gui.engine.sql import quote
from memory_gui.stores.formats.facts import rules
from memory_gui.stores.formats.facts.layout import COLUMNS, Layout, foreign_objects, layout_of
from memory_gui.stores.sql.cells import Cell, Row, cells_of, shown
from memory_gui.stores.sql.onetable import OneTableStore

NAME: Final = "facts"
KIND: Final = "fact"
DECLARED: Final = (
    Kind(
        KIND,
        Shelf.MEMORY,
        frozenset({"add", "edit", "delete", "erase"}),
        rules.FIELDS,
        ("subject", "source"),
        limits={"subject": rules.SUBJECT_LIMIT, "text": rules.LONGEST},
        optional=frozenset({"source"}),
        labels={"subject": "facts.subject", "text": "facts.fact", "source": "facts.source"},
        lacks=frozenset({"updated", "title", "type", "scope", "state"}),
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
Clock = Callable[[], float]


class FactsStore(OneTableStore):
    """Readable or encrypted, in WAL or with a journal."""

    format = NAME
    agent = "FactMemory"
    kind = KIND
    kinds = (KIND,)
    declared = DECLARED
    capabilities = _ALL
    carriers = ("fact",)
    labels = ("subject", "source")

    def __init__(
        self, connection: Connection, *, clock: Clock = time.time, read_only: bool = False
    ) -> None:
        """Take over a connection.

        Raises:
            UserError: ``store.other_schema`` when no table has the columns of facts.
        """
        schema = connection.schema()
        found = layout_of(connection, schema)
        if found is None:
            raise UserError("store.other_schema", path=str(connection.path))
        foreign = foreign_objects(found.table.name, schema)
        super().__init__(connection, found.table, foreign=foreign, read_only=read_only)
        self.layout_found: Layout = found
        self.key_columns = (found.key,)
        self.opaque_ids = found.counted
        self._clock = clock
        self._limits: dict[bytes, tuple[float, int]] = {}
        """Subject to (created, number) of the oldest fact that recall still looks at."""
        self._looked: tuple[int, int] | None = None

    @cached_property
    def reasons(self) -> Mapping[str, str]:  # type: ignore[override]  # what is found once stays
        """Why an act is not possible here."""
        why = dict.fromkeys(("trash", "restore"), "facts.no_trash")
        return why | {"tag": "facts.no_tags", "review": "facts.no_review"}

    # ---- reading

    def record_of(self, row: Row) -> Record:
        """The row; a fact has no title of its own."""
        cells = row.cells
        moment = rules.moment_of(cells["created"])
        shut = {*COLUMNS, *self.layout_found.vectors, self.layout_found.key}
        extra = {name: shown(cell) for name, cell in cells.items() if name not in shut}
        extra |= {name: _size_of(cells[name]) for name in self.layout_found.vectors}
        return Record(
            ref=self.ref_of(row),
            etag=row.etag,
            state=State.LIVE,
            title="",
            text=row.text("fact"),
            subject=shown(cells["subject"]),
            source=shown(cells["source"]),
            created_at=shown(cells["created"]),
            created_at_utc=None if moment is None else moment.isoformat(),
            zone="utc",
            extra=extra,
            told=self._told_of(row),
        )

    def _told_of(self, row: Row) -> tuple[str, ...]:
        told = []
        if not rules.has_word(row.text("fact")):
            told.append("facts.no_word")
        if self._is_old(row):
            told.append("facts.too_old")
        if any(row.cells[name] is None for name in self.layout_found.vectors):
            told.append("facts.no_vector")
        return tuple(told)

    def _is_old(self, row: Row) -> bool:
        """Whether more facts of its subject are newer than recall looks at."""
        limit = self._limits.get(row.text("subject").encode(errors="replace"))
        created = row.cells["created"]
        if limit is None or not isinstance(created, (int, float)):
            return False
        return (float(created), row.rowid) < limit

    def prepare(self) -> None:
        """How far back recall looks, for each subject with more facts than that."""
        if self._looked != self.state:
            self._limits, self._looked = self._read_limits(), self.state

    def _read_limits(self) -> dict[bytes, tuple[float, int]]:
        table, rowid = quote(self.table.name), self.table.rowid
        many = self.connection.execute(
            f"SELECT subject, CAST(subject AS BLOB) FROM {table} WHERE typeof(subject) = 'text'"  # noqa: S608 - names of ours
            " GROUP BY subject HAVING count(*) > ?",
            (rules.NEWEST,),
        )
        limits = {}
        for subject, raw in many:
            found = self.connection.execute(
                f"SELECT created, {rowid} FROM {table} WHERE subject = ?"  # noqa: S608 - names of ours
                f" AND typeof(created) IN ('real', 'integer') ORDER BY created DESC, {rowid} DESC"
                " LIMIT 1 OFFSET ?",
                (subject, rules.NEWEST - 1),
            )
            if found:
                limits[bytes(raw)] = (float(found[0][0]), int(found[0][1]))
        return limits

    def fields_of(self, record: Record) -> Fields:
        """Subject, fact, source."""
        found = {"subject": record.subject or "", "text": record.text}
        return found | {"source": record.source or ""}

    def tell(self) -> tuple[Told, ...]:
        """What its agent never finds again."""
        self.prepare()
        told = [Told("facts.recall", {"n": rules.NEWEST})]
        if self._limits:
            told.append(Told("facts.many", {"n": rules.NEWEST, "subjects": len(self._limits)}))
        if self.layout_found.vectors:
            told.append(Told("facts.vectors"))
        return tuple(told)

    # ---- changing

    def classify(self, fields: Fields) -> Fields:
        """The row that ``add`` would write, by the names of its fields."""
        cells = self._new(fields)
        return {name: str(cells[column]) for name, column in rules.COLUMN_OF.items()}

    def _new(self, fields: Fields) -> dict[str, Cell]:
        given = {
            name: cell for name, cell in cells_of(fields, rules.COLUMN_OF).items() if cell != ""
        }
        cells: dict[str, Cell] = {"subject": "", "fact": "", "source": rules.OUR_SOURCE, **given}
        rules.check(cells)
        return cells

    def new_cells(self, new: NewRecord) -> dict[str, Cell]:
        """A fact of now."""
        cells = self._new(new.fields)
        if "secret" not in new.despite:
            rules.guard(cells)
        own = {} if self.layout_found.counted else {self.layout_found.key: str(uuid4())}
        return {**own, **cells, "created": self._clock()}

    def edited_cells(self, row: Row, edit: Edit) -> dict[str, Cell]:
        """What differs. With another fact the vectors go: they say the old one."""
        given = cells_of(edit.fields, rules.COLUMN_OF)
        cells = {
            name: cell for name, cell in given.items() if cell != (shown(row.cells[name]) or "")
        }
        if not cells:
            return {}
        if "subject" in cells and "subject" not in edit.despite:
            raise UserError("record.subject_change")
        rules.check({**row.cells, **cells})
        if "secret" not in edit.despite:
            rules.guard(cells)
        if "fact" in cells:
            stale = [n for n in self.layout_found.vectors if row.cells[n] is not None]
            if self.layout_found.fixed & set(stale):
                raise UserError("facts.vector_fixed")
            cells |= dict.fromkeys(stale)
        return cells

    def check_room(self, cells: Mapping[str, Cell], but: Row | None) -> None:
        """A subject has a fact once; the class ignores a second one without a word.

        Raises:
            UserError: ``facts.same``.
        """
        if any(but is None or row.rowid != but.rowid for row in self.same_as(cells)):
            raise UserError("facts.same")

    def same_as(self, cells: Mapping[str, Cell]) -> Sequence[Row]:
        """The same fact of the same subject."""
        return self.table.select("subject = ? AND fact = ?", (cells["subject"], cells["fact"]))

    def delete(self, target: Target) -> ChangeSet:
        """Take the row out and, in WAL, empty the log as the class does after it forgot."""
        changes = super().delete(target)
        if self.connection.journal_mode == "wal":
            with suppress(UserError):  # inside of more acts, or another program reads
                self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return changes

    # ---- erasing

    def owners(self, rows: Sequence[Row]) -> tuple[str, Mapping[tuple[str | int, ...], str]]:
        """When each was made: a number is given again once its row is gone."""
        created = {self.key_of(row): row.text("created") for row in rows}
        asked = EraseRows(
            self.table.name, self.key_columns, tuple(created), KIND, "created", created
        )
        found = sum(
            int(self.connection.execute(f"SELECT count(*) {where(asked, n)}", values)[0][0])
            for n, values in parts(asked)
        )
        # A number in text need not be the stored one to the last bit.
        is_sure = self.layout_found.counted and found == len(rows)
        return ("created", created) if is_sure else ("", {})


def _size_of(cell: Cell) -> str | None:
    """A vector as type and size; NULL stays NULL."""
    if isinstance(cell, bytes):
        return f"BLOB, {len(cell)}"
    return shown(cell)
