# SPDX-License-Identifier: MIT
"""What an agent will be given of its memories, by the agent's own rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory_gui.domain.errors import UserError
from memory_gui.domain.given import Reach, Recall, Stable
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.services.agent.outlook import Outlook, sight_of
from memory_gui.services.library.library import Library
from memory_gui.services.values import OpenedStore
from memory_gui.stores.given import USER
from memory_gui.stores.registry import formats, given_by

__all__ = [
    "AgentView",
    "AgentViews",
    "Reach",
    "Recall",
    "Stable",
    "is_known",
    "known_agents",
    "reach_of",
]


def is_known(store: OpenedStore) -> bool:
    """Whether the rules of the store's agent are known."""
    return given_by(store.info.format) is not None


def known_agents() -> list[str]:
    """What those agents are called whose rules are known."""
    return list(dict.fromkeys(one.agent for one in formats(None) if one.given is not None))


def reach_of(format_name: str) -> Reach | None:
    """That of a format's agent; None where it is not known. Pure."""
    rules = given_by(format_name)
    return None if rules is None else rules.reach


@dataclass(frozen=True, slots=True)
class AgentView:
    """``stable``: in every request; ``recall``: added to the message (None: no message given).

    ``stores`` are those that were looked at, ``lone`` says that the agent's other store was not:
    an agent that has it is given more. ``room`` and ``recall_room`` are how many characters the two
    blocks may have.
    """

    stores: tuple[str, ...]
    lone: bool
    memories: int
    stable: Stable
    recall: Recall | None
    sights: tuple[tuple[Ref, Outlook], ...] = ()
    """Each live memory, and how often the agent sees it."""
    room: int = 0
    recall_room: int = 0


class AgentViews:
    """Computes it from stores that are open. Any thread."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def view(
        self, store: OpenedStore, said: str | None = None, cancel: CancelToken | None = None
    ) -> AgentView:
        """Of a store and the other one of the same agent, where that is open too.

        Raises:
            UserError: ``store.cannot`` for formats whose agent's rules are not known.
        """
        rules = given_by(store.info.format)
        if rules is None:
            raise UserError("store.cannot", act="agent-view", format=store.info.format)
        group = {one.id: one for one in self._library.stores()}
        ids = [store.id, *([store.partner] if store.partner in group else [])]
        user = [one for one in ids if group[one].info.role == USER]
        project = [one for one in ids if one not in user]
        entries = rules.in_order(
            self._records(project, "memory", cancel), self._records(user, "memory", cancel)
        )
        stable = rules.block(entries, self._records(project, "summary", cancel))
        found = None if said is None else rules.recall(entries, said, stable.shown)
        paths = tuple(group[one].info.path for one in [*project, *user])
        sights = tuple((one.ref, sight_of(one, stable, rules)) for one in entries)
        return AgentView(
            paths,
            len(ids) < 2,
            len(entries),
            stable,
            found,
            sights,
            rules.room,
            rules.recall_room,
        )

    def _records(
        self, stores: Sequence[StoreId], kind: str, cancel: CancelToken | None
    ) -> list[Record]:
        """Live records by rowid, which is the order in which they were read."""
        if not stores:
            return []
        query = Query(
            stores=frozenset(stores), kinds=frozenset({kind}), states=frozenset({State.LIVE})
        )
        ids = sorted(self._library.search(query, "created", cancel).ids)
        return [record for record in self._library.window(ids) if record is not None]
