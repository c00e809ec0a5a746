# SPDX-License-Identifier: MIT
"""What is said about the memories that an agent is given, in window and terminal."""

from __future__ import annotations

from collections.abc import Mapping
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


_WILL: Final = {
    "always": N_("The agent will see it always: it stands in every request."),
    "when it fits": N_(
        "The agent will see it when it fits: every request has room for so much only."
    ),
    "only on recall": N_("The agent will see it only on recall, when a message speaks of it."),
}
_SEES: Final = {
    "always": N_("The agent sees it always: it stands in every request."),
    "when it fits": N_(
        "The agent sees it when it fits: it belongs into every request, and there is no room now."
    ),
    "only on recall": N_("The agent sees it only on recall, when a message speaks of it."),
}
_NEVER: Final = {
    "trash": N_("The agent never sees it, because it is in the trash."),
    "pending": N_("The agent never sees it, because nobody has approved it yet."),
    "rejected": N_("The agent will never see it, because you rejected it."),
    "approved": N_("The agent never sees the proposal itself; what you approved is a memory."),
    "expired": N_("The agent never sees it, because its time is over."),
    "refused": N_("The agent will never see it, because it cannot be saved like this."),
    "wordless": N_("The agent never sees it, because it has no word that a message could have."),
    "kind": N_("The agent never sees it, because it is its own bookkeeping."),
}


def sight_counts(words: Words, numbers: Mapping[str, int]) -> str:
    """How many memories the agent sees how often."""
    return words.say(
        "The agent sees {always} always, {fits} when they fit, {recall} only on recall,"
        " {never} never.",
        always=numbers.get("always", 0),
        fits=numbers.get("when it fits", 0),
        recall=numbers.get("only on recall", 0),
        never=numbers.get("never", 0),
    )


def sight_text(words: Words, when: str, why: str = "", *, will: bool = False) -> str:
    """How often an agent sees a record, or (``will``) will see it once it is approved."""
    text = _NEVER.get(why) if when == "never" else (_WILL if will else _SEES).get(when)
    return words.say(text) if text else ""
