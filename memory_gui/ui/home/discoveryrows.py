# SPDX-License-Identifier: MIT
"""The rows of stores that were found, grouped by agent, and the row of a folder."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.ui.home.discoverywords import GroupWords, RowWords
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.tokens import CONTROL_HEIGHT, SPACE_L, SPACE_M, SPACE_S
from memory_gui.ui.visible import plain_button, plain_tip
from memory_gui.ui.widgets import Button, Caption, IconButton, Panel, QuietButton, TextLabel
from memory_gui.ui.widgets.elided import ElidedLabel
from memory_gui.ui.widgets.mark import IconMark
from memory_gui.words import Words

FEW: Final = 6
"""So many of one agent are shown at first."""
MANY: Final = 200
"""So many at most: more of one agent are a matter for the terminal."""


class FoundRow(QWidget):
    """One store: where it is, what it is, and the way in."""

    opened = Signal(str)
    """Its path."""

    def __init__(self, words: Words, shown: RowWords, name: str) -> None:
        super().__init__()
        self.shown = shown
        named(self, name, shown.spoken)
        where = named(ElidedLabel(tone="text"), f"{name}.where")
        where.show_foreign(shown.where)
        tone = "muted" if shown.tone == "text" else shown.tone
        state = named(Caption(tone=tone, wrap=False), f"{name}.state")
        state.show_foreign(shown.state)
        if shown.why:
            state.setToolTip(plain_tip(shown.why))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_M)
        row.addWidget(IconMark(shown.icon, shown.tone))
        told = QVBoxLayout()  # beside each other they have no room with large letters
        told.setSpacing(0)
        told.addWidget(where)
        told.addWidget(state)
        row.addLayout(told, 1)
        if shown.act:
            button = named(Button(plain_button(shown.act)), f"{name}.open")
            button.setAccessibleName(words.say("{act}: {name}", act=shown.act, name=shown.where))
            button.clicked.connect(lambda: self.opened.emit(self.shown.path))
            row.addWidget(button)
        self.setMinimumHeight(CONTROL_HEIGHT)


class AgentGroup(Panel):
    """What was found of one agent."""

    opened = Signal(str)

    def __init__(self, words: Words, shown: GroupWords, name: str) -> None:
        super().__init__()
        self._words = words
        self._shown = shown
        named(self, name)
        self.setAccessibleName(shown.agent)
        head = QHBoxLayout()
        head.setSpacing(SPACE_S)
        title = named(TextLabel(wrap=False), f"{name}.agent")
        title.show_foreign(shown.agent)
        head.addWidget(title)
        count = named(Caption(shown.count, wrap=False), f"{name}.count")
        head.addWidget(count)
        head.addStretch(1)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(SPACE_S)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        layout.setSpacing(SPACE_S)
        layout.addLayout(head)
        layout.addLayout(self._rows)
        for number, row in enumerate(shown.rows[:FEW]):
            self._add(number, row)
        more = len(shown.rows) - FEW
        if more > 0:
            self._more = named(QuietButton("", Icon.DOWN), f"{name}.more")
            self._more.setText(words.many("Show {n} more", "Show {n} more", more))
            self._more.clicked.connect(self._on_more_clicked)
            layout.addWidget(self._more)

    def _add(self, number: int, shown: RowWords) -> None:
        row = FoundRow(self._words, shown, f"{self.objectName()}.row{number}")
        row.opened.connect(self.opened)
        self._rows.addWidget(row)

    def _on_more_clicked(self) -> None:
        for number, row in enumerate(self._shown.rows[FEW:MANY], FEW):
            self._add(number, row)
        left = len(self._shown.rows) - MANY
        if left > 0:
            words = self._words
            rest = Caption(words.many("{n} more are not shown.", "{n} more are not shown.", left))
            self._rows.addWidget(named(rest, f"{self.objectName()}.rest"))
        self._more.hide()


class RootRow(QWidget):
    """A folder that a person named, and the way to take it off."""

    removed = Signal(str)

    def __init__(self, words: Words, root: str, shown: str, name: str) -> None:
        super().__init__()
        self._root = root
        named(self, name, words.say("{folder} and what is below", folder=shown))
        where = named(ElidedLabel(tone="text"), f"{name}.where")
        where.show_foreign(shown)
        off = named(IconButton(Icon.CLOSE), f"{name}.remove")
        off.set_spoken(words.say("Look no more below {folder}", folder=shown))
        off.clicked.connect(lambda: self.removed.emit(self._root))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_M)
        row.addWidget(IconMark(Icon.FOLDER, "muted"))
        row.addWidget(where, 1)
        row.addWidget(off)
