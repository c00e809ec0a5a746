# SPDX-License-Identifier: MIT
"""An erase of everything: what is asked for, and its parts as lines. Knows no Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memory_gui.domain.records import StoreId
from memory_gui.services.erasing.everything import Part
from memory_gui.ui.pages.erase_words import place
from memory_gui.words import Words
from memory_gui.words.erasure import OWN_CLEAR, kind, part_name


@dataclass(frozen=True, slots=True)
class Whole:
    """All that a store holds, its pair, or one scope of both."""

    store: StoreId
    pair: bool = False
    scope: str = ""


def part_lines(words: Words, parts: Sequence[Part]) -> list[str]:
    """One line for each part: how many there are, or what became of them."""
    several = len({part.store for part in parts}) > 1
    return [_part(words, part, place(part.store) if several else "") for part in parts]


def own_clear_lines(words: Words, parts: Sequence[Part]) -> list[str]:
    """What the agent's own "clear" would have left of it."""
    left: Counter[tuple[str, str]] = Counter()
    for part in parts:
        if part.own_clear:
            left[part.own_clear, part.kind] += part.found
    return [
        words.say(OWN_CLEAR[how], kind=kind(words, name), n=n) for (how, name), n in left.items()
    ]


def _part(words: Words, part: Part, where: str) -> str:
    name = part_name(words, part.kind, part.state)
    if where:
        name = words.say("{where}, {what}", where=where, what=name)
    if part.erased is None:
        return words.say("{what}: {n}", what=name, n=part.found)
    return words.say(
        "{what}: {erased} of {found} erased", what=name, erased=part.erased, found=part.found
    )
