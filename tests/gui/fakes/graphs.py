# SPDX-License-Identifier: MIT
"""Relations that a test makes up."""

from __future__ import annotations

from memory_gui.domain.graphs import Graph, Link, Node
from memory_gui.domain.records import Ref


class FakeGraphs:
    """``graph`` is what lies around any record."""

    def __init__(self) -> None:
        self.graph = Graph((), ())

    def around(self, ref: Ref, steps: int = 2, most: int = 200) -> Graph:
        return self.graph


def some_relations(store: str, many: int = 0) -> Graph:
    """A person, a project, a place and somebody who is not in the store; or so many parts."""

    def node(name: str, distance: int, type_: str, *, there: bool = True) -> Node:
        return Node(name, distance, type_, Ref(store, "entity", (name,)) if there else None)

    if many:
        nodes = [node("Atlas", 0, "project")]
        nodes += [node(f"Part {n} 部件", 1 + n // 20, "part") for n in range(many)]
        links = [Link(0 if n < 20 else 1 + n % 20, n + 1, "holds") for n in range(many)]
        return Graph(tuple(nodes), tuple(links), 31)
    nodes = [
        node("林晓雨", 0, "person"),
        node("Project Ginkgo 银杏", 1, "project"),
        node("Bremen", 1, "city"),
        node("nobody (dangling)", 1, "", there=False),
        node("Mateo Álvarez", 2, "person"),
    ]
    links = [
        Link(0, 1, "works on"),
        Link(0, 2, "lives in"),
        Link(0, 3, "mentions"),
        Link(4, 1, "审查"),
    ]
    return Graph(tuple(nodes), tuple(links))
