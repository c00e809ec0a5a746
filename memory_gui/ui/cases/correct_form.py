# SPDX-License-Identifier: MIT
"""Another text for a record of a person's: the old one is erased for good (Art. 16)."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from memory_gui.cases.finds import CaseFind
from memory_gui.domain.records import Record
from memory_gui.services.locking.drafts import CORRECTED, Fields
from memory_gui.ui.cases.fields import Form, Lines
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.widgets import Button, DangerButton, Panel, TextLabel
from memory_gui.words import Words

_CORRECT: Final = "correct."


class CorrectForm(Panel):
    """Asked for below the list; hidden until it is wanted. GUI thread."""

    given = Signal(object, object)
    """The CaseFind, its new fields: only those that are others now."""
    left = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("case.correct_form")
        self._words = words
        self._find: CaseFind | None = None
        self._before: dict[str, str] = {}
        self._lead = named(TextLabel(), "case.correct.lead")
        self.title, self.text = QLineEdit(), Lines(6)
        self._form = Form()
        self._form.row("case.correct.title", self.title)
        self._form.row("case.correct.text", self.text)
        self.correct = named(DangerButton(), "case.correct.give")
        self.cancel = named(Button(), "case.correct.cancel")
        inside = padded(self, SPACE_M)
        inside.addWidget(self._lead)
        inside.addLayout(self._form)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.correct)
        row.addWidget(self.cancel)
        row.addStretch(1)
        inside.addLayout(row)
        self.title.textChanged.connect(self._check)
        self.text.textChanged.connect(self._check)
        self.correct.clicked.connect(self._on_correct)
        self.cancel.clicked.connect(self._on_cancel)
        self.hide()

    def ask(self, find: CaseFind, record: Record) -> None:
        """Ask for another text of a record, which is shown as it is now."""
        self._find = find
        self.title.setText(record.title)
        self.text.setPlainText(record.text)
        # As the fields give it: they know one end of a line only.
        self._before = {"title": self.title.text(), "text": self.text.toPlainText()}
        self._form.show_row("case.correct.title", shown=bool(record.title))
        self._check()
        self.show()
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def typed(self) -> dict[str, str]:
        """What a lock would take: texts that are not the record's."""
        if self._find is None or not self._new:
            return {}
        return {f"{_CORRECT}title": self.title.text(), CORRECTED: self.text.toPlainText()}

    def take_up(self, fields: Fields) -> None:
        """Go on with it; the record is shown."""
        if (title := fields.get(f"{_CORRECT}title")) is not None:
            self.title.setText(str(title))
        if (text := fields.get(CORRECTED)) is not None:
            self.text.setPlainText(str(text))

    def wipe(self) -> None:
        """Forget the record and what was typed."""
        self.hide()
        self._find = None
        self._before = {}
        self.title.clear()
        self.text.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._lead.setText(
            say(
                "Write what is right. The text that stands there now is erased for good, in every "
                "copy of it, and that is proved. This cannot be undone."
            )
        )
        self._form.say_label("case.correct.title", say("Title"))
        self._form.say_label("case.correct.text", say("Text"))
        self.correct.setText(say("Correct, and erase the old text"))
        self.cancel.setText(say("Cancel"))

    @property
    def _new(self) -> dict[str, str]:
        typed = {"title": self.title.text(), "text": self.text.toPlainText()}
        return {name: text for name, text in typed.items() if text != self._before.get(name)}

    def _check(self) -> None:
        self.correct.setEnabled(bool(self._find and self._new and self.text.toPlainText().strip()))

    def _on_correct(self) -> None:
        find, new = self._find, self._new
        self.wipe()
        self.given.emit(find, new)

    def _on_cancel(self) -> None:
        self.wipe()
        self.left.emit()
