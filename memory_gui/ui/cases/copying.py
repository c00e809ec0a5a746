# SPDX-License-Identifier: MIT
"""The copy for the person goes into a file or a folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from memory_gui.services.copies import Copied
from memory_gui.ui.bridge import Handle
from memory_gui.ui.cases import acts
from memory_gui.ui.cases.copy_view import CopyView, Wanted
from memory_gui.ui.context import Context
from memory_gui.ui.pages.frame import Frame


class Copying(QObject):
    """Writes what the step of the copy asks for. GUI thread."""

    ended = Signal()
    """It is written, or was stopped."""
    refused = Signal(object)
    """A UserError or IntegrityError."""

    def __init__(
        self,
        context: Context,
        frame: Frame,
        copy: CopyView,
        parent: QObject,
        *,
        now: Callable[[], acts.Found | None],
    ) -> None:
        """``now`` gives what is shown: None after a lock."""
        super().__init__(parent)
        self._context = context
        self._frame = frame
        self._copy = copy
        self._now = now
        self.call: Handle | None = None
        copy.wanted.connect(self._on_wanted)

    def _on_wanted(self, wanted: Wanted) -> None:
        now, words = self._now(), self._context.words
        if now is None:
            return
        self._frame.banner.dismiss()
        self._frame.show_busy(words.say("Writing…"), words.say("Cancel"))
        self.call = self._context.bridge.call(
            acts.copy,
            self._context.services,
            now,
            wanted,
            done=partial(self._on_copied, now.case.number),
            failed=self.refused.emit,
            stopped=self.ended.emit,
            tick=self._on_tick,
            cancellable=True,
        )

    def _on_tick(self, _step: str, done: int, total: int) -> None:
        self._frame.busy.progress(self._context.words.say("Writing…"), done, total)

    def _on_copied(self, number: int, copied: Copied) -> None:
        now = self._now()
        if now is not None and now.case.number == number:
            self._copy.say_written(copied)
            self.ended.emit()
