# SPDX-License-Identifier: MIT
"""Characters that do not show, or that change what others show: what a reviewer must be told of."""

from __future__ import annotations

import unicodedata
from typing import Final

_JOINER: Final = "\u200d"
_FILLERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters by category, but blank: Hangul and Khmer fillers, the empty Braille cell."""
_PLAIN_CONTROLS: Final = frozenset("\n\t\r")


def hidden_at(text: str) -> tuple[tuple[int, str], ...]:
    """Where hidden characters stand: (index, character).

    Format characters (zero-width, bidi, tag block), control characters but line ends and tabs,
    lone surrogates, variation selectors 17-256 and blank letters. A zero-width joiner between two
    emoji is how families and professions are written and does not count.
    """
    return tuple((i, char) for i, char in enumerate(text) if _hidden(text, i, char))


def has_hidden(text: str) -> bool:
    """Whether any character of the text is hidden."""
    if text.isascii():
        return any(
            _hidden(text, i, char) for i, char in enumerate(text) if char < " " or char == "\x7f"
        )
    return bool(hidden_at(text))


def _hidden(text: str, index: int, char: str) -> bool:
    if char in _PLAIN_CONTROLS:
        return False
    if char == _JOINER:
        return not _between_emoji(text, index)
    if char in _FILLERS or "\ufe00" <= char <= "\ufe0e" or "\U000e0100" <= char <= "\U000e01ef":
        return True
    return unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _between_emoji(text: str, index: int) -> bool:
    before = text[:index].rstrip("\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")[-1:]
    after = text[index + 1 : index + 2]
    return _emoji(before) and _emoji(after)


def _emoji(char: str) -> bool:
    return bool(char) and unicodedata.category(char) == "So"
