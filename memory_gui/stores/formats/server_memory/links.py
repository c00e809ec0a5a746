# SPDX-License-Identifier: MIT
"""What an entity is related to, step by step."""

from __future__ import annotations

from collections import defaultdict

from memory_gui.domain.graphs import Graph, Link, Node
from memory_gui.domain.records import Record
from memory_gui.stores.formats.server_memory.layout import ENTITY, RELATION
from memory_gui.stores.formats.server_memory.records import GraphDoc


def graph_of(doc: GraphDoc, middle: Record, steps: int, most: int) -> Graph:
    """The entity in the middle and what is reached from it; relations among those, each once."""
    entities: dict[str, Record] = {}
    relations: list[Record] = []
    for item in doc.items:
        if item.record.kind == ENTITY:
            entities.setdefault(item.record.title, item.record)
        elif item.record.kind == RELATION:
            relations.append(item.record)
    near: dict[str, list[str]] = defaultdict(list)
    for one in relations:
        start, end = one.extra["from"] or "", one.extra["to"] or ""
        near[start].append(end)
        near[end].append(start)
    found = {middle.title: 0}
    waiting = [middle.title]
    left_out = set()
    for step in range(1, steps + 1):
        ring = [name for one in waiting for name in near[one] if name not in found]
        waiting = []
        for name in dict.fromkeys(ring):
            if len(found) < most:
                found[name] = step
                waiting.append(name)
            else:
                left_out.add(name)
    places = {name: place for place, name in enumerate(found)}
    nodes = tuple(
        Node(name, step, (entity.type or "") if entity else "", entity.ref if entity else None)
        for name, step in found.items()
        for entity in (entities.get(name),)
    )
    links = tuple(
        Link(places[start], places[end], one.type or "", one.ref)
        for one in relations
        for start, end in ((one.extra["from"] or "", one.extra["to"] or ""),)
        if start in places and end in places
    )
    return Graph(nodes, links, len(left_out))
