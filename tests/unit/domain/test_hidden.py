# SPDX-License-Identifier: MIT
"""Which characters a reviewer must be told of."""

from __future__ import annotations

import pytest

from memory_gui.domain.hidden import far_in, has_hidden, hidden_at


@pytest.mark.parametrize(
    "text",
    [
        "no\u200bon",
        "\ufeffstart",
        "soft\u00adhyphen",
        "\u202eright to left",
        "tags \U000e0041\U000e0042",
        "word\u2060joiner",
        "bell\x07",
        "nul\x00",
        "delete\x7f",
        "line\u2028separator",
        "filler\u3164",
        "selector\ufe01",
        "selector\U000e0101",
        "private \ue000",
        "lone \ud800",
        "a\u200db",
    ],
)
def test_hidden(text: str) -> None:
    assert has_hidden(text)
    assert hidden_at(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain\nlines\tand\r\ntabs",
        "中文，标点。「引号」",
        "family 👨‍👩‍👧 and 👩🏽‍💻 and ❤️",
        "Zażółć, naïve, 1 000,50 €",
        "עברית and العربية",
    ],
)
def test_plain(text: str) -> None:
    assert not has_hidden(text)
    assert hidden_at(text) == ()


def test_where() -> None:
    assert hidden_at("a\u200bb\u202e") == ((1, "\u200b"), (3, "\u202e"))


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("pay at p\u0430ypal.com", [(8, "\u0430")]),
        ("\u0440\u0430ypal", [(0, "\u0440"), (1, "\u0430")]),
        ("парol", [(3, "o"), (4, "l")]),
        ("пароль password", []),
        ("Ωmega", [(0, "Ω")]),
        ("用vim写Python代码", []),
        ("naïve Ångström", []),
        ("Москва-2 v2", []),
    ],
)
def test_letters_of_another_script_inside_a_word(text: str, places: list[object]) -> None:
    assert list(hidden_at(text)) == places
    assert has_hidden(text) is bool(places)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("seen" + "\n" * 30 + "unseen", [29]),
        ("seen\r\n" + " \r\n" * 20 + "unseen", [20]),
        ("seen" + " " * 200 + "unseen", [0]),
        ("seen" + "\u3000" * 100 + "unseen", [0]),
        ("a\n\nb\n\n\nc", []),
        ("seen" + "\n" * 30, []),
        ("x" * 500, []),
    ],
)
def test_what_stands_far_off_behind_blanks(text: str, lines: list[int]) -> None:
    assert [n for _start, _end, n in far_in(text)] == lines
    assert has_hidden(text) is bool(lines)
