# SPDX-License-Identifier: MIT
"""What a page shows when there is nothing to show: why, and the one thing to do next."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.tokens import ICON_HUGE, SPACE_L, SPACE_S, SPACE_XL
from memory_gui.ui.widgets.buttons import Button
from memory_gui.ui.widgets.labels import TextLabel, TitleLabel
from memory_gui.ui.widgets.mark import IconMark

_TEXT_WIDTH = 360
_LEAST_WIDTH = 120


class Picture(IconMark):
    """A large icon."""

    def __init__(self, icon: Icon, tone: str = "muted", parent: QWidget | None = None) -> None:
        super().__init__(icon, tone, parent, size=ICON_HUGE)

    def set_icon(self, icon: Icon, tone: str = "muted") -> None:
        """Another one."""
        super().set_icon(icon, tone)


class EmptyState(QWidget):
    """An icon, a heading, a sentence, at most one button; in the middle of its place."""

    acted = Signal()

    def __init__(self, icon: Icon, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = Picture(icon)
        self._title = named(TitleLabel(), "empty.title")
        self._text = named(TextLabel(tone="muted"), "empty.text")
        self._button = named(Button(), "empty.act")
        self._button.clicked.connect(self.acted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        layout.setSpacing(SPACE_S)
        layout.addStretch(2)
        middle = Qt.AlignmentFlag.AlignHCenter
        layout.addWidget(self._picture, 0, middle)
        layout.addSpacing(SPACE_S)
        for label in (self._title, self._text):
            label.setAlignment(middle)
            layout.addWidget(label, 0, middle)
        layout.addSpacing(SPACE_L)
        layout.addWidget(self._button, 0, middle)
        layout.addStretch(3)

    def say(self, title: str, text: str = "", act: str = "", icon: Icon | None = None) -> None:
        """Its words; without ``act`` there is no button."""
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._button.setText(act)
        self._button.setVisible(bool(act))
        if icon is not None:
            self._picture.set_icon(icon)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        # Its labels have the width that they were given last: it may become narrower than that.
        return QSize(_LEAST_WIDTH + 2 * SPACE_XL, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """A layout gives a wrapped, centred label too little height: its size is set here."""
        width = max(_LEAST_WIDTH, min(_TEXT_WIDTH, self.width() - 2 * SPACE_XL))
        for label in (self._title, self._text):
            label.setFixedWidth(width)  # first: a label reckons with the width it is fixed at
            label.setFixedHeight(max(0, label.heightForWidth(width)))
