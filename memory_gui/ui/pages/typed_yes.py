# SPDX-License-Identifier: MIT
"""A question that is answered by typing yes: who can still open the store afterwards."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import protect_words as say
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import Button, Panel, PrimaryButton, SectionLabel, TextLabel
from memory_gui.words import Words


class TypedYes(Panel):
    """Hidden until ``ask``."""

    agreed = Signal(bool)
    """True: encrypt; False: make readable."""
    given_up = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent, tone="warn_soft", outline="warn_soft")
        self._words = words
        self._encrypting = True
        self._kept = True
        self.setObjectName("protect.question")
        self._title = named(SectionLabel(), "protect.question.title")
        self._lines = QVBoxLayout()
        self._prompt = named(TextLabel(wrap=False), "protect.yes.label")
        self.line = named(QLineEdit(), "protect.yes")
        self.line.setMaximumWidth(120)
        self._prompt.setBuddy(self.line)
        self.cancel = named(Button(), "protect.cancel")
        self.act = named(PrimaryButton(icon=Icon.LOCK), "protect.act")
        inside = padded(self)
        inside.addWidget(self._title)
        inside.addLayout(self._lines)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        for widget in (self._prompt, self.line, self.cancel, self.act):
            row.addWidget(widget)
        row.addStretch(1)
        inside.addLayout(row)
        self.line.textChanged.connect(self._on_text_changed)
        self.line.returnPressed.connect(self._on_act_clicked)
        self.act.clicked.connect(self._on_act_clicked)
        self.cancel.clicked.connect(self._on_cancel_clicked)
        self.hide()

    @property
    def says_yes(self) -> bool:
        """Whether yes was typed, in the language of the window or in English."""
        typed = self.line.text().strip().casefold()
        return typed in {self._words.say("yes").casefold(), "yes"}

    def ask(self, *, encrypting: bool, kept: bool = True) -> None:
        """Show the question; ``kept``: the key is in a keychain."""
        self._encrypting, self._kept = encrypting, kept
        self.line.clear()
        self.retranslate()
        self.show()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def wipe(self) -> None:
        """Forget the answer."""
        self.line.clear()
        self.hide()

    def retranslate(self) -> None:
        """Say all texts again."""
        words = self._words
        self._title.setText(
            words.say("Who can open it afterwards")
            if self._encrypting
            else words.say("Who can read it afterwards")
        )
        empty(self._lines)
        lines = say.afterwards(words, encrypting=self._encrypting, kept=self._kept)
        for number, text in enumerate(lines):
            self._lines.addWidget(named(TextLabel(text), f"protect.afterwards{number}"))
        self._prompt.setText(words.say("Type {word} to go on", word=words.say("yes")))
        self.line.setAccessibleName(self._prompt.text())
        self.cancel.setText(words.say("Cancel"))
        self.act.setText(
            words.say("Encrypt this store")
            if self._encrypting
            else words.say("Make this store readable")
        )
        self._on_text_changed()

    def _on_text_changed(self) -> None:
        self.act.setEnabled(self.says_yes)

    def _on_act_clicked(self) -> None:
        if self.says_yes:
            self.agreed.emit(self._encrypting)

    def _on_cancel_clicked(self) -> None:
        self.wipe()
        self.given_up.emit()
