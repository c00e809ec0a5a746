# SPDX-License-Identifier: MIT
"""Where in a text, as it is written, the pieces stand that were searched for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from memory_gui.domain.folding import fold

Span = tuple[int, int]
"""From, to: places in the text."""
_PLAIN: Final = re.compile(r"[\x00-\x7f\u3400-\u9fff]{2,}(?=[\x00-\x7f\u3400-\u9fff]|\Z)")
"""Letters that are normalised each by itself: none after them belongs to the last one."""


def matches(text: str, needles: Iterable[str]) -> tuple[Span, ...]:
    """The places of folded needles (``Parsed.needles``) in a text, in order; none touches another.

    A needle may begin or end inside a letter that folds to several (``ﬁ``, ``ß``): the whole
    letter is meant then. The time grows with the text; give it what is shown, not a whole book.
    """
    folded, places = fold(text), None
    wanted = [needle for needle in needles if needle and needle in folded]
    if not wanted:
        return ()
    if not text.isascii():
        folded, places = folded_with_places(text)
    found: list[Span] = []
    for needle in wanted:
        at = folded.find(needle)
        while at >= 0:
            end = at + len(needle)
            if places is None:
                found.append((at, end))
            else:
                found.append((places[at][0], places[end - 1][1]))
            at = folded.find(needle, end)
    return _joined(found)


def _joined(spans: list[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def folded_with_places(text: str) -> tuple[str, list[Span]]:
    """The folded text, and of each of its letters the piece of the text that it comes from."""
    pieces: list[str] = []
    places: list[Span] = []
    start = 0
    while start < len(text):
        if (plain := _PLAIN.match(text, start)) is not None:
            pieces.append(plain[0].lower())
            places += [(at, at + 1) for at in range(start, plain.end())]
            start = plain.end()
            continue
        end = start + 1
        folded = fold(text[start])
        while end < len(text) and _belongs(text, start, end):
            end += 1
            folded = fold(text[start:end])
        pieces.append(folded)
        places += [(start, end)] * len(folded)
        start = end
    return "".join(pieces), places


def _belongs(text: str, start: int, at: int) -> bool:
    """Whether a letter is normalised together with those before it (accents, parts of Hangul)."""
    letter = text[at]
    if letter.isascii() or "\u3400" <= letter <= "\u9fff":
        return False
    before = text[start:at]
    normal = unicodedata.normalize
    return bool(unicodedata.combining(letter)) or (
        normal("NFKC", before + letter) != normal("NFKC", before) + normal("NFKC", letter)
    )
