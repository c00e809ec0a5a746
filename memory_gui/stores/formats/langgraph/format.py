# SPDX-License-Identifier: MIT
"""Files that LangGraph's store and its checkpoints share: which they are, and opening one."""

from __future__ import annotations

from memory_gui.domain.errors import UserError
from memory_gui.engine.database import Connection
from memory_gui.stores.formats.langgraph.layout import has_both
from memory_gui.stores.formats.langgraph.store import DECLARED, NAME
from memory_gui.stores.formats.langgraph_store.format import LanggraphStoreFormat
from memory_gui.stores.formats.langgraph_store.store import LanggraphStore
from memory_gui.stores.sight import Schema


class SharedFormat(LanggraphStoreFormat):
    """Known by the columns of the tables of both."""

    name = NAME
    kinds = tuple(kind.name for kind in DECLARED)
    declared = DECLARED

    def _fits(self, schema: Schema) -> bool:
        return has_both(schema)

    def _alone(self, connection: Connection, read_only: bool) -> LanggraphStore:
        del read_only
        raise UserError("store.other_schema", path=str(connection.path))
