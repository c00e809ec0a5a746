# SPDX-License-Identifier: MIT
"""The case that a page shows: what its parts ask about, and know their answers by."""

from __future__ import annotations

from dataclasses import dataclass, field

from memory_gui.cases.case import Case
from memory_gui.cases.finds import Finds
from memory_gui.services.cases.finding.places import Where
from memory_gui.ui.cases.acts import Found


@dataclass(slots=True)
class Shown:
    """The page changes it; its parts read it. Empty before the case is there and after a lock."""

    case: Case | None = None
    finds: Finds | None = field(default=None, repr=False)
    where: Where = field(default_factory=Where, repr=False)

    @property
    def found(self) -> Found | None:
        """What was found of it, once it was looked for."""
        if self.case is None or self.finds is None:
            return None
        return Found(self.finds, self.where, self.case)

    def still(self, case: Case) -> bool:
        """Whether an answer about a case is wanted: another one may be shown by now."""
        return self.case is not None and self.case.number == case.number
