# SPDX-License-Identifier: MIT
"""What is said of the queue in window and terminal."""

from __future__ import annotations

from collections.abc import Mapping

from memory_gui.domain.errors import UserError
from memory_gui.words.catalogue import Words
from memory_gui.words.errors import explain


def nothing_found(words: Words, query: str, *, again: bool) -> str:
    """That a filter found nothing that waits. ``again``: among what was rejected before."""
    if again:
        return words.say("Nothing that was rejected before waits again.")
    if query.strip():
        return words.say("Nothing that waits has these words.")
    return words.say("Nothing waits.")


def not_remembered(words: Words) -> str:
    """Of a rejection that nothing can keep."""
    return words.say(
        "It is not remembered, because there is no keychain: proposed again, it comes as new."
    )


def why_not(words: Words, error: UserError) -> str:
    """Why it was not done, with a key that is free where that would help."""
    text, key = explain(words, error).text, error.params.get("proposed")
    if error.code != "record.key_empty" or not key:
        return text
    return words.say("{what} {note}", what=text, note=words.say("A free key is {key}.", key=key))


def become(words: Words, outcomes: Mapping[str, int]) -> list[str]:
    """What approving so many would do, by outcome: one count a line, without those of none."""
    many, count = words.many, outcomes.get
    lines = {
        "new": many("{n} adds a memory", "{n} add a memory", count("new", 0)),
        "alike": many(
            "{n} adds a memory that is much like a saved one",
            "{n} add memories that are much like saved ones",
            count("alike", 0),
        ),
        "same": many(
            "{n} adds a memory whose text is saved under another key",
            "{n} add memories whose texts are saved under other keys",
            count("same", 0),
        ),
        "identical": many("{n} is saved already", "{n} are saved already", count("identical", 0)),
        "replaces": many("{n} replaces a memory", "{n} replace memories", count("replaces", 0)),
    }
    return [line for outcome, line in lines.items() if outcomes.get(outcome)]
