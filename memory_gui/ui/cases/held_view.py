# SPDX-License-Identifier: MIT
"""What still has to stay for a case that is closed, and how that ends."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.services.cases.book.holds import HoldLine
from memory_gui.ui.cases.words import hold_line
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.tokens import SPACE_M
from memory_gui.ui.widgets import Button, Panel, SectionLabel, TextLabel
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import Words


class HeldView(QWidget):
    """Hidden where nothing has to stay. Lifting asks once more. GUI thread."""

    lift_wanted = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._holds: tuple[HoldLine, ...] = ()
        self._title = named(SectionLabel(), "case.stays.title")
        panel = named(Panel(), "case.stays")
        inside = padded(panel, SPACE_M)
        lines = QWidget()
        self._lines = QVBoxLayout(lines)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._sure = named(TextLabel(tone="warn"), "case.stays.sure")
        self.lift = named(Button(icon=Icon.UNDO), "case.stays.lift")
        self.yes = named(Button(icon=Icon.CHECK), "case.stays.yes")
        self.no = named(Button(), "case.stays.no")
        ways = QWidget()
        flow = FlowLayout(ways)
        for button in (self.lift, self.yes, self.no):
            flow.addWidget(button)
        for widget in (lines, self._sure, ways):
            inside.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_M)
        layout.addWidget(self._title)
        layout.addWidget(panel)
        self.lift.clicked.connect(self._on_lift)
        self.no.clicked.connect(self._on_no)
        self.yes.clicked.connect(self.lift_wanted)
        self._ask(asked=False)
        self.hide()

    def show_holds(self, holds: Sequence[HoldLine]) -> None:
        """Show what stays."""
        self._holds = tuple(holds)
        self._ask(asked=False)
        empty(self._lines)
        for number, one in enumerate(self._holds):
            label = named(TextLabel(), f"case.stays{number}")
            label.setText(hold_line(self._words, one))
            self._lines.addWidget(label)
        self.setVisible(bool(self._holds))

    def wipe(self) -> None:
        """Forget it."""
        self.show_holds(())

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._title.setText(say("What still has to stay"))
        self._sure.setText(
            say(
                "From then on these records can be erased and deleted, and the agents see again "
                "what was restricted."
            )
        )
        self.lift.setText(say("Lift…"))
        self.yes.setText(say("Lift all of it"))
        self.no.setText(say("Cancel"))
        self.show_holds(self._holds)

    def _ask(self, *, asked: bool) -> None:
        self._sure.setVisible(asked)
        self.yes.setVisible(asked)
        self.no.setVisible(asked)
        self.lift.setVisible(not asked)

    def _on_lift(self) -> None:
        self._ask(asked=True)
        self.no.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_no(self) -> None:
        self._ask(asked=False)
        self.lift.setFocus(Qt.FocusReason.OtherFocusReason)
