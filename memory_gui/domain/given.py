# SPDX-License-Identifier: MIT
"""What an agent gives its model of what it remembers: the values, whatever its rules are."""

from __future__ import annotations

from dataclasses import dataclass

from memory_gui.domain.records import Ref


@dataclass(frozen=True, slots=True)
class Reach:
    """How many characters of a text an agent reads.

    ``always``: in every request; ``searched``: for words that recall it; ``recalled``: when it is.
    """

    always: int
    searched: int
    recalled: int


@dataclass(frozen=True, slots=True)
class Stable:
    """The block of every request, the memories it shows, and those that have no room there."""

    text: str
    shown: tuple[Ref, ...]
    no_room: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class Recalled:
    """One memory that a message recalls, with its agent's score and reasons."""

    ref: Ref
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recall:
    """The block of one message. ``without_cjk``: there were such characters, and no cutter."""

    text: str
    recalled: tuple[Recalled, ...]
    without_cjk: bool
