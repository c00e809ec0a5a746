# SPDX-License-Identifier: MIT
"""Looking whether a store is well."""

from __future__ import annotations

from pathlib import Path

from memory_gui.domain.records import StoreId
from memory_gui.services.values import CheckLine


class Checks:
    """Checks one store. Any thread may call."""

    def check(self, store: StoreId | str | Path) -> list[CheckLine]:
        """File, permissions, integrity, cipher, free pages, log, foreign objects, holders."""
        raise NotImplementedError
