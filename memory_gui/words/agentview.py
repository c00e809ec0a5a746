# SPDX-License-Identifier: MIT
"""What is said about the memories that an agent is given, in window and terminal."""

from __future__ import annotations

from typing import Final, Protocol

from memory_gui.words.catalogue import N_, Words

LONE: Final = N_("The agent’s other store is not open here; with it, it is given more.")
WITHOUT_CJK: Final = N_(
    "Chinese, Japanese and Korean words recall more where the agent has the package"
    " jieba; that is not shown here."
)


class AnyReach(Protocol):
    """How many characters of a text an agent reads."""

    @property
    def always(self) -> int:
        """In every request."""
        ...

    @property
    def searched(self) -> int:
        """For words that recall it."""
        ...

    @property
    def recalled(self) -> int:
        """When it is recalled."""
        ...


def how_much_is_read(words: Words, chars: int, reach: AnyReach) -> str:
    """Of a text of so many characters; said while one types, and in the terminal's answer."""
    numbers = {"always": reach.always, "searched": reach.searched, "recalled": reach.recalled}
    if chars <= reach.recalled:
        return words.many(
            "{n} character: the agent reads all of it.",
            "{n} characters: the agent reads all of them.",
            chars,
        )
    if chars <= reach.always:
        return words.say(
            "{n} characters: every request shows them all; recalled, the agent reads the first"
            " {recalled}.",
            n=chars,
            **numbers,
        )
    if chars <= reach.searched:
        return words.say(
            "{n} characters: every request shows the first {always}; recalled, the agent reads"
            " the first {recalled}. All are searched.",
            n=chars,
            **numbers,
        )
    return words.say(
        "{n} characters: every request shows the first {always}; recalled, the agent reads the"
        " first {recalled}. What stands after {searched} is never searched.",
        n=chars,
        **numbers,
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
