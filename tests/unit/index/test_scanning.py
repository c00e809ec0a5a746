# SPDX-License-Identifier: MIT
"""Where an arena's scan goes on after a hit, where it ends, and how much it says is left."""

from unittest.mock import patch

import numpy as np
import pytest

from memory_gui.index import arena as arenas
from memory_gui.index import blocks
from memory_gui.index.arena import Arena

BLOCK = 64


def filled(texts):
    arena = Arena()
    return arena, arena.add(texts, np.arange(len(texts), dtype=np.uint32))


def holding(arena, needle):
    return sorted({n for some in arena.holding(needle) for n in some.tolist()})


@pytest.fixture(autouse=True)
def small():
    with patch.multiple(blocks, BLOCK=BLOCK, FEW=0), patch.object(arenas, "LARGEST", 8_000):
        yield


FILLER = [b"filling %03d" % n for n in range(300)]


@pytest.mark.parametrize("at", [0, 3, 150, 299])
@pytest.mark.parametrize("some", [arenas._SOME, 2])
@pytest.mark.parametrize("enough", [64, 1])
def test_a_hit_hides_no_other_right_behind_it(at, some, enough):
    """At the end of a text and the beginning of the next, and several in one text."""
    hits = [b"xabc", b"abcx", b"abcabcabc", b"abc", b"abc", b"abcab", b"cabc", b"ababc"]
    texts = [*FILLER[:at], *hits, *FILLER[at:]]
    with patch.multiple(arenas, _SOME=some, _LOOK=enough):
        arena, _ = filled(texts)
        assert holding(arena, b"abc") == [*range(at, at + len(hits))]


def test_each_text_is_found_by_what_it_alone_has():
    """Whether it is the first of its block, the last, or in none yet."""
    arena, places = filled(FILLER)
    assert len(arena._segments) == 1
    for n in range(len(FILLER)):
        assert holding(arena, b" %03d" % n) == [n]
        ends = arena.among(b" %03d" % n, places[n : n + 1], np.array([len(FILLER[n])]))
        assert ends.tolist() == [True]
        ends = arena.among(b" %03d" % n, places[n : n + 1], np.array([len(FILLER[n]) - 1]))
        assert ends.tolist() == [False]


def test_what_is_left_are_the_blocks_with_the_needle_and_what_is_no_block_yet():
    arena, _ = filled(FILLER * 3)
    assert len(arena._segments) == 2
    tails = [one.end_of(one.count) - int(one.starts[one.blocks._firsts[-1]]) if
             one.blocks._firsts[-1] < one.count else 0 for one in arena._segments]  # fmt: skip
    assert arena.left(b"nowhere") == sum(tails)
    for needle in (b"g 007", b"g 123"):
        texts = sum(
            one.end_of(after) - int(one.starts[first])
            for one in arena._segments
            for first, after in zip(one.blocks._firsts, one.blocks._firsts[1:], strict=False)
            if needle in bytes(one.data[one.starts[first] : one.end_of(after)])
        )
        assert sum(tails) + texts <= arena.left(needle) <= sum(tails) + 3 * texts
    assert arena.left(b"fill") == arena.left(b"g") == arena.used


def test_in_a_blanked_text_there_are_no_zeros_to_be_found():
    arena, places = filled([*FILLER, b"gone", b"\x00\x00\x00", *FILLER])
    arena.blank(int(places[300]), 4)
    assert holding(arena, b"\x00\x00\x00") == [301]
    assert holding(arena, b"\x00") == [301]


def test_words_are_those_of_each_text_in_any_order_and_up_to_the_last_byte():
    texts = [b"text %03d" % n for n in range(12)]
    with patch.object(arenas, "LARGEST", 4 * 9):
        arena, places = filled(texts)
    assert len(arena._segments) == 3
    for order in (range(12), range(11, -1, -1), (5, 0, 11, 6, 3)):
        for offset in (0, 5, 7):
            words = arena.words(places[list(order)], offset).astype(">u8").tobytes()
            for n, one in enumerate(order):
                rest = texts[one][offset:]
                assert words[8 * n :][: len(rest)] == rest
