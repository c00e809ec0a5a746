# SPDX-License-Identifier: MIT
"""Draws a find in three lines: its title and what becomes of it, the match, where it lies."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from memory_gui.cases.finds import CaseFind, Decision
from memory_gui.cases.finds import Piece as Excerpt
from memory_gui.ui.cases.finds_model import FIND_ROLE, decided, facts, title_of
from memory_gui.ui.fonts import grown, scaled, small_font
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.privacy.bars import draw_bars
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.tokens import (
    BODY_PT,
    FOCUS_WIDTH,
    RADIUS,
    SPACE_L,
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    Tokens,
)
from memory_gui.ui.visible import visible
from memory_gui.words import Words

ROW: Final = 76
_BEFORE: Final = 24
"""Letters that are left before the first match where a line is too short for all."""
_TONES: Final = {
    Decision.ERASE: "danger",
    Decision.REDACT: "danger",
    Decision.RESTRICT: "warn",
    Decision.HOLD: "warn",
    Decision.KEEP: "ok",
}


class FindsDelegate(QStyledItemDelegate):
    """Paints rows; a match is marked by a ground and a line, not by a colour alone."""

    def __init__(self, words: Words, showing: Showing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._showing = showing

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(200, grown(ROW))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        find = index.data(FIND_ROLE)
        if not isinstance(find, CaseFind):
            return
        tokens = tokens_of(QGuiApplication.palette())
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        _background(painter, rect, option.state, tokens)
        area = rect.adjusted(SPACE_L, SPACE_XS, -SPACE_L, -SPACE_XS)
        line = area.height() // 3
        first = QRect(area.left(), area.top(), area.width(), line)
        right = self._chip(painter, first, find, option.font, tokens)
        if self._showing.hidden:
            draw_bars(painter, area.adjusted(0, 0, right - area.right(), -line), line, (0.45, 0.8))
        else:
            bold = scaled(option.font, BODY_PT, bold=True)
            title = self._showing.line(title_of(self._words, find))
            _text(painter, first.adjusted(0, 0, right - first.right(), 0), title, bold, tokens.text)
            self._excerpt(painter, first.translated(0, line), find, option.font, tokens)
        about = first.translated(0, 2 * line)
        _text(painter, about, facts(self._words, find), small_font(option.font), tokens.muted)
        painter.restore()

    def _chip(
        self, painter: QPainter, area: QRect, find: CaseFind, font: QFont, tokens: Tokens
    ) -> int:
        """What becomes of it, at the right; where the title must end."""
        text = decided(self._words, find)
        if not text:
            return area.right()
        small, tone = small_font(font), "warn" if find.bound else _TONES[find.decision]
        width = QFontMetrics(small).horizontalAdvance(text) + 2 * SPACE_S
        chip = QRectF(area.right() - width, area.top() + 2, width, area.height() - 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(getattr(tokens, f"{tone}_soft")))
        painter.drawRoundedRect(chip, RADIUS, RADIUS)
        painter.setFont(small)
        painter.setPen(QColor(getattr(tokens, tone)))
        painter.drawText(chip, int(Qt.AlignmentFlag.AlignCenter), text)
        return int(chip.left()) - SPACE_M

    def _excerpt(
        self, painter: QPainter, area: QRect, find: CaseFind, font: QFont, tokens: Tokens
    ) -> None:
        if not find.pieces:
            return
        metrics = QFontMetrics(font)
        runs = list(self._runs(find.pieces[0], metrics, area.width()))
        left = area.left()
        for text, marked in runs:
            room = area.right() - left
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            width = metrics.horizontalAdvance(shown)
            spot = QRect(left, area.top(), room, area.height())
            if marked:
                top = area.top() + (area.height() - metrics.height()) // 2
                ground = QRect(left, top, width, metrics.height())
                painter.fillRect(ground, QColor(tokens.accent_soft))
                painter.fillRect(
                    ground.left(), ground.bottom() - 1, width, 2, QColor(tokens.accent)
                )
            _text(painter, spot, shown, font, tokens.text if marked else tokens.muted)
            left += width
            if shown != text or left >= area.right():
                break

    def _runs(self, piece: Excerpt, metrics: QFontMetrics, width: int) -> list[tuple[str, bool]]:
        """The excerpt in one line, cut so that its first match is seen."""
        if self._showing.line(piece.text) != piece.text:  # a secret in it is covered
            return [(visible(self._showing.line(piece.text).replace("\n", " ")), False)]
        start = piece.marks[0][0] if piece.marks else 0
        cut = max(0, start - _BEFORE)
        if cut and metrics.horizontalAdvance(piece.text[:start] + "…") < width // 2:
            cut = 0
        runs = [("…", False)] if cut or piece.before else []
        at = cut
        for first, last, _sure in piece.marks:
            runs += [(_flat(piece.text[at:first]), False), (_flat(piece.text[first:last]), True)]
            at = last
        runs.append((_flat(piece.text[at:]) + ("…" if piece.after else ""), False))
        return [(text, marked) for text, marked in runs if text]


def _flat(text: str) -> str:
    """In one line, with what does not show drawn."""
    for end in ("\r\n", "\n", "\r", "\t"):
        text = text.replace(end, " ")
    return visible(text)


def _background(painter: QPainter, rect: QRect, state: QStyle.StateFlag, tokens: Tokens) -> None:
    selected = bool(state & QStyle.StateFlag.State_Selected)
    if selected or state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(rect, QColor(tokens.selected if selected else tokens.hover))
    if selected:
        painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), QColor(tokens.accent))
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), QColor(tokens.line))
    if state & QStyle.StateFlag.State_HasFocus:
        painter.setPen(QPen(QColor(tokens.focus), FOCUS_WIDTH))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(rect).adjusted(2, 2, -2, -3), RADIUS - 2, RADIUS - 2)


def _text(painter: QPainter, area: QRect, text: str, font: QFont, ink: str) -> None:
    painter.setFont(font)
    painter.setPen(QColor(ink))
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
    painter.drawText(area, int(flags), shown)
