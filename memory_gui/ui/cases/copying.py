# SPDX-License-Identifier: MIT
"""The copy for the person goes into a file or a folder."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from memory_gui.cases.case import Case
from memory_gui.services.copies import Copied
from memory_gui.ui.bridge import Handle
from memory_gui.ui.cases import acts
from memory_gui.ui.cases.copy_view import CopyView, Wanted
from memory_gui.ui.cases.shown import Shown
from memory_gui.ui.context import Context
from memory_gui.ui.pages.frame import Frame


class Copying(QObject):
    """Writes what the step of the copy asks for. GUI thread."""

    ended = Signal()
    """It is written, or was stopped."""
    refused = Signal(object)
    """A UserError or IntegrityError."""
    broke = Signal(object)
    """The Case whose copy a bug of ours ended."""

    def __init__(
        self,
        context: Context,
        frame: Frame,
        copy: CopyView,
        shown: Shown,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._frame = frame
        self._copy = copy
        self._shown = shown
        self.call: Handle | None = None
        copy.wanted.connect(self._on_wanted)

    def _on_wanted(self, wanted: Wanted) -> None:
        found, words = self._shown.found, self._context.words
        if found is None:
            return
        self._frame.banner.dismiss()
        self._frame.show_busy(words.say("Writing…"), words.say("Cancel"))
        self.call = self._context.bridge.call(
            acts.copy,
            self._context.services,
            found,
            wanted,
            done=partial(self._on_copied, found.case),
            failed=self.refused.emit,
            stopped=self.ended.emit,
            broke=partial(self.broke.emit, found.case),
            tick=self._on_tick,
            cancellable=True,
        )

    def _on_tick(self, _step: str, done: int, total: int) -> None:
        self._frame.busy.progress(self._context.words.say("Writing…"), done, total)

    def _on_copied(self, case: Case, copied: Copied) -> None:
        if self._shown.still(case):
            self._copy.say_written(copied)
            self.ended.emit()
