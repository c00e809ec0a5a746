# SPDX-License-Identifier: MIT
"""Nothing moves for who does not want it to."""

import pytest
from PySide6.QtCore import QTimer

from memory_gui.ui.comfort import MOTION
from memory_gui.ui.widgets.busy import Busy, Spinner


@pytest.fixture
def motion(qapp):
    before = qapp.property(MOTION)
    yield lambda value: qapp.setProperty(MOTION, value)
    qapp.setProperty(MOTION, before)


@pytest.mark.parametrize(("wanted", "turns"), [("full", True), ("reduced", False)])
def test_the_spinner_turns_or_stands(qtbot, motion, wanted, turns):
    motion(wanted)
    spinner = Spinner()
    qtbot.addWidget(spinner)
    spinner.show()
    assert spinner.findChild(QTimer).isActive() is turns
    spinner.hide()
    assert not spinner.findChild(QTimer).isActive()


def test_what_goes_on_is_still_said(qtbot, motion):
    motion("reduced")
    busy = Busy()
    qtbot.addWidget(busy)
    busy.start("Opening…")
    qtbot.waitUntil(busy.isVisible)
    assert busy.findChild(Spinner).isVisible()
    busy.stop()
