# SPDX-License-Identifier: MIT
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.ui.pages.marking import (
    MOST_FOUND,
    Mark,
    drawn,
    found,
    found_in,
    visible,
    word_diff,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("pay\u200bpal", "pay⟦U+200B⟧pal"),
        ("abc\u202edcb", "abc⟦U+202E⟧dcb"),
        ("x\U000e0041", "x⟦U+E0041⟧"),
        ("bell\x07", "bell⟦U+0007⟧"),
        ("half \ud83d", "half ⟦U+D83D⟧"),
        ("fill\u3164er", "fill⟦U+3164⟧er"),
        ("two\nlines\tand tab", "two\nlines\tand tab"),
        ("中文 ok ☺", "中文 ok ☺"),
    ],
)
def test_hidden_characters_are_drawn_where_they_stand(text, shown):
    assert visible(text) == shown


def test_a_family_emoji_hides_nothing():
    assert visible("👩‍💻 and 👨‍👩‍👧") == "👩‍💻 and 👨‍👩‍👧"
    assert visible("a\u200db") == "a⟦U+200D⟧b"


def test_the_phrase_is_marked_in_its_evidence():
    pieces = list(found("well, I prefer Dark Mode please", "dark mode"))
    assert [(p.text, p.mark) for p in pieces] == [
        ("well, I prefer ", Mark.PLAIN),
        ("Dark Mode", Mark.FOUND),
        (" please", Mark.PLAIN),
    ]
    assert all(p.mark is Mark.PLAIN for p in found("nothing here", "absent"))
    assert [p.text for p in found("STRASSE straße", "straße") if p.mark is Mark.FOUND] == ["straße"]


def test_what_was_searched_for_is_marked_wherever_it_stands():
    pieces = list(found_in("Straße \x00STRASSE", ("strasse", "\x00s")))
    assert [(p.text, p.mark) for p in pieces] == [
        ("Straße", Mark.FOUND),
        (" ", Mark.PLAIN),
        ("⟦U+0000⟧", Mark.HIDDEN),
        ("STRASSE", Mark.FOUND),
    ]
    assert [p.text for p in found_in("none", ())] == ["none"]
    marks = [p.mark for p in found_in("a " * 1_000, ("a",))]
    assert marks.count(Mark.FOUND) == MOST_FOUND


@given(
    st.lists(st.sampled_from(["ab", "ﬁ", "e\u0301", " ", "深", "\x00", "B"]), max_size=30),
    st.sampled_from([("b",), ("fi", "ab"), ("é",), ("ab ab", "深")]),
    st.integers(1, 9),
)
def test_in_stretches_the_same_is_marked(letters, needles, size):
    text = "".join(letters)

    def marked(pieces):
        return [mark for p in pieces for mark in [p.mark is Mark.FOUND] * p.source]

    parts = [p for at in range(0, len(text), size)
             for p in found_in(text, needles, at, min(at + size, len(text)))]  # fmt: skip
    whole = [p for p in found_in(text, needles) if p.mark is not Mark.HIDDEN]
    assert marked(p for p in parts if p.mark is not Mark.HIDDEN) == marked(whole)


def test_word_diff_marks_words_and_single_chinese_characters():
    left, right = word_diff("The port is 8080.", "The port is 9090.")
    assert [p.text for p in left if p.mark is Mark.REMOVED] == ["8080"]
    assert [p.text for p in right if p.mark is Mark.ADDED] == ["9090"]
    left, right = word_diff("回答要简洁", "回答要详细")
    assert "".join(p.text for p in left if p.mark is Mark.REMOVED) == "简洁"
    assert "".join(p.text for p in right if p.mark is Mark.ADDED) == "详细"


def test_a_hidden_difference_is_seen_in_the_diff():
    left, right = word_diff("paypal", "pay\u200bpal")
    assert Mark.HIDDEN in {p.mark for p in right}
    assert Mark.HIDDEN not in {p.mark for p in left}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a b " * 1000, "b a " * 1000),
        ("中文" * 2000, "文中" * 2000),
        ("a. " * 1300, "b. a. " * 650),
        ("".join("ab"[n * n % 7 % 2] for n in range(4000)), "ba" * 2000),
        (" ".join("ab"[n * n % 7 % 2] for n in range(86)), " ".join("ba" * 43)),
    ],
)
def test_no_text_can_hold_the_window_up(old, new):
    start = time.process_time()
    left, right = word_diff(old, new)
    assert time.process_time() - start < 0.2  # measured: at most 0.02 s
    assert sum(p.source for p in left) == len(old)
    assert sum(p.source for p in right) == len(new)


def test_a_small_change_in_a_long_text_is_still_marked_by_words():
    long = "one two three four five six. " * 100
    left, right = word_diff(long + "8080 " + long, long + "9090 " + long)
    assert [p.text for p in left if p.mark is Mark.REMOVED] == ["8080"]
    assert [p.text for p in right if p.mark is Mark.ADDED] == ["9090"]


@given(st.text(), st.text())
def test_a_diff_loses_nothing(old, new):
    left, right = word_diff(old, new)
    assert sum(p.source for p in left) == len(old)
    assert sum(p.source for p in right) == len(new)


@given(st.text(st.characters()))
def test_what_is_drawn_hides_nothing(text):
    for piece in drawn(text):
        if piece.mark is Mark.HIDDEN:
            assert piece.text.startswith("⟦U+")
        else:
            assert not set(piece.text) & set("\u200b\u202e\u2066\x07\ud800\U000e0041")
