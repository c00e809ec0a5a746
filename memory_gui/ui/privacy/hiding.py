# SPDX-License-Identifier: MIT
"""One switch takes all texts of memories off the screen and out of a screen reader’s reach."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from memory_gui.words import Words


class Hiding(QObject):
    """Whether texts are hidden. Every view that shows one asks, and redraws on ``changed``."""

    changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hidden = False

    @property
    def hidden(self) -> bool:
        """Whether texts are hidden now."""
        return self._hidden

    def toggle(self) -> None:
        """The other way."""
        self.set_hidden(hidden=not self._hidden)

    def set_hidden(self, *, hidden: bool) -> None:
        """Hide or show."""
        if hidden != self._hidden:
            self._hidden = hidden
            self.changed.emit(hidden)


class Masking(QObject):
    """Whether secrets in texts are dots: a person's setting. Views redraw on ``changed``."""

    changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._on = True

    @property
    def on(self) -> bool:
        """Whether they are."""
        return self._on

    def set_on(self, *, on: bool) -> None:
        """Cover them, or not."""
        if on != self._on:
            self._on = on
            self.changed.emit(on)


def hidden_words(words: Words) -> str:
    """What stands, and is read out, in place of a text."""
    return words.say("Text is hidden")
