# SPDX-License-Identifier: MIT
"""Acts on chosen records: trash, restore, delete, undo, redo; and the banner that tells of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Ref
from memory_gui.services import BulkResult
from memory_gui.services.library import Library
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.widgets import Banner, Busy
from memory_gui.words.errors import explain

FOREIGN: Final = "store.foreign_objects"

Ways = tuple[tuple[str, Callable[[], object]], ...]
"""Buttons of a banner."""


class Acts(QObject):
    """Runs acts in the order in which they were asked for. GUI thread."""

    changed = Signal(object)
    """A ChangeSet."""
    erase_wanted = Signal(object)
    """A tuple of Refs."""
    foreign_wanted = Signal()

    def __init__(self, context: Context, banner: Banner, busy: Busy, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._banner = banner
        self._busy = busy
        self._handle: Handle | None = None
        busy.cancelled.connect(self._on_busy_cancelled)

    def trash(self, ids: Sequence[int]) -> None:
        """Move to the trash; the banner offers Undo."""
        self._run("trash", ids)

    def restore(self, ids: Sequence[int]) -> None:
        """Out of the trash."""
        self._run("restore", ids)

    def ask_delete(self, ids: Sequence[int]) -> None:
        """Ask in the banner first: what it does not do, and what does."""
        words = self._context.words
        self._banner.tell(
            "warn",
            words.many(
                "Delete {n} record? The agent no longer has it, "
                "but parts of its text may stay in the file.",
                "Delete {n} records? The agent no longer has them, "
                "but parts of their text may stay in the file.",
                len(ids),
            ),
            (words.say("Cancel"), self._banner.dismiss),
            (words.say("Erase instead…"), partial(self.erase, ids)),
            (
                words.many("Delete {n} record", "Delete {n} records", len(ids)),
                partial(self._run, "delete", ids),
            ),
        )

    def erase(self, ids: Sequence[int]) -> None:
        """Find the refs, then ask for the erase page."""
        self._context.bridge.call(
            refs_of, self._context.services.library, list(ids), done=self._on_refs_found
        )

    def undo(self) -> None:
        """Take the last act back."""
        self._call(self._context.services.editing.undo, self._on_undo_done)

    def redo(self) -> None:
        """Do again what was taken back."""
        self._call(self._context.services.editing.redo, self._on_redo_done)

    def tell(self, error: UserError | IntegrityError) -> None:
        """Say an error in the banner."""
        self._busy.stop()
        self._banner.tell("warn", explain(self._context.words, error).text, *self._ways_on(error))

    def _ways_on(self, error: UserError | IntegrityError) -> Ways:
        if error.code != FOREIGN:
            return ()
        return ((self._context.words.say("Look at them"), self.foreign_wanted.emit),)

    def _run(self, name: str, ids: Sequence[int]) -> None:
        if not ids:
            return
        words = self._context.words
        services = self._context.services
        self._banner.dismiss()
        self._busy.start(
            words.many("Working on {n} record…", "Working on {n} records…", len(ids)),
            words.say("Stop") if len(ids) > 1 else "",
        )
        self._handle = self._context.bridge.call(
            act_on,
            services.library,
            getattr(services.editing, name),
            list(ids),
            done=partial(self._on_act_done, name),
            failed=self.tell,
            tick=self._on_tick,
            stopped=self._busy.stop,
            cancellable=True,
            in_turn=True,
        )

    def _call(self, act: Callable[[], ChangeSet], done: Callable[[ChangeSet], None]) -> None:
        self._context.bridge.call(act, done=done, failed=self.tell, in_turn=True)

    def _on_busy_cancelled(self) -> None:
        if self._handle is not None:
            self._handle.stop()

    def _on_tick(self, step: str, done: int, total: int) -> None:
        words = self._context.words
        self._busy.progress(
            words.say("{done} of {total}", done=done, total=total), done=done, total=total
        )

    def _on_act_done(self, name: str, result: BulkResult) -> None:
        self._busy.stop()
        self.changed.emit(result.changes)
        words = self._context.words
        text = self._sentence(name, result.done)
        if result.failed:
            first = explain(words, result.failed[0][1])
            more = words.many(
                "{n} record was not: {why}",
                "{n} records were not. The first: {why}",
                len(result.failed),
                why=first.text,
            )
            text = words.say("{done} {failed}", done=text, failed=more) if result.done else more
        ways: Ways = ((words.say("Undo"), self.undo),) if result.done else ()
        if result.failed:
            ways += self._ways_on(result.failed[0][1])
        self._banner.tell("warn" if result.failed else "ok", text, *ways)

    def _sentence(self, name: str, n: int) -> str:
        many = self._context.words.many
        if name == "trash":
            return many("{n} record is in the trash.", "{n} records are in the trash.", n)
        if name == "restore":
            return many("{n} record is back.", "{n} records are back.", n)
        return many(
            "{n} record is deleted. Parts of its text may stay in the file.",
            "{n} records are deleted. Parts of their text may stay in the file.",
            n,
        )

    def _on_undo_done(self, changes: ChangeSet) -> None:
        self.changed.emit(changes)
        words = self._context.words
        self._banner.tell("ok", words.say("Taken back."), (words.say("Redo"), self.redo))

    def _on_redo_done(self, changes: ChangeSet) -> None:
        self.changed.emit(changes)
        words = self._context.words
        self._banner.tell("ok", words.say("Done again."), (words.say("Undo"), self.undo))

    def _on_refs_found(self, refs: tuple[Ref, ...]) -> None:
        self._banner.dismiss()
        if refs:
            self.erase_wanted.emit(refs)


def refs_of(library: Library, ids: list[int]) -> tuple[Ref, ...]:
    """The refs of listing ids that are still there. In a thread of the bridge."""
    return tuple(record.ref for record in library.window(ids) if record is not None)


def act_on(
    library: Library, act: Callable[..., BulkResult], ids: list[int], **progress: Any
) -> BulkResult:
    """Do something to the records behind listing ids. In a thread of the bridge."""
    return act(refs_of(library, ids), **progress)
