# SPDX-License-Identifier: MIT
"""Refs as text: whatever the key, the text names it again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, RefText, StoreId

KINDS = ("memory", "note")
PARTS = st.text() | st.sampled_from(["", "%", "%25", "/", ":", "memory:", "%00", '""', "."])


@given(st.sampled_from(KINDS), st.lists(PARTS, min_size=1, max_size=3).map(tuple))
def test_the_text_names_the_key_again(kind: str, key: tuple[str, ...]) -> None:
    ref = Ref(StoreId("s"), kind, key)
    assert RefText.parse(ref.text, kinds=KINDS) == RefText(kind, key)
    assert RefText.parse(ref.id, kinds=KINDS) == RefText(None, key)


def test_an_empty_part() -> None:
    assert Ref(StoreId("s"), "memory", ("",)).text == "memory:%"
    assert RefText.parse("a/", kinds=KINDS).key == ("a", "")
    for text in ("", "memory:"):
        with pytest.raises(UserError):
            RefText.parse(text, kinds=KINDS)


def test_the_plain_id_is_the_stored_key() -> None:
    assert Ref(StoreId("s"), "memory", ("a/b 语",)).plain == "a/b 语"
    assert Ref(StoreId("s"), "note", ("a/b", "")).plain == "a%2Fb/%"
