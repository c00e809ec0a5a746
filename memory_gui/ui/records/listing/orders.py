# SPDX-License-Identifier: MIT
"""By what the list can be ordered, and what the two directions of each are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from memory_gui.domain.kinds import Kind
from memory_gui.services import OpenedStore
from memory_gui.ui.views import View
from memory_gui.words import N_


@dataclass(frozen=True, slots=True)
class Column:
    """A field of ``domain.queries.SORTS`` and its words."""

    text: str
    rising: str = N_("From A to Z")
    falling: str = N_("From Z to A")
    falls_first: bool = False
    """Which direction is worn when it is chosen."""


_OLD: Final = N_("The oldest first")
_NEW: Final = N_("The newest first")

ORDERS: Final[Mapping[str, Column]] = MappingProxyType(
    {
        "updated": Column(N_("By last change"), _OLD, _NEW, falls_first=True),
        "created": Column(N_("By date made"), _OLD, _NEW, falls_first=True),
        "title": Column(N_("By title")),
        "type": Column(N_("By type")),
        "scope": Column(N_("By scope")),
        "source": Column(N_("By source")),
        "subject": Column(N_("By person")),
        "kind": Column(N_("By kind")),
        "state": Column(N_("By state")),
    }
)


AS_STORED: Final = N_("As stored")
"""What the order by kind is called where records have no times."""
_TIMES: Final = frozenset({"updated", "created"})


def offered(stores: Iterable[OpenedStore], view: View) -> tuple[str, ...]:
    """By what the list of a view can be ordered. What none of its records can have is left out."""
    kinds: list[Kind] = []
    known = True
    for one in stores:
        known = known and bool(one.info.declared)
        kinds += [k for k in one.info.declared if not view.shelves or k.shelf in view.shelves]
    if not kinds or not known:
        return tuple(ORDERS)
    has = {name for name in ORDERS if any(name not in kind.lacks for kind in kinds)}
    if len(kinds) == 1 and has & _TIMES:
        has.discard("kind")
    return tuple(name for name in ORDERS if name in has)


@dataclass(frozen=True, slots=True)
class Order:
    """A column and a direction."""

    name: str = "updated"
    descending: bool = True

    @classmethod
    def parse(cls, text: str) -> Order:
        """From ``title`` or ``-updated``; what is not known is the default."""
        name = text.removeprefix("-")
        return cls(name, text.startswith("-")) if name in ORDERS else cls()

    @classmethod
    def first(cls, name: str) -> Order:
        """A column in the direction that a person expects of it."""
        return cls(name, ORDERS[name].falls_first)

    @property
    def text(self) -> str:
        """As the services take it."""
        return f"-{self.name}" if self.descending else self.name

    def turned(self) -> Order:
        """The other direction."""
        return replace(self, descending=not self.descending)
