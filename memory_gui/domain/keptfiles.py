# SPDX-License-Identifier: MIT
"""Files of an agent that stay byte for byte, whatever of an erased text stands in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

KEEP: Final = "keep"
"""A person decided it, for the runs of one case."""
HOLD: Final = "hold"
"""It is on hold: for every erase, whoever begins it."""


@dataclass(frozen=True, slots=True)
class KeptFile:
    """One of them. ``reason`` is a code, or nothing; ``case`` the case's number, or 0.

    ``part``: the same case takes other passages out of it, and what is kept in it stays.
    """

    path: str
    what: str
    reason: str = ""
    case: int = 0
    part: bool = False

    def as_json(self) -> dict[str, Any]:
        """For documents, and for the note of an erase: no text of anybody."""
        return {
            "path": self.path,
            "what": self.what,
            "reason": self.reason or None,
            "case": self.case or None,
            "part": self.part,
        }

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> KeptFile:
        """The same as a value."""
        reason, case = entry.get("reason") or "", entry.get("case") or 0
        part = bool(entry.get("part", False))
        return cls(str(entry["path"]), str(entry["what"]), str(reason), int(case), part)
