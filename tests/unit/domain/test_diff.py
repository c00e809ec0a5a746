# SPDX-License-Identifier: MIT
"""What changed between two texts."""

import itertools
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.domain.diff import Piece, words_diff

WORDS = st.lists(
    st.sampled_from(
        ["port", "8080", "9090", " ", " ", "\n", ".", "。", "用", "户", "e\u0301", "👩‍💻"]
    ),
    max_size=60,
).map("".join)


def shown(old, new):
    """``[gone]`` and ``{new}``."""
    forms = {"same": "{}", "gone": "[{}]", "new": "{{{}}}"}
    return "".join(forms[p.kind].format(p.text) for p in words_diff(old, new))


def rebuilt(pieces):
    return tuple(
        "".join(p.text for p in pieces if p.kind in kinds)
        for kinds in (("same", "gone"), ("same", "new"))
    )


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("", "", ""),
        ("same", "same", "same"),
        ("", "all new", "{all new}"),
        ("all gone", "", "[all gone]"),
        (
            "The service listens on 8080 behind the proxy.",
            "The service listens on 9090 behind the new proxy.",
            "The service listens on [8080]{9090} behind the{ new} proxy.",
        ),
        ("回答要简洁", "回答要详细", "回答要[简洁]{详细}"),
        ("用 8080 端口", "用 9090 端口", "用 [8080]{9090} 端口"),
        ("v1beta", "v2beta", "v[1]{2}beta"),
        ("cafe\u0301 au lait", "cafe au lait", "[cafe\u0301]{cafe} au lait"),
        ("by 👩‍💻 ok", "by 👨‍💻 ok", "by [👩‍💻]{👨‍💻} ok"),
        ("one\ntwo\nthree", "one\nthree", "one\n[two\n]three"),
    ],
)
def test_known_answers(old, new, wanted):
    assert shown(old, new) == wanted


def test_a_blank_between_two_changed_words_is_no_part_that_stayed():
    assert shown("a x y d", "a b c d") == "a [x y]{b c} d"


@given(WORDS, WORDS)
def test_both_texts_are_in_the_pieces(old, new):
    pieces = words_diff(old, new)
    assert rebuilt(pieces) == (old, new)
    assert all(piece.text for piece in pieces)
    kinds = [piece.kind for piece in pieces]
    assert all(a != b for a, b in itertools.pairwise(kinds))
    assert (kinds == ["same"] or not kinds) == (old == new)


@given(st.text(max_size=300), st.text(max_size=300), st.integers(0, 50))
def test_however_little_effort_is_made(old, new, effort):
    assert rebuilt(words_diff(old, new, effort=effort)) == (old, new)


@given(WORDS, WORDS, WORDS)
def test_the_beginning_and_end_that_both_have_stay(head, old, tail):
    """An insertion between whole lines is found exactly."""
    before, after = f"{head}\n{tail}", f"{head}\n{old}\n{tail}"
    gone = [p for p in words_diff(before, after) if p.kind == "gone"]
    assert sum(len(p.text) for p in gone) == 0


def sentences(count, seed=1):
    rng = random.Random(seed)
    words = ["alpha", "beta", "port", "深", "色", "模式", "the", "user", "likes"]
    return [" ".join(rng.choices(words, k=9)) + f" {n}." for n in range(count)]


@pytest.mark.parametrize("size", [80, 1000, 20_000])
def test_a_few_changed_sentences_are_found_in_any_length(size):
    old = sentences(size)
    new = list(old)
    for at in (3, size // 2, size - 2):
        new[at] = "Something else stands here now."
    del new[size // 3]
    pieces = words_diff(" ".join(old), " ".join(new))
    stayed = sum(len(p.text) for p in pieces if p.kind == "same")
    assert rebuilt(pieces) == (" ".join(old), " ".join(new))
    assert stayed > 0.97 * len(" ".join(new)) - 200


def nothing_in_common(length):
    rng = random.Random(7)
    return ["".join(chr(rng.randint(0x4E00, 0x4E00 + 400)) for _ in range(length)) for _ in "ab"]


@pytest.mark.parametrize(("length", "seconds"), [(4_000, 0.5), (20_000, 0.5), (500_000, 6.0)])
def test_time_is_bounded_however_different_they_are(length, seconds):
    old, new = nothing_in_common(length)
    started = time.process_time()
    pieces = words_diff(old, new)
    assert time.process_time() - started < seconds
    assert rebuilt(pieces) == (old, new)


def test_work_is_bounded_not_only_quick(monkeypatch):
    """Ten times the text is about ten times the work: no product of lengths."""
    times = []
    for length in (20_000, 200_000):
        old, new = nothing_in_common(length)
        started = time.process_time()
        words_diff(old, new)
        times.append(time.process_time() - started)
    assert times[1] < 40 * max(times[0], 0.02)


def test_a_piece_is_a_value():
    assert Piece("new", "x") == Piece("new", "x")
