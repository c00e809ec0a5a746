# SPDX-License-Identifier: MIT
"""Draws a record in two lines: its title and where it belongs, then how its text begins."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from memory_gui.domain.records import Record, State
from memory_gui.domain.spans import matches
from memory_gui.ui.fonts import grown, scaled, small_font
from memory_gui.ui.icons import Icon, draw_icon
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.phrases import SCOPES, STATES, TYPES, age, heading, phrase
from memory_gui.ui.privacy.bars import draw_bars
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.records.listing.model import RECORD_ROLE, SAID_ROLE
from memory_gui.ui.records.listing.rows import ABOUT, below_title
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
from memory_gui.ui.visible import has_hidden, one_line
from memory_gui.words import Words

ROW_HEIGHT: Final = 56
COMPACT_HEIGHT: Final = 32
_SIDE: Final = SPACE_L
_MARK: Final = 14
_BARS: Final = (0.45, 0.8)
"""Parts of a row's width, drawn in place of a hidden title and text."""
_TYPED: Final = ("memory", "review")
"""Kinds whose scope and type stand at the right of a row."""
_LOOKED_AT: Final = 4_000
_BEFORE_HIT: Final = 20
"""Letters that are left before a hit which had no room in its line."""
"""Characters that are searched for secrets before a row's part of them is cut out."""
_LEAST_BODY: Final = 40
"""Pixels. In fewer no word of a text can be read."""


class MemoryDelegate(QStyledItemDelegate):
    """Paints rows. A style sheet on ``::item`` would lose the selection's colour."""

    def __init__(
        self, words: Words, parent: QObject | None = None, showing: Showing | None = None
    ) -> None:
        super().__init__(parent)
        self._words = words
        self._showing = showing or Showing(words)
        self.needles: tuple[str, ...] = ()
        """What is marked."""
        self.compact = False
        """One line a row instead of two."""

    @property
    def row_height(self) -> int:
        """Of each row, in pixels."""
        return grown(COMPACT_HEIGHT if self.compact else ROW_HEIGHT)

    def mark(self, needles: tuple[str, ...]) -> None:
        """Underline what was searched for, wherever a row shows it."""
        self.needles = needles

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(200, self.row_height)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        tokens = tokens_of(QGuiApplication.palette())
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        font: QFont = option.font
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _background(painter, rect, state, tokens)
        record, said = index.data(RECORD_ROLE), index.data(SAID_ROLE) or ()
        air = 1 if self.compact else SPACE_S
        area = rect.adjusted(_SIDE, air, -_SIDE, -air)
        if isinstance(record, Record):
            self._draw(painter, area, record, font, tokens, said="".join(said))
        elif said:
            self._draw_said(painter, area, said, font, tokens)
        else:
            _placeholder(painter, area, tokens, lines=1 if self.compact else 2)
        painter.restore()

    def _draw_said(
        self, painter: QPainter, area: QRect, said: Sequence[str], font: QFont, tokens: Tokens
    ) -> None:
        """What a row says of which nothing is known."""
        line = area.height() if self.compact else area.height() // 2
        for at, text in enumerate(said[: 1 if self.compact else 2]):
            place = QRect(area.left(), area.top() + at * line, area.width(), line)
            _text(painter, place, text, font, tokens.muted)

    def _draw(
        self,
        painter: QPainter,
        area: QRect,
        record: Record,
        font: QFont,
        tokens: Tokens,
        *,
        said: str,
    ) -> None:
        small = small_font(font)
        line = area.height() if self.compact else area.height() // 2
        right = self._draw_right(
            painter, area.adjusted(0, 0, 0, line - area.height()), record, small
        )
        if self._showing.hidden:
            bars = area.adjusted(0, 0, right - SPACE_M - area.right(), 0)
            draw_bars(painter, bars, line, _BARS[: 1 if self.compact else 2])
            return
        bold = scaled(font, BODY_PT, bold=True)
        left = area.left()
        if has_hidden(record.title) or has_hidden(record.text):
            mark = QRectF(left, area.top() + (line - _MARK) / 2, _MARK, _MARK)
            draw_icon(painter, Icon.HIDDEN, mark, QColor(tokens.warn))
            left += _MARK + SPACE_S
        title = QRect(left, area.top(), right - SPACE_M - left, line)
        ink = tokens.muted if record.state == State.TRASH or said else tokens.text
        name = self._showing.line(heading(self._words, record))
        self._found(painter, title, name, bold, ink)
        body = QRect(area.left(), area.top() + line, area.width(), line)
        if self.compact:
            used = min(QFontMetrics(bold).horizontalAdvance(name), title.width())
            body = title.adjusted(used + SPACE_M, 0, 0, 0)
        if body.width() > _LEAST_BODY:
            self._found(painter, body, said or self._second_line(record), font, tokens.muted)

    def _found(self, painter: QPainter, area: QRect, text: str, font: QFont, ink: str) -> None:
        """A text in which what was searched for is marked, by more than a colour."""
        tokens, metrics = tokens_of(QGuiApplication.palette()), QFontMetrics(font)
        text = from_hit(text, self.needles, metrics, area.width())
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        for first, last in matches(shown, self.needles):
            left = area.left() + metrics.horizontalAdvance(shown[:first])
            right = area.left() + metrics.horizontalAdvance(shown[:last])
            height = metrics.height()
            top = area.top() + (area.height() - height) // 2
            painter.fillRect(left, top, right - left, height, QColor(tokens.accent_soft))
            painter.fillRect(left, top + height - 2, right - left, 2, QColor(tokens.accent))
        _text(painter, area, text, font, ink)

    def _draw_right(self, painter: QPainter, area: QRect, record: Record, small: QFont) -> int:
        """Type, scope and age, from the right of a line; where the title must end."""
        metrics, tokens = QFontMetrics(small), tokens_of(QGuiApplication.palette())
        parts = [age(self._words, record, datetime.now(UTC))]
        if record.kind in _TYPED:
            parts.append(phrase(self._words, SCOPES, record.scope))
            parts.append(phrase(self._words, TYPES, record.type))
        if record.title and record.kind != "review":
            parts.append(self._showing.line(one_line(record.subject or "", 24)))
        if record.kind == "review" or record.state == State.EXPIRED:
            parts.append(phrase(self._words, STATES, record.state))
        x = area.right()
        limit = area.left() + area.width() * 2 // 5
        for part in parts:
            width = metrics.horizontalAdvance(part)
            if not part or x - width < limit:
                continue
            spot = QRect(x - width, area.top(), width + 1, area.height())
            _text(painter, spot, part, small, tokens.muted)
            x -= width + SPACE_M
        return x

    def _second_line(self, record: Record) -> str:
        if record.kind == "event":
            about = record.extra.get(ABOUT) or record.extra.get("memory_id")
            return one_line(self._showing.line((about or record.text)[:_LOOKED_AT]), 200)
        most = _LOOKED_AT if self.needles else 300
        if not record.title and record.text:  # its text stands above
            about = " · ".join(part for part in (record.subject, record.source) if part)
            return one_line(self._showing.line(about or self._type(record)), most)
        below = below_title(record)[:_LOOKED_AT]
        return one_line(self._showing.line(below or self._type(record)), most)

    def _type(self, record: Record) -> str:
        """What stands where there is nothing else to say: which file of notes, a person or a city.

        Of memories it stands at the right.
        """
        return "" if record.kind in _TYPED else phrase(self._words, TYPES, record.type)


