# SPDX-License-Identifier: MIT
"""Matches are told by the parts that they lie in, many at once."""

import numpy as np
import pytest

from memory_gui.domain.errors import Cancelled
from memory_gui.engine.needles import Hits, Needles, runs


def hits(*spans: tuple[int, int]) -> Hits:
    starts, ends = zip(*spans, strict=True)
    return Hits(np.array(starts), np.array(ends), np.zeros(len(spans), np.int64))


def test_a_match_over_the_byte_between_two_parts_is_of_neither() -> None:
    found = Needles([], [b"aaaa\xffbbbb"]).find(b"aaaa\xffbbbb")
    assert runs(found, [0, 10]) == [(0, 0, 9)]
    assert runs(found, [0, 5, 10]) == []


def test_what_overlaps_or_touches_is_one_run_and_a_part_ends_it() -> None:
    found = hits((12, 14), (0, 4), (2, 3), (4, 6), (7, 9), (11, 12))
    assert runs(found, [0, 15]) == [(0, 0, 6), (0, 7, 9), (0, 11, 14)]
    assert runs(found, [0, 10, 15]) == [(0, 0, 6), (0, 7, 9), (1, 1, 4)]
    assert runs(hits((3, 12), (5, 6)), [0, 10, 15]) == [(0, 5, 6)]


def test_a_text_found_everywhere_is_one_run_with_every_place_told() -> None:
    """Its middle is told from its neighbours, its ends by comparing."""
    text = bytes(range(97, 123)) * 3 + b"0123456789"
    found = Needles([text, b"x" * 40], []).find(text * 50)
    assert sorted(found.starts.tolist()) == sorted(set(found.starts.tolist()))
    assert len(found.starts) == 50 * (len(text) - 31)
    assert [end - start for _, start, end in runs(found, [0, len(text) * 50 + 1])] == [4400]


def test_making_them_ready_can_be_stopped_between_its_steps() -> None:
    long = [bytes(range(n, n + 100)) for n in range(20)]
    asked: list[int] = []

    def stop_at(number: int) -> None:
        asked.append(number)
        if len(asked) == number:
            raise Cancelled

    Needles(long, [], lambda: stop_at(0))
    steps = len(asked)
    assert steps >= 5
    for number in range(1, steps + 1):
        asked.clear()
        with pytest.raises(Cancelled):
            Needles(long, [], lambda number=number: stop_at(number))  # type: ignore[misc]
