# SPDX-License-Identifier: MIT
"""The whole of a very long text in a view: a stretch at a time, so that the window goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QMimeData, QObject, QTimer, Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from memory_gui.domain.work import CancelToken
from memory_gui.findings.covering import Found
from memory_gui.findings.secrets import DOTS, secrets_in
from memory_gui.ui.pages.marking import Mark, Piece, drawn, found_in
from memory_gui.ui.privacy.masking import Find

MOST_WHOLE: Final = 12_000_000
"""Characters. What is longer than this only an export has whole."""
_STRETCH: Final = 1_000
"""Characters that are put in at once."""
_TURN_S: Final = 0.01
"""How long one turn may take; the event loop runs between two of them."""
_LINE: Final = 4_000
"""A longer line is broken, for the layout alone: what is copied has it in one."""
_BROKEN: Final = 1
"""State of a block that goes on with the line of the one before."""
_LOOK: Final = 20_000
_BEYOND: Final = 8_000
"""Secrets are looked for in windows of ``_LOOK`` characters and what is around them."""
_KEY: Final = "-----BEGIN "
_BLANKS: Final = 2_000
_Format = Callable[[Mark], QTextCharFormat]


def covered_in(
    text: str, find: Find = secrets_in, cancel: CancelToken | None = None
) -> tuple[Found, ...]:
    """What is to be covered in a long text, in order. For a thread: each step is short.

    Raises:
        Cancelled: nobody wants to know any more.
    """
    found: list[Found] = []
    for start in range(0, len(text), _LOOK):
        if cancel is not None:
            cancel.check()
        first = max(0, start - _BEYOND)
        last = start + _LOOK + _BEYOND
        if _KEY in text[start:last]:  # it may be longer, and nothing is found of it without its end
            last += _LOOK
        for one in find(text[first:last]):
            at, end = first + one.start, first + one.end
            if start <= at < start + _LOOK and (not found or at >= found[-1].end):
                found.append(type(one)(one.kind, at, end, one.level))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where dots stand in the document, and what they stand for in the text."""

    at: int
    start: int
    end: int


@dataclass(slots=True)
class _Filling:
    text: str = field(repr=False)
    covered: Sequence[Found]
    needles: Sequence[str] = ()
    done: int = 0
    next: int = 0
    """Which of ``covered`` comes next."""
    line: int = 0
    """Characters in the last line so far."""
    spots: list[_Spot] = field(default_factory=list)


