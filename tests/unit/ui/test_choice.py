# SPDX-License-Identifier: MIT
"""A drop-down list shows all of its entries."""

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.ui.palette import Theme
from memory_gui.ui.widgets import Choice

TEXTS = ("Like the system", "English", "简体中文", "5 minutes", "Never")


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("current", ["first", "last"])
def test_every_entry_can_be_seen_at_once(qtbot, qapp, count, current):
    theme = Theme(qapp, "light")
    outer = QWidget()
    qtbot.addWidget(outer)
    choice = Choice()
    choice.addItems(TEXTS[:count])
    choice.setCurrentIndex(0 if current == "first" else count - 1)
    QVBoxLayout(outer).addWidget(choice)
    outer.resize(320, 200)
    with qtbot.waitExposed(outer):
        outer.show()
    choice.showPopup()
    view = choice.view()
    qtbot.waitUntil(view.isVisible)
    seen = view.viewport().rect()
    for row in range(count):
        assert seen.contains(view.visualRect(choice.model().index(row, 0))), TEXTS[row]
    assert view.verticalScrollBar().maximum() == 0
    choice.hidePopup()
    theme.deleteLater()
