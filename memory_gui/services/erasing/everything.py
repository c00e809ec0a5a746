# SPDX-License-Identifier: MIT
"""All that a store, a pair or one scope holds, and part by part what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Choices, Query
from memory_gui.domain.records import Ref, State, StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.erasure.plan import ErasePlan
from memory_gui.erasure.result import EraseResult, EraseState
from memory_gui.services.erased.about import erased_refs
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.stores.habits import habits_of

SCOPES: Final = ("project", "user")
"""Whose memories they are; each half of a pair may hold some of both."""
_DONE: Final = frozenset({EraseState.PROVED, EraseState.NOT_PROVED})


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of records of a store in one state: how many there were, and are gone.

    ``own_clear`` is what the agent's own "clear" leaves of it: ``text``, ``bytes``, or empty where
    that is not known. ``erased`` is None before the erase.
    """

    store: str
    kind: str
    state: State
    found: int
    erased: int | None = None
    own_clear: str = ""

    def as_json(self) -> dict[str, Any]:
        """As it stands in the document of ``erase --everything``."""
        return {
            "store": self.store,
            "kind": self.kind,
            "state": self.state.value,
            "found": self.found,
            "erased": self.erased,
            "own_clear": self.own_clear or None,
        }


class Everything:
    """Finds and counts. Any thread; a store is read into memory for it."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def refs(
        self,
        store: StoreId,
        *,
        pair: bool = False,
        scope: str = "",
        cancel: CancelToken | None = None,
    ) -> tuple[Ref, ...]:
        """Every record of a store in every state; of its pair; or of one scope in both halves.

        Of a scope also what has none and lies in the scope's own half (session summaries).

        Raises:
            UserError: ``scope.unknown``; ``pair.*`` where the other half is wanted and not open.
        """
        if scope and scope not in SCOPES:
            raise UserError("scope.unknown", scopes=", ".join(SCOPES))
        found: list[Ref] = []
        for shelf in self._shelves(store, pair=pair or bool(scope)):
            stores = frozenset({shelf.id})
            if not scope:
                found += self._listed(Query("", stores), cancel)
                continue
            found += self._listed(Query("", stores, facets=Choices({"scope": {scope}})), cancel)
            if shelf.info.role == scope:
                without = Query("", stores, facets=Choices({"scope": {""}}))
                found += [ref for ref in self._listed(without, cancel) if ref.kind != "event"]
        fixed = {
            shelf.id: shelf.screen(lambda one: one.bookkeeping) for shelf in self._library.shelves()
        }
        return tuple(ref for ref in dict.fromkeys(found) if ref.kind not in fixed[ref.store])

    def parts(self, plan: ErasePlan) -> tuple[Part, ...]:
        """What a plan takes, by store, kind and state."""
        going = erased_refs(plan)
        formats = {store.path: store.format for store in plan.stores}
        parts = []
        for shelf in self._library.shelves():
            path = shelf.info.path
            own = habits_of(formats.get(path, "")).own_clear
            for kind in shelf.info.kinds if path in formats else ():
                for state in State:
                    query = Query("", frozenset({shelf.id}), frozenset({kind}), frozenset({state}))
                    if found := len(going.intersection(self._listed(query, None))):
                        parts.append(Part(path, kind, state, found, None, own.get(kind, "")))
        return tuple(parts)

    def outcome(
        self, parts: Sequence[Part], result: EraseResult, plan: ErasePlan
    ) -> tuple[Part, ...]:
        """The same parts with how many of each are gone now; looked up, not concluded."""
        states = {store.path: store.state for store in result.stores}
        left: Mapping[tuple[str, str, State], int] = {}
        if not all(state in _DONE for state in states.values()) or any(
            count.kept for count in result.counts.values()
        ):
            left = {(p.store, p.kind, p.state): p.found for p in self.parts(plan)}
        return tuple(
            replace(
                part,
                erased=part.found - left.get((part.store, part.kind, part.state), 0)
                if states.get(part.store) in _DONE
                else 0,
            )
            for part in parts
        )

    # ---- inside

    def _shelves(self, store: StoreId, *, pair: bool) -> list[Shelf]:
        shelf = self._library.shelf(store)
        partner = self._library.partner_of(shelf)
        problem = shelf.problem if pair and partner is None else None
        if problem is not None and problem.code != "pair.absent":
            raise problem
        return [shelf, partner] if pair and partner is not None else [shelf]

    def _listed(self, query: Query, cancel: CancelToken | None) -> tuple[Ref, ...]:
        return self._library.refs(self._library.search(query, "created", cancel).ids)
