# SPDX-License-Identifier: MIT
"""Chosen rows as ranges of a list: a million of them are as cheap to hand on as one."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref, StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.services import Services
from memory_gui.services.library.library import Library

CHUNK = 1_000
"""Records that are looked up together."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """(first, last) rows of a list of listing ids, which is never changed."""

    ids: array[int] = field(default_factory=lambda: array("q"), repr=False)
    ranges: tuple[tuple[int, int], ...] = ()

    @property
    def count(self) -> int:
        """How many rows."""
        return sum(last - first + 1 for first, last in self.ranges)

    def __bool__(self) -> bool:
        """Whether anything is chosen."""
        return bool(self.ranges)

    def chunks(self, size: int = CHUNK) -> Iterator[Sequence[int]]:
        """The listing ids, in pieces of at most ``size``. In a thread of the bridge."""
        for first, last in sorted(self.ranges):
            for start in range(first, last + 1, size):
                yield self.ids[start : min(start + size, last + 1)]

    def refs(self, library: Library, cancel: CancelToken | None = None) -> Iterator[Ref]:
        """The records that are still there. In a thread of the bridge.

        Raises:
            Cancelled: between two chunks.
        """
        for chunk in self.chunks():
            if cancel is not None:
                cancel.check()
            yield from library.refs(chunk)


def refs_of(
    library: Library, chosen: Chosen, *, cancel: CancelToken | None = None
) -> tuple[Ref, ...]:
    """The refs of chosen rows that are still there. In a thread of the bridge."""
    return tuple(chosen.refs(library, cancel))


def refs_about(services: Services, subject: str, stores: frozenset[StoreId]) -> tuple[Ref, ...]:
    """All records about a subject that can be erased, in any state. In a thread of the bridge."""
    query = Query(stores=stores, facets={"subject": frozenset({subject})})
    found = services.library.refs(services.library.search(query, "created").ids)
    return tuple(services.erasing.plans.erasable(found)[0])
