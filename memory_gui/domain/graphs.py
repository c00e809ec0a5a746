# SPDX-License-Identifier: MIT
"""What a record is related to: for any format that declares relations."""

from __future__ import annotations

from dataclasses import dataclass

from memory_gui.domain.records import Ref


@dataclass(frozen=True, slots=True)
class Node:
    """Something that is related. ``ref`` is None where it is named and not there.

    ``distance`` is the number of steps from the middle, which is node 0.
    """

    name: str
    distance: int
    type: str = ""
    ref: Ref | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A relation between two nodes, by their places; ``ref`` is its own record."""

    start: int
    end: int
    name: str
    ref: Ref | None = None


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes by their distance. ``left_out`` are nodes beyond the most that were asked for."""

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    left_out: int = 0

    def beside(self, node: int) -> tuple[tuple[Link, int], ...]:
        """The relations of a node and what each of them leads to, in their order."""
        found = []
        for link in self.links:
            if link.start == node:
                found.append((link, link.end))
            elif link.end == node:
                found.append((link, link.start))
        return tuple(found)
