# SPDX-License-Identifier: MIT
"""Home's lines about cases that wait for an answer. Nobody is asked where there never was one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memory_gui.cases.case import DueLine
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services import Services
from memory_gui.ui.cases.list_page import SOON
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.pages.mark import MarkIcon
from memory_gui.ui.tokens import SPACE_S, SPACE_XS
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import Button, Panel, TextLabel
from memory_gui.words import cases as said

_MOST: Final = 5
"""Lines; more are counted."""


def look(services: Services) -> tuple[DueLine, ...]:
    """What is due. Any thread but the window's own."""
    return services.cases.due()


class DuePanel(Panel):
    """Hidden while nothing is due. GUI thread."""

    case_wanted = Signal(int)
    shown_changed = Signal(bool)
    """Whether something is due."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start.due")
        self._words = context.words
        self._services = context.services
        self._bridge = context.bridge
        self._lines: tuple[DueLine, ...] = ()
        self._looking = False
        self._rows = padded(self, SPACE_XS)
        self.hide()

    def look(self) -> None:
        """Ask again, never twice at a time."""
        if not self._looking:
            self._looking = True
            self._bridge.call(look, self._services, done=self._on_due, failed=self._on_failed)

    def clear(self) -> None:
        """Forget the names."""
        self._looking = False
        self._show(())

    def retranslate(self) -> None:
        """Say all texts again."""
        lines, self._lines = self._lines, ()
        self._show(lines)

    def _on_due(self, lines: tuple[DueLine, ...]) -> None:
        if self._looking:
            self._looking = False
            self._show(lines)

    def _on_failed(self, _error: UserError | IntegrityError) -> None:
        """Home tells by itself what is wrong with the app's own file."""
        self._looking = False

    def _show(self, lines: Sequence[DueLine]) -> None:
        if tuple(lines) == self._lines and lines:
            return
        self._lines = tuple(lines)
        empty(self._rows)
        for number, line in enumerate(self._lines[:_MOST]):
            self._add(number, line)
        self.setVisible(bool(self._lines))
        self.shown_changed.emit(bool(self._lines))

    def _add(self, number: int, line: DueLine) -> None:
        words = self._words
        tone = "warn" if line.days_left <= SOON else "accent"
        text = named(TextLabel(), f"start.due{number}")
        text.setText(
            words.say(
                "{name}: {right}, {due}",
                name=one_line(line.title, 60),
                right=said.said(words, said.RIGHTS, line.right),
                due=said.due(words, line.due, line.days_left),
            )
        )
        show = named(Button(words.say("Show")), f"start.due{number}.show")
        show.setAccessibleName(words.say("Show the case of {name}", name=one_line(line.title, 60)))
        show.clicked.connect(partial(self.case_wanted.emit, line.number))
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(MarkIcon(Icon.CLOCK, tone), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(text, 1)
        row.addWidget(show)
        self._rows.addLayout(row)
