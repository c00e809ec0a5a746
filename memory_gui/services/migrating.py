# SPDX-License-Identifier: MIT
"""Copies of encrypted stores in today's settings; the store itself is only read."""

from __future__ import annotations

from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import Tick, no_tick
from memory_gui.rotation.rotate import Rotated, migrate_store
from memory_gui.services.library import Library


class Migrating:
    """Any thread may call."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def migrate(self, store: StoreId, out: Path, *, tick: Tick = no_tick) -> Rotated:
        """Make a copy at ``out`` that the open store's key opens.

        Raises:
            UserError: ``protect.not_encrypted``, ``store.exists``, ``store.*``.
            IntegrityError: ``rotation.differs``: nothing was left at ``out``.
        """
        shelf = self._library.shelf(store)
        if shelf.key is None or not shelf.info.encrypted:
            raise UserError("protect.not_encrypted", path=shelf.info.path)
        return migrate_store(Path(shelf.info.path), shelf.key, out, tick=tick)
