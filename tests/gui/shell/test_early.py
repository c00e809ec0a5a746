# SPDX-License-Identifier: MIT
"""The window is painted before there are services; what is typed until it is whole is not lost."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton
from waiting import settle

from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.palette import Theme
from memory_gui.ui.shell.early import Early
from memory_gui.ui.window import MainWindow
from memory_gui.words import Words

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def painted(qtbot, qapp, fonts, fake):
    """A window that is painted and not whole, and its context."""
    bridge = Bridge()
    context = Context(None, bridge, Words("en"))
    window = MainWindow(context, Theme(qapp, "light"), lambda: fake.library.open("x"))
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    early = Early(window)
    yield window, context, early
    early.close()
    window.close()
    bridge.close()


def has_menu(window):
    return any(action.shortcuts() for action in window.findChildren(QAction))


def make_whole(window, context, fake, *, until=lambda _window: False):
    if not context.ready:
        context.bring(fake)
        window.steps = window.furnish()
    for _ in window.steps:
        if until(window):
            return
    assert window.whole


def type_into(window, text):
    for letter in text:
        QTest.keyClick(window.windowHandle(), letter)


def test_its_buttons_can_be_gone_through_at_once(painted):
    window, _context, _early = painted
    assert not window.whole
    assert window.page_name == "start"
    assert QApplication.focusWidget().objectName() == "start.file"
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Tab)
    assert QApplication.focusWidget().objectName() == "start.folder"


def test_what_is_typed_comes_in_its_order_to_where_it_was_meant_for(qtbot, painted, fake):
    window, context, early = painted
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_K, CTRL)
    type_into(window, "set")
    make_whole(window, context, fake, until=has_menu)
    assert not window.whole
    type_into(window, "tin")  # the menu's keys are there by now, and nothing hears them yet
    make_whole(window, context, fake)
    type_into(window, "gs")
    assert not window._quick.box.isVisible()
    with qtbot.waitSignal(early.emptied):
        early.let_go()
    assert window._quick.box.isVisible()
    assert window._quick.box.findChild(QLineEdit).text() == "settings"
    settle(context.bridge)
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Escape)
    assert not window._quick.box.isVisible()  # from now on keys go their usual way


def test_a_key_of_the_menu_waits_for_it_while_the_menu_is_being_made(painted, fake, qtbot):
    window, context, early = painted
    make_whole(window, context, fake, until=has_menu)
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Comma, CTRL)
    make_whole(window, context, fake)
    assert window.page_name == "start"
    with qtbot.waitSignal(early.emptied):
        early.let_go()
    assert window.page_name == "settings"


def test_a_click_is_done_as_well(painted, fake, qtbot):
    window, context, early = painted
    button = window.findChild(QPushButton, "start.sample")
    wanted = []
    window._panes.start.sample_wanted.connect(lambda: wanted.append(True))
    place = button.mapTo(window, button.rect().center())
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, pos=place)
    assert wanted == []
    make_whole(window, context, fake)
    with qtbot.waitSignal(early.emptied):
        early.let_go()
    assert wanted == [True]
    settle(context.bridge)
