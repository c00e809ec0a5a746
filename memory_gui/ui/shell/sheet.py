# SPDX-License-Identifier: MIT
"""The sheet of all keys, made from the same table as the menu."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.frame import Frame, padded
from memory_gui.ui.pages.page import Page
from memory_gui.ui.shell.actions import ACTS
from memory_gui.ui.shell.keys import shown_keys
from memory_gui.ui.tokens import SPACE_S, SPACE_XS
from memory_gui.ui.views import VIEWS
from memory_gui.ui.widgets import Button, Caption, Panel, SectionLabel, TextLabel
from memory_gui.ui.widgets.flow import Columns
from memory_gui.words import N_

Row = tuple[str, tuple[str, ...]]
"""A text of the source and its keys."""

REVIEW: Final[Sequence[Row]] = (
    (N_("Approve"), ("A",)),
    (N_("Approve despite the warnings"), ("Shift+A",)),
    (N_("Edit, then approve"), ("E",)),
    (N_("Reject"), ("R",)),
    (N_("Skip"), ("S",)),
    (N_("Open a decided one again"), ("O",)),
    (N_("Next"), ("J",)),
    (N_("Previous"), ("K",)),
    (N_("Take the last decision back"), ("Z",)),
)
EDITING: Final[Sequence[Row]] = (
    (N_("Save"), ("Ctrl+S", "Ctrl+Return")),
    (N_("Leave it as it was"), ("Esc",)),
)
LIST: Final[Sequence[Row]] = (
    (N_("Show the record"), ("Return",)),
    (N_("Choose several"), ("Shift+Down", "Ctrl+A")),
)
SECTIONS: Final = (
    (N_("In the list"), LIST),
    (N_("While editing"), EDITING),
    (N_("In Review"), REVIEW),
)
"""Keys that hold in one place only."""

_LETTERS: Final = 42


def everywhere() -> Iterator[Row]:
    """The keys of the menu's acts and of the views."""
    yield from ((act.text, act.keys) for act in ACTS if act.keys)
    yield from ((view.title, (f"Alt+{number}",)) for number, view in enumerate(VIEWS, 1))


class KeyCap(Panel):
    """A key, as it stands on a keyboard."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(tone="raised", outline="edge")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_S, SPACE_XS // 2, SPACE_S, SPACE_XS // 2)
        layout.addWidget(named(Caption(text, tone="text", wrap=False), name))


class ShortcutsPage(Page):
    """All keys, by where they hold."""

    icon_name = Icon.KEYBOARD

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "shortcuts")
        self.frame = Frame("shortcuts", width=0)
        self._grid = named(Columns(self._least()), "shortcuts.sections")
        self._leave = named(Button(), "shortcuts.leave")
        self._leave.clicked.connect(self.closed)
        self._panels: list[QWidget] = []
        self.frame.content.addWidget(self._grid)
        self.frame.content.addStretch(1)
        self.frame.foot.addWidget(self._leave)
        self.frame.foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
        self.retranslate()

    def show_for(self, argument: object) -> None:
        self._leave.setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        say = self.words.say
        self.frame.title.setText(say("Keyboard shortcuts"))
        self._leave.setText(say("Close"))
        for panel in self._panels:
            panel.hide()
            panel.setParent(None)
            panel.deleteLater()
        rows = list(everywhere())
        half = (len(rows) + 1) // 2
        left = self._panel(0, [(say("Everywhere"), rows[:half])])
        right = self._panel(1, [(say("Everywhere"), rows[half:])])
        places = self._panel(2, [(say(title), list(some)) for title, some in SECTIONS])
        self._panels = [left, right, places]
        self._grid.show_cards(self._panels)
        self.frame.show_state(frame.CONTENT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._grid.set_least(self._least())

    def _least(self) -> int:
        return QFontMetrics(self.font()).averageCharWidth() * _LETTERS

    def _panel(self, number: int, groups: list[tuple[str, list[Row]]]) -> Panel:
        panel = named(Panel(), f"shortcuts.panel{number}")
        inside = padded(panel)
        for place, (title, rows) in enumerate(groups):
            if place:
                inside.addSpacing(SPACE_S)
            inside.addWidget(named(SectionLabel(title), f"shortcuts.title{number}.{place}"))
            for line, (text, keys) in enumerate(rows):
                inside.addWidget(self._row(f"shortcuts.{number}.{place}.{line}", text, keys))
        inside.addStretch(1)
        return panel

    def _row(self, name: str, text: str, keys: tuple[str, ...]) -> QWidget:
        say = self.words.say
        said = say(text)
        row = named(QWidget(), name, say("{text}, {keys}", text=said, keys=shown_keys(keys)))
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_XS)
        layout.addWidget(named(TextLabel(said), f"{name}.text"), 1)
        for number, key in enumerate(keys):
            layout.addWidget(KeyCap(shown_keys((key,)), f"{name}.key{number}"))
        return row
