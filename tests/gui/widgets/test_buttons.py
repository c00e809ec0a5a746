# SPDX-License-Identifier: MIT
"""Return presses the button that has the keyboard, as Space does."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from memory_gui.ui.widgets import Button


@pytest.mark.parametrize(
    ("key", "modifier", "held", "presses"),
    [
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, False, 1),
        (Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier, False, 1),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, True, 0),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier, False, 0),
    ],
)
def test_return_presses_it(qtbot, key, modifier, held, presses):
    button, pressed = Button("Unlock"), []
    qtbot.addWidget(button)
    button.clicked.connect(lambda: pressed.append(1))
    event = QKeyEvent(QEvent.Type.KeyPress, key, modifier, "", held)
    QApplication.sendEvent(button, event)
    assert len(pressed) == presses


def test_not_one_that_cannot_be_pressed(qtbot):
    button, pressed = Button("Unlock"), []
    qtbot.addWidget(button)
    button.setEnabled(False)
    button.clicked.connect(lambda: pressed.append(1))
    key, none = Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(button, QKeyEvent(QEvent.Type.KeyPress, key, none))
    assert not pressed
