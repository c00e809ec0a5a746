# SPDX-License-Identifier: MIT
"""Letter and receipt of a case go into files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from memory_gui.cases.case import Case
from memory_gui.ui.cases import acts
from memory_gui.ui.cases.answer_view import AnswerView
from memory_gui.ui.cases.shown import Shown
from memory_gui.ui.context import Context


class Saving(QObject):
    """Writes what the answer asks for, and tells it where that is. GUI thread."""

    began = Signal()
    refused = Signal(object)
    """A UserError or IntegrityError."""

    def __init__(self, context: Context, answer: AnswerView, shown: Shown, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._answer = answer
        self._shown = shown
        answer.letter_wanted.connect(self._on_letter)
        answer.receipt_wanted.connect(self._on_receipt)

    def _on_letter(self, path: Path, text: str) -> None:
        words = self._context.words
        self._save(self._answer.say_letter_saved, acts.save_letter, words, path, text)

    def _on_receipt(self, path: Path) -> None:
        services, words = self._context.services, self._context.words
        if (case := self._shown.case) is not None:
            done = self._answer.say_receipt_saved
            self._save(done, acts.save_receipt, services, words, case, path)

    def _save(
        self, done: Callable[[Path], object], act: Callable[..., Path], *values: object
    ) -> None:
        self.began.emit()
        if (case := self._shown.case) is not None:
            self._context.bridge.call(
                act, *values, done=partial(self._on_saved, case, done), failed=self.refused.emit
            )

    def _on_saved(self, case: Case, say: Callable[[Path], object], path: Path) -> None:
        if self._shown.still(case):
            say(path)
