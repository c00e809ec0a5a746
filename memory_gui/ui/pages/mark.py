# SPDX-License-Identifier: MIT
"""A small icon at the beginning of a row."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from memory_gui.ui.icons import Icon, draw_icon
from memory_gui.ui.palette import colour
from memory_gui.ui.tokens import ICON


class MarkIcon(QWidget):
    """Drawn in a token's colour; the row's text says the same."""

    def __init__(self, icon: Icon, tone: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon, self._tone = icon, tone
        self.setFixedSize(ICON, ICON)

    def sizeHint(self) -> QSize:
        return QSize(ICON, ICON)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        tint = colour(QGuiApplication.palette(), self._tone)
        draw_icon(painter, self._icon, QRectF(self.rect()), tint)
        painter.end()
