# SPDX-License-Identifier: MIT
"""Fields of one line that only some kinds of record have: a person, a session, a relation's end."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from memory_gui.domain.kinds import Kind
from memory_gui.ui.names import named
from memory_gui.ui.phrases import TYPES
from memory_gui.ui.records.editing.draft import More, shape
from memory_gui.ui.tokens import SPACE_XS
from memory_gui.ui.widgets import TextLabel
from memory_gui.words import N_, Words, formats

_USUAL = {
    "title": N_("Title"),
    "text": N_("Text"),
    "tags": N_("Tags"),
    "scope": N_("Applies to"),
    "type": N_("Type"),
    "subject": N_("About"),
    "source": N_("From"),
}


def label(words: Words, kind: Kind, name: str) -> str:
    """What a kind calls one of its fields."""
    if name in kind.labels:
        return formats.field(words, kind.labels[name])
    return words.say(_USUAL[name]) if name in _USUAL else formats.field(words, name)


def in_order(types: Sequence[str]) -> list[str]:
    """Types in the order of the window's own words for them; others behind."""
    return [*(one for one in TYPES if one in types), *(one for one in types if one not in TYPES)]


class MoreFields(QWidget):
    """A line for each field of a kind that the form has no place of its own for. GUI thread."""

    changed = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._kind = Kind("")
        self._fields: dict[str, QLineEdit] = {}
        self._labels: dict[str, TextLabel] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACE_XS)
        self.hide()

    @property
    def first(self) -> QLineEdit | None:
        """The first field that is shown."""
        return next((self._fields[name] for name in shape(self._kind)[1]), None)

    def suit(self, kind: Kind) -> None:
        """Offer the fields of a kind."""
        self._kind = kind
        wanted = shape(kind)[1]
        for name in wanted:
            if name not in self._fields:
                self._add(name)
        for name, field in self._fields.items():
            field.setVisible(name in wanted)
            self._labels[name].setVisible(name in wanted)
        self.setVisible(bool(wanted))
        self.retranslate()

    def begin(self, more: More) -> None:
        """Show values; nothing that was typed before can be taken back."""
        for name, value in more:
            if name in self._fields:
                self._fields[name].setText(value)

    def values(self) -> More:
        """What stands in the fields now."""
        return tuple((name, self._fields[name].text()) for name in shape(self._kind)[1])

    def clear(self) -> None:
        """Forget every text."""
        for field in self._fields.values():
            field.setText("")

    def retranslate(self) -> None:
        """Say all texts again; what was typed stays."""
        for name, one in self._labels.items():
            text = label(self._words, self._kind, name)
            one.setText(text)
            self._fields[name].setAccessibleName(text)
            may = name in self._kind.optional
            self._fields[name].setPlaceholderText(self._words.say("may stay empty") if may else "")

    def _add(self, name: str) -> None:
        field, one = named(QLineEdit(), f"editor.{name}"), TextLabel(wrap=False)
        one.setBuddy(field)
        field.textChanged.connect(self.changed)
        if self._fields:
            self._column.addSpacing(SPACE_XS)
        self._column.addWidget(one)
        self._column.addWidget(field)
        self._fields[name], self._labels[name] = field, one
