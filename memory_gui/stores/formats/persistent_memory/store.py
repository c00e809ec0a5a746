# SPDX-License-Identifier: MIT
"""One open database of persistent memory: the store contract over its one strict table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Final

from memory_gui.domain.changes import Capability, Edit, Fields, NewRecord, Told
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import Kind, Shelf
from memory_gui.domain.records import Record, State
from memory_gui.engine.database import Connection
from memory_gui.engine.sql import quote
from memory_gui.stores.formats.persistent_memory import rules
from memory_gui.stores.formats.persistent_memory.schema import (
    foreign_objects,
    refusals,
    table_of,
)
from memory_gui.stores.sql.cells import Cell, Row, cells_of, shown
from memory_gui.stores.sql.onetable import OneTableStore

NAME: Final = "persistent-memory"
DECLARED: Final = (
    Kind(
        "memory",
        Shelf.MEMORY,
        frozenset({"add", "edit", "delete", "erase"}),
        rules.FIELDS,
        ("subject", "type", "source", "revision"),
        limits={"title": rules.KEY_LIMIT, "text": rules.TEXT_LIMIT, "source": rules.KEY_LIMIT},
        choices={"type": rules.TYPES},
        optional=frozenset({"source", "subject"}),
        labels={
            "subject": "persistent.user",
            "title": "persistent.key",
            "text": "persistent.value",
            "type": "persistent.kind",
            "source": "persistent.session",
        },
        lacks=frozenset({"updated", "created", "scope", "state"}),
    ),
)
_ALL: Final = (
    Capability.ADD
    | Capability.EDIT
    | Capability.DELETE
    | Capability.ERASE
    | Capability.WATCH
    | Capability.ENCRYPT
)
_FILED: Final = frozenset({*rules.KEY_COLUMNS, "value", "source_session"})
"""Columns that the fields of a record show."""
_MIB: Final = 1 << 20
_JUDGED: Final = 8 * rules.IN_ALL
"""Rows that are looked at for malformed ones: a store of the app's own has far fewer."""
_NAMED: Final = 5
"""Malformed rows whose places are named."""


