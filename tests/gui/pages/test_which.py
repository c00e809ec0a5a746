# SPDX-License-Identifier: MIT
"""Two formats fit a file equally well: the page that asks, and what the answer does."""

from PySide6.QtWidgets import QAbstractButton, QLabel

from memory_gui.domain.errors import UserError
from memory_gui.ui.pages.requests import OpenRequest
from memory_gui.ui.pages.which import WhichPage

PROBLEM = UserError("store.two_formats", path="/home/ann/both.db", formats="facts, sqlite")


def said(page):
    return "\n".join(w.text() for w in page.findChildren(QLabel) if w.isVisible())


def test_each_candidate_has_a_button_and_the_choice_opens(fake, shown, settled, monkeypatch):
    chosen = []
    monkeypatch.setattr(
        fake.library, "choose_format", lambda *args: chosen.append(args), raising=False
    )
    page = shown(WhichPage)
    page.show_for(PROBLEM)
    settled()
    went = []
    page.go.connect(lambda *args: went.append(args))
    assert "/home/ann/both.db" in said(page)
    names = [one.text() for one in page.findChildren(QAbstractButton) if one.isVisible()]
    assert "SQLite database" in names
    page.findChild(QAbstractButton, "which.choice1").click()
    settled()
    assert chosen == [("/home/ann/both.db", "sqlite")]
    assert went == [("open", OpenRequest("/home/ann/both.db"))]


def test_a_lock_leaves_nothing(shown, settled):
    page = shown(WhichPage)
    page.show_for(PROBLEM)
    page.clear()
    settled()
    assert "/home/ann" not in "".join(w.text() for w in page.findChildren(QLabel))
    assert page.findChild(QAbstractButton, "which.choice0") is None
