# SPDX-License-Identifier: MIT
"""Says in the last seconds that the window is about to lock. It takes no focus and no click."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XL
from memory_gui.ui.widgets import Panel, TextLabel
from memory_gui.ui.widgets.mark import IconMark
from memory_gui.words import Words


class Countdown(Panel):
    """Floats above the lower edge of a window."""

    def __init__(self, words: Words, window: QWidget) -> None:
        super().__init__(window, tone="warn_soft", outline="warn")
        named(self, "countdown")
        self._words = words
        self.text = named(TextLabel(wrap=False), "countdown.text")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        layout.setSpacing(SPACE_S)
        layout.addWidget(IconMark(Icon.LOCK, "warn"))
        layout.addWidget(self.text)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        window.installEventFilter(self)
        self.hide()

    def show_seconds(self, seconds: int) -> None:
        """So many are left."""
        first = self.isHidden()
        self.text.setText(
            self._words.many(
                "This window locks in {n} second. Any key or movement stops that.",
                "This window locks in {n} seconds. Any key or movement stops that.",
                seconds,
            )
        )
        self._place()
        self.show()
        self.raise_()
        if first:  # read out once, not each second
            alert = QAccessibleEvent(self.text, QAccessible.Event.Alert)
            QAccessible.updateAccessibility(alert)

    def end(self) -> None:
        """Somebody is there, or it is locked."""
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False

    def _place(self) -> None:
        self.adjustSize()
        window = self.parentWidget()
        if window is not None:
            left = (window.width() - self.width()) // 2
            self.move(left, window.height() - self.height() - SPACE_XL)