class PersistentMemoryStore(OneTableStore):
    """Readable or encrypted. Rows that the app would refuse to read are shown and can be mended."""

    format = NAME
    agent = "Persistent memory"
    kind = "memory"
    kinds = ("memory",)
    declared = DECLARED
    opaque_ids = False
    write_ms = rules.WRITE_MS
    key_columns = rules.KEY_COLUMNS
    carriers = ("value",)
    labels = ("memory_key", "user_id", "source_session")

    def __init__(self, connection: Connection, *, read_only: bool = False) -> None:
        """Take over a connection.

        Raises:
            UserError: ``store.other_schema`` when there is no such table.
        """
        schema = connection.schema()
        table = table_of(connection, schema)
        foreign = foreign_objects(schema)
        super().__init__(connection, table, foreign=foreign, read_only=read_only)
        self.version = int(connection.execute("PRAGMA user_version")[0][0])
        self._refused = refusals(schema, table.columns)
        self._first: frozenset[int] = frozenset()
        """The rows of the first preferences by key, of each user."""
        self._room = rules.FILE_LIMIT

    @cached_property
    def capabilities(self) -> Capability:  # type: ignore[override]  # what is found once stays
        """What can be done here."""
        if self.version != rules.VERSION:
            return Capability.WATCH | Capability.ENCRYPT
        return _ALL & ~Capability.ADD if self._refused else _ALL

    @cached_property
    def reasons(self) -> Mapping[str, str]:  # type: ignore[override]  # as capabilities
        """Why an act is not possible here."""
        why = dict.fromkeys(("trash", "restore"), "persistent.no_trash")
        why |= {"tag": "persistent.no_tags", "review": "persistent.no_review"}
        if self.version != rules.VERSION:
            acts = ("add", "edit", "delete", "erase")
            return why | dict.fromkeys(acts, "persistent.other_version")
        return why | ({"add": "persistent.not_seen"} if self._refused else {})

    def not_ours(self) -> UserError:
        """It may only be looked at."""
        path = str(self.connection.path)
        return UserError("persistent.version", path=path, found=self.version, known=rules.VERSION)

    # ---- reading

    def record_of(self, row: Row) -> Record:
        """The row; its faults are told with it."""
        return Record(
            ref=self.ref_of(row),
            etag=row.etag,
            state=State.LIVE,
            title=row.text("memory_key"),
            text=row.text("value"),
            subject=shown(row.cells.get("user_id")),
            type=shown(row.cells.get("kind")),
            source=shown(row.cells.get("source_session")),
            extra={name: shown(cell) for name, cell in row.cells.items() if name not in _FILED},
            told=self._told_of(row),
        )

    def _told_of(self, row: Row) -> tuple[str, ...]:
        faults = rules.faults(row)
        if faults:
            return ("persistent.malformed", *faults)
        if row.cells["kind"] != rules.PREFERENCE:
            return ()
        return ("persistent.in_prompt" if row.rowid in self._first else "persistent.not_in_prompt",)

    def prepare(self) -> None:
        """Which preferences are the first ones by key, as they are now."""
        rowid = self.table.rowid
        found = self.connection.execute(
            f"SELECT number FROM (SELECT {rowid} AS number, row_number() OVER"  # noqa: S608 - names of ours
            f" (PARTITION BY user_id ORDER BY memory_key) AS place FROM {quote(rules.TABLE)}"
            " WHERE kind = ?) WHERE place <= ?",
            (rules.PREFERENCE, rules.IN_PROMPT),
        )
        self._first = frozenset(int(number) for (number,) in found)

    def fields_of(self, record: Record) -> Fields:
        """User, kind, key, value, session."""
        return {
            "subject": record.subject or "",
            "type": record.type or "",
            "title": record.title,
            "text": record.text,
            "source": record.source or "",
        }

    def tell(self) -> tuple[Told, ...]:
        """How full it is, what its own class says of it, what reaches a prompt."""
        return (self._full(), *self._refusals(), Told("persistent.prompt", {"n": rules.IN_PROMPT}))

    def _refusals(self) -> tuple[Told, ...]:
        """What its own class would say."""
        found = list(self._refused)
        if self.version != rules.VERSION:
            found.append(Told("persistent.other_version", {"n": self.version}))
        if self.size > rules.FILE_LIMIT:
            found.append(Told("persistent.too_large", {"limit": rules.FILE_LIMIT // _MIB}))
        rows = islice((row for rows in self.table.batches() for row in rows), _JUDGED)
        if bad := [place for place, row in enumerate(rows, 1) if rules.faults(row)]:
            places = ", ".join(map(str, bad[:_NAMED])) + (", …" if len(bad) > _NAMED else "")
            found.append(Told("persistent.malformed_rows", {"n": len(bad), "places": places}))
        return tuple(found)

    def _full(self) -> Told:
        users = self.connection.execute(
            f"SELECT max(n), sum(n), count(*) FROM (SELECT count(*) AS n FROM {quote(rules.TABLE)}"  # noqa: S608 - names of ours
            " GROUP BY user_id)"
        )[0]
        most, total, people = (int(value or 0) for value in users)
        values: dict[str, str | int] = {"most": most, "per_user": rules.PER_USER}
        values |= {"total": total, "in_all": rules.IN_ALL, "users": people}
        size = f"{self.size / _MIB:.1f}" if self.size >= _MIB // 10 else "< 0.1"
        values |= {"size": size, "limit": rules.FILE_LIMIT // _MIB}
        return Told("persistent.full", values)

    @property
    def size(self) -> int:
        """Bytes of the database, in this transaction."""
        pages = int(self.connection.execute("PRAGMA page_count")[0][0])
        return pages * int(self.connection.execute("PRAGMA page_size")[0][0])

    # ---- changing

    def classify(self, fields: Fields) -> Fields:
        """The row that ``add`` would write, by the names of its fields."""
        cells = self._new(fields)
        return dict(zip(rules.FIELDS, map(str, self._in_order(cells)), strict=True))

    @staticmethod
    def _in_order(cells: Mapping[str, Cell]) -> tuple[Cell, ...]:
        names = ("user_id", "kind", "memory_key", "value", "source_session")
        return tuple(cells[name] for name in names)

    def _new(self, fields: Fields) -> dict[str, Cell]:
        given = {
            name: cell for name, cell in cells_of(fields, rules.COLUMN_OF).items() if cell != ""
        }
        users = self._users()
        if len(users) == 1:
            given.setdefault("user_id", users[0])
        if "user_id" not in given:
            raise UserError("persistent.whose")
        cells: dict[str, Cell] = {"kind": rules.PREFERENCE, "memory_key": "", "value": ""}
        cells |= {"source_session": rules.OUR_SESSION, **given, "revision": 1}
        rules.check(cells, users)
        return cells

    def _users(self) -> tuple[str, ...]:
        found = self.connection.execute(
            f"SELECT DISTINCT CAST(user_id AS BLOB) FROM {quote(rules.TABLE)}"  # noqa: S608 - names of ours
            " WHERE typeof(user_id) = 'text'"
        )
        return tuple(bytes(name).decode(errors="backslashreplace") for (name,) in found)

    def new_cells(self, new: NewRecord) -> dict[str, Cell]:
        """A row of revision 1."""
        return self._new(new.fields)

    def edited_cells(self, row: Row, edit: Edit) -> dict[str, Cell]:
        """What differs, one revision later, from our session unless another one is given."""
        given = cells_of(edit.fields, rules.COLUMN_OF)
        cells = {name: cell for name, cell in given.items() if cell != shown(row.cells.get(name))}
        if not cells and not (given and rules.faults(row)):
            return {}
        if "user_id" in cells and "subject" not in edit.despite:
            raise UserError("record.subject_change")
        cells.setdefault("source_session", given.get("source_session") or rules.OUR_SESSION)
        revision = row.cells.get("revision")
        counts = isinstance(revision, int) and revision > 0
        cells["revision"] = row.next_number("revision") if counts else 1
        rules.check({**row.cells, **cells}, self._users())
        return cells

    def check_room(self, cells: Mapping[str, Cell], but: Row | None) -> None:
        """Unique per user, kind and key; 64 of a user and 1,024 in all, which changes keep.

        Raises:
            UserError: ``persistent.key_taken``, ``persistent.user_full``, ``persistent.full``.
        """
        if any(but is None or row.rowid != but.rowid for row in self.same_as(cells)):
            raise UserError("persistent.key_taken")
        self._room = max(rules.FILE_LIMIT, self.size)
        user = cells["user_id"]
        if but is None and self.table.count() >= rules.IN_ALL:
            raise UserError("persistent.full", limit=rules.IN_ALL)
        is_new_to_user = but is None or but.cells.get("user_id") != user
        if is_new_to_user and self.table.count("user_id = ?", (user,)) >= rules.PER_USER:
            raise UserError("persistent.user_full", limit=rules.PER_USER)

    def same_as(self, cells: Mapping[str, Cell]) -> Sequence[Row]:
        """The row with that key of that kind of that user."""
        key = tuple(cells[column] for column in rules.KEY_COLUMNS)
        where = " AND ".join(f"{quote(column)} = ?" for column in rules.KEY_COLUMNS)
        return self.table.select(where, key)

    def written(self) -> None:
        """The app opens no file above 16 MiB. Above it already, it may not grow either.

        Raises:
            UserError: ``persistent.file_full``.
        """
        if self.size > self._room:
            raise UserError("persistent.file_full", limit=rules.FILE_LIMIT // _MIB)
