# SPDX-License-Identifier: MIT
"""What rules of review do and leave, in words of window and terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from memory_gui.words.catalogue import Words


class AnyRule(Protocol):
    """As the ledger keeps one."""

    @property
    def verdict(self) -> str:
        """``approve`` or ``reject``."""
        ...

    @property
    def least(self) -> int:
        """How often it has to be seen."""
        ...

    @property
    def pattern(self) -> str:
        """What rejects it."""
        ...


def rule_text(words: Words, rule: AnyRule) -> str:
    """What a rule does, in one line."""
    if rule.verdict == "approve":
        return words.say(
            "Approves what was seen at least {n} times, is not odd and is like nothing saved",
            n=rule.least,
        )
    return words.say("Rejects what has “{pattern}” in it", pattern=rule.pattern)


def left_because(words: Words, cause: str, number: int) -> str:
    """How many an approving rule leaves for a person, and why."""
    many = words.many
    texts: Final[Mapping[str, str]] = {
        "replaces": many(
            "{n} is left: it would replace a memory.",
            "{n} are left: they would replace memories.",
            number,
        ),
        "alike": many(
            "{n} is left: a saved memory is much like it.",
            "{n} are left: saved memories are much like them.",
            number,
        ),
        "opposite": many(
            "{n} is left: a saved memory says the contrary.",
            "{n} are left: saved memories say the contrary.",
            number,
        ),
        "hidden": many(
            "{n} is left: something in it is hidden from view.",
            "{n} are left: something in them is hidden from view.",
            number,
        ),
        "secret": many(
            "{n} is left: it looks like a password or a key.",
            "{n} are left: they look like passwords or keys.",
            number,
        ),
        "personal": many(
            "{n} is left: personal data is in it.",
            "{n} are left: personal data is in them.",
            number,
        ),
        "rejected_before": many(
            "{n} is left: the same was rejected before.",
            "{n} are left: the same was rejected before.",
            number,
        ),
        "own": many(
            "{n} is left: what waits outside the store only a person approves.",
            "{n} are left: what waits outside the store only a person approves.",
            number,
        ),
        "opened_again": many(
            "{n} is left: a person opened it again.",
            "{n} are left: a person opened them again.",
            number,
        ),
    }
    other = many(
        "{n} is left: it cannot be saved as it is.",
        "{n} are left: they cannot be saved as they are.",
        number,
    )
    return texts.get(cause, other)
