# SPDX-License-Identifier: MIT
"""A record of a million characters: its beginning at once, and how much more there is."""

from dataclasses import replace

from looking import child, row_of
from PySide6.QtWidgets import QPlainTextEdit

from memory_gui.ui.pages import marking
from memory_gui.ui.pages.text_view import MOST_SHOWN
from memory_gui.ui.records.editing import detail


def test_no_more_is_looked_at_than_is_shown(window, fake, settled, monkeypatch):
    """A count and not a time: machines differ."""
    ref = next(ref for ref, one in fake.library.records.items() if one.title == "deploy_port_1")
    text = "abc 密码 d\u200be\n" * 100_000
    fake.library.put(replace(fake.library.records[ref], text=text))
    window.memories.go_to(0)
    window.memories.refresh()
    settled()
    looked = []

    def count(found):
        looked.append(len(found))
        return marking.hidden_count(found)

    monkeypatch.setattr(detail, "hidden_count", count)
    window.memories.go_to(row_of(window, "deploy_port_1"))
    settled()
    shown = child(window, QPlainTextEdit, "detailText").toPlainText()
    assert shown.startswith("abc 密码 d⟦U+200B⟧e")
    assert shown.endswith(f"⟦… +{len(text) - MOST_SHOWN}⟧")
    assert looked
    assert max(looked) <= MOST_SHOWN
