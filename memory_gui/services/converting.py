# SPDX-License-Identifier: MIT
"""Stores of a format that its agent no longer reads, made into one that it does."""

from __future__ import annotations

from pathlib import Path

from memory_gui.domain.changes import Converted
from memory_gui.domain.records import StoreId
from memory_gui.services.library.library import Library


class Converting:
    """Any thread may call."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def place(self, store: StoreId) -> Path:
        """Where the new store belongs. Raises ``store.cannot``, ``store.old_format``."""
        return self._library.shelf(store).screen(lambda opened: opened.convert_place())

    def run(self, store: StoreId, out: Path | None = None) -> Converted:
        """Make it there, or at ``out``; read back and compared. The old store stays as it is.

        Raises:
            UserError: ``store.exists``, ``store.*``. IntegrityError: ``convert.differs``.
        """
        shelf = self._library.shelf(store)
        target = (out or self.place(store)).absolute()
        return shelf.work(lambda opened: opened.convert(target))
