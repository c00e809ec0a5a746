# SPDX-License-Identifier: MIT
"""Deleted lines and observations, and putting them back where they lay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from memory_gui.domain.changes import Snapshot
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.stores.files.document import Splice
from memory_gui.stores.formats.server_memory.layout import ENTITY, dumped, observation_spans
from memory_gui.stores.formats.server_memory.placing import at_end
from memory_gui.stores.formats.server_memory.records import OBSERVATION, GraphDoc

if TYPE_CHECKING:
    from memory_gui.stores.formats.server_memory.store import GraphStore


def snapshot_of(store: GraphStore, refs: Sequence[Ref]) -> Snapshot:
    """The lines, or single observations, that ``delete`` of these would take."""
    chosen = [item for ref in refs if (item := store.items.get(ref)) is not None]
    doc = store.doc(store.main)
    going = store.along(chosen)
    lines = sorted({doc.places[i.record.ref] for i in going if i.record.kind != OBSERVATION})
    rows: list[tuple[str, tuple[str, ...], tuple[object, ...]]] = []
    for place in lines:
        if place < 0:
            rows.append(("start", ("raw",), (doc.data[: chosen[0].span[1]],)))
            continue
        line = doc.lines[place]
        own = [i.record for i in doc.items if doc.places[i.record.ref] == place]
        told = tuple((record.ref, record.etag) for record in own)
        raw = doc.data[line.start : line.end]
        rows.append(("line", ("place", "raw", "records"), (place, raw, told)))
    for item in going:
        ref = item.record.ref
        if ref.kind == OBSERVATION and doc.places[ref] not in lines:
            at = store.observations(doc, doc.places[ref]).index(ref)
            text = doc.lines[doc.places[ref]].value["observations"][at]
            rows.append(("observation", ("ref", "place", "text"), (ref, at, text)))
    return Snapshot(store.id, tuple(rows))


def put_back(store: GraphStore, snapshot: Snapshot) -> None:
    """Each where it lay, or at the end. Raises ``record.id_taken``, ``record.no_entity``."""
    for table, _columns, values in snapshot.rows:
        if table == "observation":
            _put_observation(store, *cast("tuple[Ref, int, str]", values))
        elif table == "line":
            _put_line(store, *cast("tuple[int, bytes, tuple[tuple[Ref, str], ...]]", values))
        else:
            _put_start(store, *cast("tuple[bytes]", values))


def _put_line(
    store: GraphStore, place: int, raw: bytes, records: Sequence[tuple[Ref, str]]
) -> None:
    found = {ref: store.items[ref].record.etag for ref, _ in records if ref in store.items}
    if records and records[0][0] in found:
        if any(found.get(ref) != etag for ref, etag in records):
            raise UserError("record.id_taken")
        return

    def build(doc: GraphDoc) -> Sequence[Splice]:
        if place >= len(doc.lines):
            return (at_end(doc, raw),)
        start = doc.lines[place].start
        return (Splice(start, start, raw + b"\n"),)

    store.change(build)


def _put_observation(store: GraphStore, ref: Ref, at: int, text: str) -> None:
    label = ref.key[-1]
    now = store.items.get(ref)
    if now is not None:
        if now.record.text != text:
            raise UserError("record.id_taken")
        return
    owner = Ref(store.id, ENTITY, ref.key[:-1])

    def build(doc: GraphDoc) -> Sequence[Splice]:
        if owner not in doc.places:
            raise UserError("record.no_entity")
        array, spans = observation_spans(doc.data, doc.lines[doc.places[owner]])
        if at < len(spans):
            return (Splice(spans[at][0], spans[at][0], dumped(text) + b","),)
        end = spans[-1][1] if spans else array[0] + 1
        return (Splice(end, end, (b"," if spans else b"") + dumped(text)),)

    def settle(doc: GraphDoc) -> None:
        texts, labels = store.labelled(doc, doc.places[owner])
        texts.insert(at, text.encode("utf-8", "surrogatepass"))
        labels.insert(at, label)
        store.name_as("\0".join(ref.key[:-1]), texts, labels)

    store.change(build, settle)


def _put_start(store: GraphStore, raw: bytes) -> None:
    store.change(lambda doc: () if doc.data.startswith(raw) else (Splice(0, 0, raw),))
