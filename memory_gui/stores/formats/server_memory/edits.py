# SPDX-License-Identifier: MIT
"""Other values for a record of a memory graph: one value of one line, and what names it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_gui.domain.changes import Fields
from memory_gui.stores.files.document import Item, Splice
from memory_gui.stores.formats.server_memory.layout import (
    RELATION,
    Line,
    dumped,
    hidden_members,
    observation_spans,
    value_span,
)
from memory_gui.stores.formats.server_memory.records import LINE, OBSERVATION, GraphDoc

if TYPE_CHECKING:
    from memory_gui.stores.formats.server_memory.store import GraphStore


def edited(store: GraphStore, doc: GraphDoc, item: Item, fields: Fields) -> Sequence[Splice]:
    """What becomes of the file by new values of one record."""
    record, line = item.record, doc.lines[doc.places[item.record.ref]]
    old = store.fields_of(record)
    new = {n: str(value).strip() for n, value in fields.items() if str(value) != old[n]}
    if not new:
        return ()
    if record.kind == LINE:
        return (Splice(*item.span, new["text"].encode()),)
    hidden = [Splice(*span) for span in hidden_members(doc.data, line)]
    if record.kind == OBSERVATION:
        at = store.observations(doc, doc.places[record.ref]).index(record.ref)
        span = observation_spans(doc.data, line)[1][at]
        return (Splice(*span, dumped(new["text"])), *hidden)
    splices = hidden
    if "type" in new:
        splices.append(Splice(*value_span(doc.data, line, "entityType"), dumped(new["type"])))
    if "title" in new:
        splices += _renamed(doc, line, new["title"])
    return splices


def _renamed(doc: GraphDoc, line: Line, name: str) -> list[Splice]:
    """The entity's name, and every end of a relation that names it."""
    old = line.value["name"]
    splices = [Splice(*value_span(doc.data, line, "name"), dumped(name))]
    for other in doc.lines:
        if other.kind == RELATION:
            ends = [end for end in ("from", "to") if other.value[end] == old]
            spans = [value_span(doc.data, other, end) for end in ends]
            splices += [Splice(*span, dumped(name)) for span in spans]
    return splices
