# SPDX-License-Identifier: MIT
"""Files of LangGraph's checkpoints: which they may be, and opening one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from memory_gui.domain.changes import Confidence
from memory_gui.domain.keys import Key
from memory_gui.engine.database import Connection
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Access, Format, Location, Mode
from memory_gui.stores.formats.langgraph.layout import has_items, has_threads
from memory_gui.stores.formats.langgraph.opening import open_file
from memory_gui.stores.formats.langgraph_checkpoints.records import DECLARED
from memory_gui.stores.formats.langgraph_checkpoints.store import (
    NAME,
    CheckpointsStore,
)
from memory_gui.stores.sight import Sight

_USUAL: Final = ("checkpoints.sqlite", "checkpoints.db")


class CheckpointsFormat(Format):
    """Known by the columns of its two tables."""

    name = NAME
    agent = "LangGraph"
    kinds = tuple(kind.name for kind in DECLARED)
    declared = DECLARED
    places = _USUAL
    encrypted_for = Access.NOBODY
    loses = ("LangGraph",)

    def probe(self, sight: Sight) -> Confidence:
        """By the columns of its tables; a file that has those of a store too is another's."""
        if not sight.is_database:
            return Confidence.NO
        if sight.schema is None:
            return Confidence.LIKELY if sight.path.name in _USUAL else Confidence.MAYBE
        fits = has_threads(sight.schema) and not has_items(sight.schema)
        return Confidence.CERTAIN if fits else Confidence.NO

    def open(self, location: Location, key: Key | None, mode: Mode) -> Store:
        """Open in the calling thread, with the items where the file has both.

        Raises:
            UserError: as ``Format.open``; ``store.other_schema`` when a table is not there.
        """

        def alone(connection: Connection, read_only: bool) -> CheckpointsStore:
            return CheckpointsStore(connection, read_only=read_only)

        return open_file(location, key, mode, lambda: datetime.now(UTC), alone)
