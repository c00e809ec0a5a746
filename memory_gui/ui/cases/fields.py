# SPDX-License-Identifier: MIT
"""Fields of the forms of a case: a day, a few lines of text, a choice of codes with their words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QPlainTextEdit, QWidget

from memory_gui.ui.names import named
from memory_gui.ui.tokens import SPACE_M
from memory_gui.ui.widgets import Choice, TextLabel

_LINE_AIR: Final = 14


class DayField(QLineEdit):
    """A day as 2026-11-30: the same in every language, and typed without a calendar."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaxLength(10)
        self.setMaximumWidth(140)
        self.setPlaceholderText("2026-11-30")
        self.textChanged.connect(self.changed)

    @property
    def day(self) -> date | None:
        """What stands there; None where it is empty or no day."""
        try:
            return date.fromisoformat(self.text().strip())
        except ValueError:
            return None

    @property
    def is_wrong(self) -> bool:
        """Whether something stands there that is no day."""
        return bool(self.text().strip()) and self.day is None

    def set_day(self, day: date | None) -> None:
        """Show a day, or none."""
        self.setText("" if day is None else day.isoformat())


class Lines(QPlainTextEdit):
    """A few lines that a person types; Tab leaves it."""

    def __init__(self, lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self._lines = lines
        self._size()

    @property
    def given(self) -> tuple[str, ...]:
        """What stands there, one text a line."""
        return tuple(line.strip() for line in self.toPlainText().splitlines() if line.strip())

    def letters_changed(self) -> None:
        """As high as its lines."""
        self._size()

    def _size(self) -> None:
        self.setFixedHeight(self._lines * self.fontMetrics().lineSpacing() + _LINE_AIR + 8)


def text_in(field: QLineEdit | QPlainTextEdit) -> str:
    """What stands in a field of one line or of several."""
    return field.text() if isinstance(field, QLineEdit) else field.toPlainText()


def put_text(field: QLineEdit | QPlainTextEdit, text: str) -> None:
    """Have it stand there."""
    if isinstance(field, QLineEdit):
        field.setText(text)
    else:
        field.setPlainText(text)


class Codes(Choice):
    """A choice of codes; the first one may stand for none."""

    def fill(self, items: Iterable[tuple[str, str]]) -> None:
        """Show (code, its words); the one that was chosen stays where it is still there."""
        before = self.currentData()
        self.blockSignals(True)
        self.clear()
        for code, text in items:
            self.addItem(text, code)
        self.setCurrentIndex(max(0, self.findData(before)))
        self.blockSignals(False)

    @property
    def code(self) -> str:
        """What is chosen."""
        return str(self.currentData() or "")

    def choose(self, code: str) -> None:
        """Choose one."""
        self.setCurrentIndex(max(0, self.findData(code)))


class Form(QFormLayout):
    """Labels with the fields that they name; the words are said by ``say_labels``."""

    def __init__(self) -> None:
        super().__init__()
        self.setHorizontalSpacing(SPACE_M)
        self.setVerticalSpacing(SPACE_M)
        self.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._labels: dict[str, tuple[TextLabel, QWidget]] = {}

    def row(self, name: str, field: QWidget) -> None:
        """Add a field under an object name."""
        named(field, name)
        label = named(TextLabel(wrap=False), f"{name}.label")
        label.setBuddy(field)
        self.addRow(label, field)
        self._labels[name] = (label, field)

    def say_label(self, name: str, text: str) -> None:
        """Name a field."""
        label, field = self._labels[name]
        label.setText(text)
        field.setAccessibleName(text)

    def begin_with(self, *others: Form) -> None:
        """Have the fields of several forms begin below each other."""
        labels = [label for form in (self, *others) for label, _ in form._labels.values()]
        width = max((label.sizeHint().width() for label in labels), default=0)
        for label in labels:
            label.setMinimumWidth(width)

    def show_row(self, name: str, *, shown: bool) -> None:
        """Show or hide a field with its label."""
        for widget in self._labels[name]:
            widget.setVisible(shown)
