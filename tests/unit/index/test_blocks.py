# SPDX-License-Identifier: MIT
"""Signs of blocks: nothing that is there is passed over, and nothing tells of what was erased."""

import random
from unittest.mock import patch

import numpy as np
import pytest

from memory_gui.index import arena as arenas
from memory_gui.index import blocks
from memory_gui.index.arena import Arena

SMALL = 64
"""Bytes of a block in most of these tests."""
SEGMENT = 64 << 10
"""Bytes of a segment then, so that not too many blocks have to have signs."""


def ordinals(number, first=0):
    return np.arange(first, first + number, dtype=np.uint32)


def sign_of(texts):
    """The bits that a block of these texts has, letter by letter."""
    words = {text[n : n + 3] for text in texts for n in range(len(text) - 2)}
    return {int.from_bytes(word, "little") * 2654435761 % 2**24 >> 11 for word in words}


def signs(segment):
    """Each block's texts and bits as they are."""
    made = segment.blocks
    for number, (first, after) in enumerate(zip(made._firsts, made._firsts[1:], strict=False)):
        bits = set(np.flatnonzero(made._signs[number >> 3] >> (number & 7) & 1).tolist())
        whole = bytes(segment.data[segment.starts[first] : segment.end_of(after)])
        yield whole[:-1].split(b"\xff"), bits


def check(arena):
    number = 0
    for segment in arena._segments:
        for texts, bits in signs(segment):
            # Three bytes with an end among them are no text's, but may have a bit.
            ends = sign_of([b"\xff".join(texts) + b"\xff"])
            assert sign_of(texts) <= bits <= ends
            number += 1
    return number


@pytest.fixture
def small():
    with patch.multiple(blocks, BLOCK=SMALL, FEW=0), patch.object(arenas, "LARGEST", SEGMENT):
        yield


def made(number=60, seed=1):
    dice = random.Random(seed)
    alphabet = [bytes([n]) for n in b"abcdefgh 0123456789"] + ["的".encode(), "数".encode()]
    return [b"".join(dice.choices(alphabet, k=dice.randrange(40))) for _ in range(number)]


def holding(arena, needle):
    return sorted({n for some in arena.holding(needle) for n in some.tolist()})


class TestSigns:
    def test_a_block_has_the_hashes_of_its_texts(self, small):
        arena = Arena()
        texts = made()
        for at in range(0, len(texts), 7):  # in batches that end within blocks
            arena.add(texts[at : at + 7], ordinals(len(texts[at : at + 7]), at))
        assert check(arena) > 8

    @pytest.mark.parametrize("before", range(blocks.PIECE - 4, blocks.PIECE + 2))
    def test_a_text_that_is_hashed_in_several_pieces_has_all_of_its_hashes(self, before):
        texts = [b"a" * before + b"xyz" + b"a" * 20_000, b"short", b"b" * blocks.BLOCK]
        with patch.object(blocks, "FEW", 0):
            arena = Arena()
            arena.add(texts, ordinals(len(texts)))
        assert check(arena) == 2

    def test_few_blocks_have_none_and_with_more_all_get_theirs(self, small):
        with patch.object(blocks, "FEW", 6):
            arena = Arena()
            arena.add(made(10), ordinals(10))
        (segment,) = arena._segments
        assert 1 < len(segment.blocks) < 6
        assert not segment.blocks._signs.any()
        arena.blank(0, segment.end_of(1) - 1)
        assert not segment.blocks.wiped
        arena.add(made(40), ordinals(40, 10))
        assert check(arena) > 6

    def test_most_blocks_are_passed_over(self, small):
        arena = Arena()
        texts = [b"some words and number %04d" % n for n in range(2_000)]
        arena.add(texts, ordinals(len(texts)))
        hashes = blocks.hashes_of(b"1234")
        left = [len(s.blocks.left(hashes, s.count) or "x" * 999) for s in arena._segments]
        assert sum(left) < 10 < sum(len(segment.blocks) for segment in arena._segments)
        assert holding(arena, b"1234") == [1234]


class TestErasing:
    def test_the_sign_of_a_block_goes_at_once_with_a_text_of_it(self, small):
        arena = Arena()
        texts = made()
        places = arena.add(texts, ordinals(len(texts)))
        arena.blank(int(places[20]), len(texts[20]))
        (bare,) = [texts for texts, bits in signs(arena._segments[0]) if not bits]
        assert b"\x00" * len(texts[20]) in bare
        assert arena._segments[0].blocks.wiped == 1

    def test_settled_it_is_that_of_what_is_left(self, small):
        arena = Arena()
        texts = made()
        places = arena.add(texts, ordinals(len(texts)))
        for n in (0, 20, 21, 35):
            arena.blank(int(places[n]), len(texts[n]))
        arena.settle()
        assert not arena._segments[0].blocks.wiped
        check(arena)

    def test_many_at_a_time_are_settled_in_steps(self, small):
        arena = Arena()
        texts = made(1_000)
        places = arena.add(texts, ordinals(len(texts)))
        for n, text in enumerate(texts):
            arena.blank(int(places[n]), len(text))
        waiting = sum(segment.blocks.wiped for segment in arena._segments)
        assert waiting > 100
        arena.settle()
        left = sum(segment.blocks.wiped for segment in arena._segments)
        assert left == waiting - arenas._SETTLED
        assert holding(arena, b"abc") == []

    def test_clear_overwrites_the_signs(self, small):
        arena = Arena()
        arena.add(made(), ordinals(60))
        (segment,) = arena._segments
        assert segment.blocks._signs.any()
        arena.clear()
        assert not segment.blocks._signs.any()


@pytest.mark.parametrize("size", [1, 16, SMALL, 16 << 10])
def test_whatever_is_added_and_taken_out_the_same_is_found(size):
    dice = random.Random(size)
    segments = patch.multiple(arenas, LARGEST=SEGMENT, _SETTLED=1)
    with patch.multiple(blocks, BLOCK=size, FEW=0), segments:
        arena, there, places, given = Arena(), {}, {}, 0
        for turn in range(60):
            texts = made(dice.randrange(12) if turn else 300, dice.random())
            some = arena.add(texts, ordinals(len(texts), given))
            there.update(enumerate(texts, given))
            places.update(enumerate(some.tolist(), given))
            given += len(texts)
            for n in dice.sample(sorted(there), min(len(there), dice.randrange(6))):
                arena.blank(places[n], len(there.pop(n)))
            text = dice.choice([*there.values(), b"abc"])
            at = dice.randrange(len(text) + 1)
            needle = text[at : at + dice.randrange(1, 9)] or b"a"
            assert holding(arena, needle) == [n for n, one in there.items() if needle in one]
