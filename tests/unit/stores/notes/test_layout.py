# SPDX-License-Identifier: MIT
"""Notes are blocks of lines; whatever is changed, all other bytes stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.domain.filecuts import merged, without
from memory_gui.stores.formats.notes.layout import blocks, cuts, has_both_ends, newline_of, shown

LINES = st.lists(
    st.sampled_from([b"", b" ", b"one", b"two  ", "drei 三".encode(), b"\xff bad", b"\tx"]),
    max_size=12,
)
ENDS = st.sampled_from([b"\n", b"\r\n"])


def texts(data):
    return [data[block.start : block.end] for block in blocks(data)]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", []),
        (b"\n\n", []),
        (b"one", [b"one"]),
        (b"one\ntwo\n", [b"one\ntwo"]),
        (b"one\n\ntwo\n", [b"one", b"two"]),
        (b"\n\none\n \t\n\n\ntwo", [b"one", b"two"]),
        (b"one\r\n\r\ntwo\r\n", [b"one", b"two"]),
        (b"\xef\xbb\xbfone\n", [b"one"]),
        (b"old mac\r\rnext\r", [b"old mac", b"next"]),
    ],
)
def test_blocks(data, found):
    assert texts(data) == found


def test_line_ends():
    assert (newline_of(b"a\r\nb\r\nc\n"), newline_of(b"a\n"), newline_of(b"")) == (
        b"\r\n",
        b"\n",
        b"\n",
    )
    assert has_both_ends(b"a\r\nb\n")
    assert not has_both_ends(b"a\r\nb\r\n")
    assert shown(b"a\r\nb\xff") == "a\nb\\xff"


@given(st.lists(LINES, max_size=6), ENDS, st.booleans(), st.sets(st.integers(0, 9)))
def test_the_notes_that_stay_keep_every_byte(groups, end, final, gone):
    data = (end + end).join(end.join(lines) for lines in groups) + (end if final else b"")
    found = texts(data)
    gone = {place for place in gone if place < len(found)}
    left = without(data, merged(cuts(data, blocks(data), gone)))
    assert texts(left) == [text for place, text in enumerate(found) if place not in gone]
    if gone != set(range(len(found))) and data.endswith(end):
        assert left.endswith(end)
