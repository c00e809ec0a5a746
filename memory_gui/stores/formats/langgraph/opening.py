# SPDX-License-Identifier: MIT
"""Opening a file of LangGraph's with all that is in it, whichever of its formats was asked for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from memory_gui.domain.keys import Key
from memory_gui.engine.connection import open_database
from memory_gui.engine.database import Connection
from memory_gui.engine.evidence import inspect
from memory_gui.engine.peek import SchemaObject
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.langgraph.layout import has_both
from memory_gui.stores.formats.langgraph.store import SharedStore
from memory_gui.stores.sight import schema_of

S = TypeVar("S", bound=Store)


def open_file(
    location: Location,
    key: Key | None,
    mode: Mode,
    clock: Callable[[], datetime],
    alone: Callable[[Connection, bool], S],
) -> S | SharedStore:
    """Open in the calling thread. ``alone`` takes a file that has the tables of one format only.

    Raises:
        UserError: as ``Format.open``; ``store.other_schema`` when a table is not there.
    """
    seen = inspect(location.main)
    read_only = not (seen.writable and seen.folder_writable)
    connection = open_database(location.main, key, write=mode is Mode.CHANGE)
    try:
        rows = [SchemaObject(k, n, t, s or "") for k, n, t, s in connection.schema()]
        if has_both(schema_of(rows)):
            return SharedStore(connection, clock=clock, read_only=read_only)
        return alone(connection, read_only)
    except BaseException:
        connection.close()
        raise
