# SPDX-License-Identifier: MIT
"""Whether bytes are UTF-8, as Python decodes them, and the ends that joined texts hold."""

import random

import pytest

from memory_gui.stores.sql.bytewise import ends_in, is_utf8

PIECES = (
    *(bytes([n]) for n in (0, 9, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2)),
    *(bytes([n]) for n in (0xDF, 0xE0, 0xE1, 0xE4, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF)),
    *(text.encode() for text in ("中", "文", "한", "plain", "é", "，", "\ufffe", "😀")),
    "\ud83d".encode("utf-8", "surrogatepass"),
)  # fmt: skip


def decodes(joined):
    try:
        joined.decode()
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize("first", [b"", b"a", "中".encode()])
def test_what_is_called_utf8_is(first):
    for second in PIECES:
        for third in PIECES:
            for fourth in (*PIECES, b""):
                joined = first + second + third + fourth
                assert decodes(joined) or not is_utf8(joined), joined


def test_so_it_is_of_longer_ones():
    dice = random.Random(7)
    for _ in range(2_000):
        joined = bytearray("中文 and English。".encode() * dice.randint(1, 9))
        for _ in range(dice.randint(0, 2)):
            joined[dice.randrange(len(joined))] = dice.choice(dice.choice(PIECES))
        assert decodes(joined) or not is_utf8(bytes(joined)), joined


@pytest.mark.parametrize("text", ["", "a", "plain\n", "中", "中文，중", "\u1000\ucfff\ue000\uffff"])
def test_plain_and_three_byte_characters_are_told_without_decoding(text):
    assert is_utf8(text.encode())


@pytest.mark.parametrize("first", range(0xE1, 0xF0))
def test_every_character_of_a_first_byte(first):
    every = [bytes((first, b, c)) for b in range(0x80, 0xC0) for c in range(0x80, 0xC0)]
    assert is_utf8(b"".join(every)) == (first != 0xED) == all(map(decodes, every))


def test_ends():
    assert ends_in(b"a\x1fb\x1e\x1d\x20c\x9e\x9f\x1e") == 3
    assert ends_in(b"") == 0
