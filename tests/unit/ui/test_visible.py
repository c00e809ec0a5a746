# SPDX-License-Identifier: MIT
"""Hostile text in rows, tooltips and buttons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.ui.shell.bugs import describe
from memory_gui.ui.visible import has_hidden, one_line, plain_button, plain_tip, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\t.", "two\nlines\t."),
        ("win\r\ndows", "win\ndows"),
        ("a\rb", "a\nb"),
        ("a\u202eb", "a⟦U+202E⟧b"),
        ("a\u200bb\u2066", "a⟦U+200B⟧b⟦U+2066⟧"),
        ("nul\x00", "nul⟦U+0000⟧"),
        ("tag\U000e0041", "tag⟦U+E0041⟧"),
        ("🧑\u200d🚀", "🧑\u200d🚀"),
        ("回答", "回答"),
    ],
)
def test_what_does_not_show_is_drawn(text, shown):
    assert visible(text) == shown
    assert has_hidden(text) is ("⟦" in shown)


@given(st.text())
def test_a_row_is_one_line_without_anything_hidden(text):
    row = one_line(text, 40)
    assert not set(row) & set("\n\r\t\x00\u202e\u200b\u2028")
    assert not row.startswith(" ")


@given(st.text())
def test_a_tooltip_is_never_markup_of_the_text(text):
    inside = plain_tip(text).removeprefix("<span>").removesuffix("</span>")
    assert "<" not in inside
    assert ">" not in inside


def test_an_ampersand_is_no_shortcut():
    assert plain_button("R&D") == "R&&D"


def test_a_bug_is_described_without_its_values():
    try:
        raise ValueError("Ann grew up in Vienna")
    except ValueError as error:
        text = describe(error)
    assert text.startswith("ValueError\n")
    assert "test_visible.py" in text
    assert "Vienna" not in text
