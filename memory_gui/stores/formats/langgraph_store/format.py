# SPDX-License-Identifier: MIT
"""Files of LangGraph's store: which they may be, and opening one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from memory_gui.domain.changes import Confidence
from memory_gui.domain.keys import Key
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
from memory_gui.stores.contract import Access, Format, Location, Mode
from memory_gui.stores.formats.langgraph_store import rules
from memory_gui.stores.formats.langgraph_store.store import DECLARED, NAME, LanggraphStore
from memory_gui.stores.sight import Sight


class LanggraphStoreFormat(Format):
    """Known by the columns of its table; a developer chooses the file's name."""

    name = NAME
    agent = "LangGraph"
    kinds = tuple(kind.name for kind in DECLARED)
    declared = DECLARED
    encrypted_for = Access.NOBODY
    loses = ("LangGraph",)

    def __init__(self, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._clock = clock

    def probe(self, sight: Sight) -> Confidence:
        """By the columns of its table."""
        if not sight.is_database:
            return Confidence.NO
        if sight.schema is None:
            return Confidence.MAYBE
        return (
            Confidence.CERTAIN if sight.schema.has(rules.TABLE, *rules.COLUMNS) else Confidence.NO
        )

    def open(self, location: Location, key: Key | None, mode: Mode) -> LanggraphStore:
        """Open in the calling thread.

        Raises:
            UserError: as ``Format.open``; ``store.other_schema`` when there is no such table.
        """
        seen = inspect(location.main)
        connection = open_database(location.main, key, write=mode is Mode.CHANGE)
        try:
            return LanggraphStore(
                connection,
                clock=self._clock,
                read_only=not (seen.writable and seen.folder_writable),
            )
        except BaseException:
            connection.close()
            raise
