# SPDX-License-Identifier: MIT
"""Where the nodes of a graph lie: rings around the middle, none over another. Knows no Qt.

Boxes of one size w x h are squares where lengths are counted in w and heights in h. Squares of side
1 do not overlap where their middles are at least the length of their diagonal apart. So each ring
takes as many nodes as fit at that distance, and the rings are that far apart: on the screen they
are as flat as the boxes are.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from memory_gui.domain.graphs import Graph

Point = tuple[float, float]

_APART: Final = math.sqrt(2)
"""The diagonal of a square of side 1."""
_LITTLE: Final = 1e-9


def place(graph: Graph, width: float, height: float, gap: float) -> tuple[Point, ...]:
    """The middle of each node's box; the first node is at (0, 0).

    Nodes of one distance fill ring after ring; on a ring they stand near what they are related to.
    """
    rings: dict[int, list[int]] = defaultdict(list)
    for number, node in enumerate(graph.nodes):
        rings[node.distance].append(number)
    angles: dict[int, float] = {}
    spots: dict[int, Point] = {0: (0.0, 0.0)} if graph.nodes else {}
    radius = 0.0
    for distance in sorted(rings):
        if distance == 0:
            continue
        waiting = _in_order(graph, rings[distance], angles)
        while waiting:
            radius += _APART
            room = _room(radius, _APART)
            ring, waiting = waiting[:room], waiting[room:]
            turned = _turned(graph, ring, angles)
            for turn, number in enumerate(ring):
                angles[number] = angle = turned + 2 * math.pi * turn / len(ring)
                across, down = radius * math.cos(angle), radius * math.sin(angle)
                spots[number] = (across * (width + gap), down * (height + gap))
    return tuple(spots[number] for number in range(len(graph.nodes)))


def _turned(graph: Graph, ring: Sequence[int], angles: dict[int, float]) -> float:
    """By how much a ring is turned so that its nodes stand near those that lead to them.

    The first of a ring that nothing leads to stands above: two of them are a column, not a row.
    """
    across = down = 0.0
    for turn, number in enumerate(ring):
        lead = _lead(graph, number, angles)
        if lead is not None:
            across += math.cos(lead - 2 * math.pi * turn / len(ring))
            down += math.sin(lead - 2 * math.pi * turn / len(ring))
    return math.atan2(down, across) if math.hypot(across, down) > _LITTLE else -math.pi / 2


def _lead(graph: Graph, number: int, angles: dict[int, float]) -> float | None:
    """The angle of the node of an inner ring that leads to one."""
    return next((angles[other] for _, other in graph.beside(number) if other in angles), None)


def _room(radius: float, apart: float) -> int:
    """How many nodes a ring takes when neighbours are so far apart (by the chord)."""
    return max(1, math.floor(math.pi / math.asin(min(1.0, apart / (2 * radius)))))


def _in_order(graph: Graph, ring: Sequence[int], angles: dict[int, float]) -> list[int]:
    """Beside the node of an inner ring that leads to each."""

    def place_of(number: int) -> tuple[float, int]:
        lead = _lead(graph, number, angles)
        return (math.inf if lead is None else lead % (2 * math.pi), number)

    return sorted(ring, key=place_of)


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
