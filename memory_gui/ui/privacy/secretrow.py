# SPDX-License-Identifier: MIT
"""Below a text with secrets: which kinds are covered, and the button that shows them while held."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memory_gui.findings.covering import Found
from memory_gui.ui.names import named
from memory_gui.ui.privacy.buttons import HoldButton
from memory_gui.ui.privacy.masking import kinds_of
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import Caption
from memory_gui.words import Words


class SecretRow(QWidget):
    """Hidden where there is nothing to show. GUI thread."""

    held = Signal(bool)

    def __init__(self, words: Words, showing: Showing, name: str) -> None:
        super().__init__()
        self._words = words
        self._showing = showing
        self._what = ""
        self.text = named(Caption(), f"{name}.secrets")
        self.hold = named(HoldButton(), f"{name}.reveal")
        self.hold.held.connect(self.held)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_S)
        row.addWidget(self.hold)
        row.addWidget(self.text, 1)
        self.hide()

    def look(self, texts: Iterable[str], also: Iterable[Found] = ()) -> None:
        """Of these texts, and what was found in others; nothing is shown any more that was."""
        self.hold.end()
        found = [one for text in texts for one in self._showing.find(text)]
        self._what = kinds_of(self._words, (*found, *also)) if self._showing.covers else ""
        self._say()

    def clear(self) -> None:
        """Forget."""
        self.look(())

    def retranslate(self) -> None:
        """Say all texts again."""
        self._say()

    def _say(self) -> None:
        say = self._words.say
        self.setVisible(bool(self._what))
        self.hold.setText(say("Hold to show"))
        self.text.setText(say("Covered: {what}", what=self._what) if self._what else "")
