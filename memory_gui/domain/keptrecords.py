# SPDX-License-Identifier: MIT
"""Records that a case decided to keep, and that an erase takes all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class KeptRecords:
    """So many of one case, for one reason (a code, or nothing). A KEEP binds its own case alone."""

    case: int
    reason: str
    count: int

    def as_json(self) -> dict[str, Any]:
        """As it stands in documents."""
        return {"case": self.case, "reason": self.reason or None, "count": self.count}


def merged(*groups: Iterable[KeptRecords]) -> tuple[KeptRecords, ...]:
    """Of several plans together, by case and reason."""
    counted: Counter[tuple[int, str]] = Counter()
    for one in (one for group in groups for one in group):
        counted[one.case, one.reason] += one.count
    return tuple(KeptRecords(*place, count) for place, count in sorted(counted.items()))
