# SPDX-License-Identifier: MIT
"""What an erase takes of a Letta database: rows, and copies in cells of rows that stay.

A block goes with its history, with the requests and answers that repeat it, and out of the copies
that agents have of it (``agents.memory``, the compiled system message). A message leaves the list
of those that its agent still has in mind; a passage takes its tags along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from memory_gui.domain.changes import CellCut, EraseRows, EraseScope
from memory_gui.domain.filecuts import Span, merged
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.engine.database import Connection
from memory_gui.engine.sql import marks, quote
from memory_gui.stores.files.jsonspans import shown
from memory_gui.stores.formats.letta.layout import AGENTS, BLOCKS, HISTORY, MESSAGES, Layout
from memory_gui.stores.formats.letta.texts import every_text, places_of, without_ids
from memory_gui.stores.sql.cells import Row
from memory_gui.stores.sql.table import Table
from memory_gui.stores.sql.windows import Windows

_AT_ONCE: Final = 400
_SURE: Final = 12
"""Bytes: a shorter text is taken out of no other cell, where it may mean something else."""
_COPIES: Final = ((AGENTS, ("memory", "system")), (MESSAGES, ("content", "text")))
"""Where agents have copies of their blocks; of messages only the system's."""


@dataclass(slots=True)
class _Going:
    """By table the ids of rows; by agent the messages that leave its list."""

    rows: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    texts: dict[str, None] = field(default_factory=dict)
    of_blocks: dict[str, None] = field(default_factory=dict)
    messages: set[str] = field(default_factory=set)
    past: set[str] = field(default_factory=set)
    blocks: set[str] = field(default_factory=set)

    def add(self, table: str, kind: str, name: str) -> None:
        """One row more."""
        some = self.rows.setdefault((table, kind), [])
        if name not in some:
            some.append(name)


