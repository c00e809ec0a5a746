# SPDX-License-Identifier: MIT
"""Says in the menu what Undo would take back and Redo would do again."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services.editing.editing import Editing
from memory_gui.ui.context import Context
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.records.bulk.turned import act_phrase
from memory_gui.ui.shell.actions import Actions

Told = tuple[str, int] | None
"""The code of an act and how many records it was about; None: there is nothing."""
_NAMES: Final = ("undo", "redo")


class Undoing(QObject):
    """Asks after each change, off the GUI thread. GUI thread."""

    def __init__(self, context: Context, actions: Actions, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._actions = actions
        self._asking = Asking(context.bridge)
        self._on_told((None, None))

    def look(self, changes: object = None) -> None:
        """Ask again; after ``changes`` there is something to take back, even before the answer."""
        if changes is not None:
            self._actions.enable(("undo",), enabled=True)
        self._asking.anew(
            texts_of,
            self._context.services.editing,
            done=self._on_told,
            failed=self._on_failed,
        )

    def forget(self) -> None:
        """Nothing can be taken back (at the lock)."""
        self._asking.drop()
        self._on_told((None, None))

    def _on_told(self, told: tuple[Told, Told]) -> None:
        words = self._context.words
        whole = (words.say("Undo"), words.say("Redo"))
        for name, plain, one in zip(_NAMES, whole, told, strict=True):
            self._actions.enable((name,), enabled=one is not None)
            act = act_phrase(words, *one) if one is not None else ""
            if not act:
                self._actions.rename(name, plain)
            elif name == "undo":
                self._actions.rename(name, words.say("Undo: {act}", act=act))
            else:
                self._actions.rename(name, words.say("Redo: {act}", act=act))

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        """The menu keeps its words; Undo itself says what is wrong."""


def texts_of(editing: Editing) -> tuple[Told, Told]:
    """What undo and redo would do. In a thread of the bridge."""
    return editing.undo_text(), editing.redo_text()
