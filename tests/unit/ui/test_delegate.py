# SPDX-License-Identifier: MIT
"""What a row marks of a search."""

import pytest
from PySide6.QtGui import QFont, QFontMetrics

from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.ui.records.listing.delegate import MemoryDelegate, from_hit
from memory_gui.words import Words


class TestFromHit:
    TEXT = "The bus company can give us a feed but no live data. Show the bus on the ticket, too."

    def test_a_hit_beyond_the_end_of_the_line_is_brought_into_it(self, qapp):
        metrics = QFontMetrics(QFont())
        width = metrics.horizontalAdvance(self.TEXT) // 2
        line = from_hit(self.TEXT, ("ticket",), metrics, width)
        assert line == "…the bus on the ticket, too."

    def test_a_hit_that_has_room_leaves_the_line_as_it_is(self, qapp):
        metrics = QFontMetrics(QFont())
        width = metrics.horizontalAdvance(self.TEXT) // 2
        assert from_hit(self.TEXT, ("bus", "ticket"), metrics, width) == self.TEXT
        assert from_hit(self.TEXT, ("nowhere",), metrics, width) == self.TEXT
        assert from_hit(self.TEXT, (), metrics, width) == self.TEXT

    def test_hits_that_touch_are_looked_at_one_by_one(self, qapp):
        text = "a" * 400
        assert from_hit(text, ("a",), QFontMetrics(QFont()), 300) == text

    def test_words_without_blanks_begin_shortly_before_it(self, qapp):
        text = "回" * 200 + "语言"
        line = from_hit(text, ("语言",), QFontMetrics(QFont()), 300)
        assert line == "…" + "回" * 20 + "语言"


@pytest.mark.parametrize(
    ("kind", "title", "text", "subject", "said"),
    [
        ("note", "", "a note", None, "person"),
        ("entity", "Lin", "", None, "person"),
        ("observation", "", "likes tea", "Lin", "Lin"),
        ("entity", "Lin", "likes tea", None, "likes tea"),
        ("memory", "tea", "", None, ""),  # its type stands at the right
    ],
)
def test_a_row_without_a_second_line_says_what_it_is(qapp, kind, title, text, subject, said):
    record = Record(
        Ref(StoreId("x"), kind, ("1",)), "", State.LIVE, title, text, subject=subject, type="person"
    )
    assert MemoryDelegate(Words())._second_line(record) == said
