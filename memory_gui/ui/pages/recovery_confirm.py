# SPDX-License-Identifier: MIT
"""Where a recovery key is entered again, to see that the paper works; nothing typed is kept."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import Button, Caption, Panel, PrimaryButton, SectionLabel, TextLabel
from memory_gui.vault.recovery import read_recovery_text
from memory_gui.words import Words
from memory_gui.words.errors import explain


class ConfirmEntry(Panel):
    """Names a slip without asking anybody, then hands the text on. GUI thread."""

    given = Signal(str)
    given_up = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.setObjectName("recovery.entry")
        self._title = named(SectionLabel(), "recovery.entry.title")
        self._hint = named(Caption(), "recovery.entry.hint")
        self.line = named(QLineEdit(), "recovery.entry.line")
        self.line.setMaxLength(400)
        self.confirm = named(PrimaryButton(), "recovery.entry.confirm")
        self.cancel = named(Button(), "recovery.entry.cancel")
        self.problem = named(TextLabel(tone="warn", selectable=True), "recovery.entry.problem")
        self._lay_out()
        self.confirm.clicked.connect(self._on_confirm_clicked)
        self.line.returnPressed.connect(self._on_confirm_clicked)
        self.cancel.clicked.connect(self.given_up)
        self.retranslate()

    def wipe(self) -> None:
        """Forget what was typed."""
        self.line.clear()
        self.say_problem("")

    def say_problem(self, text: str) -> None:
        """Why it was not taken; empty: no reason to say anything."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def show_error(self, error: UserError | IntegrityError) -> None:
        """The same, by an error."""
        self.say_problem(explain(self._words, error).text)

    def retranslate(self) -> None:
        """Say all texts again."""
        words = self._words
        self._title.setText(words.say("Enter it from the paper"))
        self._hint.setText(
            words.say(
                "14 groups of 5 characters; spaces, dashes and capital letters do not matter."
            )
        )
        self.line.setAccessibleName(self._title.text())
        self.confirm.setText(words.say("Confirm"))
        self.cancel.setText(words.say("Cancel"))

    def _on_confirm_clicked(self) -> None:
        text = self.line.text()
        try:
            read_recovery_text(text)
        except UserError as error:
            self.show_error(error)
            return
        self.say_problem("")
        self.given.emit(text)

    def _lay_out(self) -> None:
        inside = padded(self)
        inside.addWidget(self._title)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.line, 1)
        row.addWidget(self.cancel)
        row.addWidget(self.confirm)
        inside.addLayout(row)
        inside.addWidget(self._hint)
        inside.addWidget(self.problem)
        self.problem.hide()
