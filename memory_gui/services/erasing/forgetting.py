# SPDX-License-Identifier: MIT
"""Correcting a record so that its old text is gone for good: an edit and an erase in one act."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memory_gui.domain.changes import Edit
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.records import Ref
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.erasure.plan import ErasePlan
from memory_gui.erasure.receipt import refuse_receipt
from memory_gui.erasure.result import EraseResult
from memory_gui.services.editing.editing import Editing
from memory_gui.services.erasing.erasing import Erasing
from memory_gui.services.library.library import Library
from memory_gui.services.undo.stack import UndoStack
from memory_gui.services.values import BulkResult


@dataclass(frozen=True, slots=True)
class Corrected:
    """What the edit changed, and what became of the old text."""

    edit: BulkResult
    erase: EraseResult


class Forgetting:
    """Edits that cannot be undone. Any thread may call."""

    def __init__(
        self, library: Library, editing: Editing, erasing: Erasing, stack: UndoStack
    ) -> None:
        self._library = library
        self._editing = editing
        self._erasing = erasing
        self._stack = stack

    def plan(self, edit: Edit, *, policy: str | None = None) -> ErasePlan:
        """What carries the old text. Writes nothing.

        Raises:
            UserError: ``record.gone``, ``scope.moves``: a record that goes to the other database
                is moved first, and corrected there.
        """
        ref = edit.target.ref
        record = self._library.record(ref)
        if record is None:
            raise UserError("record.gone", ref=ref.text)
        if edit.fields.get("scope", record.scope) != record.scope:
            raise UserError("edit.forget_and_move", ref=ref.text)
        title = str(edit.fields.get("title", record.title))
        text = str(edit.fields.get("text", record.text))
        return self._erasing.plans.plan_correction(ref, (title, text), policy=policy)

    def edit(
        self,
        edit: Edit,
        plan: ErasePlan,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
        accept_side_files: bool = False,
        receipt: Path | None = None,
        despite_foreign: bool = False,
        new_key: RawKey | None = None,
    ) -> Corrected:
        """Write the erase down, give the record its new text, erase the old one and prove it.

        Undo forgets the record. A kill leaves the old text, or the new one and an erase that is
        finished at the next start.

        Raises:
            UserError: as ``Editing.edit`` and ``Erasing.run``.
        """
        refuse_receipt(receipt)
        plan = self._erasing.plans.guarded(plan)  # before anything is written
        entries = self._erasing.announce(plan)
        try:
            done = self._editing.edit(edit)
        except BaseException:
            self._erasing.withdraw(entries)
            raise
        if not done.changes.refs:
            self._erasing.withdraw(entries)
            raise UserError("edit.nothing_new", ref=edit.target.ref.text)
        self._stack.drop(_refs(edit.target.ref, done))
        erased = self._erasing.run(
            plan,
            tick=tick,
            cancel=cancel,
            accept_side_files=accept_side_files,
            receipt=receipt,
            despite_foreign=despite_foreign,
            new_key=new_key,
            kind="correction",
        )
        return Corrected(done, erased)


def _refs(ref: Ref, done: BulkResult) -> set[Ref]:
    return {ref, *done.changes.refs}
