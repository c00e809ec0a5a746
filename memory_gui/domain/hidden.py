# SPDX-License-Identifier: MIT
"""Characters that do not show, or that change what others show: what a reviewer must be told of."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import Final

_JOINER: Final = "\u200d"
_FILLERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters by category, but blank: Hangul and Khmer fillers, the empty Braille cell."""
_ASCII_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_PLAIN_CONTROLS: Final = frozenset("\n\t\r")


_SCRIPTS: Final = (
    ("latin", "A-Za-z\u00c0-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a"),
    ("greek", "\u0370-\u03ff\u1f00-\u1fff"),
    ("cyrillic", "\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f"),
    ("armenian", "\u0530-\u058f"),
    ("cherokee", "\u13a0-\u13ff\uab70-\uabbf"),
)
"""Scripts whose letters look like those of another. Chinese beside Latin letters is no disguise."""
_SCRIPT_OF: Final = tuple((name, re.compile(f"[{letters}]")) for name, letters in _SCRIPTS)
_LETTERS: Final = "".join(letters for _, letters in _SCRIPTS)
_WORD: Final = re.compile(f"[{_LETTERS}]+")
_NOT_LATIN: Final = re.compile(f"[{''.join(letters for _, letters in _SCRIPTS[1:])}]")

FAR_LINES: Final = 8
FAR_BLANKS: Final = 80
_BLANK: Final = "[ \\t\\u00a0\\u3000]"
# Begun only where a run begins, and without going back: the time grows with the text alone.
_LINES: Final = rf"(?:{_BLANK}*+(?:\r\n|[\n\r])){{{FAR_LINES + 1},}}+"
_FAR: Final = re.compile(rf"(?<!{_BLANK})(?:{_LINES}|{_BLANK}{{{FAR_BLANKS},}}+)")


def far_in(text: str) -> tuple[tuple[int, int, int], ...]:
    """Stretches that move what follows out of sight: from, to, and how many lines are blank.

    0 lines: it is a long row of blanks within a line. Blanks at the end hide nothing.
    """
    if len(text) <= FAR_LINES or not (text.count("\n") + text.count("\r") > FAR_LINES
                                      or len(text) > FAR_BLANKS):  # fmt: skip
        return ()
    end = len(text.rstrip())
    found = []
    for match in _FAR.finditer(text, 0, end):
        lines = len(match[0].splitlines()) - 1 if "\n" in match[0] or "\r" in match[0] else 0
        found.append((*match.span(), lines))
    return tuple(found)


def mixed_in(text: str) -> tuple[tuple[int, str], ...]:
    """Letters of another script inside a word, such as a Cyrillic а in ``pаypal``: where, which."""
    if not _NOT_LATIN.search(text):
        return ()
    return tuple(place for word in _WORD.finditer(text) for place in _disguised(word))


def _disguised(word: re.Match[str]) -> Iterator[tuple[int, str]]:
    scripts = [next(n for n, shape in _SCRIPT_OF if shape.match(char)) for char in word[0]]
    if len(set(scripts)) < 2:
        return
    most = max(dict.fromkeys(scripts), key=lambda name: (scripts.count(name), name == "latin"))
    for at, (char, script) in enumerate(zip(word[0], scripts, strict=True)):
        if script != most:
            yield word.start() + at, char


INVISIBLE, MIXED, FAR = "invisible", "mixed", "far"
"""Kinds of what a reviewer does not see: see ``kinds_in``."""


def kinds_in(text: str) -> Counter[str]:
    """How much of each kind is in a text.

    Characters that do not show, words that mix letters of several scripts, and gaps that move
    text out of sight.
    """
    mixed = mixed_in(text)
    places = {at for at, _ in mixed}
    words = sum(any(at in places for at in range(*word.span())) for word in _WORD.finditer(text))
    unseen = sum(at not in places for at, _ in hidden_at(text))
    found = Counter({INVISIBLE: unseen, MIXED: words if mixed else 0, FAR: len(far_in(text))})
    return +found


def hidden_at(text: str) -> tuple[tuple[int, str], ...]:
    """Where hidden characters stand: (index, character).

    Format characters (zero-width, bidi, tag block), control characters but line ends and tabs,
    lone surrogates, variation selectors 17-256, blank letters, and letters of another script
    inside a word. A zero-width joiner between two emoji is how families and professions are
    written and does not count.
    """
    if text.isascii():
        return tuple((found.start(), found[0]) for found in _ASCII_CONTROLS.finditer(text))
    unseen = [(i, char) for i, char in enumerate(text) if _hidden(text, i, char)]
    mixed = mixed_in(text)
    return tuple(sorted({*unseen, *mixed})) if mixed else tuple(unseen)


def has_hidden(text: str) -> bool:
    """Whether any character of the text is hidden, or text is moved out of sight."""
    if far_in(text):
        return True
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


def drawn(text: str) -> str:
    """The text with what does not show as ``⟦U+200B⟧``, and gaps as ``⟦↵×12⟧`` or ``⟦␣×200⟧``."""
    parts, start = [], 0
    for at, end, lines in far_in(text):
        parts += [_drawn(text[start:at]), f"\n⟦↵×{lines}⟧\n" if lines else f"⟦␣×{end - at}⟧"]
        start = end
    return "".join((*parts, _drawn(text[start:])))


def _drawn(text: str) -> str:
    parts, start = [], 0
    for at, char in hidden_at(text):
        parts += [text[start:at], f"⟦U+{ord(char):04X}⟧"]
        start = at + 1
    return "".join((*parts, text[start:]))
