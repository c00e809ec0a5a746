# SPDX-License-Identifier: MIT
"""What a person should know about the words that they typed, below the search."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QWidget

from memory_gui.domain.language import Hint
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.widgets import Caption
from memory_gui.words import Words
from memory_gui.words.hints import say_hint


class HintLine(Caption):
    """Hidden while there is nothing to say. GUI thread."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._words = words
        self._hints: tuple[Hint, ...] = ()
        self.setContentsMargins(SPACE_M, 0, SPACE_M, SPACE_S)
        self.hide()

    def show_hints(self, hints: Sequence[Hint]) -> None:
        """Replace what is said; screen readers are told, too: it takes no focus."""
        self._hints = tuple(hints)
        before = self.text()
        lines = [say_hint(self._words, one.code, one.params) for one in self._hints]
        self.show_foreign("\n".join(lines))
        self.setVisible(bool(lines))
        if lines and self.text() != before:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def retranslate(self) -> None:
        """Say it again."""
        self.show_hints(self._hints)
