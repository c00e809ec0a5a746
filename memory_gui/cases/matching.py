# SPDX-License-Identifier: MIT
"""Where a text names a person: by exact name, by e-mail and telephone as people write them.

A find is *sure* where nothing but this person can be meant, and *unsure* with a code of why in all
other cases; a rule never cuts a name out of a longer one. Places are those of the text as it was
given. Time grows with the text; one Matcher may be used by any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memory_gui.cases.names import Form, Subject
from memory_gui.cases.script import beside_capital, goes_on, inside_word
from memory_gui.cases.writing import Way, closed, ways_of
from memory_gui.domain.folding import fold
from memory_gui.domain.spans import Span, folded_with_places

INSIDE_NAME: Final = "inside_name"
ONE_WORD: Final = "one_word"
NEXT_WORD: Final = "next_word"
OTHER_PERSON: Final = "other_person"
AGENT_NAME: Final = "agent_name"
WHYS: Final = (
    INSIDE_NAME,
    ONE_WORD,
    NEXT_WORD,
    OTHER_PERSON,
    AGENT_NAME,
    "joined",
    "initial",
    "turned",
    "spaced",
    "plus_address",
    "short_number",
    "in_word",
)
"""Why a find is unsure; words in ``words/cases.py``."""

_HIDDEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+"
)
"""Letters that do not show: put into a name they would keep it from being found."""
_PIECE: Final = 1 << 16
_AROUND: Final = 256
"""So much of a text is seen on both sides of where two pieces meet."""
_BETWEEN: Final = "\x1e"


@dataclass(frozen=True, slots=True)
class Hit:
    """``text[start:end]`` names the person. ``why`` is empty where that is sure."""

    start: int
    end: int
    form: Form
    why: str = ""

    @property
    def sure(self) -> bool:
        """Whether nobody else can be meant."""
        return not self.why


class Matcher:
    """Looks for one person."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        ways = [way for one in subject.named for way in ways_of(one)]
        self._ways = tuple(sorted(ways, key=lambda way: way.why != ""))  # sure ones count first
        self._one = re.compile("|".join(f"({way.pattern})" for way in self._ways))
        self._hints = tuple(dict.fromkeys(way.hint for way in ways if way.hint))
        self._digits = tuple(dict.fromkeys(way.digits for way in ways if not way.hint))
        others = [re.escape(" ".join(fold(name).split())) for name in subject.others]
        apart = sorted(others, key=len, reverse=True)
        self._others = re.compile("|".join(apart).replace(r"\ ", r"\s+")) if apart else None
        self.plain = frozenset(one.plain for one in subject.named)
        """What a field that holds nothing but a name is compared with."""

    def may_hold(self, text: str) -> bool:
        """Whether ``find`` could find anything; quick, and never long without a pause."""
        return any(self.has(bare(piece.text)) for piece in _pieces(text))

    def has(self, bare: str) -> bool:
        """The same of a text that ``bare_texts`` has made."""
        maybe = any(hint in bare for hint in self._hints)
        if not maybe and self._digits:
            drawn = closed(bare)
            maybe = any(digits in drawn for digits in self._digits)
        return maybe and self._one.search(bare) is not None

    def names(self, value: str | None) -> bool:
        """Whether a field that holds a name, and nothing else, has one of these."""
        if not value:
            return False
        plain = " ".join(bare(value).split())
        if plain in self.plain:
            return True
        found = self._one.fullmatch(plain)
        return found is not None and self._way(found).sure_alone

    def find(self, text: str) -> tuple[Hit, ...]:
        """Every place, in order; none overlaps another."""
        return tuple(
            hit
            for piece in _pieces(text)
            for hit in self._in(piece.text, piece.start)
            if piece.first <= hit.start < piece.last
        )

    def mentions_others(self, text: str) -> tuple[str, ...]:
        """Which of the other people, as they were given, stand in a text by themselves."""
        if self._others is None:
            return ()
        found = {" ".join(match[0].split()) for match in self._others.finditer(bare(text))}
        return tuple(name for name in self.subject.others if " ".join(fold(name).split()) in found)

    # ---- inside

    def _in(self, text: str, base: int) -> Iterator[Hit]:
        if not self.has(bare(text)):
            return
        folded, places = _laid(text)
        apart = [m.span() for m in self._others.finditer(folded)] if self._others else []
        at = 0
        while (found := self._one.search(folded, at)) is not None:
            start, end = found.span()
            at = max(end, at + 1)
            way = self._way(found)
            first, last = (start, end) if places is None else _whole(places, start, end)
            why = self._why(way, folded, (start, end), text, (first, last))
            if why is None:
                at = start + 1
                continue
            if any(a <= start and end <= b for a, b in apart):
                why = OTHER_PERSON
            yield Hit(base + first, base + last, way.form, why)

    def _way(self, found: re.Match[str]) -> Way:
        assert found.lastindex is not None  # noqa: S101 - every way is a group
        return self._ways[found.lastindex - 1]

    @staticmethod
    def _why(way: Way, folded: str, at: Span, text: str, shown: Span) -> str | None:
        """Why it is unsure; empty where it is sure, None where it is nobody's name."""
        start, end = at
        if way.form is Form.NAME:
            if inside_word(folded, start, end):
                return INSIDE_NAME if way.tells and not way.why else None
            if goes_on(folded, start, end):
                return INSIDE_NAME
            if way.why:
                return way.why
            return NEXT_WORD if beside_capital(text, *shown) else ""
        if way.form is Form.PHONE and inside_word(folded, start, end):
            return "in_word"
        return way.why


def bare_texts(texts: Sequence[str]) -> tuple[str, list[str]]:
    """Many texts in the form in which they are looked through: all as one, and each by itself."""
    whole = bare(_BETWEEN.join(texts))
    parts = whole.split(_BETWEEN)
    return (whole, parts) if len(parts) == len(texts) else (whole, [bare(one) for one in texts])


def bare(text: str) -> str:
    """Folded, without what does not show: the form in which a text is looked through."""
    low = fold(text)
    return low if low.isascii() else _HIDDEN.sub("", low)


def _laid(text: str) -> tuple[str, list[Span] | None]:
    """As ``bare``, and of each letter the piece of the text that it comes from."""
    if text.isascii():
        return text.lower(), None
    folded, places = folded_with_places(text)
    if not _HIDDEN.search(folded):
        return folded, places
    kept = [n for n, letter in enumerate(folded) if not _HIDDEN.match(letter)]
    return "".join(folded[n] for n in kept), [places[n] for n in kept]


def _whole(places: list[Span], start: int, end: int) -> Span:
    return places[start][0], places[end - 1][1]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a text, and between which places of the text its own matches begin."""

    text: str
    start: int
    first: int
    last: int


def _pieces(text: str) -> Iterator[_Piece]:
    """A long text in pieces: they end with a line, or overlap, so that no name is cut."""
    if len(text) <= _PIECE:
        yield _Piece(text, 0, 0, len(text))
        return
    at = first = 0
    while at < len(text):
        cut = at + _PIECE
        if cut >= len(text):
            yield _Piece(text[at:], at, first, len(text))
            return
        line = text.rfind("\n", first + 1, cut) + 1
        last = line if line > 0 else cut - _AROUND
        yield _Piece(text[at : line or cut], at, first, last)
        at, first = (line, line) if line > 0 else (last - _AROUND, last)
