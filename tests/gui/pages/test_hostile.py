# SPDX-License-Identifier: MIT
"""Memory text is hostile: on no page does it show as anything but plain, visible text."""

import pytest
import scene
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QTextBrowser

from memory_gui.domain.errors import UserError
from memory_gui.ui.pages.erase import ErasePage
from memory_gui.ui.review.page import ReviewPage
from memory_gui.ui.widgets import Banner

NASTY = (
    "<b>bold</b><img src='file:///etc/passwd'><a href='http://x.example'>click</a>\n"
    "\u202egnp.exe\u2066 zero\u200bwidth \x1b[31mred \u2028 \ud83d &amp; {placeholder} %s"
)


def widgets(page):
    return [*page.findChildren(QLabel), *page.findChildren(QPlainTextEdit)]


def text_of(widget):
    return widget.toPlainText() if isinstance(widget, QPlainTextEdit) else widget.text()


def check(page):
    assert not page.findChildren(QTextBrowser)
    for widget in widgets(page):
        text = text_of(widget)
        assert not set(text) & set("\u202e\u2066\u200b\x1b\u2028\ud83d"), widget.objectName()
        if isinstance(widget, QLabel):
            assert widget.textFormat() is Qt.TextFormat.PlainText, widget.objectName()
            assert not widget.openExternalLinks()


@pytest.fixture
def nasty():
    return scene.proposal(
        NASTY, NASTY, f"before {NASTY} after", title=NASTY, tags=(NASTY,), type=NASTY, scope=NASTY
    )


def test_a_nasty_proposal_is_only_shown(fake, shown, settled, nasty):
    fake.library.fill([nasty])
    page = shown(ReviewPage)
    check(page)
    assert "<b>bold</b>" in page.card.text.toPlainText()
    page.bar.edit.click()
    assert page.editor.fields() == {}, "what is not touched stays as it is"
    page.editor.give_up.click()
    settled()
    fake.fail_next["decide"] = UserError("store.missing", path=NASTY)
    page.bar.reject.click()
    settled()
    assert page.failures.isVisible()
    check(page.failures)


def test_a_nasty_title_in_a_plan_is_only_shown(fake, shown, nasty):
    fake.library.fill([nasty])
    fake.erasing.plan_value = scene.plan(1)
    page = shown(ErasePage, (nasty.ref,))
    check(page)
    assert any("<b>bold</b>" in text_of(widget) for widget in widgets(page))


def test_a_nasty_path_in_a_banner_is_drawn(qtbot):
    banner = Banner()
    qtbot.addWidget(banner)
    banner.tell("warn", f"There is no file at {NASTY}.")
    assert "\u202e" not in banner.text
    assert "⟦U+202E⟧gnp.exe" in banner.text
