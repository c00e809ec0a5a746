# SPDX-License-Identifier: MIT
"""What can be done with a record, by what its store declares; nothing here knows an agent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from memory_gui.domain.changes import Capability
from memory_gui.domain.kinds import Kind, Shelf
from memory_gui.domain.records import PRESENT, Record, State
from memory_gui.services import OpenedStore
from memory_gui.ui.phrases import TYPES

_MEMORY: Final = Kind(
    "memory",
    Shelf.MEMORY,
    frozenset({"edit", "trash", "restore", "delete", "erase"}),
    ("title", "text", "tags", "scope", "type"),
    limits={"title": 120, "text": 4_000},
    choices={"type": tuple(TYPES)},
    optional=frozenset({"tags", "scope", "type"}),
)
_UNDECLARED: Final = {
    "memory": _MEMORY,
    "review": Kind("review", Shelf.REVIEW, frozenset({"erase"})),
    "summary": Kind("summary", Shelf.SUMMARY, frozenset({"erase"})),
}
"""Of a store that declares nothing."""


@dataclass(frozen=True, slots=True)
class Able:
    """``acts`` are possible; ``reasons`` are codes why others of the kind are not, here."""

    kind: Kind
    acts: frozenset[str]
    has_trash: bool = True
    reasons: tuple[str, ...] = ()

    def can(self, act: str, record: Record) -> bool:
        """Whether the act makes sense for the record as it is."""
        trashed = record.state is State.TRASH
        if act not in self.acts:
            return False
        if act in {"edit", "trash"}:
            return record.state in PRESENT
        if act == "restore":
            return trashed
        return act != "delete" or trashed or not self.has_trash


def able_of(store: OpenedStore | None, kind: str) -> Able:
    """What a store lets be done with its records of a kind."""
    declared = () if store is None else store.info.declared
    found = next((one for one in declared if one.name == kind), None)
    if found is None or store is None:
        found = _UNDECLARED.get(kind, Kind(kind))
        return Able(found, found.acts)
    can, why = store.info.capabilities, store.info.reasons
    acts = {act for act in found.acts if _is_in(act, can)}
    codes = [why[act] for act in sorted(found.acts - acts) if act in why]
    has_trash = Capability.TRASH in can
    return Able(found, frozenset(acts), has_trash, tuple(dict.fromkeys(codes)))


def addable(store: OpenedStore) -> tuple[Kind, ...]:
    """The kinds of which a person may write a new record here."""
    if Capability.ADD not in store.info.capabilities:
        return ()
    declared = [one for one in store.info.declared if one.shelf is not Shelf.REVIEW]
    found = tuple(one for one in declared if "add" in one.acts)
    return found if declared else (replace(_MEMORY, acts=_MEMORY.acts | {"add"}),)


def _is_in(act: str, capabilities: Capability) -> bool:
    known = Capability.__members__.get(act.upper())
    return known is None or known in capabilities
