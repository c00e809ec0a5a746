# SPDX-License-Identifier: MIT
"""What Agentao gives its model, and how it is started, as the contract has them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from memory_gui.domain.given import Reach, Recall, Stable
from memory_gui.domain.records import Record, Ref
from memory_gui.stores.formats.agentao import prompt, recall
from memory_gui.stores.formats.agentao.pairing import FILE, FOLDER
from memory_gui.stores.given import GivenRules, Living


class AgentaoRules(GivenRules):
    """The rules of agentao 0.5.17."""

    reach = Reach(prompt.VALUE_CHARS, recall.SEARCHED_CHARS, recall.EXCERPT_CHARS)
    room = prompt.STABLE_CHARS
    recall_room = recall.RECALL_CHARS
    always = ({"scope": frozenset({"user"})}, {"type": prompt.STRUCTURAL})

    def in_order(self, project: Sequence[Record], user: Sequence[Record]) -> list[Record]:
        """By the second they were made in."""
        return prompt.all_entries(project, user)

    def block(self, entries: Sequence[Record], summaries: Sequence[Record]) -> Stable:
        """The stable block of a new session."""
        return prompt.stable_block(entries, summaries)

    def recall(self, entries: Sequence[Record], said: str, excluded: Collection[Ref]) -> Recall:
        """What a message recalls at a session's beginning."""
        return recall.recall(entries, said, excluded=excluded)

    def can_be_recalled(self, record: Record) -> bool:
        """Whether it has a word that a message could have."""
        return recall.can_be_recalled(record)


LIVING: Final = Living(
    name="agentao",
    python="from memory_gui.agents import agentao_store; agentao_store({path!r})",
    project=f"{FOLDER}/{FILE}",
    user=f"{FOLDER}/{FILE}",
)
