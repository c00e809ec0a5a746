# SPDX-License-Identifier: MIT
"""One open database of Letta 0.x: blocks can be corrected, everything can be erased."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from memory_gui.domain.changes import Capability, ChangeSet, Edit, Fields, StoreInfo, Target, Told
from memory_gui.domain.erasing import EraseScope
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, RefText, State, StoreId
from memory_gui.domain.work import nobody_asks
from memory_gui.engine.database import Connection
from memory_gui.stores.contract import SCAN_ROWS, Store
from memory_gui.stores.fields import refuse_others
from memory_gui.stores.formats.letta.inside import Inside, all_inside, of_agent
from memory_gui.stores.formats.letta.layout import BLOCK, INSIDE, MEMORY, NAME, SERVER, Layout
from memory_gui.stores.formats.letta.records import Names, Reader, names_in
from memory_gui.stores.formats.letta.scope import Planner
from memory_gui.stores.naming import the_one
from memory_gui.stores.sql.cells import Cell, Row
from memory_gui.stores.sql.table import Table

_BY_SERVER: Final = "letta.by_server"
_ERASE: Final = "letta.erase_instead"
Clock = Callable[[], datetime]


def now() -> datetime:
    """In UTC."""
    return datetime.now(UTC)


class LettaStore(Store):
    """Readable or encrypted. Belongs to the thread that opened it."""

    format = NAME
    capabilities = Capability.EDIT | Capability.ERASE | Capability.WATCH | Capability.ENCRYPT
    bookkeeping = frozenset({SERVER.name})
    about_people = False
    reasons = MappingProxyType(
        {
            "add": _BY_SERVER,
            "delete": _ERASE,
            "trash": _ERASE,
            "restore": "letta.no_restore",
            "tag": "letta.no_tags",
            "review": "letta.no_review",
        }
    )

    def __init__(
        self, connection: Connection, *, clock: Clock = now, read_only: bool = False
    ) -> None:
        """Take over a connection.

        Raises:
            UserError: ``store.other_schema``.
        """
        self.id = StoreId(str(connection.path))
        self._connection = connection
        self._layout = Layout(connection)
        self._clock = clock
        self._read_only = read_only
        self.kinds = self._layout.kinds
        self.declared = self._layout.declared
        self._changes = 0
        self._known: tuple[tuple[int, int], Names] | None = None

    # ---- reading

    def info(self) -> StoreInfo:
        """As any store."""
        connection = self._connection
        notes = []
        if connection.source == "copy":
            notes.append("opened.from_copy")
        elif self._read_only:
            notes.append("opened.read_only")
        if self._layout.foreign:
            notes.append("foreign.objects")
        with connection.reading():
            counts = {kind: self._counts(kind) for kind in self.kinds}
        return StoreInfo(
            id=self.id,
            path=str(connection.path),
            format=NAME,
            agent="Letta",
            agent_version=self._layout.generation,
            role="alone",
            encrypted=connection.encrypted,
            cipher=dict(connection.cipher),
            journal_mode=connection.journal_mode,
            writable=connection.writable,
            capabilities=self.capabilities,
            counts=counts,
            kinds=self.kinds,
            notes=tuple(notes),
            foreign_sql=self._layout.foreign,
            declared=self.declared,
            reasons=self.reasons,
            told=self.told(),
        )

    def _counts(self, kind: str) -> Mapping[State, int]:
        if kind not in self._layout.tables:
            is_server = kind == SERVER.name
            some = (one.count() for one in self._layout.server) if is_server else None
            number = len(self._names().inside) if some is None else sum(some)
            return {State.LIVE: number} if number else {}
        found: dict[State, int] = {}
        for table in self._layout.tables[kind]:
            deleted = table.count("is_deleted") if "is_deleted" in table.columns else 0
            for state, number in (
                (State.LIVE, table.count() - deleted),
                (State.TRASH, deleted),
            ):
                if number:
                    found[state] = found.get(state, 0) + number
        return found

    def told(self) -> tuple[Told, ...]:
        """What its agents do."""
        told = [Told("letta.server")]
        left = self._counts("block").get(State.TRASH, 0)
        if left:
            told.append(Told("letta.left", {"n": left}))
        return tuple(told)

    def scan(self, kinds: Collection[str] = ()) -> Iterator[tuple[Record, ...]]:
        """All records of the kinds, table after table."""
        for kind in self.kinds:
            if kinds and kind not in kinds:
                continue
            yield from self._scan(kind)

    def _scan(self, kind: str) -> Iterator[tuple[Record, ...]]:
        for table in self._layout.tables.get(kind, ()):
            for rows in table.batches(columns=self._layout.read_columns(table)):
                reader = self._reader()
                yield tuple(reader.record(kind, row) for row in rows)
        if kind == INSIDE.name:
            inside = list(self._names().inside.items())
            for start in range(0, len(inside), SCAN_ROWS):
                reader, some = self._reader(), inside[start : start + SCAN_ROWS]
                yield tuple(reader.record(kind, row, key) for key, row in some)
        if kind == SERVER.name:
            for one in self._layout.server:
                for rows in one.batches():
                    reader = self._reader()
                    yield tuple(reader.server(one, row) for row in rows)

    def fetch(self, refs: Sequence[Ref]) -> tuple[Record | None, ...]:
        """The records in the order asked."""
        return tuple(self._record(ref) for ref in refs)

    def _record(self, ref: Ref) -> Record | None:
        if ref.store != self.id:
            return None
        if ref.kind == INSIDE.name and len(ref.key) == 2:
            row = self._names().inside.get((ref.key[0], ref.key[1]))
            return None if row is None else self._reader().record(ref.kind, row, ref.key)
        if ref.kind == SERVER.name and len(ref.key) == 2:
            table = next((one for one in self._layout.server if one.name == ref.key[0]), None)
            found = None if table is None else table.row(ref.key[1])
            return None if table is None or found is None else self._reader().server(table, found)
        here = self._find(ref)
        return None if here is None else self._made(ref.kind, here[1])

    def _find(self, ref: Ref) -> tuple[Table, Row] | None:
        if ref.store != self.id or len(ref.key) != 1:
            return None
        for table in self._layout.tables.get(ref.kind, ()):
            rows = table.select("id = ?", ref.key)
            if rows:
                cells = {
                    n: c for n, c in rows[0].cells.items() if n in self._layout.read_columns(table)
                }
                return table, Row(rows[0].rowid, cells)
        return None

    def _made(self, kind: str, row: Row) -> Record:
        return self._reader().record(kind, row)

    def _names(self) -> Names:
        """What rows refer to; read once for each state of the file."""
        state = (self._connection.data_version(), self._changes)
        if self._known is None or self._known[0] != state:
            self._known = (state, names_in(self._layout, self._connection.execute))
        return self._known[1]

    def _reader(self) -> Reader:
        return Reader(self.id, self._names())

    def resolve(self, ref: RefText) -> Ref | None:
        """The record that a person's text names.

        Raises:
            UserError: ``ref.ambiguous`` when records of several kinds have that key.
        """
        return the_one(ref, self.id, self.kinds, lambda one: self._record(one) is not None)

    def change_token(self) -> int:
        """SQLite's ``data_version``."""
        return self._connection.data_version()

    def fields_of(self, record: Record) -> Fields:
        """The text; nothing else can be given."""
        return {"text": record.text}

    # ---- changing

    def together(self) -> AbstractContextManager[None]:
        """One transaction; the acts inside are its savepoints."""
        return self._connection.writing()

    def apply(self, edit: Edit) -> ChangeSet:
        """Correct a block, as Letta itself would write it, and the copies that agents have of it.

        Raises:
            UserError: ``store.cannot`` for what is no block; ``record.*``.
        """
        self._refuse(edit.target.ref)
        with self._connection.writing():
            if edit.target.ref.kind == INSIDE.name:
                is_new = self._apply_inside(edit)
            else:
                table, row, cells = self._edited(edit.target, edit.fields)
                is_new = bool(cells)
                if is_new:
                    table.update(row, cells)
                    self._keep_in_step(row.text("label"), row.text("value"), str(cells["value"]))
        if not is_new:
            return ChangeSet()
        self._changes += 1
        return ChangeSet(changed=(edit.target.ref,))

    def _refuse(self, ref: Ref) -> None:
        if ref.kind not in (BLOCK.name, INSIDE.name):
            why = {
                "passage": "letta.needs_vector",
                "server": "letta.of_server",
                "identity": "letta.in_letta",
            }
            why_not = why.get(ref.kind, "letta.as_said")
            raise UserError("store.cannot", act="edit", format=NAME, why=why_not)

    def _edited(self, target: Target, fields: Fields) -> tuple[Table, Row, dict[str, Cell]]:
        found = self._find(target.ref)
        if found is None:
            raise UserError("record.gone", ref=target.ref.text)
        table, row = found
        text = _new_text(target, row, fields)
        if text is None:
            return table, row, {}
        cells: dict[str, Cell] = {"value": text}
        if "version" in table.columns:
            cells["version"] = row.next_number("version", 1)
        if "updated_at" in table.columns:
            cells["updated_at"] = self._clock().strftime("%Y-%m-%d %H:%M:%S.%f")
        return table, row, cells

    def _edited_inside(self, target: Target, fields: Fields) -> tuple[Inside, str | None]:
        key = target.ref.key
        inside = of_agent(self._layout, key[0]) if len(key) == 2 else iter(())
        found = next((one for one in inside if one.key == key), None)
        if found is None or target.ref.store != self.id:
            raise UserError("record.gone", ref=target.ref.text)
        return found, _new_text(target, found.row, fields)

    def _apply_inside(self, edit: Edit) -> bool:
        found, text = self._edited_inside(edit.target, edit.fields)
        if text is not None:
            self._layout.agents.update(found.agent, {MEMORY: found.with_value(text)})
        return text is not None

    def _keep_in_step(self, label: str, before: str, after: str) -> None:
        """0.5 keeps each agent's blocks once more, with the agent."""
        if not self._layout.has_inside:
            return
        for one in all_inside(self._layout):
            if (one.label, one.value) == (label, before):
                self._layout.agents.update(one.agent, {MEMORY: one.with_value(after)})

    def may(self, act: str, target: Target, fields: Fields | None = None) -> None:
        """What speaks against an act."""
        if act != "edit":
            raise self.cannot(act)
        self._refuse(target.ref)
        with self._connection.reading():
            if target.ref.kind == INSIDE.name:
                self._edited_inside(target, fields or {})
            else:
                self._edited(target, fields or {})

    # ---- erasing

    def erase_scope(
        self,
        refs: Sequence[Ref],
        also_texts: Sequence[str] = (),
        check: Callable[[], object] = nobody_asks,
    ) -> EraseScope:
        """Rows, and copies in rows that stay."""
        with self._connection.reading():
            planner = Planner(
                self.id,
                self._layout,
                self._find,
                self._made,
                self._names().inside,
            )
            return planner.scope(refs, also_texts, check)

    def layout(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """The main table of each kind."""
        return {
            kind: (tables[0].name, ("id",))
            for kind, tables in self._layout.tables.items()
            if tables
        }

    # ---- ending

    def interrupt(self) -> None:
        """Stop the statement that runs now."""
        self._connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _new_text(target: Target, row: Row, fields: Fields) -> str | None:
    """What a block is to say instead; None where that is what it says.

    Raises:
        UserError: ``record.*``.
    """
    if target.etag is not None and target.etag != row.etag:
        raise UserError("record.changed", ref=target.ref.text)
    refuse_others(fields, ("text",))
    text = fields.get("text", row.text("value"))
    if not isinstance(text, str) or text == row.text("value"):
        return None
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UserError("record.not_unicode") from error
    limit = row.number("limit")
    if limit and len(text) > limit:
        raise UserError("record.text_long", length=len(text), limit=limit)
    return text
