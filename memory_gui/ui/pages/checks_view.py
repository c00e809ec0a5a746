# SPDX-License-Identifier: MIT
"""The health of a store, line by line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services import CheckLine
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import protect_words as say
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.pages.mark import MarkIcon
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import IconButton, Panel, SectionLabel, TextLabel
from memory_gui.words import Words
from memory_gui.words.errors import explain

_ICONS = {"ok": Icon.OK, "warn": Icon.WARN, "muted": Icon.INFO}


class ChecksView(Panel):
    """Worst first. ``again`` asks for a new look."""

    again = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._lines: list[CheckLine] = []
        self.setObjectName("protect.checks")
        self._title = named(SectionLabel(), "protect.checks.title")
        self.look = named(IconButton(Icon.REFRESH), "protect.checks.again")
        self.look.clicked.connect(self.again)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(SPACE_S // 2)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self.look)
        inside = padded(self)
        inside.addLayout(head)
        inside.addLayout(self._rows)

    def show_busy(self) -> None:
        """A look is on its way."""
        self._lines = []
        empty(self._rows)
        self._add("muted", self._words.say("Looking…"), 0)

    def show_lines(self, lines: Sequence[CheckLine]) -> None:
        """What was found."""
        order = {False: 0, None: 1, True: 2}
        self._lines = sorted(lines, key=lambda line: order[line.ok])
        self._fill()

    def show_problem(self, error: UserError | IntegrityError) -> None:
        """It could not be looked at."""
        empty(self._rows)
        self._add("warn", explain(self._words, error).text, 0)

    def wipe(self) -> None:
        """Forget the lines."""
        self._lines = []
        empty(self._rows)

    def retranslate(self) -> None:
        """Say all texts again."""
        self._title.setText(self._words.say("Health"))
        self.look.set_spoken(self._words.say("Check again"))
        if self._lines:
            self._fill()

    def _fill(self) -> None:
        empty(self._rows)
        for number, line in enumerate(self._lines):
            self._add(*say.check(self._words, line), number)

    def _add(self, tone: str, text: str, number: int) -> None:
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(MarkIcon(_ICONS[tone], tone), 0, Qt.AlignmentFlag.AlignTop)
        label = named(TextLabel(selectable=True), f"protect.check{number}")
        label.show_foreign(text)
        row.addWidget(label, 1)
        self._rows.addLayout(row)
