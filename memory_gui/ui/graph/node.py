# SPDX-License-Identifier: MIT
"""One node of a drawn graph."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from memory_gui.ui.palette import tokens_of
from memory_gui.ui.tokens import FOCUS_WIDTH, RADIUS, SPACE_S


class NodeButton(QAbstractButton):
    """A box with a name; a dashed one is named by a relation and not in the store."""

    def __init__(
        self, number: int, text: str, parent: QWidget, *, there: bool, middle: bool
    ) -> None:
        super().__init__(parent)
        self.number = number
        self.there = there
        self.middle = middle
        self.setText(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        tokens = tokens_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        ground = tokens.accent_soft if self.middle else tokens.raised
        if self.underMouse():
            ground = tokens.hover
        pen = QPen(QColor(tokens.focus if self.hasFocus() else tokens.edge))
        pen.setWidth(FOCUS_WIDTH if self.hasFocus() else 1)
        if not self.there and not self.hasFocus():
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(box, RADIUS, RADIUS)
        painter.setPen(QColor(tokens.text if self.there else tokens.muted))
        room = self.rect().adjusted(SPACE_S, 0, -SPACE_S, 0)
        metrics = QFontMetrics(self.font())
        text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
