# SPDX-License-Identifier: MIT
"""What was brought from a readable store into the encrypted one, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from babel.lists import format_list

from memory_gui.words.catalogue import Words


def counted(words: Words, numbers: Mapping[str, int]) -> str:
    """Numbers by kind as one list; ``nothing`` where there is none."""
    named = [_of_kind(words, kind, n) for kind, n in numbers.items() if n]
    return format_list(named, locale=words.locale) if named else words.say("nothing")


def brought(
    words: Words, numbers: Mapping[str, int], same: int, left: Mapping[str, int]
) -> list[str]:
    """What was added, how much was there before, and what the format could not take in."""
    lines = [words.say("Brought over: {what}.", what=counted(words, numbers))]
    if same:
        lines.append(
            words.many("{n} record was there already.", "{n} records were there already.", same)
        )
    if left:
        what = counted(words, left)
        lines.append(words.say("Not brought over, as the format has no way: {what}.", what=what))
    return lines


def clashing(words: Words, clashes: Sequence[str]) -> str:
    """That some stay behind."""
    return words.many(
        "{n} record stays behind: another one has its key there.",
        "{n} records stay behind: others have their keys there.",
        len(clashes),
    )


def _of_kind(words: Words, kind: str, n: int) -> str:
    many = words.many
    if kind == "memory":
        return many("{n} memory", "{n} memories", n)
    if kind == "trash":
        return many("{n} memory in the trash", "{n} memories in the trash", n)
    if kind == "review":
        return many("{n} proposal", "{n} proposals", n)
    if kind == "summary":
        return many("{n} summary", "{n} summaries", n)
    if kind == "event":
        return many("{n} line of the agent’s log", "{n} lines of the agent’s log", n)
    return many("{n} record", "{n} records", n)
