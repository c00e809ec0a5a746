# SPDX-License-Identifier: MIT
"""What a running agent still has of a text that was changed: said once, where it is true."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from memory_gui.domain.records import StoreId
from memory_gui.services import OpenedStore
from memory_gui.services.agent.starting import keeps_prompt
from memory_gui.words import Words

_ACTS: Final = frozenset({"trash", "delete", "edit", "tag", "restore"})


class AgentNote:
    """Says it one time as long as the window lives. GUI thread."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._opened: dict[StoreId, OpenedStore] = {}
        self._said = False

    def follow(self, opened: Iterable[OpenedStore]) -> None:
        """These are open."""
        self._opened = {one.id: one for one in opened}

    def on_act(self, act: str, stores: Collection[StoreId]) -> str:
        """The sentence for an act in stores; empty where it was said or is not true."""
        keeping = [
            self._opened[one].info.agent
            for one in stores
            if one in self._opened and keeps_prompt(self._opened[one].info)
        ]
        if self._said or act not in _ACTS or not keeping:
            return ""
        self._said = True
        return self._words.say(
            "A session of {agent} that is running now keeps what it has in its prompt "
            "until it saves a memory itself.",
            agent=min(keeping),
        )

    def forget(self) -> None:
        """Nothing is open any more."""
        self._opened = {}
