# SPDX-License-Identifier: MIT
"""Calls that no person made: what is written down of them, for Activity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

UNLISTED: Final = frozenset({"tour", "agent"})
"""The tour has a store of its own; what an agent's own program reads is no use of the terminal."""
_LISTS: Final = ("records", "results")


def counted(document: Mapping[str, Any]) -> int:
    """How many records an answer shows, or says to have changed."""
    for name in _LISTS:
        value = document.get(name)
        if isinstance(value, int):
            return value
        if isinstance(value, list):
            return len(value)
    if "ref" in document:
        return 1
    tables = document.get("counts")
    if isinstance(tables, Mapping):
        return sum(one["erased"] for one in tables.values() if _erased(one))
    return 0


def _erased(one: object) -> bool:
    return isinstance(one, Mapping) and isinstance(one.get("erased"), int)
