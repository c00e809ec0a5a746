# SPDX-License-Identifier: MIT
"""Parts of JSON are found where they lie, and taking some out leaves the others as they are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.domain.filecuts import merged, moved, without
from memory_gui.stores.files.jsonspans import (
    cut_of,
    decoded,
    elements,
    members,
    offsets,
    whole,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
BLANKS = st.sampled_from(["", " ", "\n", "\t "])


@given(st.lists(VALUES, max_size=6), st.sets(st.integers(0, 5)), BLANKS, st.booleans())
def test_elements_are_taken_out_and_the_rest_stays(values, gone, blank, escaped):
    parts = [json.dumps(value, ensure_ascii=escaped) for value in values]
    text = f"[{blank}" + f"{blank},{blank}".join(parts) + f"{blank}]"
    raw = text.encode("utf-8", "surrogatepass")
    found = elements(decoded(raw), 0) if raw == text.encode("utf-8", "surrogateescape") else None
    if found is None:
        return
    assert [one.value for one in found] == values
    places = offsets(decoded(raw), [p for one in found for p in (one.start, one.end)])
    spans = list(zip(places[::2], places[1::2], strict=True))
    gone = {place for place in gone if place < len(values)}
    left = without(raw, merged(cut_of(spans, gone)))
    assert json.loads(left) == [v for n, v in enumerate(values) if n not in gone]
    for n, span in enumerate(spans):
        if n not in gone:
            assert raw[span[0] : span[1]] in left


def test_the_last_of_equal_names_counts_and_all_are_found():
    found = members('{"a": 1, "b": [2], "a": "3"}')
    assert [(one.name, one.value) for one in found] == [("a", 1), ("b", [2]), ("a", "3")]


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a":-Infinity}', "[1,]", "{'a':1}", "1 2"])
def test_what_the_server_would_refuse_is_refused(text):
    with pytest.raises(ValueError):
        whole(text)


def test_a_deep_text_is_an_error_and_no_crash():
    with pytest.raises(ValueError):
        whole("[" * 1_000_000)


class TestCuts:
    def test_spans_move_with_the_cuts(self):
        cuts = merged([(2, 4), (3, 6), (8, 8)])
        assert cuts == ((2, 6),)
        assert without(b"0123456789", cuts) == b"016789"
        assert moved((6, 8), cuts) == (2, 4)
        assert moved((0, 3), cuts) == (0, 2)
        assert moved((2, 6), cuts) is None
