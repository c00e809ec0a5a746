# SPDX-License-Identifier: MIT
"""What a row marks of a search."""

import pytest

from memory_gui.ui.records.listing.delegate import hits


@pytest.mark.parametrize(
    ("text", "needle", "found"),
    [
        ("deploy_port", "port", [(7, 11)]),
        ("Port, port", "PORT", [(0, 4), (6, 10)]),
        ("回答语言", "语言", [(2, 4)]),
        ("aaaa", "aa", [(0, 2), (2, 4)]),
        ("nothing", "else", []),
        ("anything", "", []),
        ("Straße am Hafen", "Hafen", []),  # folded it is longer
    ],
)
def test_where_a_text_holds_what_was_searched_for(text, needle, found):
    assert hits(text, needle) == found
