# SPDX-License-Identifier: MIT
"""What is drawn where a text is hidden: bars, of lengths that tell nothing about the text."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter

from memory_gui.ui.palette import tokens_of
from memory_gui.ui.tokens import SPACE_XS

_LENGTHS: Final = (0.92, 0.78, 0.55)
_SHADE: Final = 70
"""Of 255."""
_THICK: Final = 0.5
"""Of a line's height."""


def draw_bars(painter: QPainter, area: QRect, line: int, lengths: tuple[float, ...] = ()) -> None:
    """Bars from the top of an area, one per line of ``line`` pixels, each a part of its width."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    ink = QColor(tokens_of(QGuiApplication.palette()).muted)
    ink.setAlpha(_SHADE)  # seen on a selected row as well
    painter.setBrush(ink)
    for number, length in enumerate(lengths or _LENGTHS):
        thick = line * _THICK
        top = area.top() + number * line + (line - thick) / 2
        bar = QRectF(area.left(), top, area.width() * length, thick)
        painter.drawRoundedRect(bar, SPACE_XS, SPACE_XS)
    painter.restore()
