# SPDX-License-Identifier: MIT
"""A combo box whose arrow can be seen: a style sheet takes Fusion’s away, and tints no other."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox, QWidget

from memory_gui.ui.icons import Icon, draw_icon
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.tokens import CONTROL_HEIGHT, FOCUS_WIDTH, ICON, RADIUS, SPACE_M, SPACE_S
from memory_gui.ui.widgets.buttons import DISABLED_OPACITY


class Choice(QComboBox):
    """One of several values."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        texts = [self.itemText(row) for row in range(self.count())] or [""]
        width = max(metrics.horizontalAdvance(text) for text in texts)
        height = max(CONTROL_HEIGHT, metrics.height() + 2 * SPACE_S - 2)
        return QSize(width + 2 * SPACE_M + ICON + SPACE_S, height)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(96, self.sizeHint().width()), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = tokens_of(QGuiApplication.palette())
        if not self.isEnabled():
            painter.setOpacity(DISABLED_OPACITY)
        rect = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        pointed = self.underMouse() and self.isEnabled()
        painter.setPen(QPen(QColor(tokens.edge), 1))
        painter.setBrush(QColor(tokens.hover if pointed else tokens.control))
        painter.drawRoundedRect(rect, RADIUS, RADIUS)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(tokens.focus), FOCUS_WIDTH))
            painter.drawRoundedRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5), RADIUS, RADIUS)
        arrow = QRectF(rect.right() - SPACE_S - ICON, (self.height() - ICON) / 2, ICON, ICON)
        draw_icon(painter, Icon.DOWN, arrow, QColor(tokens.muted))
        area = rect.adjusted(SPACE_M - 2, 0, -(ICON + SPACE_M), 0)
        painter.setPen(QColor(tokens.text))
        shown = QFontMetrics(self.font()).elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, int(area.width())
        )
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(area, int(flags), shown)
        painter.end()
