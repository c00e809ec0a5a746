# SPDX-License-Identifier: MIT
"""Changing records, with undo."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memory_gui.domain.changes import ChangeSet, Edit, Fields, NewRecord, Target
from memory_gui.domain.records import Ref, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.values import BulkResult


class Editing:
    """Adds, edits, trashes, restores, deletes; each record is one transaction. Any thread.

    Where a Ref is given the etag is that of the record as the app last read it; a Target names
    its own. A single-record act raises its failure; an act over several lists failures.
    """

    def add(self, store: StoreId, new: NewRecord) -> BulkResult:
        """Add a record, in the database of the pair that its scope belongs to."""
        raise NotImplementedError

    def edit(self, edit: Edit) -> BulkResult:
        """Change fields. A new scope moves the record to the pair's other database.

        Raises:
            UserError: ``record.changed``, ``record.gone``, ``record.invalid_*``,
                ``pair.needed`` when the other database is not open.
        """
        raise NotImplementedError

    def trash(
        self,
        records: Sequence[Ref | Target],
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Out of the agent's sight."""
        raise NotImplementedError

    def restore(
        self,
        records: Sequence[Ref | Target],
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Back into the agent's sight."""
        raise NotImplementedError

    def delete(
        self,
        records: Sequence[Ref | Target],
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Take the rows out; bytes may remain in the file."""
        raise NotImplementedError

    def tag(
        self,
        records: Sequence[Ref | Target],
        *,
        add: Collection[str] = (),
        remove: Collection[str] = (),
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Add and remove tags."""
        raise NotImplementedError

    def undo(self) -> ChangeSet:
        """Take the last act back by a new edit.

        Raises:
            UserError: ``undo.nothing``, ``undo.changed`` (it was changed since).
        """
        raise NotImplementedError

    def redo(self) -> ChangeSet:
        """Do again what was taken back. Raises as ``undo``."""
        raise NotImplementedError

    def undo_text(self) -> tuple[str, int] | None:
        """What ``undo`` would take back: a code (add, edit, trash, …) and how many records."""
        raise NotImplementedError

    def redo_text(self) -> tuple[str, int] | None:
        """What ``redo`` would do again."""
        raise NotImplementedError

    def classify(self, store: StoreId, fields: Fields) -> Fields:
        """The fields as the agent would save them (scope, type, key, title), for a live preview."""
        raise NotImplementedError
