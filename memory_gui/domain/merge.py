# SPDX-License-Identifier: MIT
"""Two changes of one text brought together, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory_gui.domain.diff import EFFORT, words_diff


@dataclass(frozen=True, slots=True)
class Merged:
    """The text with both changes. Not ``clean``: somewhere both wordings stand side by side."""

    text: str
    clean: bool


@dataclass(frozen=True, slots=True)
class _Edit:
    """In the base, ``[start, end)`` becomes ``text``."""

    start: int
    end: int
    text: str


def merged(base: str, theirs: str, mine: str, *, effort: int = EFFORT) -> Merged:
    """What both made of ``base``. Where both changed the same place, theirs stands before mine."""
    left, right = _edits(base, theirs, effort), _edits(base, mine, effort)
    parts: list[str] = []
    clean, at = True, 0
    while left or right:
        ours, yours, start, end = _next_group(left, right)
        parts.append(base[at:start])
        one, other = _applied(base, ours, start, end), _applied(base, yours, start, end)
        if not yours or one == other:
            parts.append(one)
        elif not ours:
            parts.append(other)
        else:
            clean = False
            parts.append(_side_by_side(one, other))
        at = end
    parts.append(base[at:])
    return Merged("".join(parts), clean)


def joined(one: str, other: str) -> str:
    """Two texts as one, for a person to shorten: one below the other, or the one that has both."""
    if other.strip() in one:
        return one
    if one.strip() in other:
        return other
    return f"{one.rstrip()}\n{other.lstrip()}"


def _edits(base: str, changed: str, effort: int) -> list[_Edit]:
    edits: list[_Edit] = []
    at = 0
    for piece in words_diff(base, changed, effort=effort):
        if piece.kind == "same":
            at += len(piece.text)
        elif piece.kind == "gone":
            edits.append(_Edit(at, at + len(piece.text), ""))
            at += len(piece.text)
        elif edits and edits[-1].end == at:
            edits[-1] = _Edit(edits[-1].start, at, piece.text)
        else:
            edits.append(_Edit(at, at, piece.text))
    return edits


def _next_group(
    left: list[_Edit], right: list[_Edit]
) -> tuple[Sequence[_Edit], Sequence[_Edit], int, int]:
    """Take the edits that stand in each other's way off both lists; and the place they are at."""
    first = min((edits[0] for edits in (left, right) if edits), key=lambda edit: edit.start)
    start, end = first.start, first.end
    taken: tuple[list[_Edit], list[_Edit]] = ([], [])
    growing = True
    while growing:
        growing = False
        for edits, into in zip((left, right), taken, strict=True):
            while edits and _meets(edits[0], start, end):
                into.append(edits.pop(0))
                end = max(end, into[-1].end)
                growing = True
    return *taken, start, end


def _meets(edit: _Edit, start: int, end: int) -> bool:
    """Whether an edit overlaps a place; two insertions at one point do, mere neighbours do not."""
    return edit.start < end or edit.start == start


def _applied(base: str, edits: Sequence[_Edit], start: int, end: int) -> str:
    parts, at = [], start
    for edit in edits:
        parts += [base[at : edit.start], edit.text]
        at = edit.end
    return "".join((*parts, base[at:end]))


def _side_by_side(theirs: str, mine: str) -> str:
    if not theirs.strip() or not mine.strip():
        return mine if mine.strip() else theirs  # one took it away: a person sees it and decides
    if "\n" in theirs or "\n" in mine:
        return f"{theirs.rstrip()}\n{mine.lstrip()}"
    return f"{theirs.rstrip()} / {mine.lstrip()}"
