# SPDX-License-Identifier: MIT
"""Draws a facet's name, or a value with its box and count."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from memory_gui.ui.fonts import digits, scaled, small_font
from memory_gui.ui.icons import Icon, draw_icon, icon_px
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.tokens import (
    FOCUS_WIDTH,
    RADIUS,
    SMALL_PT,
    SPACE_L,
    SPACE_S,
    SPACE_XS,
    Tokens,
)

COUNT_ROLE: Final = Qt.ItemDataRole.UserRole + 1
_BOX: Final = 14
_ROW: Final = 26
_HEAD: Final = 30

Index = QModelIndex | QPersistentModelIndex


class FacetDelegate(QStyledItemDelegate):
    """Paints rows. A style sheet on ``::item`` would lose the selection's colour."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        least = _ROW if index.parent().isValid() else _HEAD
        return QSize(120, max(least, QFontMetrics(option.font).height() + SPACE_S))

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """The panel itself hears clicks and keys: on the whole row, not on the box alone."""
        return False

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens = tokens_of(QGuiApplication.palette())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect: QRect = option.rect
        _ground(painter, rect, option.state, tokens)
        area = rect.adjusted(SPACE_L, 0, -SPACE_S, 0)
        font: QFont = option.font
        if index.parent().isValid():
            _value(painter, area, index, font, tokens)
        else:
            opened = bool(option.state & QStyle.StateFlag.State_Open)
            _head(painter, area, index, scaled(font, SMALL_PT, bold=True), tokens, opened=opened)
        painter.restore()


def _head(
    painter: QPainter, area: QRect, index: Index, font: QFont, tokens: Tokens, *, opened: bool
) -> None:
    arrow = QRectF(
        area.right() - icon_px(), area.center().y() - icon_px() / 2 + 1, icon_px(), icon_px()
    )
    draw_icon(painter, Icon.DOWN if opened else Icon.NEXT, arrow, QColor(tokens.muted))
    _text(painter, area.adjusted(0, 0, -icon_px() - SPACE_XS, 0), index, font, tokens.muted)


def _value(painter: QPainter, area: QRect, index: Index, font: QFont, tokens: Tokens) -> None:
    state = index.data(Qt.ItemDataRole.CheckStateRole)
    if state is None:  # the row that shows more
        _text(painter, area, index, font, tokens.accent)
        return
    on = Qt.CheckState(state) == Qt.CheckState.Checked
    box = QRectF(area.left() + 0.5, area.center().y() - _BOX / 2 + 0.5, _BOX, _BOX)
    painter.setPen(QPen(QColor(tokens.accent if on else tokens.edge), 1))
    painter.setBrush(QColor(tokens.accent if on else tokens.surface))
    painter.drawRoundedRect(box, 3, 3)
    if on:
        draw_icon(painter, Icon.CHECK, box.adjusted(0, 0, 0, 0), QColor(tokens.on_accent))
    small = digits(small_font(font))
    count = str(index.data(COUNT_ROLE) or "")
    width = QFontMetrics(small).horizontalAdvance(count)
    painter.setFont(small)
    painter.setPen(QColor(tokens.muted))
    flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
    spot = QRect(area.right() - width - 1, area.top(), width + 2, area.height())
    painter.drawText(spot, flags, count)
    left = _BOX + SPACE_S
    _text(painter, area.adjusted(left, 0, -width - SPACE_S, 0), index, font, tokens.text)


def _text(painter: QPainter, area: QRect, index: Index, font: QFont, ink: str) -> None:
    painter.setFont(font)
    painter.setPen(QColor(ink))
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
    painter.drawText(area, int(flags), shown)


def _ground(painter: QPainter, rect: QRect, state: QStyle.StateFlag, tokens: Tokens) -> None:
    place = QRectF(rect).adjusted(SPACE_XS, 1, -SPACE_XS, -1)
    painter.setPen(Qt.PenStyle.NoPen)
    if state & QStyle.StateFlag.State_MouseOver:
        painter.setBrush(QColor(tokens.hover))
        painter.drawRoundedRect(place, RADIUS, RADIUS)
    if state & QStyle.StateFlag.State_HasFocus:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(tokens.focus), FOCUS_WIDTH))
        painter.drawRoundedRect(place.adjusted(1, 0, -1, 0), RADIUS, RADIUS)
