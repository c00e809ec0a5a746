# SPDX-License-Identifier: MIT
"""Says what a person had asked for and a lock came before: it was not done, and is not done by us.

Nobody may have meant it any more by the time that they come back.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject

from memory_gui.ui.bridge import Asked
from memory_gui.ui.context import Context
from memory_gui.ui.widgets import Banner

_NAMED: Final = 4
"""Acts that are named; of more there is the number."""


class UnbegunNotice(QObject):
    """Keeps them until a person is there, and says them once in a banner of its own. GUI thread."""

    def __init__(self, context: Context, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._words = context.words
        self._banner = banner
        self._covered = False
        self._acts: list[Asked] = []
        context.bridge.never_begun.connect(self._on_never_begun)
        banner.dismissed.connect(self._acts.clear)

    def cover(self) -> None:
        """Locked: say nothing until ``tell``."""
        self._covered = True
        self._banner.dismiss()

    def tell(self) -> None:
        """Somebody is there again."""
        self._covered = False
        if self._acts:
            self._banner.tell_anew(self._say)

    def _on_never_begun(self, asked: Asked) -> None:
        self._acts.append(asked)
        if not self._covered:
            self.tell()

    def _say(self) -> None:
        words = self._words
        acts = [asked() for asked in self._acts[:_NAMED]]
        if left := len(self._acts) - len(acts):
            acts.append(words.many("{n} more act", "{n} more acts", left))
        text = words.say(
            "Not done, because the window locked before it began: {acts}. "
            "Nothing was changed by it; do it again if you still want it.",
            acts=words.row(acts),
        )
        self._banner.tell("warn", text)
