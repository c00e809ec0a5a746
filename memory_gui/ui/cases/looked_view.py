# SPDX-License-Identifier: MIT
"""How much was read, and where nobody could look."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.cases.finds import Finds
from memory_gui.ui.cases.words import looked, not_looked_lines
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.listed import Listed
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import QuietButton, TextLabel
from memory_gui.words import Words


class LookedView(QWidget):
    """One line; what was not looked into is a second one that opens. GUI thread."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._finds: Finds | None = None
        self.read = named(TextLabel(tone="muted"), "case.looked")
        self.show_unseen = named(QuietButton(icon=Icon.WARN), "case.unseen.show")
        self.unseen = Listed("case.unseen", tone="warn_soft")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S // 2)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.read)
        row.addWidget(self.show_unseen)
        layout.addLayout(row)
        layout.addWidget(self.unseen)
        self.show_unseen.clicked.connect(self._on_show)

    def show_finds(self, finds: Finds) -> None:
        """Tell it of a search."""
        words, self._finds = self._words, finds
        text = looked(words, finds)
        stopped = words.say("The search was stopped before its end.") if finds.stopped else ""
        self.read.setText(words.say("{read} {more}", read=text, more=stopped) if stopped else text)
        self.read.set_tone("warn" if finds.stopped else "muted")
        count = len(finds.not_looked)
        self.show_unseen.setText(
            words.many("{n} place was not looked into", "{n} places were not looked into", count)
        )
        self.show_unseen.setVisible(bool(count))
        shown = not self.unseen.isHidden()
        self._fill(shown=shown and bool(count))

    def wipe(self) -> None:
        """Forget it."""
        self._finds = None
        self.read.clear()
        self.unseen.wipe()
        self.show_unseen.hide()

    def retranslate(self) -> None:
        """Say all texts again."""
        if self._finds is not None:
            self.show_finds(self._finds)

    def _fill(self, *, shown: bool) -> None:
        if not shown or self._finds is None:
            self.unseen.wipe()
            return
        lines = not_looked_lines(self._words, self._finds)
        self.unseen.show_lines(self._words.say("Not looked into"), lines)

    def _on_show(self) -> None:
        self._fill(shown=self.unseen.isHidden())
