# SPDX-License-Identifier: MIT
"""Which entries a few typed letters mean: English, Chinese, or the initials of its pinyin."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

_FIRST_CODES: Final = (
    ("a", 0xB0A1), ("b", 0xB0C5), ("c", 0xB2C1), ("d", 0xB4EE), ("e", 0xB6EA), ("f", 0xB7A2),
    ("g", 0xB8C1), ("h", 0xB9FE), ("j", 0xBBF7), ("k", 0xBFA6), ("l", 0xC0AC), ("m", 0xC2E8),
    ("n", 0xC4C3), ("o", 0xC5B6), ("p", 0xC5BE), ("q", 0xC6DA), ("r", 0xC8BB), ("s", 0xC8F6),
    ("t", 0xCBFA), ("w", 0xCDDA), ("x", 0xCEF4), ("y", 0xD1B9), ("z", 0xD4D1),
)  # fmt: skip
"""GB/T 2312 has its 3,755 common characters in the order of their pinyin: where each letter begins.

One that is read in two ways stands at one of them only.
"""
_END: Final = 0xD7FA
_CODES: Final = tuple(code for _, code in _FIRST_CODES)


@dataclass(frozen=True, slots=True)
class Keys:
    """What one entry is found by, case-folded."""

    texts: tuple[str, ...]
    initials: tuple[str, ...]

    @classmethod
    def of(cls, names: Iterable[str]) -> Keys:
        """From its names in whatever language."""
        texts = tuple(dict.fromkeys(folded(name) for name in names if name))
        return cls(texts, tuple(short for short in map(initials, texts) if len(short) > 1))


def folded(text: str) -> str:
    """As it is compared: without case, width and the marks of a menu."""
    return unicodedata.normalize("NFKC", text).casefold().replace("…", "").strip()


@cache
def initial(character: str) -> str:
    """The first letter of a common Chinese character's pinyin; empty for any other character."""
    try:
        high, low = character.encode("gb2312")
    except (UnicodeEncodeError, ValueError):
        return ""
    code = high << 8 | low
    if not _CODES[0] <= code < _END:
        return ""
    return _FIRST_CODES[bisect_right(_CODES, code) - 1][0]


def initials(text: str) -> str:
    """Of Chinese characters by pinyin, of words their first letter: ``打开 store`` is ``dks``."""
    letters = []
    begins = True
    for character in text:
        han = initial(character)
        if han:
            letters.append(han)
            begins = True
        elif character.isalnum():
            if begins:
                letters.append(character)
            begins = False
        else:
            begins = True
    return "".join(letters)


def rank(typed: str, keys: Keys) -> int | None:
    """How well it fits, 0 is best; None when it does not fit at all."""
    wanted = folded(typed)
    parts = wanted.split()
    ways = (
        any(text.startswith(wanted) for text in keys.texts),
        bool(wanted) and any(short.startswith(wanted) for short in keys.initials),
        any(_begins_words(parts, text) for text in keys.texts),
        any(all(part in text for part in parts) for text in keys.texts),
        any(wanted in short for short in keys.initials),
    )
    return next((how for how, fits in enumerate(ways) if fits), None)


def _begins_words(parts: Sequence[str], text: str) -> bool:
    words = text.split()
    return all(any(word.startswith(part) for word in words) for part in parts)


def found(typed: str, keys: Sequence[Keys]) -> list[int]:
    """The places of those that fit, the best first; equal ones keep their order."""
    ranked = [(place, rank(typed, one)) for place, one in enumerate(keys)]
    fits = [(how, place) for place, how in ranked if how is not None]
    return [place for _, place in sorted(fits)]
