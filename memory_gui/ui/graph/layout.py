# SPDX-License-Identifier: MIT
"""Where the nodes of a graph lie: rings around the middle, none over another. Knows no Qt.

Boxes of one size w × h do not overlap where their middles are at least the length of their diagonal
apart. So each ring takes as many nodes as fit at that distance, and the rings are that far apart.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from memory_gui.domain.graphs import Graph

Point = tuple[float, float]


def place(graph: Graph, width: float, height: float, gap: float) -> tuple[Point, ...]:
    """The middle of each node's box; the first node is at (0, 0).

    Nodes of one distance fill ring after ring; on a ring they stand near what they are related to.
    """
    apart = math.hypot(width, height) + gap
    rings: dict[int, list[int]] = defaultdict(list)
    for number, node in enumerate(graph.nodes):
        rings[node.distance].append(number)
    spots: dict[int, Point] = {0: (0.0, 0.0)} if graph.nodes else {}
    angles: dict[int, float] = {}
    radius = 0.0
    for distance in sorted(rings):
        if distance == 0:
            continue
        waiting = _in_order(graph, rings[distance], angles)
        while waiting:
            radius += apart
            room = _room(radius, apart)
            ring, waiting = waiting[:room], waiting[room:]
            for turn, number in enumerate(ring):
                angles[number] = angle = 2 * math.pi * turn / len(ring)
                spots[number] = (radius * math.cos(angle), radius * math.sin(angle))
    return tuple(spots[number] for number in range(len(graph.nodes)))


def _room(radius: float, apart: float) -> int:
    """How many nodes a ring takes when neighbours are so far apart (by the chord)."""
    return max(1, math.floor(math.pi / math.asin(min(1.0, apart / (2 * radius)))))


def _in_order(graph: Graph, ring: Sequence[int], angles: dict[int, float]) -> list[int]:
    """Beside the node of an inner ring that leads to each."""

    def lead(number: int) -> float:
        inner = [angles[other] for _, other in graph.beside(number) if other in angles]
        return inner[0] if inner else math.inf

    return sorted(ring, key=lambda number: (lead(number), number))


def next_to(points: Sequence[Point], here: int, dx: int, dy: int) -> int:
    """The node that an arrow key leads to: the nearest one in that direction, else the same."""
    x, y = points[here]
    best, least = here, math.inf
    for number, (to_x, to_y) in enumerate(points):
        along = (to_x - x) * dx + (to_y - y) * dy
        across = abs((to_x - x) * dy) + abs((to_y - y) * dx)
        if number != here and along > 0:
            far = along + 2 * across
            if far < least:
                best, least = number, far
    return best
