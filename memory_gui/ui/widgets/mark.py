# SPDX-License-Identifier: MIT
"""An icon of its own, as large as the letters beside it want."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from memory_gui.ui.icons import Icon, draw_icon, icon_px
from memory_gui.ui.palette import colour
from memory_gui.ui.tokens import ICON


class IconMark(QWidget):
    """Drawn in a token's colour; the text beside it says the same. GUI thread."""

    def __init__(
        self, icon: Icon, tone: str, parent: QWidget | None = None, *, size: int = ICON
    ) -> None:
        super().__init__(parent)
        self._icon, self._tone, self._size = icon, tone, size
        self.letters_changed()

    def set_icon(self, icon: Icon, tone: str) -> None:
        """Another one."""
        self._icon, self._tone = icon, tone
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(icon_px(self._size), icon_px(self._size))

    def letters_changed(self) -> None:
        """The application's font is another one."""
        self.setFixedSize(self.sizeHint())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        tint = colour(QGuiApplication.palette(), self._tone)
        draw_icon(painter, self._icon, QRectF(self.rect()), tint)
        painter.end()
