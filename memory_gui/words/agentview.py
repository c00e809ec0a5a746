# SPDX-License-Identifier: MIT
"""What is said about the memories that an agent is given, in window and terminal."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_, Words

LONE: Final = N_("The agent’s other store is not open here; with it, it is given more.")
WITHOUT_CJK: Final = N_(
    "Chinese, Japanese and Korean words recall more where the agent has the package"
    " jieba; that is not shown here."
)


def in_every_request(words: Words, shown: int, *, memories: int, chars: int, most: int) -> str:
    """How many memories have room in the block that goes with every request."""
    return words.many(
        "In every request: {n} memory of {all}, {chars} of {most} characters.",
        "In every request: {n} memories of {all}, {chars} of {most} characters.",
        shown,
        all=memories,
        chars=chars,
        most=most,
    )
