# SPDX-License-Identifier: MIT
"""Files that LangGraph's store and its checkpoints share: which they are, and opening one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from memory_gui.domain.changes import Confidence
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.engine.database import Connection
from memory_gui.stores.contract import Access, Format, Location, Mode, Store
from memory_gui.stores.formats.langgraph.layout import has_both
from memory_gui.stores.formats.langgraph.opening import open_file
from memory_gui.stores.formats.langgraph.store import DECLARED, NAME
from memory_gui.stores.sight import Sight


class SharedFormat(Format):
    """Known by the columns of the tables of both."""

    name = NAME
    agent = "LangGraph"
    kinds = tuple(kind.name for kind in DECLARED)
    declared = DECLARED
    encrypted_for = Access.NOBODY
    loses = ("LangGraph",)

    def __init__(self, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._clock = clock

    def probe(self, sight: Sight) -> Confidence:
        """By the columns of their tables."""
        if not sight.is_database:
            return Confidence.NO
        if sight.schema is None:
            return Confidence.MAYBE
        return Confidence.CERTAIN if has_both(sight.schema) else Confidence.NO

    def open(self, location: Location, key: Key | None, mode: Mode) -> Store:
        """Open in the calling thread.

        Raises:
            UserError: as ``Format.open``; ``store.other_schema`` when a table is not there.
        """

        def alone(connection: Connection, _read_only: bool) -> Store:
            raise UserError("store.other_schema", path=str(connection.path))

        return open_file(location, key, mode, self._clock, alone)
