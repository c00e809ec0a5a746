# SPDX-License-Identifier: MIT
"""What an erase shows while it runs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import erase_words as say
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.pages.mark import MarkIcon
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.widgets import (
    Panel,
    TextLabel,
)
from memory_gui.words import Words


class StepsView(Panel):
    """One line per step, in the order in which they came, and how far the last one is."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.steps: list[str] = []
        self._rows = QVBoxLayout()
        self._rows.setSpacing(SPACE_S // 2)
        self.bar = named(QProgressBar(), "erase.bar")
        self.bar.setTextVisible(False)
        inside = padded(self, SPACE_M)
        inside.addLayout(self._rows)
        inside.addWidget(self.bar)

    def begin(self) -> None:
        """Nothing done yet."""
        self.steps = []
        empty(self._rows)
        self.bar.setRange(0, 0)

    def tick(self, step: str, done: int, total: int) -> None:
        """A step reports; a new one closes the one before."""
        if not self.steps or self.steps[-1] != step:
            self.steps.append(step)
            self._redraw()
        self.bar.setRange(0, max(0, total))
        self.bar.setValue(done)
        self.bar.setAccessibleName(say.step(self._words, step))

    def _redraw(self) -> None:
        empty(self._rows)
        for number, step in enumerate(self.steps):
            last = number == len(self.steps) - 1
            row = QHBoxLayout()
            row.setSpacing(SPACE_S)
            mark = MarkIcon(Icon.NEXT, "accent") if last else MarkIcon(Icon.CHECK, "ok")
            text = named(TextLabel(tone="text" if last else "muted"), f"erase.step{number}")
            text.setText(say.step(self._words, step))
            row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(text, 1)
            self._rows.addLayout(row)
