# SPDX-License-Identifier: MIT
"""Two drafts of one record brought together."""

from dataclasses import replace

import pytest

from memory_gui.ui.records.editing import draft
from memory_gui.ui.records.editing.draft import Draft, both

BASE = Draft("port", "It listens on 8080.", ("a",), "project", "note")


def test_a_text_that_one_side_changed_is_taken_as_it_is_and_never_compared(monkeypatch):
    """Of a megabyte that took a second, in the thread that draws."""
    monkeypatch.setattr(draft, "merged", lambda *_: pytest.fail("compared"))
    long = replace(BASE, text="x" * 1_000_000)
    assert both(BASE, long, replace(BASE, tags=("b",))) == (replace(long, tags=("b",)), True)
    assert both(BASE, replace(BASE, type="decision"), long)[0].text == long.text
    assert both(BASE, long, long) == (long, True)


def test_where_both_changed_the_same_words_both_stand():
    made, clean = both(BASE, replace(BASE, text="It listens on 1."), replace(BASE, text="On 2."))
    assert not clean
    assert "1" in made.text
    assert "2" in made.text
