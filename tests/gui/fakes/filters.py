# SPDX-License-Identifier: MIT
"""Saved searches in memory, by the rules of the real service."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from memory_gui.ledger.filters import SavedFilter
from memory_gui.services.own.filters import Filters


class _Rows:
    def __init__(self) -> None:
        self.saved: dict[str, SavedFilter] = {}

    def list(self) -> tuple[SavedFilter, ...]:
        return tuple(self.saved.values())

    def put(self, one: SavedFilter) -> None:
        self.saved[one.name] = one

    def remove(self, name: str) -> bool:
        return self.saved.pop(name, None) is not None


def fake_filters() -> Any:
    """``services.own.filters`` over a dict."""
    ledger = SimpleNamespace(filters=_Rows())
    return Filters(SimpleNamespace(is_kept=True, ledger=lambda: ledger))  # type: ignore[arg-type]  # what is used of a LedgerKeeper
