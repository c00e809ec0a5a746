# SPDX-License-Identifier: MIT
"""Blocks that an agent has by itself: in 0.5 what it remembers stands in ``agents.memory``.

Source: letta 0.5.5, ``schemas/memory.py`` (``Memory.load``): ``{"memory": {label: block},
"prompt_template": …}``, and before that ``{label: block}`` alone. A value that a row of ``block``
has as well is a copy of that row, and is shown there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.filecuts import Span
from memory_gui.stores.files.jsonspans import Member, members, offsets
from memory_gui.stores.formats.letta.layout import MEMORY, Layout
from memory_gui.stores.sql.cells import Cell, Row

_FIELDS: Final = ("value", "limit", "description", "template_name", "name", "metadata_")


@dataclass(frozen=True, slots=True)
class Inside:
    """One block of an agent: the agent's row, and where the block's parts stand in its memory."""

    agent: Row
    label: str
    fields: Mapping[str, Member]

    @property
    def value(self) -> str:
        """What it says."""
        return str(self.fields["value"].value)

    @property
    def key(self) -> tuple[str, str]:
        """The agent and the label."""
        return (self.agent.text("id"), self.label)

    @property
    def row(self) -> Row:
        """As a row of ``block`` would have it."""
        cells: dict[str, Cell] = {"id": self.key[0], "label": self.label}
        cells |= {name: _cell(self.fields[name].value) for name in _FIELDS if name in self.fields}
        return Row(self.agent.rowid, cells)

    @property
    def span(self) -> Span:
        """What it says, in bytes of the cell, without its quotation marks."""
        part = self.fields["value"]
        places = [part.value_start + 1, part.end - 1]
        start, end = offsets(self.agent.text(MEMORY), places)
        return (start, end)

    def with_value(self, text: str) -> str:
        """The agent's memory with another value; everything else stays as it is written."""
        cell, part = self.agent.text(MEMORY), self.fields["value"]
        return f"{cell[: part.value_start]}{json.dumps(text)}{cell[part.end :]}"


def blocks_in(agent: Row) -> Iterator[Inside]:
    """All blocks of an agent that say something; none where its memory is laid out otherwise."""
    cell = agent.cells.get(MEMORY)
    if not isinstance(cell, str):
        return
    try:
        labelled = _labelled(cell)
    except ValueError:
        return
    for one in labelled:
        try:
            fields = {part.name: part for part in members(cell, one.value_start)}
        except ValueError:
            continue
        value = fields.get("value")
        if value is not None and isinstance(value.value, str) and value.value:
            yield Inside(agent, one.name, fields)


def _labelled(cell: str) -> tuple[Member, ...]:
    top = members(cell)
    named = {one.name: one for one in top}
    within = named.get("memory")
    if within is None or not isinstance(within.value, dict) or "value" in within.value:
        return top
    return members(cell, within.value_start)


def all_inside(layout: Layout) -> Iterator[Inside]:
    """Those of every agent."""
    for rows in layout.agents.batches(columns=("id", "created_at", MEMORY)):
        for row in rows:
            yield from blocks_in(row)


def of_agent(layout: Layout, agent: str) -> Iterator[Inside]:
    """Those of one."""
    for row in layout.agents.select("id = ?", (agent,)):
        yield from blocks_in(row)


def values_of(layout: Layout) -> dict[tuple[str, str], list[str]]:
    """Label and value of the rows of ``block`` -> their ids."""
    found: dict[tuple[str, str], list[str]] = {}
    for table in layout.tables["block"]:
        for rows in table.batches(columns=("id", "label", "value")):
            for row in rows:
                key = (row.text("label"), row.text("value"))
                found.setdefault(key, []).append(row.text("id"))
    return found


def own_of(some: Iterable[Inside], values: Mapping[tuple[str, str], object]) -> Iterator[Inside]:
    """Those that no row of ``block`` says as well."""
    return (one for one in some if (one.label, one.value) not in values)


def _cell(value: object) -> Cell:
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False) if value else None
    return value if isinstance(value, (str, int, float)) else None
