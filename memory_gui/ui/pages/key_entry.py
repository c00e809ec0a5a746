# SPDX-License-Identifier: MIT
"""Where a person types a recovery key, a raw key or a passphrase; nothing typed is kept."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, Passphrase
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import Caption, Choice, Panel, PrimaryButton, SectionLabel, TextLabel
from memory_gui.ui.widgets.checkbox import CheckBox
from memory_gui.vault.recovery import read_recovery_text
from memory_gui.words import Words
from memory_gui.words.errors import explain

RECOVERY = "recovery"


class KeyEntry(Panel):
    """Checks what can be checked without the file, then hands the key on. GUI thread."""

    given = Signal(object)
    """A Key."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.setObjectName("key.entry")
        self._title = named(SectionLabel(), "key.entry.title")
        self.kind = named(Choice(), "key.entry.kind")
        self.kind.addItem("", RECOVERY)
        self.kind.addItem("", "words")
        self.line = named(QLineEdit(), "key.entry.line")
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.line.setMaxLength(4_096)
        self.show_typed = named(CheckBox(), "key.entry.show")
        self.open = named(PrimaryButton(icon=Icon.READABLE), "key.entry.open")
        self.hint = named(Caption(), "key.entry.hint")
        self.problem = named(TextLabel(tone="warn", selectable=True), "key.entry.problem")
        self._lay_out()
        self.open.clicked.connect(self._on_open_clicked)
        self.line.returnPressed.connect(self._on_open_clicked)
        self.kind.currentIndexChanged.connect(self._on_kind_changed)
        self.show_typed.toggled.connect(self._on_show_toggled)
        self.retranslate()

    def expect(self, *, passphrase: bool) -> None:
        """What is most likely to be typed."""
        self.kind.setCurrentIndex(1 if passphrase else 0)

    def wipe(self) -> None:
        """Forget what was typed."""
        self.line.clear()
        self.show_typed.setChecked(False)
        self.say_problem("")

    def say_problem(self, text: str) -> None:
        """Why the last one did not do; empty: no reason to say anything."""
        self.problem.show_foreign(text)
        self.problem.setVisible(bool(text))

    def retranslate(self) -> None:
        """Say all texts again."""
        words = self._words
        self._title.setText(words.say("Open it with"))
        self.kind.setItemText(0, words.say("Recovery key or raw key"))
        self.kind.setItemText(1, words.say("Passphrase"))
        self.kind.setAccessibleName(self._title.text())
        self.show_typed.setText(words.say("Show what is typed"))
        self.open.setText(words.say("Open"))
        self._on_kind_changed()

    def _on_kind_changed(self) -> None:
        words = self._words
        recovery = self.kind.currentData() == RECOVERY
        self.line.setAccessibleName(self.kind.currentText())
        self.hint.setText(
            words.say("14 groups of 5 characters, from paper, or 64 hex digits.")
            if recovery
            else words.say("For databases of other programs: SQLCipher 4, then 3 is tried.")
        )

    def _on_show_toggled(self, shown: bool) -> None:
        modes = QLineEdit.EchoMode
        self.line.setEchoMode(modes.Normal if shown else modes.Password)

    def _on_open_clicked(self) -> None:
        try:
            key: Key = (
                read_recovery_text(self.line.text())
                if self.kind.currentData() == RECOVERY
                else Passphrase(self.line.text())
            )
        except UserError as error:
            self.say_problem(explain(self._words, error).text)
            return
        self.wipe()
        self.given.emit(key)

    def _lay_out(self) -> None:
        inside = padded(self)
        inside.addWidget(self._title)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.kind)
        row.addWidget(self.line, 1)
        row.addWidget(self.open)
        inside.addLayout(row)
        below = QHBoxLayout()
        below.addWidget(self.hint, 1)
        below.addWidget(self.show_typed)
        inside.addLayout(below)
        inside.addWidget(self.problem)
        self.problem.hide()
