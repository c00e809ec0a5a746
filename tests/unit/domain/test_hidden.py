# SPDX-License-Identifier: MIT
"""Which characters a reviewer must be told of."""

from __future__ import annotations

import pytest

from memory_gui.domain.hidden import has_hidden, hidden_at


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
