# SPDX-License-Identifier: MIT
"""The locked page: painted before anything else is done, and it knows no name and no text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.page import Page
from memory_gui.ui.tokens import SPACE_L, SPACE_S
from memory_gui.ui.widgets import Busy, PrimaryButton, TextLabel, TitleLabel
from memory_gui.ui.widgets.empty import Picture


class LockedPage(Page):
    """Says how many stores were open, and unlocks. It asks no service before it is painted."""

    icon_name = Icon.LOCK

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "locked")
        self._count = 0
        self.heading = named(TitleLabel(wrap=False), "locked.heading")
        self.count = named(TextLabel(tone="muted", wrap=False), "locked.count")
        self.text = named(TextLabel(tone="muted", wrap=False), "locked.text")
        self.finishing = named(TextLabel(tone="warn", wrap=False), "locked.finishing")
        self.unlock = named(PrimaryButton(icon=Icon.READABLE), "locked.unlock")
        self.busy = named(Busy(), "locked.busy")
        layout = QVBoxLayout(self)
        layout.setSpacing(SPACE_S)
        layout.addStretch(2)
        middle = Qt.AlignmentFlag.AlignHCenter
        layout.addWidget(Picture(Icon.LOCK, "accent"), 0, middle)
        for label in (self.heading, self.count, self.text, self.finishing):
            label.setAlignment(middle)
            layout.addWidget(label, 0, middle)
        layout.addSpacing(SPACE_L)
        layout.addWidget(self.unlock, 0, middle)
        layout.addWidget(self.busy, 0, middle)
        layout.addStretch(3)
        self.unlock.clicked.connect(self._on_unlock_clicked)
        self.bridge.finishing_changed.connect(self._say_finishing)
        self.retranslate()

    def show_for(self, argument: object) -> None:
        # Only the number is kept: a name would tell who looks over the shoulder.
        self._count = len(argument) if isinstance(argument, (tuple, list)) else 0
        self.busy.stop()
        self.unlock.setEnabled(True)
        self._say()
        self.unlock.setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        self._say()

    def clear(self) -> None:
        self.busy.stop()

    def _say(self) -> None:
        words = self.words
        self.heading.setText(words.say("Locked"))
        self.count.setText(
            words.many("{n} store was closed.", "{n} stores were closed.", self._count)
            if self._count
            else words.say("No store was open.")
        )
        self.text.setText(words.say("This window holds no key and no text now."))
        self.unlock.setText(words.say("Unlock"))
        self._say_finishing(self.bridge.finishing)

    def _say_finishing(self, number: int) -> None:
        """What cannot be stopped half-way: how many, and no name."""
        text = self.words.many(
            "{n} piece of work is finishing. What it needs stays in memory until then.",
            "{n} pieces of work are finishing. What they need stays in memory until then.",
            number,
        )
        self.finishing.setText(text if number else "")
        self.finishing.setVisible(number > 0)
        self.text.setVisible(number == 0)  # it would not be true: what that needs is still here

    def _on_unlock_clicked(self) -> None:
        self.unlock.setEnabled(False)
        self.busy.start(self.words.say("Asking the keychain…"))
        self.go.emit("unlock", None)
