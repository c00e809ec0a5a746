# SPDX-License-Identifier: MIT
"""What is said of the queue in window and terminal."""

from __future__ import annotations

from memory_gui.words.catalogue import Words


def nothing_found(words: Words, query: str, *, again: bool) -> str:
    """That a filter found nothing that waits. ``again``: among what was rejected before."""
    if again:
        return words.say("Nothing that was rejected before waits again.")
    if query.strip():
        return words.say("Nothing that waits has these words.")
    return words.say("Nothing waits.")
