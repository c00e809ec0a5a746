# SPDX-License-Identifier: MIT
"""What the left pane offers, and what each view shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.changes import Capability
from memory_gui.domain.kinds import Shelf, on_shelf
from memory_gui.domain.queries import Query
from memory_gui.domain.records import PRESENT, State, StoreId
from memory_gui.services import OpenedStore
from memory_gui.ui.icons import Icon
from memory_gui.words import N_


@dataclass(frozen=True, slots=True)
class View:
    """A named filter. ``page`` names the page that shows it: the list, or a page of its own.

    ``kinds`` are those of stores that declare none; the others' are found by their ``shelves``. A
    store with one of the capabilities ``wants`` may have something in it without such a kind.
    """

    name: str
    title: str
    icon: Icon
    kinds: frozenset[str]
    states: frozenset[State]
    page: str = "memories"
    shelves: frozenset[Shelf] = frozenset()
    wants: Capability = Capability.NONE

    def kinds_of(self, opened: Iterable[OpenedStore] = ()) -> frozenset[str]:
        """The kinds that it shows of some open stores; none: all of them."""
        if not self.shelves:
            return self.kinds
        declared = (on_shelf(one.info.declared, *self.shelves) for one in opened)
        return self.kinds.union(*declared)

    def offered(self, opened: Collection[OpenedStore]) -> bool:
        """Whether one of the open stores can have anything in it.

        A store that takes records also takes proposals for them, into the app's own queue where
        its agent has none; what changes it is told in the app's own log where the agent has none.
        """
        return not opened or any(
            not one.info.declared
            or bool(self.wants & one.info.capabilities)
            or bool(on_shelf(one.info.declared, *self.shelves))
            or self._is_in(one)
            for one in opened
        )

    def _is_in(self, one: OpenedStore) -> bool:
        """Whether a store has records of these states, though nobody can bring others there."""
        counts = one.info.counts.values()
        return not self.shelves and any(n.get(state) for n in counts for state in self.states)

    def query(
        self, text: str, stores: frozenset[StoreId], opened: Iterable[OpenedStore] = ()
    ) -> Query:
        """What the list shows for some words in some stores."""
        shown = [one for one in opened if not stores or one.id in stores]
        return Query(text=text, stores=stores, kinds=self.kinds_of(shown), states=self.states)

    def count(
        self, counts: Mapping[str, Mapping[State, int]], opened: Iterable[OpenedStore] = ()
    ) -> int:
        """How many records it has, from kind -> state -> number."""
        kinds = self.kinds_of(opened)
        return sum(
            number
            for kind, states in counts.items()
            if not kinds or kind in kinds
            for state, number in states.items()
            if not self.states or state in self.states
        )


MEMORIES: Final = View(
    "memories",
    N_("Memories"),
    Icon.BRAIN,
    frozenset({"memory"}),
    PRESENT,
    shelves=frozenset({Shelf.MEMORY, Shelf.ROW}),
)
REVIEW: Final = View(
    "review",
    N_("Review"),
    Icon.REVIEW,
    frozenset({"review"}),
    frozenset({State.PENDING}),
    page="review",
    shelves=frozenset({Shelf.REVIEW}),
    wants=Capability.ADD,
)
SUMMARIES: Final = View(
    "summaries",
    N_("Summaries"),
    Icon.SUMMARY,
    frozenset({"summary"}),
    frozenset(),
    shelves=frozenset({Shelf.SUMMARY}),
)
TRASH: Final = View(
    "trash",
    N_("Trash"),
    Icon.TRASH,
    frozenset(),
    frozenset({State.TRASH}),
    wants=Capability.TRASH,
)
ACTIVITY: Final = View(
    "activity",
    N_("Activity"),
    Icon.ACTIVITY,
    frozenset({"event"}),
    frozenset(),
    page="activity",
    shelves=frozenset({Shelf.EVENT}),
    wants=Capability.ADD | Capability.EDIT | Capability.DELETE | Capability.ERASE,
)

VIEWS: Final = (MEMORIES, REVIEW, SUMMARIES, TRASH, ACTIVITY)
"""In the order of the left pane and of Alt+1 … Alt+5."""
