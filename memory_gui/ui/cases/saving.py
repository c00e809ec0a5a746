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
from memory_gui.ui.context import Context


class Saving(QObject):
    """Writes what the answer asks for, and tells it where that is. GUI thread."""

    began = Signal()
    refused = Signal(object)
    """A UserError or IntegrityError."""

    def __init__(self, context: Context, answer: AnswerView, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._answer = answer
        self.case: Case | None = None
        answer.letter_wanted.connect(self._on_letter)
        answer.receipt_wanted.connect(self._on_receipt)

    def _on_letter(self, path: Path, text: str) -> None:
        words = self._context.words
        self._save(self._answer.say_letter_saved, acts.save_letter, words, path, text)

    def _on_receipt(self, path: Path) -> None:
        if self.case is not None:
            services, words = self._context.services, self._context.words
            done = self._answer.say_receipt_saved
            self._save(done, acts.save_receipt, services, words, self.case, path)

    def _save(
        self, done: Callable[[Path], object], act: Callable[..., Path], *values: object
    ) -> None:
        self.began.emit()
        number = None if self.case is None else self.case.number
        self._context.bridge.call(
            act, *values, done=partial(self._on_saved, number, done), failed=self.refused.emit
        )

    def _on_saved(self, number: int | None, say: Callable[[Path], object], path: Path) -> None:
        if self.case is not None and self.case.number == number:
            say(path)
