# SPDX-License-Identifier: MIT
"""Files of LangGraph's store: which they may be, and opening one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from memory_gui.domain.changes import Confidence
from memory_gui.domain.keys import Key
from memory_gui.domain.kinds import Kind
from memory_gui.engine.database import Connection
from memory_gui.stores.format import Access, Format, Location, Mode
from memory_gui.stores.formats.langgraph.layout import has_items, has_threads
from memory_gui.stores.formats.langgraph.opening import open_file
from memory_gui.stores.formats.langgraph_store.store import DECLARED, NAME, LanggraphStore
from memory_gui.stores.sight import Schema, Sight


class LanggraphStoreFormat(Format):
    """Known by the columns of its table; a developer chooses the file's name."""

    name = NAME
    agent = "LangGraph"
    kinds = tuple(kind.name for kind in DECLARED)
    declared: tuple[Kind, ...] = DECLARED
    encrypted_for = Access.NOBODY
    loses = ("LangGraph",)

    def __init__(self, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._clock = clock

    def probe(self, sight: Sight) -> Confidence:
        """By the columns of its table; a file that has those of checkpoints too is another's."""
        if not sight.is_database:
            return Confidence.NO
        if sight.schema is None:
            return Confidence.MAYBE
        return Confidence.CERTAIN if self._fits(sight.schema) else Confidence.NO

    def open(self, location: Location, key: Key | None, mode: Mode) -> LanggraphStore:
        """Open in the calling thread, with the threads where the file has both.

        Raises:
            UserError: as ``Format.open``; ``store.other_schema`` when there is no such table.
        """
        return open_file(location, key, mode, self._clock, self._alone)

    def _fits(self, schema: Schema) -> bool:
        return has_items(schema) and not has_threads(schema)

    def _alone(self, connection: Connection, read_only: bool) -> LanggraphStore:
        """A file that has the tables of one format only."""
        return LanggraphStore(connection, clock=self._clock, read_only=read_only)
