# SPDX-License-Identifier: MIT
"""What is highlighted is what was found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.domain.folding import fold
from memory_gui.domain.queries import Query
from memory_gui.domain.spans import matches


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("The port is 8080", "PORT 80", ["port", "8080"]),
        ("Straße nach ﬁne", "STRASSE fin", ["Straße", "ﬁn"]),
        ("ﬁne", "i", ["ﬁ"]),
        ("深色主题", "色", ["色"]),
        ("Ａ①한글", "a 1 한", ["Ａ①한"]),
        ("cafe\u0301 é", "é", ["e\u0301", "é"]),
        ("\u1112\u1161\u11ab", "한", ["\u1112\u1161\u11ab"]),
        ("it's 100%", '"it\'s 100%"', ["it's 100%"]),
        ("nothing", "-nothing x", []),
        ("abcabc", "ab bc", ["abcabc"]),
        ("", "x", []),
        ("Straße am Hafen", "hafen ss", ["ß", "Hafen"]),  # folded it is longer
        ("a ticket for the fer…", "ticket .", ["ticket", "…"]),  # folded to three dots
        ("Cafe\u0301 … bar", "bar", ["bar"]),
        ("e\u0301ﬁ bar", "bar", ["bar"]),  # folded it is as long, and all stands elsewhere
        ("İstanbul", "İSTANBUL i", ["İstanbul"]),
        ("ＡＢＣ １２", "bc 2", ["ＢＣ", "２"]),
        ("nul\x00in", "in nul", ["nul", "in"]),
        ("数据e\u0301库", "据 库", ["据", "库"]),
    ],
)
def test_known_texts(text, query, marked):
    spans = matches(text, Query(query).parsed().needles)
    assert [text[start:end] for start, end in spans] == marked


LETTERS = st.text(
    st.sampled_from("aAbßẞﬁİıﬀ①Ａé\u0301\u0327\u0344\u1112\u1161\u11ab한深色ｶﾞ\x00 ")
    | st.characters(codec="utf-8"),
    max_size=10,
)


@given(LETTERS, LETTERS.filter(bool))
def test_something_is_marked_exactly_where_something_is_found(text, piece):
    needle = fold(piece)
    spans = matches(text, [needle])
    assert bool(spans) is (needle in fold(text))
    assert all(needle in fold(text[start:end]) for start, end in spans)
    flat = [place for span in spans for place in span]
    assert flat == sorted(set(flat))
    assert all(0 <= start < end <= len(text) for start, end in spans)
