# SPDX-License-Identifier: MIT
"""Texts: always plain, never guessed to be rich, in one of three sizes."""

from __future__ import annotations

from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from memory_gui.ui.fonts import scaled
from memory_gui.ui.palette import colour
from memory_gui.ui.tokens import BODY_PT, RADIUS, SMALL_PT, TITLE_PT
from memory_gui.ui.visible import visible

NARROW: Final = 80
"""Pixels. No word makes a label whose words are broken wider than this."""

_HEIGHTS: Final = 16
"""So many heights a label knows; while a window is made larger there is no end of widths."""


class TextLabel(QLabel):
    """A label in a tone (``text``, ``muted``, ``accent``, ``danger``, ``warn``, ``ok``)."""

    size_pt = BODY_PT
    bold = False

    def __init__(
        self,
        text: str = "",
        *,
        tone: str = "text",
        wrap: bool = True,
        selectable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._tone = tone
        self._breaks = wrap and selectable
        self._broken: tuple[int, QSize] | None = None
        """Of what was last laid out: a print and no text, which would outlive a lock."""
        self._heights: dict[tuple[int, int], int] = {}
        """By width and a print of the text: layouts ask again and again, and Qt counts anew."""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        if wrap:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        if selectable:
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
                | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self._size()
        self.setText(text)
        self._tint()

    def heightForWidth(self, width: int) -> int:
        """As high as the text is when long words are broken, in pixels."""
        wanted = (width, hash(self.text()))
        height = self._heights.get(wanted)
        if height is None:
            self._break_long_words()
            height = super().heightForWidth(width)
            if len(self._heights) >= _HEIGHTS:
                self._heights.clear()
            self._heights[wanted] = height
        return height

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), NARROW), hint.height()) if self._breaks else hint

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ContentsRectChange:
            self._heights.clear()
        # With something selected Ctrl+C means that, and not the whole text of a record.
        if copies(event) and self.hasSelectedText():
            event.accept()
            return True
        return super().event(event)

    def _break_long_words(self) -> None:
        """A word without an end goes on in the next line. Selectable, wrapping labels only.

        Qt lays such a label out in a document, and sets its way of wrapping whenever the text or
        the size changed: so a layout is made first.
        """
        document = self.findChild(QtGui.QTextDocument)
        if not self._breaks or document is None:
            return
        super().heightForWidth(1)
        option = document.defaultTextOption()
        if option.wrapMode() != QtGui.QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere:
            option.setWrapMode(QtGui.QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
            document.setDefaultTextOption(option)

    def paintEvent(self, event: QPaintEvent) -> None:
        # Only when Qt has to lay it out again: asking for a height asks for the next painting.
        shown = (hash(self.text()), self.size())
        if shown != self._broken:
            self._break_long_words()
            self._broken = shown
        super().paintEvent(event)

    def show_foreign(self, text: str) -> None:
        """Show text that came out of a store: hidden characters are drawn."""
        self.setText(visible(text))

    def set_tone(self, tone: str) -> None:
        """Another tone."""
        self._tone = tone
        self._tint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._broken = None
        self._heights.clear()
        # Under a style sheet a widget hears of a new palette by these two only.
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._tint()

    def letters_changed(self) -> None:
        """The application's font is another one: a widget with a font of its own hears nothing."""
        self._size()

    def _size(self) -> None:
        self.setFont(scaled(QGuiApplication.font(), self.size_pt, bold=self.bold))

    def _tint(self) -> None:
        wanted = colour(QGuiApplication.palette(), self._tone)
        palette = QPalette(self.palette())
        if palette.color(QPalette.ColorRole.WindowText) != wanted:
            palette.setColor(QPalette.ColorRole.WindowText, wanted)
            self.setPalette(palette)


def _units(text: str) -> int:
    """Its length as Qt counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def copies(event: QEvent) -> bool:
    """Whether it asks a widget if it has a use of its own for Ctrl+C."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    return event.matches(QtGui.QKeySequence.StandardKey.Copy)


class TitleLabel(TextLabel):
    """The one heading of a page. Of a selectable one, pieces can be marked."""

    size_pt = TITLE_PT
    bold = True
    _spans: tuple[tuple[int, int], ...] = ()
    _marked = False

    def show_marked(self, text: str, spans: tuple[tuple[int, int], ...] = ()) -> None:
        """Show a text in which these places (from, to) are marked."""
        self.setText(text)
        if spans != self._spans:
            self._spans = spans
            self._broken = None
            self.update()

    def _break_long_words(self) -> None:
        super()._break_long_words()
        document, text = self.findChild(QtGui.QTextDocument), self.text()
        if document is None or not (self._spans or self._marked):
            return
        cursor, form = QtGui.QTextCursor(document), QtGui.QTextCharFormat()
        cursor.select(QtGui.QTextCursor.SelectionType.Document)
        cursor.setCharFormat(form)
        form.setBackground(colour(QGuiApplication.palette(), "accent_soft"))
        form.setFontUnderline(True)
        for start, end in self._spans:
            cursor.setPosition(_units(text[:start]))
            cursor.setPosition(_units(text[:end]), QtGui.QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(form)
        self._marked = bool(self._spans)


class Caption(TextLabel):
    """A small remark, muted unless told otherwise."""

    size_pt = SMALL_PT

    def __init__(
        self,
        text: str = "",
        *,
        tone: str = "muted",
        wrap: bool = True,
        selectable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, tone=tone, wrap=wrap, selectable=selectable, parent=parent)


class SectionLabel(Caption):
    """Names a group of things that follow."""

    bold = True

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, wrap=False, parent=parent)


class Rule(QWidget):
    """A line of one pixel."""

    def __init__(self, parent: QWidget | None = None, *, upright: bool = False) -> None:
        super().__init__(parent)
        policy = QSizePolicy.Policy
        if upright:
            self.setFixedWidth(1)
            self.setSizePolicy(policy.Fixed, policy.Expanding)
        else:
            self.setFixedHeight(1)
            self.setSizePolicy(policy.Expanding, policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(1, 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour(self.palette(), "line"))


class Panel(QWidget):
    """A rounded area in a token's colour, with a thin line around it."""

    def __init__(
        self, parent: QWidget | None = None, *, tone: str = "surface", outline: str = "line"
    ) -> None:
        super().__init__(parent)
        self._tone = tone
        self._outline = outline
        self._gap = 0

    def set_tone(self, tone: str, outline: str = "line") -> None:
        """Other colours."""
        self._tone = tone
        self._outline = outline
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(colour(QGuiApplication.palette(), self._tone))
        painter.setPen(colour(QGuiApplication.palette(), self._outline))
        painter.drawRoundedRect(
            self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5 - self._gap), RADIUS, RADIUS
        )
        painter.end()
