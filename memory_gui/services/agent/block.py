# SPDX-License-Identifier: MIT
"""The block of every request, of stores of any size: only what may stand in it is looked at."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.given import Stable
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, State, StoreId
from memory_gui.services.library.library import Library
from memory_gui.stores.given import USER, GivenRules

_FIRST: Final = 200
"""So many of the newest are looked at first; four times as many where that is not enough."""
_OTHERS: Final = 40
"""Of the others the three newest-updated belong there; some more, for those of one second."""
_LATEST: Final = "\uffff"
"""Later than any moment: nothing is known to be newer."""
_LIVE: Final = frozenset({State.LIVE})
_MEMORY: Final = frozenset({"memory"})


@dataclass(frozen=True, slots=True)
class Block:
    """The block, and whether one memory belongs there whether or not there is room for it."""

    stable: Stable
    belongs: bool


class AgentBlocks:
    """Any thread. Reads the records of the agent's open stores."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def with_record(self, stores: Collection[StoreId], record: Record, rules: GivenRules) -> Block:
        """The block with this record, in place of the one of its ref where there is one.

        Only as much is read as tells whether the record is shown: none that is older takes its
        room, and what the newer ones left only becomes less.
        """
        projects = [one for one in stores if not self._is_persons(one)]
        told = Query("", frozenset(projects), frozenset({"summary"}), _LIVE)
        tails = self._records(sorted(self._ids(told, "created"))) if projects else []
        most = _FIRST
        while True:
            found, oldest, complete = self._candidates(stores, most, rules)
            if any(one.ref == record.ref for one in found):
                found = [record if one.ref == record.ref else one for one in found]
            else:
                found.append(record)
            block = rules.block(self._ordered(found, rules), tails)
            wanted = {*block.shown, *block.no_room}
            newer = [one for one in found if one.ref in wanted and _made(one) > oldest]
            if (
                complete
                or record.ref not in wanted
                or _made(record) > oldest
                or record.ref
                not in rules.block(self._ordered([*newer, record], rules), tails).shown
            ):
                return Block(block, record.ref in wanted)
            most *= 4

    def _candidates(
        self, stores: Collection[StoreId], most: int, rules: GivenRules
    ) -> tuple[list[Record], str, bool]:
        """The newest of those that always belong there, and the last changed of the others.

        With when the oldest of them was made, where there are more: all that is newer was read;
        and whether there are no more.
        """
        wanted = frozenset(stores)
        chosen: dict[int, None] = {}
        oldest, complete = "", True
        for facets in rules.always:
            ids = self._ids(Query("", wanted, _MEMORY, _LIVE, facets), "-created")
            chosen.update(dict.fromkeys(ids[:most]))
            if len(ids) > most:
                complete = False
                oldest = max(oldest, self._last_made(ids[:most]))
        others = 0
        changed = self._ids(Query("", wanted, _MEMORY, _LIVE), "-updated")
        for start in range(0, len(changed), _OTHERS * 4):
            some = changed[start : start + _OTHERS * 4]
            for number, one in zip(some, self._library.window(some), strict=True):
                if one is not None and not rules.is_always(one):
                    chosen[number] = None
                    others += 1
            if others >= _OTHERS:
                break
        return self._records(sorted(chosen)), oldest, complete

    def _last_made(self, ids: Sequence[int]) -> str:
        """When the last one was made that is still there."""
        each = (one for number in reversed(ids) for one in self._records([number]))
        return next(map(_made, each), _LATEST)

    def _ordered(self, records: Sequence[Record], rules: GivenRules) -> list[Record]:
        """As the agent lists them."""
        mine = [one for one in records if not self._is_persons(one.ref.store)]
        yours = [one for one in records if self._is_persons(one.ref.store)]
        return rules.in_order(mine, yours)

    def _is_persons(self, store: StoreId) -> bool:
        return self._library.shelf(store).info.role == USER

    def _ids(self, query: Query, sort: str) -> Sequence[int]:
        return self._library.search(query, sort).ids

    def _records(self, ids: Sequence[int]) -> list[Record]:
        return [one for one in self._library.window(ids) if one is not None]


def _made(record: Record) -> str:
    return record.created_at or ""
