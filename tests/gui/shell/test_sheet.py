# SPDX-License-Identifier: MIT
"""The sheet of keys says what the table of acts and the pages really do."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel

from memory_gui.ui.shell import sheet
from memory_gui.ui.shell.actions import ACTS
from memory_gui.ui.shell.keys import shown_keys
from memory_gui.ui.shell.sheet import ShortcutsPage
from memory_gui.ui.views import REVIEW


@pytest.fixture
def page(window, settled):
    window.go("shortcuts")
    settled()
    return window.findChild(ShortcutsPage)


def texts(page):
    return [label.text() for label in page.findChildren(QLabel) if label.isVisible()]


def test_every_act_that_has_a_key_is_on_it(page):
    shown = texts(page)
    for act in ACTS:
        for key in act.keys:
            assert act.text in shown
            assert shown_keys((key,)) in shown


def test_no_key_means_two_things_everywhere():
    keys = [key for _, some in sheet.everywhere() for key in some]
    assert len(keys) == len(set(keys))
    assert all(QKeySequence(key).count() == 1 for key in keys)


def test_the_keys_of_review_are_those_it_has(window, settled):
    window.choose_view(REVIEW)
    settled()
    review = window._panes.host.page
    real = {s.key().toString() for s in review.findChildren(QShortcut) if s.parent() is review}
    assert real == {key for _, some in sheet.REVIEW for key in some}


def test_ctrl_slash_opens_it_and_escape_leaves(window, qtbot, settled):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    settled()
    assert window.page_name == "shortcuts"
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    settled()
    assert window.page_name == "memories"


def test_it_is_said_in_the_other_language(window, page, settled):
    window._preferences.use_language("zh_CN")
    settled()
    assert "键盘快捷键" in texts(page)
    assert "锁定" in texts(page)
    window._preferences.use_language("en")
    settled()


def test_arrows_are_drawn_and_not_named():
    """Qt's Chinese names for them stand on no keyboard."""
    assert shown_keys(("Shift+Down",)).endswith("↓")
    assert shown_keys(("Up",)) == "↑"
    assert shown_keys(("Ctrl+A",)).endswith("A")
