# SPDX-License-Identifier: MIT
"""The nodes of a drawn graph: none over another, and each reached by the arrow keys."""

import math
import random

import pytest

from memory_gui.domain.graphs import Graph, Link, Node
from memory_gui.ui.graph.layout import next_to, place

WIDTH, HEIGHT, GAP = 150.0, 32.0, 8.0


def graph(near, far, seed=1):
    """A middle, so many beside it, and so many beside those."""
    chance = random.Random(seed)
    nodes = [Node("middle", 0)]
    nodes += [Node(f"near {n}", 1) for n in range(near)]
    nodes += [Node(f"far {n}", 2) for n in range(far)]
    links = [Link(0, n + 1, "r") for n in range(near)]
    links += [Link(chance.randrange(1, near + 1), near + 1 + n, "r") for n in range(far)]
    return Graph(tuple(nodes), tuple(links))


CASES = [(0, 0), (1, 0), (2, 1), (7, 0), (20, 180), (199, 0), (60, 139)]


@pytest.mark.parametrize(("near", "far"), CASES)
def test_no_box_overlaps_another(near, far):
    points = place(graph(near, far), WIDTH, HEIGHT, GAP)
    assert len(points) == 1 + near + far
    assert points[0] == (0.0, 0.0)
    for one, (x, y) in enumerate(points):
        for other_x, other_y in points[one + 1 :]:
            assert abs(x - other_x) >= WIDTH or abs(y - other_y) >= HEIGHT


@pytest.mark.parametrize(("near", "far"), CASES)
def test_who_is_nearer_lies_nearer(near, far):
    shape = graph(near, far)
    points = place(shape, WIDTH, HEIGHT, GAP)
    far_out = [math.hypot(x / (WIDTH + GAP), y / (HEIGHT + GAP)) for x, y in points]
    for one, a in zip(shape.nodes, far_out, strict=True):
        for other, b in zip(shape.nodes, far_out, strict=True):
            assert one.distance >= other.distance or a < b + 1e-6


@pytest.mark.parametrize(("near", "far"), CASES)
def test_the_arrow_keys_reach_every_node(near, far):
    points = place(graph(near, far), WIDTH, HEIGHT, GAP)
    seen, waiting = {0}, [0]
    while waiting:
        here = waiting.pop()
        for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = next_to(points, here, *step)
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    assert len(seen) == len(points)


@pytest.mark.parametrize("middle", [0, 1])
def test_a_chain_of_four_is_a_column(middle):
    """Side by side it did not fit into a window of 1280 x 800."""
    distance = [abs(n - middle) for n in range(4)]
    order = sorted(range(4), key=lambda n: (distance[n], n))
    nodes = tuple(Node(str(n), distance[n]) for n in order)
    links = tuple(Link(order.index(n), order.index(n + 1), "r") for n in range(3))
    points = place(Graph(nodes, links), WIDTH, HEIGHT, GAP)
    assert max(x for x, _ in points) - min(x for x, _ in points) < 1
    assert max(y for _, y in points) - min(y for _, y in points) < 6 * HEIGHT


def test_who_is_farther_stands_near_who_leads_there():
    nodes = (Node("m", 0), *(Node(f"n{n}", 1) for n in range(4)), Node("far", 2))
    for lead in range(1, 5):
        links = (*(Link(0, n, "r") for n in range(1, 5)), Link(lead, 5, "r"))
        points = place(Graph(nodes, links), WIDTH, HEIGHT, GAP)
        near = min(range(1, 5), key=lambda n: math.dist(points[n], points[5]))
        assert near == lead


def test_relations_of_a_node():
    shape = graph(2, 1)
    assert [other for _, other in shape.beside(0)] == [1, 2]
    assert 0 in [other for _, other in shape.beside(1)]
