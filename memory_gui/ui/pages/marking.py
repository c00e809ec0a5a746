# SPDX-License-Identifier: MIT
"""What in a text deserves a mark: characters that do not show, changed words, a found phrase.

Plain functions over texts; the widgets paint what they return.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from typing import Final

from memory_gui.domain.hidden import hidden_at

DIFF_CELLS: Final = 30_000
"""The largest product of two word counts that is compared: a diff runs where windows are drawn."""

_TOKEN: Final = re.compile(r"[^\W\u2e80-\u9fff\uac00-\ud7af]+|\s+|.", re.DOTALL)
_LINE: Final = re.compile(r"[^\n。.!?！？]*[\n。.!?！？]?")


class Mark(Enum):
    """Why a piece of a text is marked."""

    PLAIN = "plain"
    HIDDEN = "hidden"
    FOUND = "found"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text as it is drawn; ``source`` is its length in the stored text."""

    text: str
    mark: Mark
    source: int


def hidden_count(text: str) -> int:
    """How many characters of the text do not show."""
    return len(hidden_at(text))


def drawn(text: str, mark: Mark = Mark.PLAIN) -> Iterator[Piece]:
    """The text in pieces, each hidden character as a visible ``⟦U+200B⟧`` of its own."""
    start = 0
    for at, char in hidden_at(text):
        if start < at:
            yield Piece(text[start:at], mark, at - start)
        yield Piece(f"⟦U+{ord(char):04X}⟧", Mark.HIDDEN, 1)
        start = at + 1
    if start < len(text):
        yield Piece(text[start:], mark, len(text) - start)


def visible(text: str) -> str:
    """The text with its hidden characters drawn, for one-line places such as a title."""
    return "".join(piece.text for piece in drawn(text))


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


def word_diff(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both sides: words only in the old text are REMOVED, only in the new one ADDED.

    Bounded by DIFF_CELLS whatever the texts are: what differs too much is compared by sentences,
    and in the last resort marked as a whole.
    """
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    left, right = list(drawn("".join(before[:head]))), list(drawn("".join(after[:head])))
    middle = before[head : len(before) - tail], after[head : len(after) - tail]
    if len(middle[0]) * len(middle[1]) > DIFF_CELLS:
        middle = _lines("".join(middle[0])), _lines("".join(middle[1]))
    for equal, gone, come in _changes(*middle):
        left.extend(drawn(gone, Mark.PLAIN if equal else Mark.REMOVED))
        right.extend(drawn(come, Mark.PLAIN if equal else Mark.ADDED))
    left.extend(drawn("".join(before[len(before) - tail :])))
    right.extend(drawn("".join(after[len(after) - tail :])))
    return tuple(left), tuple(right)


def _changes(before: list[str], after: list[str]) -> Iterator[tuple[bool, str, str]]:
    if len(before) * len(after) > DIFF_CELLS:
        yield False, "".join(before), "".join(after)
        return
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        yield tag == "equal", "".join(before[a1:a2]), "".join(after[b1:b2])


def _common(one: list[str], other: list[str]) -> int:
    """How many tokens both begin with."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _lines(text: str) -> list[str]:
    return [line for line in _LINE.findall(text) if line]
