# SPDX-License-Identifier: MIT
"""The words of keeping a store clean at every write, for window and terminal alike."""

from __future__ import annotations

from typing import Protocol

from memory_gui.words.catalogue import Words


class Kept(Protocol):
    """What the words need of how a store is kept."""

    @property
    def encrypted(self) -> bool:
        """Whether it needs no other journal."""
        ...


def meaning(words: Words, kept: Kept) -> list[str]:
    """What turning it on means, said before."""
    found = [
        words.say(
            "Only for a store whose writers all go through this program: its own window and "
            "terminal, and agents that it starts. What they free is zeroed at once."
        )
    ]
    if kept.encrypted:
        return [
            *found,
            words.say("The store is encrypted: nothing about its file has to change."),
        ]
    return [
        *found,
        words.say(
            "The file’s journal mode is changed: instead of a log, SQLite keeps one journal beside "
            "it, so that an erase can overwrite it where it lies. Readers and writers then wait "
            "for each other. Turning it off puts the journal mode back."
        ),
        words.say(
            "An agent that opens the store by itself may change the journal mode back; this "
            "program notices and says so."
        ),
        words.say(
            "In return nothing that is written from now on is left anywhere on the disk after its "
            "erase, where the file system overwrites in place."
        ),
    ]


def lines(words: Words, path: str, *, on: bool, works: bool) -> list[str]:
    """How a store is kept."""
    if not on:
        return [words.say("{path} is written as its agent writes it.", path=path)]
    if works:
        return [words.say("{path} is kept clean at every write.", path=path)]
    return [
        words.say(
            "{path} was to be kept clean, but another program has changed its journal mode since: "
            "turn it on again.",
            path=path,
        )
    ]
