# SPDX-License-Identifier: MIT
"""What an agent is given of the records in memory, by its real rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_gui.domain.records import Record, State
from memory_gui.services import OpenedStore
from memory_gui.services.agent.view import AgentView
from memory_gui.stores.formats.agentao.given import AgentaoRules

if TYPE_CHECKING:
    from fake_services import FakeServices


class FakeAgentViews:
    """Of both stores together."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake

    def view(self, store: OpenedStore, said: str | None = None, cancel: object = None) -> AgentView:
        self._fake.note("agent_view", store.id, said)
        rules = AgentaoRules()
        entries = rules.in_order(self._live("memory", "project"), self._live("memory", "user"))
        stable = rules.block(entries, self._live("summary"))
        found = None if said is None else rules.recall(entries, said, stable.shown)
        paths = tuple(one.info.path for one in self._fake.library.opened.values())
        return AgentView(
            paths, False, len(entries), stable, found, (), rules.room, rules.recall_room
        )

    def _live(self, kind: str, scope: str = "") -> list[Record]:
        return [
            one
            for one in self._fake.library.records.values()
            if one.kind == kind and one.state is State.LIVE and scope in ("", one.scope)
        ]
