# SPDX-License-Identifier: MIT
"""Files of LangGraph's checkpoints: which they may be, and opening one."""

from __future__ import annotations

from typing import Final

from memory_gui.domain.changes import Confidence
from memory_gui.domain.keys import Key
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
from memory_gui.stores.contract import Access, Format, Location, Mode
from memory_gui.stores.formats.langgraph_checkpoints.layout import COLUMNS
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
        """By the columns of its tables."""
        if not sight.is_database:
            return Confidence.NO
        if sight.schema is None:
            return Confidence.LIKELY if sight.path.name in _USUAL else Confidence.MAYBE
        fits = all(sight.schema.has(table, *columns) for table, columns in COLUMNS.items())
        return Confidence.CERTAIN if fits else Confidence.NO

    def open(self, location: Location, key: Key | None, mode: Mode) -> CheckpointsStore:
        """Open in the calling thread.

        Raises:
            UserError: as ``Format.open``; ``store.other_schema`` when a table is not there.
        """
        seen = inspect(location.main)
        connection = open_database(location.main, key, write=mode is Mode.CHANGE)
        try:
            return CheckpointsStore(
                connection, read_only=not (seen.writable and seen.folder_writable)
            )
        except BaseException:
            connection.close()
            raise
