# SPDX-License-Identifier: MIT
"""Which tables of a Letta database hold what somebody said; of both generations, by schema.

FORMATS 8: 0.5 keeps archival passages in ``passages`` and a copy of each block in
``agents.memory``; 0.11 has ``archival_passages``, ``source_passages``, ``block_history``,
``blocks_agents`` and ``provider_traces``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import Kind, Shelf
from memory_gui.engine.database import Connection
from memory_gui.engine.virtual import module_of
from memory_gui.stores.formats.letta.server import server_tables
from memory_gui.stores.sql.table import Table, codec_of

NAME: Final = "letta"
BLOCKS: Final = "block"
AGENTS: Final = "agents"
NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    BLOCKS: ("id", "label", "value", "limit"),
    AGENTS: ("id", "name", "message_ids"),
}
MEMORY: Final = "memory"
"""Of an agent of 0.5: the blocks that it has in mind."""
HISTORY: Final = "block_history"
MESSAGES: Final = "messages"
TRACES: Final = "provider_traces"
PASSAGES: Final = ("archival_passages", "source_passages", "passages")
VECTOR: Final = "embedding"
"""Bytes made of a text: 16 KB each, which no reading needs."""
LINKS: Final[Mapping[str, tuple[tuple[str, str, str], ...]]] = {
    "block": (
        ("blocks_agents", "block_id", "agent_id"),
        ("identities_blocks", "block_id", "identity_id"),
        ("groups_blocks", "block_id", "group_id"),
    ),
    "passage": (("passage_tags", "passage_id", "id"),),
    "message": (("job_messages", "message_id", "id"),),
    "identity": (
        ("identities_agents", "identity_id", "agent_id"),
        ("identities_blocks", "identity_id", "block_id"),
    ),
}
"""Kind -> (table, column, a second column of its key) of rows that go with a record."""

_ERASED: Final = frozenset({"erase"})
BLOCK: Final = Kind(
    "block",
    Shelf.MEMORY,
    frozenset({"add", "edit", "delete", "erase"}),
    ("text",),
    columns=("subject", "label", "earlier", "limit", "version"),
    optional=frozenset({"text"}),
    repeats=frozenset({"earlier"}),
)
PASSAGE: Final = Kind("passage", Shelf.MEMORY, frozenset({"delete", "erase"}), columns=("subject",))
MESSAGE: Final = Kind("message", Shelf.SUMMARY, _ERASED, columns=("subject",))
TRACE: Final = Kind("trace", Shelf.SUMMARY, _ERASED, columns=("step_id",))
PAST: Final = Kind("past", Shelf.EVENT, _ERASED, columns=("memory",))
INSIDE: Final = Kind(
    "agent_block",
    Shelf.MEMORY,
    frozenset({"edit", "erase"}),
    ("text",),
    columns=("subject", "label", "limit"),
    optional=frozenset({"text"}),
)
IDENTITY: Final = Kind("identity", Shelf.MEMORY, _ERASED, columns=("identifier_key",))
SERVER: Final = Kind("server", Shelf.OTHER, columns=("table",))
KINDS: Final = (BLOCK, INSIDE, PASSAGE, IDENTITY, MESSAGE, TRACE, PAST, SERVER)
TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "block": (BLOCKS,),
    "passage": PASSAGES,
    "message": (MESSAGES,),
    "trace": (TRACES,),
    "past": (HISTORY,),
    "identity": ("identities",),
}
"""Kinds whose records are rows of tables of their own."""
_TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "block": ("value",),
    "passage": ("text",),
    "message": ("role",),
    "trace": ("request_json",),
    "past": ("value", "block_id"),
    "identity": ("name", "identifier_key"),
}


class Layout:
    """The tables that are there. ``tables`` maps a kind to those that hold its records."""

    def __init__(self, connection: Connection) -> None:
        """Look.

        Raises:
            UserError: ``store.other_schema`` where it is no database of Letta.
        """
        self.codec = codec_of(connection)
        self.connection = connection
        schema = connection.schema()
        self.names = frozenset(
            name
            for kind, name, _, sql in schema
            if kind == "table" and not module_of(sql or "") and not name.startswith("sqlite_")
        )
        if not all(self._has(name, columns) for name, columns in NEEDED.items()):
            raise UserError("store.other_schema", path=str(connection.path))
        self.agents = Table(connection, AGENTS, self.codec)
        self.tables: dict[str, tuple[Table, ...]] = {}
        for kind, names in TABLES.items():
            wanted = ("id", *_TEXTS[kind])
            there = [name for name in names if self._has(name, wanted)]
            self.tables[kind] = tuple(Table(connection, name, self.codec) for name in there)
        linked = {one[0] for links in LINKS.values() for one in links}
        own = {table.name for tables in self.tables.values() for table in tables}
        self.server = server_tables(connection, self.codec, self.names - own - linked)
        self.foreign = tuple(
            sql
            for kind, name, _, sql in schema
            if sql
            and not name.startswith("sqlite_")
            and (kind in ("trigger", "view") or module_of(sql) is not None)
        )
        """Letta makes no triggers, views or virtual tables."""

    def _has(self, name: str, columns: tuple[str, ...]) -> bool:
        if name not in self.names:
            return False
        found = {str(row[1]) for row in self.connection.table_info(name)}
        return set(columns) <= found

    @property
    def has_inside(self) -> bool:
        """Whether agents have blocks by themselves."""
        return MEMORY in self.agents.columns

    @property
    def declared(self) -> tuple[Kind, ...]:
        """Those kinds that it has something for, with what can be done."""
        there = {kind for kind, tables in self.tables.items() if tables}
        there |= {INSIDE.name} if self.has_inside else set()
        there |= {SERVER.name} if self.server else set()
        return tuple(kind for kind in KINDS if kind.name in there)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(kind.name for kind in self.declared)

    def read_columns(self, table: Table) -> tuple[str, ...]:
        """All but vectors."""
        return tuple(name for name in table.columns if name != VECTOR)

    def links(self, kind: str) -> tuple[tuple[str, str, str], ...]:
        """(table, column, second key column) of what goes with a record of a kind."""
        found = LINKS.get(kind, ())
        return tuple(one for one in found if self._has(one[0], one[1:]))

    @property
    def generation(self) -> str:
        """``0.5`` or ``0.11``, by what the tables are called."""
        return "0.11" if self.tables["past"] or "archival_passages" in self.names else "0.5"
