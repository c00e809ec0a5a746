# SPDX-License-Identifier: MIT
"""Says that something goes on: a spinner after 250 ms, a bar with Cancel after a second."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from memory_gui.ui.comfort import is_still
from memory_gui.ui.icons import Icon, draw_icon, icon_px
from memory_gui.ui.names import named
from memory_gui.ui.palette import colour
from memory_gui.ui.tokens import ICON_LARGE, SPACE_M, SPACE_S
from memory_gui.ui.widgets.buttons import Button
from memory_gui.ui.widgets.labels import TextLabel

SPINNER_AFTER_MS: Final = 250
BAR_AFTER_MS: Final = 1_000
_STEP_MS: Final = 80


class Spinner(QWidget):
    """Turns while it is shown; stands still where motion is not wanted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._angle = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_STEP_MS)
        self._timer.timeout.connect(self._on_timer_step)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(icon_px(ICON_LARGE), icon_px(ICON_LARGE))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.setFixedSize(self.sizeHint())
        if not is_still():
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _on_timer_step(self) -> None:
        self._angle = (self._angle + 30) % 360
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        size = icon_px(ICON_LARGE)
        half = size / 2
        painter.translate(half, half)
        painter.rotate(self._angle)
        tint = colour(QGuiApplication.palette(), "accent")
        draw_icon(painter, Icon.WAIT, QRectF(-half + 2, -half + 2, size - 4, size - 4), tint)
        painter.end()


class Busy(QWidget):
    """``start`` it with what is being done; it shows itself when that takes long enough."""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spinner = Spinner(self)
        self._label = named(TextLabel(wrap=True), "busy.label")
        self._bar = named(QProgressBar(), "busy.bar")
        self._bar.setTextVisible(False)
        self._cancel = named(Button(), "busy.cancel")
        self._cancel.clicked.connect(self.cancelled)
        self._soon = self._timer(SPINNER_AFTER_MS, self._on_soon)
        self._later = self._timer(BAR_AFTER_MS, self._on_later)
        self._can_cancel = False
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self._spinner)
        row.addWidget(self._label, 1)
        row.addWidget(self._cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        layout.setSpacing(SPACE_S)
        layout.addLayout(row)
        layout.addWidget(self._bar)
        self.hide()

    def start(self, text: str, cancel: str = "") -> None:
        """Something began; ``cancel`` is the button's text, empty where it cannot be stopped."""
        self._can_cancel = bool(cancel)
        self._label.setText(text)
        self._cancel.setText(cancel)
        self._cancel.hide()
        self._bar.hide()
        self._bar.setRange(0, 0)
        self._bar.setAccessibleName(text)
        self._soon.start()
        self._later.start()

    def progress(self, text: str, done: int, total: int) -> None:
        """How far it is; total 0 = unknown."""
        self._label.setText(text)
        self._bar.setRange(0, max(0, total))
        self._bar.setValue(done)

    def stop(self) -> None:
        """It ended."""
        self._soon.stop()
        self._later.stop()
        self.hide()

    def _timer(self, wait: int, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(wait)
        timer.timeout.connect(slot)
        return timer

    def _on_soon(self) -> None:
        self.show()

    def _on_later(self) -> None:
        self._bar.show()
        self._cancel.setVisible(self._can_cancel)
