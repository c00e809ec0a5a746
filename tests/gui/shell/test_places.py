# SPDX-License-Identifier: MIT
"""Where a person is stays where it was: after a lock, after hiding texts, by a screen reader."""

import pytest
from fake_services import USER
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleActionInterface
from PySide6.QtWidgets import QListWidget

from memory_gui.ui.views import MEMORIES, REVIEW, VIEWS


@pytest.fixture
def views(window):
    return window.findChild(QListWidget, "sidebar.views")


def test_the_chosen_store_is_chosen_again_after_a_lock(window, settled):
    window._panes.sidebar.choose_store(USER)
    settled()
    window.lock()
    settled()
    window.unlock()
    settled()
    assert window._panes.sidebar.stores == {USER}
    assert window.memories.query.stores == {USER}


@pytest.mark.parametrize("way", ["screen reader", "return"])
def test_the_chosen_view_leaves_a_page_that_covers_it(window, views, qtbot, settled, way):
    window.go("settings")
    settled()
    assert window.page_name == "settings"
    if way == "return":
        qtbot.keyClick(views, Qt.Key.Key_Return)
    else:  # a press of a row chooses it, and does nothing where it is chosen already
        row = QAccessible.queryAccessibleInterface(views).child(VIEWS.index(MEMORIES))
        row.actionInterface().doAction(QAccessibleActionInterface.toggleAction())
    settled()
    assert window.page_name == "memories"
    assert [one.row() for one in views.selectedIndexes()] == [VIEWS.index(MEMORIES)]


def test_hiding_texts_keeps_the_review_page(window, qtbot, settled):
    window.choose_view(REVIEW)
    settled()
    for _ in range(2):
        qtbot.keyClick(
            window, Qt.Key.Key_H,
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
        )  # fmt: skip
        settled()
        assert window.page_name == "review"
