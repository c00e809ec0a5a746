# SPDX-License-Identifier: MIT
"""Databases of Letta 0.x: which files they may be, and opening one."""

from __future__ import annotations

from memory_gui.domain.changes import Confidence
from memory_gui.domain.keys import Key
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
from memory_gui.stores.format import Format, Location, Mode
from memory_gui.stores.formats.letta.layout import KINDS, NAME, NEEDED
from memory_gui.stores.formats.letta.store import Clock, LettaStore, now
from memory_gui.stores.sight import Sight

FILE = "sqlite.db"


class LettaFormat(Format):
    """``~/.letta/sqlite.db``: blocks and agents, in the layouts of 0.5 and of 0.11."""

    name = NAME
    agent = "Letta"
    kinds = tuple(kind.name for kind in KINDS)
    declared = KINDS
    places = (FILE,)
    loses = ("Letta",)

    def __init__(self, clock: Clock = now) -> None:
        self._clock = clock

    def probe(self, sight: Sight) -> Confidence:
        """By the two tables that both generations have; where no schema is known, by the name."""
        if not sight.is_database:
            return Confidence.NO
        if sight.schema is not None:
            fits = all(sight.schema.has(name, *columns) for name, columns in NEEDED.items())
            return Confidence.CERTAIN if fits else Confidence.NO
        own = sight.path.name == FILE and sight.path.parent.name in (".letta", ".memgpt")
        return Confidence.LIKELY if own else Confidence.MAYBE

    def open(self, location: Location, key: Key | None, mode: Mode) -> LettaStore:
        """Open in the calling thread.

        Raises:
            UserError: as ``Format.open``.
        """
        seen = inspect(location.main)
        connection = open_database(location.main, key, write=mode is Mode.CHANGE)
        try:
            return LettaStore(
                connection,
                clock=self._clock,
                read_only=not (seen.writable and seen.folder_writable),
            )
        except BaseException:
            connection.close()
            raise
