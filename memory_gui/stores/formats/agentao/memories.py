# SPDX-License-Identifier: MIT
"""Changing memories and keeping what Agentao keeps: events, counter, times, uniqueness.

Every method runs inside a transaction of the caller's (``Tables.writing``). The change counter
moves by the file's own triggers, where it has them.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Final

from memory_gui.domain.changes import Edit, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref
from memory_gui.stores.formats.agentao import rules, schema
from memory_gui.stores.formats.agentao.clashes import free_key
from memory_gui.stores.formats.agentao.drafts import Draft, edited_cells
from memory_gui.stores.formats.agentao.pairing import Role
from memory_gui.stores.formats.agentao.rows import ref_of
from memory_gui.stores.formats.agentao.tables import Tables
from memory_gui.stores.sql.cells import Cell, Row

AUTO_LIMIT: Final = 50
"""Live memories of the source ``auto`` that Agentao keeps per scope."""

Clock = Callable[[], datetime]
"""Local time."""


def local_now() -> datetime:
    """The clock on the wall, in the zone of this computer."""
    return datetime.now().astimezone()


class Memories:
    """The ``memories`` table with its event log."""

    def __init__(self, tables: Tables, role: Callable[[], Role], clock: Clock) -> None:
        self._tables = tables
        self._role = role
        self._clock = clock
        self._logged: list[int] = []

    def now(self) -> str:
        """The time as Agentao writes it."""
        return rules.time_text(self._clock())

    # ---- finding

    def wanted(self, target: Target) -> Row:
        """The row that an act is meant for, as it was read.

        Raises:
            UserError: ``record.gone``, ``record.changed``.
        """
        row = self._tables.row(target.ref)
        if row is None:
            raise UserError("record.gone", ref=target.ref.text)
        if target.etag is not None and row.etag != target.etag:
            raise UserError("record.changed", ref=target.ref.text)
        return row

    def checked(self, act: str, target: Target) -> Row:
        """The row that is trashed, restored or deleted, when nothing speaks against it.

        Raises:
            UserError: ``record.*``.
        """
        row = self.wanted(target)
        trashed = row.cells.get("deleted_at") is not None
        if act == "trash" and trashed:
            raise UserError("record.in_trash")
        if act == "restore":
            if not trashed:
                raise UserError("record.not_in_trash")
            self.must_be_free(row.cells["scope"], row.cells["key_normalized"], but=row)
        return row

    def edited(self, edit: Edit) -> tuple[Row, dict[str, Cell]]:
        """A memory's row and its new cells, when nothing speaks against them.

        Raises:
            UserError: ``record.*``, ``scope.other_store``.
        """
        row = self.wanted(edit.target)
        cells = edited_cells(row, edit.fields, edit.despite)
        if "scope" in cells:
            self.accept(str(cells["scope"]))
        if row.cells["deleted_at"] is None and {"scope", "key_normalized"} & set(cells):
            after = {**row.cells, **cells}
            self.must_be_free(after["scope"], after["key_normalized"], but=row)
        return row, cells

    def live(self, scope: Cell, key: Cell) -> Row | None:
        """The one live memory with a scope and key."""
        rows = self._tables.select(
            "memory", "scope = ? AND key_normalized = ? AND deleted_at IS NULL", (scope, key)
        )
        return rows[0] if rows else None

    def accept(self, scope: str) -> None:
        """Refuse a scope that belongs to the other file.

        Raises:
            UserError: ``scope.other_store``.
        """
        if not self._role().accepts(scope):
            raise UserError("scope.other_store", scope=scope)

    def must_be_free(self, scope: Cell, key: Cell, but: Row | None = None) -> None:
        """Refuse a key that a live memory of the scope has.

        Raises:
            UserError: ``record.key_taken``.
        """
        other = self.live(scope, key)
        if other is not None and (but is None or other.rowid != but.rowid):
            raise UserError("record.key_taken")

    def free_key(self, scope: str, key: str) -> str:
        """A key near ``key`` that no live memory of the scope has."""
        return free_key(self._tables, "memory", scope, key)

    # ---- changing

    def create(self, draft: Draft, ident: str = "") -> Ref:
        """Insert a memory and log ``create``; ``ident`` is an id that was found free before."""
        now = self.now()
        ident = ident or self.free_id()
        self._tables.insert(
            "memory",
            {
                "id": ident,
                **draft.cells(),
                "sensitivity": "normal",
                "created_at": now,
                "updated_at": now,
            },
        )
        self.log(ident, "create", now)
        return Ref(self._tables.store, "memory", (ident,))

    def crowded_out(self, scope: str) -> tuple[Ref, ...]:
        """Trash the oldest of more than 50 live ``auto`` memories of a scope, as Agentao does."""
        rows = self._tables.select(
            "memory",
            "scope = ? AND source = 'auto' AND deleted_at IS NULL",
            (scope,),
            "ORDER BY created_at",
        )
        rows.sort(key=lambda row: row.text("updated_at"))
        leaving = rows[: max(0, len(rows) - AUTO_LIMIT)]
        for row in leaving:
            self.change(row, {"deleted_at": self.now()}, "soft_delete")
        return tuple(ref_of(self._tables.store, "memory", row) for row in leaving)

    def change(self, row: Row, cells: dict[str, Cell], event: str = "update") -> None:
        """Update columns, set ``updated_at``, log the event."""
        now = self.now()
        if "deleted_at" in cells and cells["deleted_at"] is not None:
            cells = {**cells, "deleted_at": now}
        self._tables.update("memory", row, {**cells, "updated_at": now})
        self.log(row.cells["id"], event, now)

    def overwrite(self, row: Row, draft: Draft) -> None:
        """What Agentao's ``upsert`` does to a live memory with the same scope and key."""
        cells = draft.cells()
        del cells["scope"], cells["key_normalized"]
        self.change(row, {**cells, "sensitivity": "normal"})

    def remove(self, row: Row) -> Ref:
        """Take the row out. The agent's log says ``soft_delete`` when it could still see it."""
        self._tables.remove("memory", row)
        if row.cells["deleted_at"] is None:
            self.log(row.cells["id"], "soft_delete", self.now())
        return ref_of(self._tables.store, "memory", row)

    def log(self, ident: Cell, event: str, when: str) -> None:
        """An event row, where the file has a log and the memory an id that can stand in it."""
        if self._tables.has("event") and isinstance(ident, str):
            self._tables.insert(
                "event", {"memory_id": ident, "event_type": event, "timestamp": when}
            )
            self._logged.append(self._tables.connection.last_rowid())

    def logged(self) -> list[Row]:
        """The events that were written since the last call and are there now."""
        numbers, self._logged = self._logged, []
        return self._tables.numbered("event", numbers)

    def free_id(self) -> str:
        """A random id that no memory has."""
        while True:
            ident = secrets.token_hex(4)
            if not self._tables.select("memory", "id = ?", (ident,)):
                return ident

    # ---- coming from the pair's other file

    def arrived(self, record: Record) -> Row | None:
        """The record, when a move that was stopped has brought it here already."""
        # A live record is one with its key; of the dead ones of a key only the same row is it.
        deleted = record.extra.get("deleted_at")
        which = "deleted_at IS NULL" if deleted is None else "id = ? AND deleted_at = ?"
        rows = self._tables.select(
            "memory",
            f"{which} AND key_normalized = ? AND created_at = ?",
            (
                *(() if deleted is None else (record.ref.key[0], deleted)),
                record.extra.get("key_normalized"),
                record.created_at,
            ),
        )
        same = (record.title, record.text)
        return next((r for r in rows if (r.text("title"), r.text("content")) == same), None)

    def settle(self, record: Record) -> Ref:
        """Insert a record of the other file; id, created time and unknown columns are kept.

        Raises:
            UserError: ``record.key_taken``; ``scope.columns_differ`` when this file has no place
                for a value that is stored there.
        """
        now = self.now()
        unknown = {
            name: text
            for name, text in record.extra.items()
            if name not in schema.MEMORY_COLUMNS and text is not None
        }
        lost = set(unknown) - set(self._tables.columns("memory"))
        if lost:
            raise UserError("scope.columns_differ", count=len(lost))
        scope, key = self._role().value, record.extra.get("key_normalized") or ""
        deleted = record.extra.get("deleted_at")
        if deleted is None:
            self.must_be_free(scope, key)
        ident = record.ref.key[0] if len(record.ref.key) == 1 else ""
        if not ident or self._tables.select("memory", "id = ?", (ident,)):
            ident = self.free_id()
        self._tables.insert(
            "memory",
            {
                **unknown,
                "id": ident,
                "scope": scope,
                "type": record.type or "note",
                "key_normalized": key,
                "title": record.title,
                "content": record.text,
                "tags_json": rules.json_list(record.tags),
                "keywords_json": rules.json_list(
                    rules.keywords_for(record.title, record.tags, record.text)
                ),
                "source": record.source or "explicit",
                "confidence": record.extra.get("confidence") or "explicit_user",
                "sensitivity": record.extra.get("sensitivity") or "normal",
                "created_at": record.created_at or now,
                "updated_at": now,
                "deleted_at": deleted,
            },
        )
        self.log(ident, "create", now)
        return Ref(self._tables.store, "memory", (ident,))