class Planner:
    """Plans one erase, inside a read transaction. ``find`` gives a record's table and row."""

    def __init__(
        self,
        store: StoreId,
        connection: Connection,
        layout: Layout,
        find: Callable[[Ref], tuple[Table, Row] | None],
        record_of: Callable[[str, Table, Row], Record],
    ) -> None:
        self._store = store
        self._connection = connection
        self._layout = layout
        self._find = find
        self._record_of = record_of
        self._going = _Going()

    def scope(
        self, refs: Sequence[Ref], also: Sequence[str], check: Callable[[], object]
    ) -> EraseScope:
        """What goes."""
        missing = tuple(ref for ref in refs if ref.store == self._store and not self._choose(ref))
        going = self._going
        going.texts.update(dict.fromkeys(text.strip() for text in also if text.strip()))
        texts = tuple(going.texts)
        self._with_history()
        self._with_traces(texts, check)
        still_in = self._still_in(texts, check)
        return EraseScope(
            self._store,
            tuple(self._rows()),
            texts,
            missing,
            still_in,
            cells=tuple(self._cells()),
            tables=tuple(self._tables(texts)),
        )

    # ---- what goes

    def _choose(self, ref: Ref) -> bool:
        found = self._find(ref)
        if found is None:
            return False
        table, row = found
        going = self._going
        going.add(table.name, ref.kind, row.text("id"))
        record = self._record_of(ref.kind, table, row)
        if ref.kind != "trace":
            # A message is in parts, which do not follow one another in the file.
            said = record.text.split("\n") if ref.kind == "message" else [record.text]
            going.texts.update(dict.fromkeys(text.strip() for text in said if text.strip()))
        if ref.kind == "block":
            going.blocks.add(row.text("id"))
            going.of_blocks[row.text("value")] = None
        elif ref.kind == "message":
            going.messages.add(row.text("id"))
        elif ref.kind == "past":
            going.past.add(row.text("id"))
        return True

    def _with_history(self) -> None:
        """All that the blocks once said."""
        going = self._going
        for table in self._layout.tables["past"]:
            for row in _selected(table, "block_id", sorted(going.blocks)):
                going.add(table.name, "past", row.text("id"))
                if value := row.text("value").strip():
                    going.texts[value] = None
                    going.of_blocks[value] = None

    def _with_traces(self, texts: Sequence[str], check: Callable[[], object]) -> None:
        """Requests and answers that repeat it: only a person who looks for bugs reads them."""
        for table, row in self._repeating("trace", texts, check):
            self._going.add(table.name, "trace", row.text("id"))

    def _still_in(self, texts: Sequence[str], check: Callable[[], object]) -> tuple[Ref, ...]:
        gone = {(table, name) for (table, _), names in self._going.rows.items() for name in names}
        return tuple(
            Ref(self._store, kind, (row.text("id"),))
            for kind in self._layout.kinds
            if kind != "trace"
            for table, row in self._repeating(kind, texts, check)
            if (table.name, row.text("id")) not in gone
        )

    def _repeating(
        self, kind: str, texts: Sequence[str], check: Callable[[], object]
    ) -> Iterator[tuple[Table, Row]]:
        """Rows that carry one of the texts."""
        if not texts:
            return
        windows = Windows(texts)
        for table in self._layout.tables[kind]:
            for rows in table.batches(columns=self._layout.read_columns(table)):
                check()
                said = ["\n".join(self._record_of(kind, table, row).searchable()) for row in rows]
                for place in sorted(windows.in_texts(said)):
                    yield table, rows[place]

    # ---- what stays

    def _kept_values(self) -> list[str]:
        """What the blocks say that stay."""
        table = self._layout.tables["block"][0]
        return [
            row.text("value")
            for rows in table.batches(columns=("id", "value"))
            for row in rows
            if row.text("id") not in self._going.blocks and row.text("value").strip()
        ]

    def _tables(self, texts: Sequence[str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Tables of kept records beside the main ones; agents, where they only copy kept blocks."""
        for kind, tables in self._layout.tables.items():
            for table in tables[1:]:
                yield table.name, kind, ("id",)
        if texts and self._only_copied(texts):
            yield AGENTS, "agent", ("id",)

    def _only_copied(self, texts: Sequence[str]) -> bool:
        """Whether agents have no more of the texts than their copies of blocks that stay."""
        table, windows = self._layout.agents, Windows(texts)
        stay = [value for value in self._kept_values() if windows.in_text(value)]
        known = sorted((*map(shown, stay), *self._sure()), key=len, reverse=True)
        for rows in table.batches():
            said = []
            for row in rows:
                cells = [cell for cell in row.cells.values() if isinstance(cell, str)]
                left = "\n".join(map(every_text, cells))
                for value in known:
                    left = left.replace(value, "\n")
                said.append(left)
            if windows.in_texts(said):
                return False
        return True

    # ---- as an erase names it

    def _rows(self) -> Iterator[EraseRows]:
        for (table, kind), names in self._going.rows.items():
            yield EraseRows(table, ("id",), tuple((name,) for name in names), kind)
            for linked, column, second in self._layout.links(kind):
                keys = tuple(self._linked(linked, column, second, names))
                if keys:
                    yield EraseRows(linked, (column, second), keys, "event")

    def _linked(
        self, table: str, column: str, second: str, names: Sequence[str]
    ) -> Iterator[tuple[str | int, ...]]:
        for start in range(0, len(names), _AT_ONCE):
            part = names[start : start + _AT_ONCE]
            for row in self._connection.execute(
                f"SELECT {quote(column)}, {quote(second)} FROM {quote(table)}"  # noqa: S608 - quoted names
                f" WHERE {quote(column)} IN ({marks(len(part))})",
                tuple(part),
            ):
                yield (row[0], row[1])

    def _cells(self) -> Iterator[CellCut]:
        """Copies in rows that stay."""
        going = self._going
        if wanted := self._sure():
            yield from self._copies(wanted)
        if going.messages:
            yield from self._lists(frozenset(going.messages))
        yield from self._pointers()

    def _sure(self) -> list[str]:
        return [text for text in self._going.of_blocks if len(text.encode()) >= _SURE]

    def _copies(self, texts: Sequence[str]) -> Iterator[CellCut]:
        gone = {(table, name) for (table, _), names in self._going.rows.items() for name in names}
        stay = [value for value in self._kept_values() if any(text in value for text in texts)]
        for name, columns in _COPIES:
            tables = (self._layout.agents,) if name == AGENTS else self._layout.tables["message"]
            where = "1" if name == AGENTS else "role = 'system'"
            for table in tables:
                read = [column for column in columns if column in table.columns]
                for rows in table.batches(where, ("id", *read)):
                    for row in rows:
                        if (table.name, row.text("id")) in gone:
                            continue
                        for column in read:
                            cell = row.cells.get(column)
                            spans = _spans(cell, texts, stay) if isinstance(cell, str) else []
                            if spans and isinstance(cell, str):
                                yield _cut(table.name, row, column, cell, spans)

    def _lists(self, gone: frozenset[str]) -> Iterator[CellCut]:
        """The messages that an agent still has in mind."""
        table = self._layout.agents
        for rows in table.batches(columns=("id", "message_ids")):
            for row in rows:
                cell = row.cells.get("message_ids")
                if not isinstance(cell, str):
                    continue
                try:
                    spans = without_ids(cell, gone)
                except ValueError:
                    continue
                if spans:
                    yield _cut(table.name, row, "message_ids", cell, spans)

    def _pointers(self) -> Iterator[CellCut]:
        """A block that stays points to no entry of its history that goes."""
        table = self._layout.tables["block"][0]
        column = "current_history_entry_id"
        names = self._going.rows.get((HISTORY, "past"), [])
        if column in table.columns and names:
            for row in _selected(table, column, names):
                if row.text("id") not in self._going.blocks:
                    size = len(row.text(column).encode())
                    yield CellCut(BLOCKS, ("id",), (row.text("id"),), column, size)


def _spans(cell: str, texts: Sequence[str], stay: Sequence[str]) -> list[Span]:
    """Where texts stand, but for where a block that stays says the same, or more around it."""
    kept = places_of(cell, stay) if stay else []
    return [
        (start, end)
        for start, end in places_of(cell, texts)
        if not any(begin <= start and end <= stop for begin, stop in kept)
    ]


def _cut(table: str, row: Row, column: str, cell: str, spans: Sequence[tuple[int, int]]) -> CellCut:
    puts = tuple((start, end, "") for start, end in merged(spans))
    return CellCut(table, ("id",), (row.text("id"),), column, len(cell.encode()), puts)


def _selected(table: Table, column: str, values: Sequence[str]) -> Iterator[Row]:
    for start in range(0, len(values), _AT_ONCE):
        part = tuple(values[start : start + _AT_ONCE])
        yield from table.select(f"{quote(column)} IN ({marks(len(part))})", part)
