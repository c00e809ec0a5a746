# SPDX-License-Identifier: MIT
"""What the left pane offers, and what each view shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.queries import Query
from memory_gui.domain.records import State, StoreId
from memory_gui.ui.icons import Icon
from memory_gui.words import N_


@dataclass(frozen=True, slots=True)
class View:
    """A named filter. ``page`` names the page that shows it: the list, or a page of its own."""

    name: str
    title: str
    icon: Icon
    kinds: frozenset[str]
    states: frozenset[State]
    page: str = "memories"

    def query(self, text: str, stores: frozenset[StoreId]) -> Query:
        """What the list shows for some words in some stores."""
        return Query(text=text, stores=stores, kinds=self.kinds, states=self.states)

    def count(self, counts: Mapping[str, Mapping[State, int]]) -> int:
        """How many records it has, from kind -> state -> number."""
        return sum(
            number
            for kind, states in counts.items()
            if not self.kinds or kind in self.kinds
            for state, number in states.items()
            if not self.states or state in self.states
        )


MEMORIES: Final = View(
    "memories", N_("Memories"), Icon.BRAIN, frozenset({"memory"}), frozenset({State.LIVE})
)
REVIEW: Final = View(
    "review",
    N_("Review"),
    Icon.REVIEW,
    frozenset({"review"}),
    frozenset({State.PENDING}),
    page="review",
)
SUMMARIES: Final = View(
    "summaries", N_("Summaries"), Icon.SUMMARY, frozenset({"summary"}), frozenset()
)
TRASH: Final = View("trash", N_("Trash"), Icon.TRASH, frozenset(), frozenset({State.TRASH}))
ACTIVITY: Final = View(
    "activity",
    N_("Activity"),
    Icon.ACTIVITY,
    frozenset({"event"}),
    frozenset(),
    page="activity",
)

VIEWS: Final = (MEMORIES, REVIEW, SUMMARIES, TRASH, ACTIVITY)
"""In the order of the left pane and of Alt+1 … Alt+5."""
