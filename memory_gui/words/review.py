# SPDX-License-Identifier: MIT
"""What is said of the queue in window and terminal."""

from __future__ import annotations

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