def from_hit(text: str, needles: tuple[str, ...], metrics: QFontMetrics, width: int) -> str:
    """The text; from shortly before the first hit on, where a line would end before that."""
    found = matches(text, needles)
    if not found:
        return text
    first, last = found[0]
    last = min(last, first + max(map(len, needles)))  # several that touch are one
    if metrics.horizontalAdvance(text[:last] + "…") <= width:
        return text
    start = max(0, first - _BEFORE_HIT)
    blank = text.find(" ", start, first)
    return "…" + text[start if blank < 0 else blank + 1 :]


def _background(painter: QPainter, rect: QRect, state: QStyle.StateFlag, tokens: Tokens) -> None:
    selected = bool(state & QStyle.StateFlag.State_Selected)
    pointed = bool(state & QStyle.StateFlag.State_MouseOver)
    if selected or pointed:
        painter.fillRect(rect, QColor(tokens.selected if selected else tokens.hover))
    if selected:
        painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), QColor(tokens.accent))
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), QColor(tokens.line))
    has_focus = bool(state & QStyle.StateFlag.State_HasFocus)
    if has_focus:
        painter.setPen(QPen(QColor(tokens.focus), FOCUS_WIDTH))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(rect).adjusted(2, 2, -2, -3), RADIUS - 2, RADIUS - 2)


def _placeholder(painter: QPainter, area: QRect, tokens: Tokens, *, lines: int) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(tokens.line))
    height = area.height() // lines
    for line, width in enumerate((area.width() // 3, area.width() * 2 // 3)[:lines]):
        top = area.top() + line * height + SPACE_XS
        place = QRectF(area.left(), top, width, height - SPACE_S)
        painter.drawRoundedRect(place, SPACE_XS, SPACE_XS)


def _text(painter: QPainter, area: QRect, text: str, font: QFont, ink: str) -> None:
    painter.setFont(font)
    painter.setPen(QColor(ink))
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    # Left to right whatever the text says: a stored text must not turn the row around.
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
    painter.drawText(area, int(flags), shown)
