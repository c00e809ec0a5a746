# SPDX-License-Identifier: MIT
"""The locked page for as long as no other one plugs in: says so, and unlocks."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.page import Page
from memory_gui.ui.widgets import EmptyState


class PlainLockedPage(Page):
    """Names nothing of what was open."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._state = named(EmptyState(Icon.LOCK), "locked")
        self._state.acted.connect(self._on_acted)
        layout = QVBoxLayout(self)
        layout.addWidget(self._state)
        self.retranslate()

    def retranslate(self) -> None:
        say = self.words.say
        self._state.say(
            say("Locked"),
            say("No key, no text and no open file is left in this window."),
            say("Unlock"),
        )

    def _on_acted(self) -> None:
        self.go.emit("unlock", None)
