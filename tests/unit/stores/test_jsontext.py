# SPDX-License-Identifier: MIT
"""JSON values laid out and packed: nothing of them is made anew."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.domain.errors import UserError
from memory_gui.stores import jsontext

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_laid_out_and_packed_say_the_same(value: object, escaped: bool) -> None:
    text = json.dumps(value, ensure_ascii=escaped)
    laid = jsontext.laid_out(text)
    assert json.loads(laid) == json.loads(text)
    assert laid == json.dumps(value, ensure_ascii=False, indent=2)
    assert jsontext.packed(laid) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_numbers_and_equal_names_stay_as_they_are_written() -> None:
    text = '{"a": 1.10, "a": 12345678901234567890, "b": 1e5, "\\u4e2d": "\\ud83d\\ude00"}'
    laid = jsontext.laid_out(text)
    assert laid.count('"a"') == 2
    assert "1.10" in laid
    assert "12345678901234567890" in laid
    assert "1e5" in laid
    assert '"中": "😀"' in laid
    said, names = jsontext.leaves(text)
    assert said == ["12345678901234567890", "😀"]
    assert names == ["a", "a", "b", "中"]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ('{"a": 1,\n "b": }', "json.broken", 2),
        ("", "json.broken", 1),
        ('{"a": Infinity}', "json.refused", None),
        ('["\\ud800"]', "json.refused", None),
        ("[" * 1_000_000, "json.refused", None),
        ("{} {}", "json.refused", None),
    ],
)
def test_faults_say_where(text: str, code: str, line: int | None) -> None:
    with pytest.raises(UserError) as caught:
        jsontext.check(text)
    assert caught.value.code == code
    assert caught.value.params.get("line") == line
    assert not jsontext.is_json(text)
