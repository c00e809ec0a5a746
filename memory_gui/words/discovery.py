# SPDX-License-Identifier: MIT
"""What is said of stores that were found, and of how the search ended."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.words.catalogue import N_, Words
from memory_gui.words.errors import explain

KNOWN: Final = N_(
    "Known are Agentao, Claude Code, Codex, Gemini CLI, Cursor, Mem0, Letta, "
    "LangGraph, Hermes, OpenClaw, Open WebUI and some more."
)
LIMITS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "time": N_("The search ended after its time was up. Name a smaller folder to see more."),
        "folders": N_("There are more folders than are looked into. Name a smaller one."),
        "names": N_("There are more files than are looked at. Name a smaller folder."),
        "files": N_("There are more databases than are looked at. Name a smaller folder."),
        "depth": N_("Folders that lie very deep were not looked into."),
    }
)


def state(
    words: Words, *, opens: bool, encrypted: bool | None, problem: str, is_database: bool = False
) -> str:
    """What can be done with a store that was found, in a few words."""
    if problem:
        large = problem == "store.too_big"
        return words.say("too large to be opened") if large else words.say("cannot be read")
    if opens:
        return words.say("encrypted") if encrypted else words.say("can be opened")
    if is_database and encrypted:
        return words.say("encrypted")
    return words.say("seen, not yet opened")


def why_not(words: Words, problem: str, path: str) -> str:
    """Why nothing can be known of one, or it cannot be opened."""
    if problem == "store.too_big":
        return words.say("Files of this kind are read as a whole, and it is too large for that.")
    return explain(words, UserError(problem, path=path)).title


def limit(words: Words, code: str) -> str:
    """What ended a search early; an unknown code stands for itself."""
    text = LIMITS.get(code)
    return words.say(text) if text else code


def unreadable(words: Words, n: int) -> str:
    """How many folders could not be looked into."""
    return words.many(
        "{n} folder may not be read and was passed over.",
        "{n} folders may not be read and were passed over.",
        n,
    )
