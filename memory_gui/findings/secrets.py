# SPDX-License-Identifier: MIT
"""Secrets in a text: where they stand and what kind they are. What was matched is never returned.

Any thread. Bounded by LONGEST whatever the text is; 4,000 characters take about a millisecond.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from memory_gui.findings.secret_shapes import SHAPES, Shape

LONGEST: Final = 200_000
"""Characters of a text that are searched; a window shows far fewer."""
DOTS: Final = "••••••••"
"""What stands for a secret, however long it is."""


class Level(IntEnum):
    """How sure it is: the maker's own shape or a checksum; a name and a value."""

    LIKELY = 1
    CERTAIN = 2


@dataclass(frozen=True, slots=True)
class Secret:
    """One secret: ``text[start:end]``. ``kind`` has its words in ``ui.privacy.masking``."""

    kind: str
    start: int
    end: int
    level: Level


def secrets_in(text: str) -> tuple[Secret, ...]:
    """The secrets of a text in order; those that overlap are one, of the surer kind."""
    low = text[:LONGEST].lower()
    found = sorted(
        (one for shape in SHAPES if any(hint in low for hint in shape.hints)
         for one in _matches(shape, text)),
        key=lambda one: (one.start, -one.end),
    )  # fmt: skip
    merged: list[Secret] = []
    for one in found:
        if merged and one.start < merged[-1].end:
            merged[-1] = _both(merged[-1], one)
        else:
            merged.append(one)
    return tuple(merged)


def has_secret(text: str) -> bool:
    """Whether there is any."""
    return bool(secrets_in(text))


def mask(text: str) -> str:
    """The text with DOTS in place of each secret."""
    pieces, at = [], 0
    for one in secrets_in(text):
        pieces += [text[at : one.start], DOTS]
        at = one.end
    return "".join((*pieces, text[at:])) if pieces else text


def _matches(shape: Shape, text: str) -> Iterator[Secret]:
    for match in shape.pattern.finditer(text, 0, LONGEST):
        group = next((n for n in range(1, shape.pattern.groups + 1) if match[n]), 0)
        start, end = match.span(group)
        proved = shape.check is None or shape.check(match[group])
        if proved or not shape.must:
            sure = Level.CERTAIN if proved and shape.certain else Level.LIKELY
            yield Secret(shape.kind, start, end, sure)


def _both(one: Secret, other: Secret) -> Secret:
    surer = other if other.level > one.level else one
    return Secret(surer.kind, one.start, max(one.end, other.end), surer.level)
