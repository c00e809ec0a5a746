# SPDX-License-Identifier: MIT
"""Databases of facts: which files they may be, and opening one."""

from __future__ import annotations

import time
from typing import Final

from memory_gui.domain.changes import Confidence
from memory_gui.domain.keys import Key
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
from memory_gui.stores.format import Access, Format, Location, Mode
from memory_gui.stores.formats.facts.layout import COLUMNS
from memory_gui.stores.formats.facts.store import DECLARED, KIND, NAME, Clock, FactsStore
from memory_gui.stores.sight import Sight

USUAL: Final = "research.db"
"""The one name that the tutorial gives; others are the developer's choice."""


class FactsFormat(Format):
    """A table with the columns subject, fact, source and created, under any name."""

    name = NAME
    agent = "FactMemory"
    kinds = (KIND,)
    declared = DECLARED
    places = (USUAL,)
    encrypted_for = Access.NOBODY
    loses = ("FactMemory",)

    def __init__(self, clock: Clock = time.time) -> None:
        self._clock = clock

    def probe(self, sight: Sight) -> Confidence:
        """By the four columns; where the schema is not known, by the name."""
        if not sight.is_database:
            return Confidence.NO
        if sight.schema is not None:
            fits = sight.schema.with_columns(*COLUMNS)
            return Confidence.CERTAIN if fits else Confidence.NO
        return Confidence.LIKELY if sight.path.name == USUAL else Confidence.MAYBE

    def open(self, location: Location, key: Key | None, mode: Mode) -> FactsStore:
        """Open in the calling thread.

        Raises:
            UserError: as ``Format.open``; ``store.other_schema`` when no table holds facts.
        """
        seen = inspect(location.main)
        connection = open_database(location.main, key, write=mode is Mode.CHANGE)
        try:
            return FactsStore(
                connection,
                clock=self._clock,
                read_only=not (seen.writable and seen.folder_writable),
            )
        except BaseException:
            connection.close()
            raise