class LongText(QObject):
    """Fills one view. GUI thread."""

    progressed = Signal(int, int)
    """Characters that stand there, and all."""

    def __init__(self, view: QPlainTextEdit, format_of: _Format) -> None:
        super().__init__(view)
        self._view = view
        self._format_of = format_of
        self._filling: _Filling | None = None
        self._shown: list[tuple[int, int]] = []
        self._forms: dict[Mark, QTextCharFormat] = {}
        self._turns = QTimer(self)
        self._turns.setInterval(0)
        self._turns.timeout.connect(self._on_turn)

    def begin(self, text: str, covered: Sequence[Found], needles: Sequence[str] = ()) -> None:
        """Fill the view, which is empty, from the text's beginning; ``needles`` are marked."""
        self.forget()
        self._filling = _Filling(text, covered, needles)
        self._on_turn()
        self._turns.start()

    def forget(self) -> None:
        """Stop, and keep no text."""
        self._turns.stop()
        self._filling = None
        self._shown.clear()
        self._forms.clear()  # another palette has other colours

    def reveal(self, *, on: bool) -> None:
        """What is covered where a person looks now, as long as a button is held down."""
        filling, document = self._filling, self._view.document()
        if filling is None:
            return
        if not on:
            while self._shown:
                at, length = self._shown.pop()
                self._replace(at, length, (Piece(DOTS, Mark.SECRET, 0),))
            if filling.done < len(filling.text):
                self._turns.start()
            return
        self._turns.stop()
        port = self._view.viewport().rect()
        first = self._view.cursorForPosition(port.topLeft()).block().position()
        last = self._view.cursorForPosition(port.bottomRight()).position()
        for spot in reversed([one for one in filling.spots if first <= one.at <= last]):
            before = document.characterCount()
            self._replace(spot.at, len(DOTS), drawn(filling.text[spot.start : spot.end]))
            grown = document.characterCount() - before
            self._shown.append((spot.at, len(DOTS) + grown))

    def copied(self) -> QMimeData:
        """What is selected, each line in one."""
        cursor = self._view.textCursor()
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        block = self._view.document().findBlock(start)
        parts: list[str] = []
        while block.isValid() and block.position() < end:
            if parts and block.userState() != _BROKEN:
                parts.append("\n")
            first = max(0, start - block.position())
            parts.append(block.text()[first : end - block.position()])
            block = block.next()
        data = QMimeData()
        data.setText("".join(parts))
        return data

    # ---- inside

    def _on_turn(self) -> None:
        filling = self._filling
        if filling is None:
            return
        cursor = QTextCursor(self._view.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        until = time.perf_counter() + _TURN_S
        cursor.beginEditBlock()
        while filling.done < len(filling.text) and time.perf_counter() < until:
            for piece in _stretch(filling):
                if piece.mark is Mark.SECRET:
                    start = filling.done - piece.source
                    filling.spots.append(_Spot(cursor.position(), start, filling.done))
                self._put(cursor, piece)
        cursor.endEditBlock()
        if filling.done >= len(filling.text):
            self._turns.stop()
        self.progressed.emit(filling.done, len(filling.text))

    def _put(self, cursor: QTextCursor, piece: Piece) -> None:
        """A piece behind all others; a line that grows too long is broken."""
        filling, form = self._filling, self._form(piece.mark)
        assert filling is not None  # noqa: S101 - called while it is filled only
        if piece.mark is Mark.SECRET:  # dots stay together: they are found again by their place
            cursor.insertText(piece.text, form)
            filling.line += len(piece.text)
            return
        for number, line in enumerate(piece.text.split("\n")):
            if number:
                cursor.insertBlock()
                filling.line = 0
            rest = line
            while filling.line + len(rest) > _LINE:
                room = _LINE - filling.line
                cursor.insertText(rest[:room], form)
                cursor.insertBlock()
                cursor.block().setUserState(_BROKEN)
                rest, filling.line = rest[room:], 0
            cursor.insertText(rest, form)
            filling.line += len(rest)

    def _form(self, mark: Mark) -> QTextCharFormat:
        return self._forms.get(mark) or self._forms.setdefault(mark, self._format_of(mark))

    def _replace(self, at: int, length: int, pieces: Sequence[Piece] | Iterator[Piece]) -> None:
        cursor = QTextCursor(self._view.document())
        cursor.setPosition(at)
        cursor.setPosition(at + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        for piece in pieces:
            cursor.insertText(piece.text, self._form(piece.mark))
        cursor.endEditBlock()


def _stretch(filling: _Filling) -> Iterator[Piece]:
    """The next pieces: up to a secret, or the dots for one. ``done`` moves before each is given."""
    text, start = filling.text, filling.done
    if filling.next < len(filling.covered):
        one = filling.covered[filling.next]
        if one.start <= start:
            filling.next += 1
            filling.done = one.end
            yield Piece(DOTS, Mark.SECRET, one.end - start)
            return
        end = min(start + _STRETCH, one.start)
    else:
        end = min(start + _STRETCH, len(text))
    if end < len(text) and end - start == _STRETCH:
        end = _between_words(text, start, end)
    filling.done = end
    yield from found_in(text, filling.needles, start, end)


def _between_words(text: str, start: int, end: int) -> int:
    """Not inside of blanks: how many there are together decides whether they are drawn."""
    for at in range(end, max(start, end - _BLANKS), -1):
        if not text[at - 1].isspace() and not text[at].isspace():
            return at
    return end
