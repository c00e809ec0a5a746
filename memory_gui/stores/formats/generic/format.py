# SPDX-License-Identifier: MIT
"""Any SQLite database that no other format knows, readable or with a key that is given."""

from __future__ import annotations

from memory_gui.domain.changes import Confidence
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.engine.connection import open_database
from memory_gui.stores.format import Format, Location, Mode
from memory_gui.stores.formats.generic.store import NAME, GenericStore
from memory_gui.stores.sight import Sight


class GenericFormat(Format):
    """What opens when nothing else does. Looks, and changes nothing."""

    name = NAME
    agent = "SQLite"
    kinds = ()
    fallback = True

    def probe(self, sight: Sight) -> Confidence:
        """Every database may be one."""
        return Confidence.MAYBE if sight.is_database else Confidence.NO

    def open(self, location: Location, key: Key | None, mode: Mode) -> GenericStore:
        """Open in the calling thread, to look.

        Raises:
            UserError: as ``Format.open``; ``store.other_schema`` where it has no table at all,
                ``store.cannot`` for a change.
        """
        if mode is Mode.CHANGE:
            raise UserError("store.cannot", act="edit", format=NAME, why="sqlite.unknown")
        connection = open_database(location.main, key, write=False)
        try:
            return GenericStore(connection)
        except BaseException:
            connection.close()
            raise
