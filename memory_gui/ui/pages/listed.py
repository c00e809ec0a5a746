# SPDX-License-Identifier: MIT
"""A panel with a name and some lines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import (
    Caption,
    Panel,
    SectionLabel,
    TextLabel,
)


class Listed(Panel):
    """A named list of lines, hidden while it has none."""

    def __init__(self, name: str, *, tone: str = "surface", parent: QWidget | None = None) -> None:
        super().__init__(parent, tone=tone, outline="line" if tone == "surface" else tone)
        self.setObjectName(name)
        self._name = name
        self._title = named(SectionLabel(), f"{name}.title")
        self._rows = QVBoxLayout()
        self._rows.setSpacing(SPACE_S // 2)
        inside = padded(self)
        inside.addWidget(self._title)
        inside.addLayout(self._rows)
        self.hide()

    def show_lines(self, title: str, lines: Sequence[str], more: str = "") -> None:
        """Replace all lines; ``more`` is a remark at their end."""
        empty(self._rows)
        self._title.setText(title)
        for number, line in enumerate(lines):
            label = named(TextLabel(selectable=True), f"{self._name}.line{number}")
            label.show_foreign(line)
            self._rows.addWidget(label)
        if more:
            self._rows.addWidget(named(Caption(more), f"{self._name}.more"))
        self.setVisible(bool(lines or more))

    def wipe(self) -> None:
        """Forget the lines."""
        empty(self._rows)
        self._title.clear()
        self.hide()
