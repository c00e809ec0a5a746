# SPDX-License-Identifier: MIT
"""What is hidden from view has words of its own for each kind."""

from __future__ import annotations

import pytest

from memory_gui.words import Words
from memory_gui.words.review import nothing_found
from memory_gui.words.unseen import BYTES, unseen_in, unseen_lines, unseen_short

ZERO = "pay\u200bpal\u202e"
MIXED = "p\u0430yp\u0430l and g\u043e\u043egle"
FAR = "seen" + "\n" * 30 + "unseen"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (ZERO, {"invisible": 2}),
        (MIXED, {"mixed": 2}),
        (FAR, {"far": 1}),
        (f"{ZERO} {MIXED}{FAR}", {"invisible": 2, "mixed": 2, "far": 1}),
        ("plain\n\ntext", {}),
    ],
)
def test_kinds_are_told_apart_and_counted(text: str, found: dict[str, int]) -> None:
    assert unseen_in([text]) == found


def test_each_kind_is_a_sentence_and_only_invisible_ones_are_characters() -> None:
    words = Words("en")
    (mixed,) = unseen_lines(words, unseen_in([MIXED]))
    (far,) = unseen_lines(words, unseen_in([FAR]))
    (zero,) = unseen_lines(words, unseen_in([ZERO]))
    assert mixed.startswith("2 words mix letters of two alphabets")
    assert far.startswith("1 long gap of blanks or blank lines")
    assert zero.startswith("2 characters that do not show")
    assert len(unseen_lines(words, unseen_in([ZERO, MIXED, FAR]))) == 3


def test_bytes_that_are_no_text_are_counted_too() -> None:
    (told,) = unseen_lines(Words("en"), {BYTES: 2})
    assert told.startswith("2 bytes in it are no text. They are drawn like \\xe4")
    assert unseen_short(Words("zh_CN"), {BYTES: 1}) == "不是文字的字节"


def test_in_chinese_and_in_short() -> None:
    chinese = Words("zh_CN")
    assert unseen_lines(chinese, unseen_in([MIXED]))[0].startswith("有 2 个词混用了两种字母")
    assert unseen_short(chinese, unseen_in([FAR])) == "有文字被空白推到视线之外"
    short = unseen_short(Words("en"), unseen_in([MIXED, ZERO]))
    assert short == "letters of two alphabets in one word, characters that do not show"


def test_a_filter_that_finds_nothing_says_so() -> None:
    words = Words("en")
    assert nothing_found(words, "tea", again=False) == "Nothing that waits has these words."
    assert nothing_found(words, "", again=False) == "Nothing waits."
    assert "rejected before" in nothing_found(words, "", again=True)
