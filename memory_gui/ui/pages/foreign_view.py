# SPDX-License-Identifier: MIT
"""What a database holds that its agent did not make, and the yes that allows writing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.pages.text_view import TextView
from memory_gui.ui.widgets import Button, Panel, SectionLabel, TextLabel
from memory_gui.words import Words


class ForeignView(Panel):
    """Hidden where there is nothing foreign."""

    allowed = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent, tone="warn_soft", outline="warn_soft")
        self._words = words
        self.setObjectName("protect.foreign")
        self._title = named(SectionLabel(), "protect.foreign.title")
        self._text = named(TextLabel(), "protect.foreign.text")
        self.sql = TextView("protect.foreign.sql", lines=10)
        self.sql.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.allow = named(Button(icon=Icon.EDIT), "protect.foreign.allow")
        self.allow.clicked.connect(self.allowed)
        inside = padded(self)
        for widget in (self._title, self._text, self.sql):
            inside.addWidget(widget)
        inside.addWidget(self.allow, 0, Qt.AlignmentFlag.AlignLeft)
        self.hide()

    def show_objects(self, statements: Sequence[str], *, allowed: bool) -> None:
        """Their SQL; ``allowed``: writing was agreed to already."""
        self.sql.show_text("\n\n".join(statements))
        self.allow.setVisible(not allowed)
        self.setVisible(bool(statements))

    def wipe(self) -> None:
        """Forget the SQL."""
        self.sql.wipe()
        self.hide()

    def retranslate(self) -> None:
        """Say all texts again."""
        words = self._words
        self._title.setText(words.say("Not made by its agent"))
        self._text.setText(
            words.say(
                "These triggers, views or tables would run or change with each write. Nothing is "
                "written until you have read them and agree."
            )
        )
        self.sql.setAccessibleName(words.say("SQL of what is foreign"))
        self.allow.setText(words.say("I have read it: allow writing"))
