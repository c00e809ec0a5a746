# SPDX-License-Identifier: MIT
"""Tabs as words with a line below the chosen one: Fusion's are boxes of another time."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QTabBar, QWidget

from memory_gui.ui.fonts import scaled
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.tokens import BODY_PT, FOCUS_WIDTH, RADIUS, SPACE_M, SPACE_S
from memory_gui.ui.widgets.buttons import DISABLED_OPACITY

_LINE: Final = 2


class Tabs(QTabBar):
    """For the keyboard and a screen reader it is what Qt makes of it. GUI thread."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(True)
        self.setMouseTracking(True)
        self.setElideMode(Qt.TextElideMode.ElideNone)

    def tabSizeHint(self, index: int) -> QSize:  # noqa: N802 - Qt's name
        metrics = QFontMetrics(scaled(self.font(), BODY_PT, bold=True))
        width = metrics.horizontalAdvance(self.tabText(index)) + 2 * SPACE_M
        return QSize(width, metrics.height() + 2 * SPACE_S)

    def minimumTabSizeHint(self, index: int) -> QSize:  # noqa: N802 - Qt's name
        return self.tabSizeHint(index)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = tokens_of(QGuiApplication.palette())
        base = QRect(0, self.height() - 1, self.width(), 1)
        painter.fillRect(base, QColor(tokens.line))
        for index in range(self.count()):
            self._paint_tab(painter, index)

    def _paint_tab(self, painter: QPainter, index: int) -> None:
        tokens = tokens_of(QGuiApplication.palette())
        rect, chosen = self.tabRect(index), index == self.currentIndex()
        able = self.isTabEnabled(index)
        painter.setOpacity(1.0 if able else DISABLED_OPACITY)
        if able and not chosen and rect.contains(self.mapFromGlobal(self.cursor().pos())):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.hover))
            painter.drawRoundedRect(rect.adjusted(0, 2, 0, -3), RADIUS, RADIUS)
        painter.setFont(scaled(self.font(), BODY_PT, bold=chosen))
        painter.setPen(QColor(tokens.text if chosen else tokens.muted))
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), self.tabText(index))
        if chosen:
            line = QRect(rect.left(), rect.bottom() - _LINE + 1, rect.width(), _LINE)
            painter.fillRect(line, QColor(tokens.accent))
            if self.hasFocus():
                painter.setPen(QPen(QColor(tokens.focus), FOCUS_WIDTH))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(rect.adjusted(1, 1, -1, -4), RADIUS, RADIUS)
        painter.setOpacity(1.0)
