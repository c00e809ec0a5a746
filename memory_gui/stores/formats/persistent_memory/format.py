# SPDX-License-Identifier: MIT
"""The database of persistent memory: which file it may be, and opening one."""

from __future__ import annotations

from typing import Final

from memory_gui.domain.changes import Confidence
from memory_gui.domain.keys import Key
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
from memory_gui.stores.format import Access, Format, Location, Mode
from memory_gui.stores.formats.persistent_memory import rules
from memory_gui.stores.formats.persistent_memory.store import (
    DECLARED,
    NAME,
    PersistentMemoryStore,
)
from memory_gui.stores.sight import Sight

PLACE: Final = "state/memory.sqlite3"


class PersistentMemoryFormat(Format):
    """One strict table ``memory``, at most 16 MiB. Its own class opens no encrypted file."""

    name = NAME
    agent = "Persistent memory"
    kinds = ("memory",)
    declared = DECLARED
    places = (PLACE, "memory.sqlite3")
    encrypted_for = Access.NOBODY
    loses = ("MemoryStore",)

    def probe(self, sight: Sight) -> Confidence:
        """By the columns of its table, also where its own class would refuse the file."""
        if not sight.is_database:
            return Confidence.NO
        if sight.schema is not None:
            fits = sight.schema.has(rules.TABLE, *rules.COLUMNS)
            return Confidence.CERTAIN if fits else Confidence.NO
        usual = sight.path.parts[-2:] == tuple(PLACE.split("/"))
        return Confidence.LIKELY if usual else Confidence.MAYBE

    def open(self, location: Location, key: Key | None, mode: Mode) -> PersistentMemoryStore:
        """Open in the calling thread.

        Raises:
            UserError: as ``Format.open``; ``store.other_schema`` when there is no such table,
                ``persistent.version`` when it may not be changed.
        """
        seen = inspect(location.main)
        writes = mode is Mode.CHANGE
        connection = open_database(location.main, key, write=writes)
        try:
            store = PersistentMemoryStore(
                connection, read_only=not (seen.writable and seen.folder_writable)
            )
            if writes and store.version != rules.VERSION:
                raise store.not_ours()
        except BaseException:
            connection.close()
            raise
        return store
