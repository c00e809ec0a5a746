# SPDX-License-Identifier: MIT
"""Copies of what an erase takes, in cells of rows that stay: what goes of each cell.

Where an agent has its blocks once more, where Letta's server repeats requests and answers, and the
files that passages were made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memory_gui.domain.erasing import CellCut
from memory_gui.domain.filecuts import Span, merged, without
from memory_gui.stores.formats.letta.layout import AGENTS, MEMORY, MESSAGES, Layout
from memory_gui.stores.formats.letta.server import ServerTable
from memory_gui.stores.formats.letta.texts import places_of
from memory_gui.stores.sql.cells import Row
from memory_gui.stores.sql.table import Table

Copies = tuple[tuple[str, tuple[str, ...]], ...]
"""Tables, and the columns of them."""
_SURE: Final = 12
"""Bytes: a shorter text is taken out of no other cell, where it may mean something else."""
OF_BLOCKS: Final[Copies] = ((AGENTS, ("memory", "system")), (MESSAGES, ("content", "text")))
"""Where agents have copies of their blocks; of messages only the system's."""
OF_ALL: Final[Copies] = (
    ("jobs", ("metadata_",)),
    ("llm_batch_items", ("step_state", "batch_request_result")),
    ("steps", ("error_data",)),
)
"""Where the server repeats requests and answers."""
OF_PASSAGES: Final[Copies] = (("file_contents", ("text",)), ("files_agents", ("visible_content",)))
"""The files that passages were made of."""


def sure(texts: Iterable[str]) -> list[str]:
    """Those that are long enough to mean the same wherever they stand."""
    return [text for text in texts if len(text.encode(errors="replace")) >= _SURE]


@dataclass(slots=True)
class Cuts:
    """What goes of cells, by table, row and column. ``gone`` are (table, id) of rows that go.

    ``of`` are the records whose text an agent's memory has, by the agent.
    """

    gone: set[tuple[str, str]]
    of: Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]
    found: dict[tuple[str, str, str], tuple[str, list[Span]]] = field(default_factory=dict)

    def add(self, table: str, row: Row, column: str, spans: Sequence[Span]) -> None:
        """Some more bytes of one cell."""
        name = row.text("id")
        if spans and (table, name) not in self.gone:
            cell = (row.text(column), list[Span]())
            self.found.setdefault((table, name, column), cell)[1].extend(spans)

    def copies(
        self, layout: Layout, copies: Copies, texts: Sequence[str], stay: Sequence[str]
    ) -> None:
        """Wherever the texts stand in some columns, but for what blocks that stay say as well."""
        kept = [value for value in stay if any(text in value for text in texts)]
        for name, columns in copies if texts else ():
            if name not in layout.names:
                continue
            table = Table(layout.connection, name, layout.codec)
            read = [column for column in columns if column in table.columns]
            if not read or "id" not in table.columns:
                continue
            where = "role = 'system'" if name == MESSAGES else "1"
            for rows in table.batches(where, ("id", *read)):
                for row in rows:
                    for column in read:
                        cell = row.cells.get(column)
                        if isinstance(cell, str):
                            self.add(name, row, column, _spans(cell, texts, kept))

    def cells(self) -> Iterator[CellCut]:
        """As an erase names them."""
        for (table, name, column), (cell, spans) in self.found.items():
            puts = tuple((start, end, "") for start, end in merged(spans))
            of = tuple(self.of.get(name, ())) if (table, column) == (AGENTS, MEMORY) else ()
            yield CellCut(table, ("id",), (name,), column, len(cell.encode()), puts, of=of)

    def left(self, table: ServerTable, row: Row) -> list[str]:
        """What a row of the server's says afterwards."""
        cells = dict(row.cells)
        for column in table.columns:
            cut = self.found.get((table.name, row.text("id"), column))
            if cut is not None:
                cells[column] = without(cut[0].encode(), merged(cut[1])).decode(errors="replace")
        return table.texts(Row(row.rowid, cells))


def _spans(cell: str, texts: Sequence[str], stay: Sequence[str]) -> list[Span]:
    """Where texts stand, but for where a block that stays says the same, or more around it."""
    found = places_of(cell, texts)
    kept = places_of(cell, stay) if found and stay else []
    return [
        (start, end)
        for start, end in found
        if not any(begin <= start and end <= stop for begin, stop in kept)
    ]
