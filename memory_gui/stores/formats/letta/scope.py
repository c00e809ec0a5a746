# SPDX-License-Identifier: MIT
"""What an erase takes of a Letta database: rows, and copies in cells of rows that stay.

A block goes with its history, with the requests and answers that repeat it, and out of the copies
that agents have of it (``agents.memory``, the compiled system message). A message leaves the list
of those that its agent still has in mind; a passage takes its tags along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memory_gui.domain.changes import Told
from memory_gui.domain.erasing import CellCut, EraseRows, EraseScope
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import without_repeats
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.engine.sql import marks, quote
from memory_gui.stores.files.jsonspans import shown
from memory_gui.stores.formats.letta.cuts import OF_ALL, OF_BLOCKS, OF_PASSAGES, Cuts, sure
from memory_gui.stores.formats.letta.inside import Inside, all_inside, of_agent
from memory_gui.stores.formats.letta.layout import (
    AGENTS,
    BLOCKS,
    HISTORY,
    INSIDE,
    KINDS,
    MEMORY,
    NAME,
    SERVER,
    Layout,
)
from memory_gui.stores.formats.letta.texts import every_text, without_ids
from memory_gui.stores.sql.cells import Row
from memory_gui.stores.sql.table import Table
from memory_gui.stores.sql.windows import Windows

_AT_ONCE: Final = 400


@dataclass(slots=True)
class _Going:
    """By table the ids of rows; by agent the messages that leave its list."""

    rows: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    texts: dict[str, None] = field(default_factory=dict)
    of_blocks: dict[str, None] = field(default_factory=dict)
    of_passages: dict[str, None] = field(default_factory=dict)
    inside: dict[tuple[str, str], Inside] = field(default_factory=dict)
    of: dict[str, list[tuple[str, tuple[str, ...]]]] = field(default_factory=dict)
    """By agent the records that its memory has the text of."""
    messages: set[str] = field(default_factory=set)
    past: set[str] = field(default_factory=set)
    blocks: set[str] = field(default_factory=set)

    def add(self, table: str, kind: str, name: str) -> None:
        """One row more."""
        some = self.rows.setdefault((table, kind), [])
        if name not in some:
            some.append(name)


class Planner:
    """Plans one erase, inside a read transaction. ``find`` gives a record's table and row.

    ``inside`` are the agents' own blocks, by their keys.
    """

    def __init__(
        self,
        store: StoreId,
        layout: Layout,
        find: Callable[[Ref], tuple[Table, Row] | None],
        record_of: Callable[[str, Row], Record],
        inside: Mapping[tuple[str, str], Row],
    ) -> None:
        self._store = store
        self._layout = layout
        self._find = find
        self._record_of = record_of
        self._inside = inside
        self._going = _Going()

    def scope(
        self, refs: Sequence[Ref], also: Sequence[str], check: Callable[[], object]
    ) -> EraseScope:
        """What goes.

        Raises:
            UserError: ``store.cannot`` for a row that Letta's server keeps for itself.
        """
        missing = tuple(ref for ref in refs if ref.store == self._store and not self._choose(ref))
        going = self._going
        going.texts.update(dict.fromkeys(text.strip() for text in also if text.strip()))
        self._with_history()
        self._with_traces(tuple(going.texts), check)
        texts = tuple(going.texts)
        still_in = self._still_in(texts, check)
        cuts = self._cuts()
        return EraseScope(
            self._store,
            tuple(self._rows()),
            texts,
            missing,
            still_in,
            cells=(*cuts.cells(), *self._pointers()),
            tables=tuple(self._tables(texts)),
            beyond=tuple(self._beyond(texts, cuts, check)),
        )

    # ---- what goes

    def _choose(self, ref: Ref) -> bool:
        if ref.kind == SERVER.name:
            raise UserError("store.cannot", act="erase", format=NAME, why="letta.of_server")
        if ref.kind == INSIDE.name:
            return self._choose_inside(ref)
        found = self._find(ref)
        if found is None:
            return False
        table, row = found
        going = self._going
        going.add(table.name, ref.kind, row.text("id"))
        record = self._record_of(ref.kind, row)
        if ref.kind != "trace":
            # A message is in parts, which do not follow one another in the file.
            in_parts = ref.kind in ("message", "identity")
            said = record.text.split("\n") if in_parts else [record.text]
            said += sure([record.title]) if ref.kind == "identity" else []
            going.texts.update(dict.fromkeys(text.strip() for text in said if text.strip()))
        self._take_along(ref, row)
        return True

    def _take_along(self, ref: Ref, row: Row) -> None:
        """What belongs to it elsewhere."""
        going, name = self._going, row.text("id")
        if ref.kind == "block":
            going.blocks.add(name)
            going.of_blocks[row.text("value")] = None
            said = (row.text("label"), row.text("value"))
            for one in all_inside(self._layout) if self._layout.has_inside else ():
                if (one.label, one.value) == said:
                    going.of.setdefault(one.key[0], []).append((ref.kind, ref.key))
        elif ref.kind == "passage":
            going.of_passages[row.text("text").strip()] = None
        elif ref.kind == "message":
            going.messages.add(name)
        elif ref.kind == "past":
            going.past.add(name)

    def _choose_inside(self, ref: Ref) -> bool:
        """A block that only its agent has: its value leaves the agent's memory."""
        if len(ref.key) != 2 or (ref.key[0], ref.key[1]) not in self._inside:
            return False
        for one in of_agent(self._layout, ref.key[0]):
            if one.key == ref.key:
                self._going.inside[one.key] = one
                self._going.of.setdefault(one.key[0], []).append((ref.kind, ref.key))
                self._going.of_blocks[one.value] = None
                if text := one.value.strip():
                    self._going.texts[text] = None
        return ref.key in self._going.inside

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
        gone = self._gone
        found = [
            Ref(self._store, kind, (row.text("id"),))
            for kind in self._layout.tables
            if kind != "trace"
            for table, row in self._repeating(kind, texts, check)
            if (table.name, row.text("id")) not in gone
        ]
        inside = [key for key in self._inside if key not in self._going.inside]
        said = [self._inside[key].text("value") for key in inside]
        held = sorted(Windows(texts).in_texts(said)) if texts else []
        return (*found, *(Ref(self._store, INSIDE.name, inside[place]) for place in held))

    @property
    def _gone(self) -> set[tuple[str, str]]:
        """(table, id) of the rows that go."""
        return {(table, name) for (table, _), names in self._going.rows.items() for name in names}

    def _repeating(
        self, kind: str, texts: Sequence[str], check: Callable[[], object]
    ) -> Iterator[tuple[Table, Row]]:
        """Rows that carry one of the texts."""
        if not texts:
            return
        windows = Windows(texts, check)
        for table in self._layout.tables[kind]:
            for rows in table.batches(columns=self._layout.read_columns(table)):
                check()
                made = (without_repeats(self._record_of(kind, row), KINDS) for row in rows)
                said = ["\n".join(one.searchable()) for one in made]
                for place in sorted(windows.in_texts(said)):
                    yield table, rows[place]

    def _beyond(
        self, texts: Sequence[str], cuts: Cuts, check: Callable[[], object]
    ) -> Iterator[Told]:
        """What Letta's server keeps for itself, and how many of its rows hold one of the texts."""
        windows, held, is_there = Windows(texts, check), list[str](), False
        for one in self._layout.server:
            count = 0
            for rows in one.batches():
                check()
                is_there = True
                said = ["\n".join(cuts.left(one, row)) for row in rows]
                count += len(windows.in_texts(said)) if texts else 0
            if count and not (one.name == AGENTS and self._only_copied(texts)):
                held.append(f"{one.name} ({count})")
        if is_there:
            yield Told("limit.letta_server")
        if held:
            yield Told("limit.letta_held", {"tables": ", ".join(held)})

    # ---- what stays

    def _kept_values(self) -> list[str]:
        """What the blocks say that stay."""
        table = self._layout.tables["block"][0]
        rows = [
            row.text("value")
            for rows in table.batches(columns=("id", "value"))
            for row in rows
            if row.text("id") not in self._going.blocks and row.text("value").strip()
        ]
        stay = [row for key, row in self._inside.items() if key not in self._going.inside]
        return [*rows, *(row.text("value") for row in stay)]

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
        known = sorted((*map(shown, stay), *sure(self._going.of_blocks)), key=len, reverse=True)
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
            for row in self._layout.connection.execute(
                f"SELECT {quote(column)}, {quote(second)} FROM {quote(table)}"  # noqa: S608 - quoted names
                f" WHERE {quote(column)} IN ({marks(len(part))})",
                tuple(part),
            ):
                yield (row[0], row[1])

    def _cuts(self) -> Cuts:
        """Copies in rows that stay."""
        going = self._going
        cuts = Cuts(self._gone, going.of)
        for one in going.inside.values():
            cuts.add(AGENTS, one.agent, MEMORY, [one.span])
        stay = self._kept_values()
        for copies, texts in (
            (OF_BLOCKS, going.of_blocks),
            (OF_ALL, going.texts),
            (OF_PASSAGES, going.of_passages),
        ):
            cuts.copies(self._layout, copies, sure(texts), stay)
        if going.messages:
            self._lists(cuts, frozenset(going.messages))
        return cuts

    def _lists(self, cuts: Cuts, gone: frozenset[str]) -> None:
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
                cuts.add(table.name, row, "message_ids", spans)

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


def _selected(table: Table, column: str, values: Sequence[str]) -> Iterator[Row]:
    for start in range(0, len(values), _AT_ONCE):
        part = tuple(values[start : start + _AT_ONCE])
        yield from table.select(f"{quote(column)} IN ({marks(len(part))})", part)
