# SPDX-License-Identifier: MIT
"""A label never hides the end of its text."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.palette import Theme
from memory_gui.ui.widgets import EmptyState, TextLabel, TitleLabel

SECRET = "sk-proj-FAKE000111222333444555666777888999000aaabbbcccdddeeefff"


@pytest.mark.parametrize("kind", [TextLabel, TitleLabel])
def test_a_word_longer_than_the_line_goes_on_in_the_next(qtbot, qapp, kind):
    theme = Theme(qapp, "light")
    outer = QWidget()
    qtbot.addWidget(outer)
    label = kind(selectable=True)
    column = QVBoxLayout(outer)
    column.addWidget(label)
    column.addStretch(1)
    label.setText("short")
    outer.resize(260, 300)
    with qtbot.waitExposed(outer):
        outer.show()
    one = label.height()
    for _ in range(2):  # a new text too
        label.setText(SECRET)
        qtbot.waitUntil(lambda: label.height() >= 2 * one)
        assert outer.width() == 260, "it does not push its place wider"
        assert label.minimumSizeHint().width() < 200
        picture = label.grab().toImage()
        last_line = [
            picture.pixelColor(x, y)
            for x in range(picture.width())
            for y in range(picture.height() - one, picture.height())
        ]
        ground = QColor(picture.pixelColor(0, 0))
        assert any(abs(c.lightness() - ground.lightness()) > 60 for c in last_line)
    assert label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
    assert label.text() == SECRET
    theme.deleteLater()


def test_an_empty_state_in_a_narrow_place_says_all_of_it(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    stack = QStackedWidget(window)
    state = EmptyState(Icon.SEARCH)
    for one in (QWidget(), state):
        stack.addWidget(one)
    stack.resize(230, 500)
    with qtbot.waitExposed(window):
        window.show()
    state.say("Nothing found", "No record here fits all of the chosen filters.", "Clear")
    stack.setCurrentWidget(state)
    label = state.findChild(QLabel, "empty.text")
    qtbot.waitUntil(lambda: label.height() >= 2 * label.fontMetrics().height())
    assert label.width() <= 230
