# SPDX-License-Identifier: MIT
"""What a field was given and nobody changed comes out as it went in, to its last character.

A field may show it otherwise (line ends, a comma inside of a tag), or only the beginning of what
is too long to be typed in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

LONGEST_LINE: Final = 2_000
"""Characters in a field of one line: Qt lays it out whole with every letter."""
LONGEST_TEXT: Final = 20_000
Value = TypeVar("Value", str, tuple[str, ...])


@dataclass(slots=True)
class AsGiven(Generic[Value]):
    """One field. ``cut``: only the beginning is shown, so nothing may be typed in. GUI thread."""

    widget: QLineEdit | QPlainTextEdit
    given: Value = field(repr=False)
    shown: str | None = field(repr=False, default="")
    cut: bool = False

    def give(self, value: Value, text: str) -> None:
        """Show a value, of which ``text`` is what a person reads."""
        longest = LONGEST_LINE if isinstance(self.widget, QLineEdit) else LONGEST_TEXT
        self.given, self.cut = value, len(text) > longest
        if self.text != text[:longest]:
            if isinstance(self.widget, QLineEdit):
                self.widget.setText(text[:longest])
            else:
                self.widget.setPlainText(text[:longest])
        self.widget.setReadOnly(self.cut)
        self.shown = self.text

    @property
    def untouched(self) -> bool:
        """Whether what was given is still what is meant."""
        return self.text == self.shown

    @property
    def text(self) -> str:
        """What stands in the widget; a blank that keeps words together stays one."""
        if isinstance(self.widget, QLineEdit):
            return self.widget.text()
        return self.widget.document().toRawText().replace("\u2029", "\n")

    def write_anew(self) -> None:
        """Empty, to be typed in; Ctrl+Z gives nothing back of what is too long."""
        self.shown, self.cut = None, False
        self.widget.setReadOnly(False)
        self.widget.clear()
