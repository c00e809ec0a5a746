# SPDX-License-Identifier: MIT
"""Runs the rules of review in the window: when a store is opened, and when something new waits."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.services import OpenedStore
from memory_gui.services.reviewing.rules import RuleRun
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.words import Words


class RulesRunner(QObject):
    """One run at a time; a store without rules costs one look into our own file. GUI thread."""

    changed = Signal(object, str)
    """A ChangeSet, and what was decided as a sentence."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._opened: dict[StoreId, OpenedStore] = {}
        self._wanted: set[StoreId] = set()
        self._handle: Handle | None = None

    def follow(self, opened: Sequence[OpenedStore]) -> None:
        """These are open: run for those that are new."""
        before, self._opened = self._opened, {one.id: one for one in opened}
        self.look(self._opened.keys() - before.keys())

    def look(self, stores: Collection[StoreId]) -> None:
        """Something may wait in these that was not there before."""
        self._wanted |= set(stores)
        self._wanted &= self._opened.keys()
        if self._wanted and (self._handle is None or self._handle.finished):
            stores, self._wanted = tuple(sorted(self._wanted)), set()
            self._handle = self._context.bridge.call(
                self._context.services.rules.run,
                stores,
                only_new=True,
                done=self._on_run,
                failed=self._on_failed,
                stopped=self._on_stopped,
                cancellable=True,
                apart=True,  # the key to our own file may be asked of a person
            )

    def clear(self) -> None:
        """Nothing is open any more."""
        if self._handle is not None:
            self._handle.cancel()
        self._handle = None
        self._opened, self._wanted = {}, set()

    def _on_run(self, run: RuleRun) -> None:
        self._handle = None
        if run.approved or run.rejected:
            self.changed.emit(run.changes, run_text(self._context.words, run))
        self.look(())

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        """Using the store tells what is wrong; the rules run again when it changes."""
        self._handle = None
        self.look(())

    def _on_stopped(self) -> None:
        self._handle = None


def run_text(words: Words, run: RuleRun) -> str:
    """How many proposals the rules decided."""
    parts = []
    if run.approved or not run.rejected:
        parts.append(
            words.many(
                "A rule approved {n} proposal.", "Rules approved {n} proposals.", run.approved
            )
        )
    if run.rejected:
        parts.append(
            words.many(
                "A rule rejected {n} proposal.", "Rules rejected {n} proposals.", run.rejected
            )
        )
    text = parts[0]
    for part in parts[1:]:
        text = words.say("{what} {note}", what=text, note=part)
    return text
