# SPDX-License-Identifier: MIT
"""What changes between two texts, in one text: what goes is struck out, what comes underlined.

Each changed stretch begins with its sign, so that neither colour nor line has to be seen: a screen
reader reads ``−`` and ``+`` with the text, and the list of changes as the view's description.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtWidgets import QWidget

from memory_gui.domain.diff import Piece as Change
from memory_gui.domain.diff import words_diff
from memory_gui.ui.pages.marking import Mark, Piece, drawn
from memory_gui.ui.pages.text_view import MOST_SHOWN, TextView
from memory_gui.ui.visible import one_line
from memory_gui.words import Words

GONE: Final = "−"
NEW: Final = "+"
LEFT_OUT: Final = " … "
"""Stands for what stayed and is not shown."""

_EFFORT: Final = 30_000
"""Of ``words_diff``: a few ms, because this runs where windows are drawn."""
_TOLD: Final = 12
_TOLD_LENGTH: Final = 80
_MARKS: Final = {"same": Mark.PLAIN, "gone": Mark.REMOVED, "new": Mark.ADDED}
_SIGNS: Final = {"gone": GONE, "new": NEW}


class DiffView(TextView):
    """Shows the way from one text to another. Plain text, whatever it holds. GUI thread.

    ``context`` is how many characters of what stayed are shown around a change; 0 shows all of it.
    """

    def __init__(
        self,
        words: Words,
        object_name: str,
        *,
        lines: int = 14,
        context: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(object_name, lines=lines, parent=parent)
        self._words = words
        self._context = context
        self._changes: tuple[Change, ...] = ()

    def show_diff(self, old: str, new: str) -> None:
        """Compare two texts; of endless ones the beginnings."""
        self.show_changes(words_diff(old[:MOST_SHOWN], new[:MOST_SHOWN], effort=_EFFORT))

    def show_changes(self, changes: Sequence[Change]) -> None:
        """What ``words_diff`` found."""
        self._changes = tuple(changes)
        self.setAccessibleName(self._words.say("What changes"))
        self.show_pieces(_pieces(self._changes, self._context))

    @property
    def differs(self) -> bool:
        """Whether anything changes."""
        return any(change.kind != "same" for change in self._changes)

    def retranslate(self) -> None:
        """Say again what a screen reader is told."""
        self.setAccessibleName(self._words.say("What changes"))
        self._describe()

    def wipe(self) -> None:
        self._changes = ()
        super().wipe()
        self.setAccessibleDescription("")

    def _render(self) -> None:
        super()._render()
        self._describe()

    def _describe(self) -> None:
        """The changes as a list, with dots where the text has them, and nothing while hidden."""
        told = [self._told(mark, text) for mark, text in _changed(self._to_show())]
        if len(told) > _TOLD:
            more = self._words.many("and {n} more", "and {n} more", len(told) - _TOLD)
            told = [*told[:_TOLD], more]
        self.setAccessibleDescription("\n".join(told))

    def _told(self, mark: Mark, text: str) -> str:
        shown = one_line(text, _TOLD_LENGTH)
        if not shown:
            return self._words.say("A blank or a line end changes.")
        if mark is Mark.REMOVED:
            return self._words.say("Goes: {text}", text=shown)
        return self._words.say("Comes: {text}", text=shown)


def _changed(pieces: Sequence[Piece]) -> Iterator[tuple[Mark, str]]:
    """The changed stretches, without their signs. Hidden characters stand inside of one."""
    mark, text = Mark.PLAIN, ""
    for piece in pieces:
        sign = piece.source == 0 and piece.text in _SIGNS.values()
        if piece.mark is Mark.PLAIN or sign:
            if text and mark is not Mark.PLAIN:
                yield mark, text
            mark, text = (piece.mark if sign else Mark.PLAIN), ""
        else:
            text += piece.text
    if text and mark is not Mark.PLAIN:
        yield mark, text


def _pieces(changes: Sequence[Change], context: int) -> Iterator[Piece]:
    for number, change in enumerate(changes):
        if change.kind == "same":
            first, last = number == 0, number == len(changes) - 1
            yield from _stayed(change.text, context, first=first, last=last)
        else:
            mark = _MARKS[change.kind]
            yield Piece(_SIGNS[change.kind], mark, 0)
            yield from drawn(_shown_ends(change.text), mark)


def _stayed(text: str, context: int, *, first: bool, last: bool) -> Iterator[Piece]:
    """The whole of it, or what is near a change."""
    if not context or (first and last) or len(text) <= 3 * context:
        yield from drawn(text)
        return
    if not first:
        yield from drawn(text[:context])
    yield Piece(LEFT_OUT, Mark.PLAIN, len(text) - context * (2 - first - last))
    if not last:
        yield from drawn(text[len(text) - context :])


def _shown_ends(text: str) -> str:
    """A change of nothing but line ends would not be seen."""
    return text.replace("\n", "↵\n") if not text.strip() else text
