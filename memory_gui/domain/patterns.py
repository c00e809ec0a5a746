# SPDX-License-Identifier: MIT
"""Patterns of a person: plain words, with * for anything between. Pure; never slow.

No regular expressions: a pattern is cut at its stars, and its pieces are looked for one after
another, each once. The time grows with the text alone, whatever the pattern is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.folding import fold

LONGEST: Final = 200
MOST_STARS: Final = 10
LEAST: Final = 2
"""Fewer letters would fit nearly everything."""
_LOOKED_AT: Final = 20_000
"""Characters of a text that are looked at."""


def checked(pattern: str) -> str:
    """The pattern without blanks around it.

    Raises:
        UserError: ``rules.pattern``: too short, too long, or with too many stars.
    """
    bare = " ".join(pattern.split())
    letters = bare.replace("*", "").replace(" ", "")
    if len(letters) < LEAST or len(bare) > LONGEST or bare.count("*") > MOST_STARS:
        raise UserError("rules.pattern", least=LEAST, most=LONGEST, stars=MOST_STARS)
    return bare


def fits(pattern: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts has the pieces of the pattern, in their order, anywhere in it.

    Case, width of letters and the number of blanks do not count.
    """
    pieces = [piece for piece in " ".join(fold(pattern).split()).split("*") if piece.strip()]
    return bool(pieces) and any(_has(pieces, text) for text in texts)


def _has(pieces: Iterable[str], text: str) -> bool:
    folded, at = " ".join(fold(text[:_LOOKED_AT]).split()), 0
    for piece in pieces:
        at = folded.find(piece.strip(), at)
        if at < 0:
            return False
        at += len(piece.strip())
    return True
