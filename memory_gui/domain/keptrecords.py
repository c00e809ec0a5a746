# SPDX-License-Identifier: MIT
"""Records that a case decided to keep, and that an erase takes all the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class KeptRecords:
    """So many of one case, for one reason (a code, or nothing). A KEEP binds its own case alone.

    ``marks`` tell which they are, so that a record of two plans is counted once.
    """

    case: int
    reason: str
    count: int
    marks: frozenset[tuple[bytes, bytes]] = field(default=frozenset(), repr=False, compare=False)

    @classmethod
    def of(cls, case: int, reason: str, marks: Collection[tuple[bytes, bytes]]) -> KeptRecords:
        """Those that are named."""
        named = frozenset(marks)
        return cls(case, reason, len(named), named)

    def as_json(self) -> dict[str, Any]:
        """As it stands in documents."""
        return {"case": self.case, "reason": self.reason or None, "count": self.count}


def merged(*groups: Iterable[KeptRecords]) -> tuple[KeptRecords, ...]:
    """Of several plans together, by case and reason."""
    both: dict[tuple[int, str], KeptRecords] = {}
    for one in (one for group in groups for one in group):
        before = both.get((one.case, one.reason))
        both[one.case, one.reason] = one if before is None else _joined(before, one)
    return tuple(both[place] for place in sorted(both))


def _joined(first: KeptRecords, second: KeptRecords) -> KeptRecords:
    twice = len(first.marks & second.marks)
    marks = first.marks | second.marks
    return replace(first, count=first.count + second.count - twice, marks=marks)
