# SPDX-License-Identifier: MIT
"""Where a person types a recovery key, a raw key or a passphrase; nothing typed is kept."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import (
    CipherSettings,
    Key,
    Passphrase,
    read_raw_key,
    with_settings,
)
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.pages.key_settings import CipherFields
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import (
    Button,
    Caption,
    Choice,
    Panel,
    PrimaryButton,
    SectionLabel,
    TextLabel,
)
from memory_gui.ui.widgets.checkbox import CheckBox
from memory_gui.vault.recovery import read_recovery_text
from memory_gui.words import Words
from memory_gui.words.errors import explain

RECOVERY = "recovery"
RAW_AND_SALT = 96
"""Hex digits of a raw key with the salt behind it."""


class KeyEntry(Panel):
    """Checks what can be checked without the file, then hands the key on. GUI thread."""

    given = Signal(object)
    """A Key."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.setObjectName("key.entry")
        self._salted = False
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
        self.advanced = named(Button(icon=Icon.DOWN), "key.entry.advanced")
        self.settings = CipherFields(words)
        self._lay_out()
        self.open.clicked.connect(self._on_open_clicked)
        self.line.returnPressed.connect(self._on_open_clicked)
        self.kind.currentIndexChanged.connect(self._on_kind_changed)
        self.show_typed.toggled.connect(self._on_show_toggled)
        self.advanced.clicked.connect(self._on_advanced_clicked)
        self.retranslate()

    def expect(self, *, passphrase: bool, salt: bool = False) -> None:
        """What is most likely to be typed; ``salt``: the file does not hold it."""
        self.kind.setCurrentIndex(1 if passphrase else 0)
        self._salted = salt
        self._say_hint()
        self.settings.wipe()
        self.settings.setVisible(salt)

    def wipe(self) -> None:
        """Forget what was typed."""
        self.line.clear()
        self.settings.salt.clear()
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
        self.advanced.setText(words.say("Advanced"))
        self.settings.retranslate()
        self._on_kind_changed()

    def _on_kind_changed(self) -> None:
        self.line.setAccessibleName(self.kind.currentText())
        self._say_hint()

    def _say_hint(self) -> None:
        say = self._words.say
        if self.kind.currentData() != RECOVERY:
            text = say("For databases of other programs, of SQLCipher 1 to 4.")
        elif self._salted:
            text = say("96 hex digits; or 64, with the salt given below.")
        else:
            text = say("14 groups of 5 characters, from paper, or 64 hex digits.")
        self.hint.setText(text)

    def _on_show_toggled(self, shown: bool) -> None:
        modes = QLineEdit.EchoMode
        self.line.setEchoMode(modes.Normal if shown else modes.Password)

    def _on_open_clicked(self) -> None:
        settings = self.settings.settings
        if settings is None:
            self.settings.show()
            self.say_problem(
                self._words.say("Iterations are a number, and a salt has 32 hex digits.")
            )
            return
        try:
            key = self._read(self.line.text(), settings)
        except UserError as error:
            self.say_problem(explain(self._words, error).text)
            return
        self.wipe()
        self.given.emit(key)

    def _read(self, text: str, settings: CipherSettings) -> Key:
        if self.kind.currentData() != RECOVERY:
            return Passphrase(text, settings=settings)
        digits = text.strip()
        if len(digits) == RAW_AND_SALT and not settings.salt:
            key = read_raw_key(digits)
            return with_settings(key, replace(settings, salt=key.settings.salt))
        return with_settings(read_recovery_text(text), settings)

    def _on_advanced_clicked(self) -> None:
        self.settings.setVisible(not self.settings.isVisible())

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
        below.addWidget(self.advanced)
        below.addWidget(self.show_typed)
        inside.addLayout(below)
        inside.addWidget(self.problem)
        inside.addWidget(self.settings)
        self.problem.hide()
        self.settings.hide()
