# SPDX-License-Identifier: MIT
"""A quiet, read-only text that grows with its content and marks pieces of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from memory_gui.findings.covering import Found
from memory_gui.findings.secrets import secrets_in
from memory_gui.ui.names import named
from memory_gui.ui.pages.longtext import MOST_WHOLE, LongText
from memory_gui.ui.pages.marking import Mark, Piece, found_in
from memory_gui.ui.palette import colour
from memory_gui.ui.privacy.bars import draw_bars
from memory_gui.ui.privacy.masking import Find, mask_pieces
from memory_gui.ui.widgets.labels import copies

_PADDING: Final = 0
_WHOLE_LINES: Final = 60
"""How far a long text grows: it scrolls in any case, and each line costs time at each change."""
_HIDDEN_LINES: Final = 3
"""How high a text is while it is hidden: its own height would tell how long it is."""

MOST_SHOWN: Final = 20_000
"""Characters. Agents keep at most 4,000; a hostile file may hold more than a window can lay out."""


class TextView(QPlainTextEdit):
    """Shows a text of a memory: plain, selectable, never wider than its place.

    ``lines`` bounds how far it grows before it scrolls. Secrets are dots until ``reveal``; the
    whole text is bars while hidden. Neither is in the document then, so no screen reader gets it.
    GUI thread.
    """

    progressed = Signal(int, int)
    """How many characters of a whole long text stand there, and how many it has."""

    def __init__(
        self, object_name: str, spoken: str = "", *, lines: int = 14, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        named(self, object_name, spoken)
        self._pieces: tuple[Piece, ...] = ()
        self._needles: tuple[str, ...] = ()
        self._lines = lines
        self._masking = True
        self._find: Find = secrets_in
        self._revealed = False
        self._instead = ""
        self._whole: tuple[str, Sequence[Found]] | None = None
        self._long = LongText(self, self._format)
        self._long.progressed.connect(self._on_long_progressed)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(_PADDING)
        self.setCursorWidth(0)  # a caret would say that one can write here
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Lines break anywhere; what is wider by Qt's count is a space at the end of one.
        bar = self.horizontalScrollBar()
        bar.rangeChanged.connect(lambda _least, most: bar.setMaximum(0) if most else None)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setStyleSheet(
            "QPlainTextEdit { border: none; background: transparent; padding: 0; }"
            "QPlainTextEdit:focus { border: none; padding: 0; }"
        )

    def look_for(self, needles: tuple[str, ...]) -> None:
        """Mark what was searched for (``Parsed.needles``) in what is shown from now on."""
        if needles != self._needles:
            self._needles = needles
            if self._whole is not None:
                self._render()

    def show_text(self, text: str, more: int = 0) -> None:
        """A text with its hidden characters drawn; it has ``more`` characters than are given."""
        more += max(0, len(text) - MOST_SHOWN)
        cut = (Piece(f"⟦… +{more}⟧", Mark.HIDDEN, 0),) if more > 0 else ()
        self.show_pieces((*_bounded(found_in(text[:MOST_SHOWN], self._needles)), *cut))

    def show_pieces(self, pieces: Iterable[Piece]) -> None:
        """Pieces as ``marking`` made them; of an endless text the beginning."""
        self._pieces = tuple(_bounded(pieces))
        self._revealed = False
        self._whole = None
        self._render()

    def show_whole(self, text: str, covered: Sequence[Found]) -> None:
        """A long text to its end, a stretch at a time, after ``show_text`` has shown its beginning.

        ``covered`` is what ``longtext.covered_in`` found. ``progressed`` tells how far it is.
        """
        self._whole = (text[:MOST_WHOLE], covered)
        self._revealed = False
        self._render()

    def shows_whole(self, text: str) -> bool:
        """Whether this long text stands here, or is on its way, to its end."""
        return self._whole is not None and self._whole[0] == text[:MOST_WHOLE]

    def set_masking(self, *, on: bool, find: Find = secrets_in) -> None:
        """Whether secrets are dots; ``find`` finds what else is to be covered."""
        if on != self._masking or find is not self._find:
            self._masking, self._find = on, find
            self._render()

    def reveal(self, *, on: bool) -> None:
        """Show the secrets as long as a person holds a button down."""
        if on == self._revealed:
            return
        self._revealed = on
        if self._whole is None:
            self._render()
        elif not self._instead and self._masking:
            self._long.reveal(on=on)

    def hide_text(self, instead: str) -> None:
        """Show bars, and read out what is said instead; an empty text shows it again."""
        if instead != self._instead:
            self._instead = instead
            self._render()

    @property
    def has_secret(self) -> bool:
        """Whether there is anything to reveal."""
        return self._masking and mask_pieces(self._pieces, self._find) != self._pieces

    @property
    def marks(self) -> frozenset[Mark]:
        """Which marks are on screen."""
        return frozenset(piece.mark for piece in self._pieces)

    def wipe(self) -> None:
        """Forget the text, and what was searched for."""
        self._pieces = ()
        self._needles = ()
        self._whole = None
        self._revealed = False
        self._long.forget()
        self.clear()

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 - Qt's name
        if self._whole is None or self._instead:
            return super().createMimeDataFromSelection()
        return self._long.copied()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._instead or not self._pieces:
            super().paintEvent(event)
            return
        painter = QPainter(self.viewport())
        draw_bars(painter, self.viewport().rect(), self.fontMetrics().lineSpacing())
        painter.end()

    def sizeHint(self) -> QSize:
        """As high as the text, within bounds."""
        return QSize(super().sizeHint().width(), self._wanted_height())

    def minimumSizeHint(self) -> QSize:
        """One line."""
        return QSize(80, self._wanted_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._choose_bar()
            self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and not self._is_empty:
            self._render()
        elif event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        # With something selected Ctrl+C means that, and not the whole text of the record.
        if copies(event) and self.textCursor().hasSelection():
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Letters belong to the page's keys (A, E, R); a read-only text has no use for them.
        if event.text() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().keyPressEvent(event)

    def _choose_bar(self) -> None:
        """A bar where the text has more lines than are shown, by our own count.

        "As needed", Qt shows the bar, breaks the narrower text anew, hides the bar where the text
        then fits, breaks it anew, and so on in a recursion without end.
        """
        most = self._most_lines
        more = not self._instead and self._line_count(most + 1) > most
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOn if more else policy.ScrollBarAlwaysOff
        )

    @property
    def _is_empty(self) -> bool:
        """There is nothing whose colours could change: while a page is made that is most often."""
        return not self._pieces and self._whole is None

    @property
    def _most_lines(self) -> int:
        return self._lines if self._whole is None else min(self._lines, _WHOLE_LINES)

    def _line_count(self, most: int) -> int:
        lines, block = 0, self.document().firstBlock()
        while block.isValid() and lines < most:
            self.blockBoundingRect(block)  # lays it out
            lines += max(1, block.layout().lineCount())
            block = block.next()
        return lines

    def _wanted_height(self) -> int:
        if self._instead and self._pieces:
            return _HIDDEN_LINES * self.fontMetrics().lineSpacing() + 2
        # Lines with letters of a fallback font are higher than the font's own line.
        wanted, lines, block, most = 0.0, 0, self.document().firstBlock(), self._most_lines
        while block.isValid() and lines < most:
            wanted += self.blockBoundingRect(block).height()
            lines += max(1, block.layout().lineCount())
            block = block.next()
        limit = most * self.fontMetrics().lineSpacing()
        one = self.fontMetrics().lineSpacing()
        return int(max(one, min(wanted, limit * 1.3)) + 0.5) + 2 * _PADDING + 2

    def _render(self) -> None:
        self._long.forget()
        self.clear()
        cursor = QTextCursor(self.document())
        block = QTextBlockFormat()
        # What a text begins with must not turn the whole view around.
        block.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        cursor.setBlockFormat(block)
        cursor.beginEditBlock()  # laid out once, and not after each piece
        forms: dict[Mark, QTextCharFormat] = {}
        for piece in self._to_show():
            form = forms.get(piece.mark) or forms.setdefault(piece.mark, self._format(piece.mark))
            cursor.insertText(piece.text, form)
        cursor.endEditBlock()
        self.document().setDocumentMargin(_PADDING)
        if self._whole is not None and not self._instead:
            text, covered = self._whole
            self._long.begin(text, covered if self._masking else (), self._needles)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self._choose_bar()
        self.updateGeometry()

    def _on_long_progressed(self, done: int, total: int) -> None:
        if self.verticalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
            self._choose_bar()  # until it has its full height
            self.updateGeometry()
        self.progressed.emit(done, total)

    def _to_show(self) -> tuple[Piece, ...]:
        if self._whole is not None and not self._instead:
            return ()
        if self._instead and self._pieces:
            return (Piece(self._instead, Mark.PLAIN, 0),)
        if self._masking and not self._revealed:
            return mask_pieces(self._pieces, self._find)
        return self._pieces

    def _format(self, mark: Mark) -> QTextCharFormat:
        form = QTextCharFormat()
        tints = {
            Mark.HIDDEN: ("warn", "warn_soft"),
            Mark.FOUND: ("text", "accent_soft"),
            Mark.REMOVED: ("muted", "hover"),
            Mark.ADDED: ("ok", "ok_soft"),
            Mark.SECRET: ("muted", "hover"),
        }
        if mark in tints:
            front, back = tints[mark]
            form.setForeground(colour(QGuiApplication.palette(), front))
            form.setBackground(colour(QGuiApplication.palette(), back))
        # Never by colour alone: struck out, underlined, bold say it too.
        form.setFontStrikeOut(mark is Mark.REMOVED)
        form.setFontUnderline(mark in {Mark.ADDED, Mark.FOUND})
        if mark is Mark.HIDDEN:
            form.setFontWeight(QFont.Weight.DemiBold)
        return form


def _bounded(pieces: Iterable[Piece]) -> Iterator[Piece]:
    room = 2 * MOST_SHOWN
    for piece in pieces:
        if room <= 0:
            return
        yield piece
        room -= len(piece.text)
