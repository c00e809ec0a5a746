# SPDX-License-Identifier: MIT
"""A check box that can be seen in the dark: Fusion draws its outline darker than the window."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from memory_gui.ui.icons import Icon, draw_icon
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.tokens import CONTROL_HEIGHT, FOCUS_WIDTH, SPACE_S, SPACE_XS
from memory_gui.ui.widgets.buttons import DISABLED_OPACITY

_BOX: Final = 18
_BESIDE: Final = _BOX + SPACE_XS + SPACE_S
"""How far from the left its text begins."""
_LEAST_LETTERS: Final = 16


class CheckBox(QCheckBox):
    """A check box with its text beside it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        width = _BESIDE + SPACE_XS + QFontMetrics(self.font()).horizontalAdvance(self.text())
        return QSize(width, self._height(1))

    def minimumSizeHint(self) -> QSize:
        least = _BESIDE + QFontMetrics(self.font()).averageCharWidth() * _LEAST_LETTERS
        return QSize(min(least, self.sizeHint().width()), self._height(1))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """Where its text has no room it goes on in the next line."""
        metrics = QFontMetrics(self.font())
        area = QRect(0, 0, max(1, width - _BESIDE), 1 << 16)
        flags = int(Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextShowMnemonic)
        text = metrics.boundingRect(area, flags, self.text()).height()
        return self._height(round(text / metrics.lineSpacing()))

    def _height(self, lines: int) -> int:
        metrics = QFontMetrics(self.font())
        text = metrics.height() + (max(1, lines) - 1) * metrics.lineSpacing()
        return max(CONTROL_HEIGHT - SPACE_XS, text + SPACE_S)

    def hitButton(self, pos: QPoint) -> bool:  # noqa: N802 - Qt's name
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = tokens_of(QGuiApplication.palette())
        if not self.isEnabled():
            painter.setOpacity(DISABLED_OPACITY)
        box = QRectF(2.5, (self.height() - _BOX) / 2 + 0.5, _BOX - 1, _BOX - 1)
        on = self.isChecked()
        painter.setPen(QPen(QColor(tokens.accent if on else tokens.edge), 1))
        painter.setBrush(QColor(tokens.accent if on else tokens.surface))
        painter.drawRoundedRect(box, 4, 4)
        if on:
            draw_icon(painter, Icon.CHECK, box.adjusted(1, 1, -1, -1), QColor(tokens.on_accent))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(tokens.focus), FOCUS_WIDTH))
            painter.drawRoundedRect(box.adjusted(-1.5, -1.5, 1.5, 1.5), 5, 5)
        painter.setPen(QColor(tokens.text))
        area = QRect(_BESIDE, 0, self.width() - _BESIDE, self.height())
        flags = (
            Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic | Qt.TextFlag.TextWordWrap
        )
        painter.drawText(area, int(flags), self.text())
        painter.end()
