# SPDX-License-Identifier: MIT
"""What waits for a person about a store's key, and a readable store where another one lay."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import Button, Panel, TextLabel
from memory_gui.words import Words
from memory_gui.words.recovery import day


class Waiting(Panel):
    """Hidden while nothing waits."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent, tone="warn_soft", outline="warn_soft")
        self._words = words
        self._date: str | None = None
        self._stray: tuple[str, ...] | None = None
        self.setObjectName("protect.waiting")
        self.text = named(TextLabel(), "protect.waiting.text")
        self.stray = named(TextLabel(selectable=True), "protect.stray.text")
        self.give_up = named(Button(icon=Icon.KEY), "protect.give_up")
        self.merge = named(Button(icon=Icon.LOCK), "protect.merge")
        inside = padded(self)
        inside.addWidget(self.text)
        row = QHBoxLayout()
        row.addWidget(self.give_up)
        row.addStretch(1)
        inside.addLayout(row)
        inside.addWidget(self.stray)
        below = QHBoxLayout()
        below.addWidget(self.merge)
        below.addStretch(1)
        inside.addLayout(below)
        self.hide()

    def show_notes(self, date: str | None, stray: Sequence[str] | None) -> None:
        """``date``: of the sheet for which an old key is kept; ``stray``: where it lies now."""
        self._date = date
        self._stray = None if stray is None else tuple(stray)
        self.retranslate()
        self.text.setVisible(date is not None)
        self.give_up.setVisible(date is not None)
        self.stray.setVisible(stray is not None)
        self.merge.setVisible(bool(stray))
        self.setVisible(date is not None or stray is not None)

    @property
    def encrypted_place(self) -> str:
        """Where the encrypted store lies; empty where that is not known."""
        return self._stray[0] if self._stray else ""

    def wipe(self) -> None:
        """Forget it."""
        self._date = self._stray = None
        self.text.clear()
        self.stray.clear()
        self.hide()

    def retranslate(self) -> None:
        """Say all texts again."""
        words = self._words
        self.give_up.setText(words.say("No new recovery key…"))
        self.merge.setText(words.say("Bring its records into the encrypted one"))
        if self._date is not None:
            self.text.setText(
                words.say(
                    "The key was changed, and the paper of {date} opens nothing. The old key is "
                    "kept until a new recovery key is made and typed in once, or given up.",
                    date=day(words, self._date),
                )
            )
        if self._stray is not None:
            self.stray.setText(_said(words, self._stray))


def _said(words: Words, places: Sequence[str]) -> str:
    first = words.say(
        "A store was encrypted here, and this one is readable: the agent has probably made it "
        "anew, without its memories."
    )
    if not places:
        return first
    second = words.say(
        "The encrypted one lies at {path}. What is here can be brought into it: nothing there is "
        "written over, and nothing here changes.",
        path=visible(places[0]),
    )
    return f"{first}\n{second}"
