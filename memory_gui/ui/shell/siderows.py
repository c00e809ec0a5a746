# SPDX-License-Identifier: MIT
"""Rows of the left pane: an icon, one or two lines, a number, a cross that closes."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import (
    QFrame,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from memory_gui.ui.fonts import digits, grown, scaled, small_font
from memory_gui.ui.icons import Icon, draw_icon, icon_px
from memory_gui.ui.palette import colour, tokens_of
from memory_gui.ui.tokens import (
    BODY_PT,
    FOCUS_WIDTH,
    RADIUS,
    SIDEBAR_ROW,
    SIDEBAR_WIDTH,
    SPACE_S,
    SPACE_XS,
    Tokens,
)
from memory_gui.ui.widgets.ownrows import OwnRows

ROLE: Final = Qt.ItemDataRole.UserRole
ICON_ROLE: Final = ROLE + 1
TONE_ROLE: Final = ROLE + 2
COUNT_ROLE: Final = ROLE + 3
SECOND_ROLE: Final = ROLE + 4
CLOSES_ROLE: Final = ROLE + 5
"""Whether the row shows a cross where it is pointed at."""
STORE_ROW: Final = 46


class _RowDelegate(QStyledItemDelegate):
    """An icon, one or two lines, a number at the right.

    With ``ticks`` the chosen row has a tick and no ground: it says which stores count, and must
    not look like the place where a person is.
    """

    def __init__(self, parent: QWidget, *, ticks: bool = False) -> None:
        super().__init__(parent)
        self._ticks = ticks
        self.marked = not ticks

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        height = STORE_ROW if index.data(SECOND_ROLE) else SIDEBAR_ROW
        return QSize(SIDEBAR_WIDTH, grown(height))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        tokens = tokens_of(QGuiApplication.palette())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect).adjusted(SPACE_S, 1, -SPACE_S, -1)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        _background(painter, rect, option.state, tokens, filled=self.marked)
        x = rect.left() + SPACE_S
        mark = QRectF(x, rect.center().y() - icon_px() / 2, icon_px(), icon_px())
        tone = "accent" if selected and self.marked else index.data(TONE_ROLE) or "muted"
        draw_icon(painter, index.data(ICON_ROLE), mark, QColor(getattr(tokens, tone)))
        right = self._count(painter, rect, index, option.font, tokens)
        area = QRect(int(x + icon_px() + SPACE_S), int(rect.top()), 0, int(rect.height()))
        area.setRight(int(right))
        pointed = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if pointed and index.data(CLOSES_ROLE):
            draw_icon(painter, Icon.CLOSE, cross_of(option.rect), QColor(tokens.text))
        elif self._ticks and selected:
            spot = cross_of(option.rect)
            if not index.data(SECOND_ROLE):
                spot.moveTop(rect.center().y() - icon_px() / 2)
            draw_icon(painter, Icon.CHECK, spot, QColor(tokens.accent))
        self._lines(painter, area, index, option.font, tokens)
        painter.restore()

    def _count(
        self,
        painter: QPainter,
        rect: QRectF,
        index: QModelIndex | QPersistentModelIndex,
        font: QFont,
        tokens: Tokens,
    ) -> float:
        count = index.data(COUNT_ROLE)
        right = rect.right() - SPACE_S
        if not count:
            return right
        small = digits(small_font(font))
        width = QFontMetrics(small).horizontalAdvance(count)
        painter.setFont(small)
        painter.setPen(QColor(tokens.muted))
        # Wider than measured: letters of another font, as in a date, are not measured exactly.
        area = QRectF(right - 2 * width, rect.top(), 2 * width + 1, rect.height())
        painter.drawText(
            area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), count
        )
        return right - width - SPACE_S

    def _lines(
        self,
        painter: QPainter,
        area: QRect,
        index: QModelIndex | QPersistentModelIndex,
        font: QFont,
        tokens: Tokens,
    ) -> None:
        second = index.data(SECOND_ROLE)
        first_area = area
        if self._ticks:
            first_area = area.adjusted(0, 0, -icon_px() - SPACE_XS, 0)
        if second:
            half = area.height() // 2
            first_area = first_area.adjusted(0, SPACE_XS - 1, 0, -half)
            below = area.adjusted(0, half - 1, 0, -SPACE_XS)
            _line(painter, below, second, small_font(font), tokens.muted)
        bold = scaled(font, BODY_PT, bold=bool(second))
        text = index.data(Qt.ItemDataRole.DisplayRole)
        _line(painter, first_area, text, bold, tokens.text)


def cross_of(row: QRect) -> QRectF:
    """Where a row of two lines has its cross, or its tick: beside the first line."""
    rect = QRectF(row).adjusted(SPACE_S, 1, -SPACE_S, -1)
    return QRectF(rect.right() - SPACE_S - icon_px(), rect.top() + SPACE_XS, icon_px(), icon_px())


class Rows(OwnRows):
    """A list as high as its rows, with no frame and no background of its own."""

    close_wanted = Signal(object)
    """What the row stands for whose cross was clicked."""
    menu_wanted = Signal(object, object)
    """What the current row stands for, and where on the screen."""

    def __init__(self, *, ticks: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = _RowDelegate(self, ticks=ticks)
        self.setItemDelegate(self._look)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setTabKeyNavigation(False)
        self.viewport().setAutoFillBackground(False)

    @property
    def marked(self) -> bool:
        """Whether the chosen row looks like the place where a person is."""
        return self._look.marked

    def mark(self, *, marked: bool) -> None:
        """Whether the chosen row looks like the place where a person is."""
        self._look.marked = marked
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index.data(CLOSES_ROLE):
            cross = cross_of(self.visualRect(index)).adjusted(-4, -4, 4, 4)
            if event.button() == Qt.MouseButton.LeftButton and cross.contains(event.position()):
                self.close_wanted.emit(index.data(ROLE))
                return
        super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_keys = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_keys else self.indexAt(event.pos())
        if not index.isValid() or not index.data(CLOSES_ROLE):
            return
        spot = self.visualRect(index).bottomLeft() if by_keys else event.pos()
        self.menu_wanted.emit(index.data(ROLE), self.viewport().mapToGlobal(spot))

    def sizeHint(self) -> QSize:
        height = sum(self.sizeHintForRow(row) for row in range(self.count()))
        return QSize(SIDEBAR_WIDTH, height + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(184, min(self.sizeHint().height(), 2 * grown(SIDEBAR_ROW)))

    def maximum_height(self, rows: int) -> None:
        """More rows than these scroll."""
        self.setMaximumHeight(rows * grown(STORE_ROW))


def _background(
    painter: QPainter,
    rect: QRectF,
    state: QStyle.StateFlag,
    tokens: Tokens,
    *,
    filled: bool,
) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    if filled and state & QStyle.StateFlag.State_Selected:
        painter.setBrush(QColor(tokens.selected))
        painter.drawRoundedRect(rect, RADIUS, RADIUS)
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.setBrush(QColor(tokens.hover))
        painter.drawRoundedRect(rect, RADIUS, RADIUS)
    if state & QStyle.StateFlag.State_HasFocus:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour(QGuiApplication.palette(), "focus"), FOCUS_WIDTH))
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), RADIUS, RADIUS)


def _line(painter: QPainter, area: QRect, text: str, font: QFont, ink: str) -> None:
    painter.setFont(font)
    painter.setPen(QColor(ink))
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    painter.drawText(area, int(flags), shown)
