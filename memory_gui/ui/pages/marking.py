# SPDX-License-Identifier: MIT
"""What in a text deserves a mark: characters that do not show, changed words, a found phrase.

Plain functions over texts; the widgets paint what they return.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Final

from memory_gui.domain import hidden
from memory_gui.domain.diff import words_diff
from memory_gui.domain.spans import matches

_EFFORT: Final = 30_000
"""Of ``words_diff``: a few ms, because this runs where windows are drawn."""
MOST_FOUND: Final = 300
_AROUND: Final = 4
"""A letter that is folded to one may be written with so many."""


class Mark(Enum):
    """Why a piece of a text is marked."""

    PLAIN = "plain"
    HIDDEN = "hidden"
    FOUND = "found"
    REMOVED = "removed"
    ADDED = "added"
    SECRET = "secret"  # noqa: S105 - a name of a mark


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text as it is drawn; ``source`` is its length in the stored text."""

    text: str
    mark: Mark
    source: int


def drawn(text: str, mark: Mark = Mark.PLAIN) -> Iterator[Piece]:
    """The text in pieces, each hidden character as a visible ``⟦U+200B⟧`` of its own.

    Blank lines, or blanks, that move text out of sight become ``⟦↵×12⟧`` or ``⟦␣×200⟧``.
    """
    start = 0
    for at, end, lines in hidden.far_in(text):
        yield from _drawn(text[start:at], mark)
        sign = f"\n⟦↵×{lines}⟧\n" if lines else f"⟦␣×{end - at}⟧"
        yield Piece(sign, Mark.HIDDEN, end - at)
        start = end
    yield from _drawn(text[start:], mark)


def _drawn(text: str, mark: Mark) -> Iterator[Piece]:
    start = 0
    for at, char in hidden.hidden_at(text):
        if start < at:
            yield Piece(text[start:at], mark, at - start)
        yield Piece(f"⟦U+{ord(char):04X}⟧", Mark.HIDDEN, 1)
        start = at + 1
    if start < len(text):
        yield Piece(text[start:], mark, len(text) - start)


def visible(text: str) -> str:
    """The text with its hidden characters drawn, for one-line places such as a title."""
    return hidden.drawn(text)


def found(text: str, phrase: str) -> Iterator[Piece]:
    """The text with the first place marked where the phrase stands in it (case does not matter)."""
    needle = phrase.strip()
    at = text.casefold().find(needle.casefold()) if needle else -1
    # Folding may change lengths (ß); then only an exact match can be placed.
    if len(text.casefold()) != len(text) or len(needle.casefold()) != len(needle):
        at = text.find(needle) if needle else -1
    if at < 0:
        yield from drawn(text)
        return
    end = at + len(needle)
    yield from drawn(text[:at])
    yield from drawn(text[at:end], Mark.FOUND)
    yield from drawn(text[end:])


def found_in(
    text: str, needles: Sequence[str], start: int = 0, end: int | None = None
) -> Iterator[Piece]:
    """A text, or a part of it, in which is marked what was searched for (``Parsed.needles``).

    What begins before the part, or ends after it, is marked as far as it is in it. So many places
    are marked as can be drawn in a moment: the first ones.
    """
    end = len(text) if end is None else end
    around = _AROUND * max(map(len, needles), default=0)
    first = max(0, start - around)
    at = start
    for begin, after in islice(matches(text[first : end + around], needles), MOST_FOUND):
        left, right = max(at, first + begin), min(end, first + after)
        if left < right:
            yield from drawn(text[at:left])
            yield from drawn(text[left:right], Mark.FOUND)
            at = right
    yield from drawn(text[at:end])


def word_diff(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both sides: words only in the old text are REMOVED, only in the new one ADDED."""
    left: list[Piece] = []
    right: list[Piece] = []
    for change in words_diff(old, new, effort=_EFFORT):
        if change.kind != "new":
            left += drawn(change.text, Mark.REMOVED if change.kind == "gone" else Mark.PLAIN)
        if change.kind != "gone":
            right += drawn(change.text, Mark.ADDED if change.kind == "new" else Mark.PLAIN)
    return tuple(left), tuple(right)
