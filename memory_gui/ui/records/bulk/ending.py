# SPDX-License-Identifier: MIT
"""How an act over several records ended: what was done, and what was not, by its cause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, StoreId
from memory_gui.domain.work import CancelToken, let_go
from memory_gui.services import BulkResult
from memory_gui.services.library.library import Library

NAMED: Final = 5
"""So many records of a cause are named."""

Find = Callable[[Library, CancelToken | None], Sequence[Ref]]
"""Finds the records of an act. In a thread of the bridge."""


@dataclass(frozen=True, slots=True)
class Cause:
    """One reason, and how many records it kept back; ``titles`` are those of the first ones."""

    error: UserError
    refs: tuple[Ref, ...]
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """``wanted`` records were to be changed, ``result`` says how many were."""

    wanted: int
    result: BulkResult
    causes: tuple[Cause, ...]
    stores: frozenset[StoreId]
    """The stores of the memories among them."""

    @property
    def left(self) -> int:
        """How many were not tried: a person stopped it."""
        return self.wanted - self.result.done - len(self.result.failed)


def act_on(library: Library, act: Callable[..., BulkResult], find: Find, **more: Any) -> Ending:
    """Find the records, do it to them, and sort what failed. In a thread of the bridge."""
    refs = find(library, more.get("cancel"))
    result = act(refs, **more)
    ending = Ending(len(refs), result, causes_of(library, result), _stores(refs))
    freed = list(refs)
    del refs
    let_go(freed)
    return ending


def _stores(refs: Sequence[Ref]) -> frozenset[StoreId]:
    return frozenset(ref.store for ref in refs if ref.kind == "memory")


def causes_of(library: Library, result: BulkResult) -> tuple[Cause, ...]:
    """The failures by what is to be said of them, most frequent first."""
    groups: dict[tuple[str, str], list[tuple[Ref, UserError]]] = {}
    for ref, error in result.failed:
        rest = {name: value for name, value in error.params.items() if name != "ref"}
        groups.setdefault((error.code, repr(sorted(rest.items()))), []).append((ref, error))
    found = [
        Cause(group[0][1], tuple(ref for ref, _ in group), _titles(library, group[:NAMED]))
        for group in groups.values()
    ]
    return tuple(sorted(found, key=lambda cause: -len(cause.refs)))


def _titles(library: Library, group: Sequence[tuple[Ref, UserError]]) -> tuple[str, ...]:
    numbers = [library.id_of(ref) for ref, _ in group]
    records = library.window([number for number in numbers if number is not None])
    return tuple(record.title for record in records if record is not None)
