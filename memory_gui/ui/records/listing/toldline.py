# SPDX-License-Identifier: MIT
"""What the one store that is listed has to tell of itself, below the list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtWidgets import QWidget

from memory_gui.domain.changes import Told
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.visible import plain_tip
from memory_gui.ui.widgets import Caption
from memory_gui.words import Words, formats

_MOST: Final = 3
"""Lines that are shown; all of it is in the tooltip."""


class ToldLine(Caption):
    """Hidden while there is nothing to tell. GUI thread."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._words = words
        self._told: tuple[Told, ...] = ()
        self.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        self.hide()

    def show_told(self, told: Sequence[Told]) -> None:
        """Replace what is told."""
        self._told = tuple(told)
        lines = [formats.told(self._words, one.code, one.values) for one in self._told]
        shown = lines
        if len(lines) > _MOST:
            left = len(lines) - _MOST + 1
            shown = [*lines[: _MOST - 1], self._words.say("… and {n} more", n=left)]
        self.show_foreign("\n".join(shown))
        self.setToolTip("" if shown is lines else plain_tip("\n".join(lines)))
        self.setVisible(bool(lines))

    def retranslate(self) -> None:
        """Say it again."""
        self.show_told(self._told)
