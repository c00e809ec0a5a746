# SPDX-License-Identifier: MIT
"""One line across a page that says what happened and offers what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLayout, QVBoxLayout, QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.widgets.buttons import Button, IconButton
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.ui.widgets.labels import Panel, TextLabel
from memory_gui.ui.widgets.mark import IconMark

_ICONS: Final = {"info": Icon.INFO, "ok": Icon.OK, "warn": Icon.WARN, "danger": Icon.DANGER}
_SOFT: Final = {
    "info": "accent_soft",
    "ok": "ok_soft",
    "warn": "warn_soft",
    "danger": "danger_soft",
}
_PASSING: Final = ("info", "ok")
_LOUD: Final = {"info": "accent", "ok": "ok", "warn": "warn", "danger": "danger"}


class Banner(Panel):
    """Hidden until ``tell`` is called. ``danger`` is what erasing brings; errors are ``warn``."""

    dismissed = Signal()

    def __init__(
        self, parent: QWidget | None = None, *, dismissible: bool = True, below: int = 0
    ) -> None:
        """``below``: empty pixels under it, which go away with it."""
        super().__init__(parent, tone="accent_soft", outline="accent_soft")
        self._gap = below
        self._pages_turned = 0
        self._again: Callable[[], object] | None = None
        self._mark = IconMark(Icon.INFO, "accent", self)
        self._kind = "info"
        self._text = named(TextLabel(selectable=True), "banner.text")
        self._beside = QHBoxLayout()
        self._beside.setSpacing(SPACE_S)
        self._below = FlowLayout()
        self._close = named(IconButton(Icon.CLOSE), "banner.close")
        self._close.clicked.connect(self.dismiss)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, SPACE_S + below)
        layout.setSpacing(SPACE_S)
        mark = QVBoxLayout()
        mark.addSpacing(SPACE_S)
        mark.addWidget(self._mark)
        mark.addStretch(1)
        layout.addLayout(mark)
        middle = QVBoxLayout()
        middle.setSpacing(SPACE_S)
        middle.addStretch(1)
        middle.addWidget(self._text)
        middle.addLayout(self._below)
        middle.addStretch(1)
        layout.addLayout(middle, 1)
        layout.addLayout(self._beside)
        layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self._close.setVisible(dismissible)  # not before it has a parent: it would be a window
        self.hide()

    @property
    def text(self) -> str:
        """What it says now."""
        return self._text.text()

    def set_close_name(self, spoken: str) -> None:
        """What the closing cross is called."""
        self._close.set_spoken(spoken)

    def turn_page(self) -> None:
        """Another page is shown. What was only told goes at the second one; warnings stay.

        Not at the first: a page that has done its work tells of it and leaves.
        """
        self._pages_turned += 1
        if self._pages_turned > 1:
            self.dismiss_passing()

    def dismiss_passing(self) -> None:
        """Hide what was only told; a warning stays."""
        if self._kind in _PASSING:
            self.dismiss()

    def tell(self, tone: str, text: str, *actions: tuple[str, Callable[[], object]]) -> None:
        """Show a sentence in a tone (``info``, ``ok``, ``warn``, ``danger``) with buttons.

        One button stands beside the sentence, several below it.
        """
        self.set_tone(_SOFT[tone], _SOFT[tone])
        self._kind = tone
        self._pages_turned = 0
        self._again = None
        self._text.show_foreign(text)  # a path may carry hidden characters
        self._clear_actions()
        for number, (label, act) in enumerate(actions):
            button = named(Button(label), f"banner.action{number}")
            button.clicked.connect(lambda _checked=False, act=act: act())
            (self._beside if len(actions) == 1 else self._below).addWidget(button)
        self.show()
        self._mark.set_icon(_ICONS[tone], _LOUD[tone])
        # Told to screen readers too: a banner takes no focus.
        # By their module: they are seldom wanted, and take as long to load as a page's widgets.
        alert = QtGui.QAccessibleEvent(self._text, QtGui.QAccessible.Event.Alert)
        QtGui.QAccessible.updateAccessibility(alert)

    def tell_anew(self, say: Callable[[], object]) -> None:
        """Tell by ``say``, which calls ``tell``; it is called again in another language."""
        say()
        self._again = say

    def say_again(self) -> bool:
        """Another language: tell anew what is still shown, if it is known how."""
        if self._again is not None:
            self.tell_anew(self._again)
        return self._again is not None

    def dismiss(self) -> None:
        """Hide it and forget its text."""
        self._again = None
        self._text.clear()
        self._clear_actions()
        self.hide()
        self.dismissed.emit()

    def _clear_actions(self) -> None:
        rows: tuple[QLayout, ...] = (self._beside, self._below)
        for row in rows:
            while (item := row.takeAt(0)) is not None:
                widget = item.widget()
                if widget is not None:
                    widget.hide()
                    widget.deleteLater()
