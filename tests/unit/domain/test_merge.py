# SPDX-License-Identifier: MIT
"""Two changes of one text brought together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.domain.merge import Merged, joined, merged

BASE = "The service listens on 8080 behind the proxy. Ask Ben first."
TEXT = st.lists(st.sampled_from(["a", "b", "8080", " ", ".", "\n", "用", "户"]), max_size=25).map(
    "".join
)


@pytest.mark.parametrize(
    ("theirs", "mine", "wanted", "clean"),
    [
        (BASE, BASE, BASE, True),
        (
            BASE.replace("8080", "9090"),
            BASE.replace("Ben", "Ann"),
            BASE.replace("8080", "9090").replace("Ben", "Ann"),
            True,
        ),
        (
            BASE.replace("8080", "9090"),
            BASE.replace("8080", "9090"),
            BASE.replace("8080", "9090"),
            True,
        ),
        (
            BASE.replace("8080", "9090"),
            BASE.replace("8080", "7070"),
            BASE.replace("8080", "9090 / 7070"),
            False,
        ),
        (
            BASE + "\nNew line.",
            BASE.replace("Ask ", "Please ask "),
            BASE.replace("Ask ", "Please ask ") + "\nNew line.",
            True,
        ),
        (BASE + " Theirs.", BASE + " Mine.", BASE + " Theirs. / Mine.", False),
        ("", BASE.replace("Ben", "Ann"), BASE.replace("Ben", "Ann"), False),
    ],
)
def test_known_answers(theirs, mine, wanted, clean):
    assert merged(BASE, theirs, mine) == Merged(wanted, clean)


def test_chinese_by_character():
    found = merged("用户希望用中文回答", "用户希望用英文回答", "用户总是希望用中文回答")
    assert found == Merged("用户总是希望用英文回答", True)


@given(TEXT, TEXT)
def test_what_only_one_changed_is_taken(base, changed):
    assert merged(base, changed, base) == Merged(changed, True)
    assert merged(base, base, changed) == Merged(changed, True)
    assert merged(base, changed, changed) == Merged(changed, True)


@given(TEXT, TEXT, TEXT)
def test_no_word_that_either_wrote_is_lost(base, theirs, mine):
    found = merged(base, theirs, mine).text
    for word in ("8080", "用", "户", "a", "b"):
        if word not in base and (word in theirs or word in mine):
            assert word in found


def test_two_records_as_one():
    assert joined("short", "a short text") == "a short text"
    assert joined("a short text", "short") == "a short text"
    assert joined("tea ", " coffee") == "tea\ncoffee"
