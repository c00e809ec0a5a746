# SPDX-License-Identifier: MIT
"""Draws the timeline: a day's heading; an icon, who did what to which records, when and where."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from memory_gui.services.activity.activity import Who
from memory_gui.ui.activity.model import ROW_ROLE, DayRow, Row
from memory_gui.ui.activity.phrases import icon_of
from memory_gui.ui.fonts import digits, scaled, small_font
from memory_gui.ui.icons import draw_icon, icon_px
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.tokens import (
    BODY_PT,
    FOCUS_WIDTH,
    RADIUS,
    SPACE_L,
    SPACE_M,
    SPACE_S,
    SPACE_XL,
    SPACE_XS,
    Tokens,
)

_AIR: Final = SPACE_S
Index = QModelIndex | QPersistentModelIndex


class TimelineDelegate(QStyledItemDelegate):
    """Two lines a row. A style sheet on ``::item`` would lose the selection's colour."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line = QFontMetrics(option.font).lineSpacing()
        if isinstance(index.data(ROW_ROLE), DayRow):
            return QSize(200, line + 2 * SPACE_M)
        return QSize(200, 2 * line + 2 * _AIR + SPACE_XS)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens = tokens_of(QGuiApplication.palette())
        row = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = option.rect.adjusted(SPACE_XL, 0, -SPACE_XL, 0)
        if isinstance(row, DayRow):
            small = small_font(option.font)
            small.setBold(True)
            area = area.adjusted(0, SPACE_M, 0, 0)
            _text(painter, area, row.text, small, tokens.muted)
        elif isinstance(row, Row):
            _background(painter, option.rect, option.state, tokens)
            _row(painter, area.adjusted(0, _AIR, 0, -_AIR), row, option.font, tokens)
        painter.restore()


def _row(painter: QPainter, area: QRect, row: Row, font: QFont, tokens: Tokens) -> None:
    yours = row.happening.who is Who.YOU
    half = area.height() // 2
    mark = QRectF(area.left(), area.top() + (half - icon_px()) / 2, icon_px(), icon_px())
    draw_icon(
        painter, icon_of(row.happening), mark, QColor(tokens.accent if yours else tokens.muted)
    )
    inside = area.adjusted(icon_px() + SPACE_M, 0, 0, 0)
    small = small_font(font)
    right = max(_width(row.clock, digits(small)), _width(row.store, small))
    right = min(right, inside.width() // 3)
    upper = QRect(inside.left(), inside.top(), inside.width(), half)
    lower = upper.translated(0, half)
    cut = right + SPACE_M if right else 0
    _text(
        painter,
        upper.adjusted(0, 0, -cut, 0),
        row.head,
        scaled(font, BODY_PT, bold=True),
        tokens.text,
    )
    _text(painter, lower.adjusted(0, 0, -cut, 0), row.about, font, tokens.muted)
    end = Qt.AlignmentFlag.AlignRight
    side = QRect(upper.right() - right, upper.top(), right + 1, half)
    _text(painter, side, row.clock, digits(small), tokens.muted, side=end)
    _text(painter, side.translated(0, half), row.store, small, tokens.muted, side=end)


def _width(text: str, font: QFont) -> int:
    return QFontMetrics(font).horizontalAdvance(text)


def _text(
    painter: QPainter,
    area: QRect,
    text: str,
    font: QFont,
    ink: str,
    *,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> None:
    painter.setFont(font)
    painter.setPen(QColor(ink))
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    flags = Qt.AlignmentFlag.AlignVCenter | side | Qt.TextFlag.TextSingleLine
    painter.drawText(area, int(flags), shown)


def _background(painter: QPainter, rect: QRect, state: QStyle.StateFlag, tokens: Tokens) -> None:
    inner = QRectF(rect).adjusted(SPACE_L - SPACE_XS, 1, -SPACE_L + SPACE_XS, -1)
    painter.setPen(Qt.PenStyle.NoPen)
    if state & QStyle.StateFlag.State_Selected:
        painter.setBrush(QColor(tokens.selected))
        painter.drawRoundedRect(inner, RADIUS, RADIUS)
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.setBrush(QColor(tokens.hover))
        painter.drawRoundedRect(inner, RADIUS, RADIUS)
    if state & QStyle.StateFlag.State_HasFocus:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(tokens.focus), FOCUS_WIDTH))
        painter.drawRoundedRect(inner.adjusted(1, 1, -1, -1), RADIUS, RADIUS)
