# SPDX-License-Identifier: MIT
"""An open database whose meaning nobody declared. It is only looked at."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Final

from memory_gui.domain.changes import Capability, StoreInfo, Told
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import Kind, Shelf
from memory_gui.domain.records import Record, Ref, RefText, State, StoreId
from memory_gui.engine.database import Connection
from memory_gui.stores.contract import Store
from memory_gui.stores.formats.generic.cells import SMALL_BLOB
from memory_gui.stores.formats.generic.rows import Reader
from memory_gui.stores.formats.generic.tables import MOST_TABLES, GenericTable, tables_in
from memory_gui.stores.naming import the_one
from memory_gui.stores.sql.table import codec_of

NAME: Final = "sqlite"
_NAMED: Final = 20
"""Names in a sentence; more are counted."""
_UNKNOWN: Final = "sqlite.unknown"
_WANTED: Final = frozenset({"add", "edit", "delete", "erase"})
"""What a person may want to do with a row; no capability allows it, and the reason is said."""
_LACKS: Final = frozenset({"type", "scope", "source", "subject", "state"})


class GenericStore(Store):
    """Tables are kinds, rows are records.

    Views are never queried, virtual tables never opened, and no trigger runs, because nothing is
    written.
    """

    format = NAME
    capabilities = Capability.WATCH
    reasons = MappingProxyType(
        dict.fromkeys(
            ("add", "edit", "trash", "restore", "delete", "tag", "review", "erase", "encrypt"),
            _UNKNOWN,
        )
    )

    def __init__(self, connection: Connection) -> None:
        """Take over a connection.

        Raises:
            UserError: ``store.other_schema`` where it has no table.
        """
        self.id = StoreId(str(connection.path))
        self._connection = connection
        self._found = tables_in(connection.schema())
        if not self._found.opened and not self._found.not_opened:
            raise UserError("store.other_schema", path=str(connection.path))
        codec = codec_of(connection)
        tables = [GenericTable(connection, name, codec) for name in self._found.opened]
        self._tables = {table.kind: table for table in tables if table.key}
        self._unnamed = tuple(table.name for table in tables if not table.key)
        self._readers = {kind: Reader(self.id, table) for kind, table in self._tables.items()}
        self.kinds = tuple(self._tables)
        self.declared = tuple(
            Kind(kind, Shelf.ROW, _WANTED, columns=reader.others, lacks=_LACKS | reader.lacks)
            for kind, reader in self._readers.items()
        )

    # ---- reading

    def info(self) -> StoreInfo:
        """What it has; never writable."""
        connection = self._connection
        with connection.reading():
            counts = {kind: table.count() for kind, table in self._tables.items()}
        return StoreInfo(
            id=self.id,
            path=str(connection.path),
            format=NAME,
            agent="SQLite",
            agent_version="",
            role="alone",
            encrypted=connection.encrypted,
            cipher=dict(connection.cipher),
            journal_mode=connection.journal_mode,
            writable=False,
            capabilities=self.capabilities,
            counts={kind: {State.LIVE: n} if n else {} for kind, n in counts.items()},
            kinds=self.kinds,
            notes=("opened.from_copy",) if connection.source == "copy" else (),
            declared=self.declared,
            reasons=self.reasons,
            told=self._told,
        )

    @cached_property
    def _told(self) -> tuple[Told, ...]:
        found, told = self._found, []
        if found.total > MOST_TABLES:
            told.append(Told("sqlite.more_tables", {"n": found.total, "most": MOST_TABLES}))
        for code, names in (
            ("sqlite.not_opened", (*found.not_opened, *self._unnamed)),
            ("sqlite.triggers", found.triggers),
        ):
            if names:
                more = (f"+{len(names) - _NAMED}",) if len(names) > _NAMED else ()
                told.append(Told(code, {"names": ", ".join((*names[:_NAMED], *more))}))
        told.append(Told("sqlite.searched", {"kb": SMALL_BLOB >> 10}))
        return tuple(told)

    def scan(self, kinds: Collection[str] = ()) -> Iterator[tuple[Record, ...]]:
        """All rows of the tables, in batches by key."""
        for kind, table in self._tables.items():
            if not kinds or kind in kinds:
                reader = self._readers[kind]
                for batch in table.batches():
                    yield tuple(reader.record(key, cells) for key, cells in batch)

    def fetch(self, refs: Sequence[Ref]) -> tuple[Record | None, ...]:
        """The rows in the order asked."""
        return tuple(self._record(ref) for ref in refs)

    def _record(self, ref: Ref) -> Record | None:
        table = self._tables.get(ref.kind) if ref.store == self.id else None
        cells = table.row(ref.key) if table is not None else None
        return None if cells is None else self._readers[ref.kind].record(ref.key, cells)

    def resolve(self, ref: RefText) -> Ref | None:
        """The row that a person's text names.

        Raises:
            UserError: ``ref.ambiguous`` when rows of several tables have that key.
        """
        return the_one(
            ref,
            self.id,
            self.kinds,
            lambda one: one.kind in self._tables and self._record(one) is not None,
        )

    def change_token(self) -> int:
        """SQLite's ``data_version``."""
        return self._connection.data_version()

    def layout(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """So that a proof can name the rows in which a text still is."""
        return {kind: (table.name, table.key) for kind, table in self._tables.items()}

    # ---- ending

    def interrupt(self) -> None:
        """Stop the statement that runs now."""
        self._connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
