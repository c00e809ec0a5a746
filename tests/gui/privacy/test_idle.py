# SPDX-License-Identifier: MIT
"""Idle lock: the last seconds are counted aloud, any input ends that, sleep counts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from memory_gui.ui.privacy.countdown import Countdown
from memory_gui.ui.shell.watch import COUNTDOWN_S, Idle
from memory_gui.words import Words


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def idle(qapp, clock):
    holder = QObject()
    made = Idle(qapp, holder, clock)
    made.told = []
    made.counting.connect(made.told.append)
    made.stirred.connect(lambda: made.told.append("stirred"))
    made.went_idle.connect(lambda: made.told.append("idle"))
    made.holder = holder
    yield made
    made.stop()
    qapp.removeEventFilter(made)


def passes(idle, clock, seconds):
    """Time goes on and the timer fires as it would."""
    clock.now += seconds
    idle._on_timer_timeout()


def test_after_the_minutes_it_locks_and_the_last_seconds_are_told(idle, clock):
    idle.set_minutes(5)
    assert idle._timer.interval() == (300 - COUNTDOWN_S) * 1000
    passes(idle, clock, 285)
    for _ in range(14):
        passes(idle, clock, 1)
    assert idle.told == list(range(15, 0, -1))
    passes(idle, clock, 1)
    assert idle.told[-1] == "idle"
    assert not idle._timer.isActive()


@pytest.mark.parametrize("what", ["key", "mouse", "wheel-less move", "input method"])
def test_any_input_ends_the_countdown(idle, clock, qtbot, what):
    field = QLineEdit()
    qtbot.addWidget(field)
    field.show()
    idle.set_minutes(1)
    passes(idle, clock, 50)
    assert idle.told == [10]
    if what == "key":
        QTest.keyClick(field, Qt.Key.Key_Shift)
    elif what == "mouse":
        QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    elif what == "input method":
        QApplication.sendEvent(field, QInputMethodEvent("ni", []))
    else:
        here = QPointF(3, 3)
        move = QMouseEvent(
            QEvent.Type.MouseMove,
            here,
            here,
            Qt.MouseButton.NoButton,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QGuiApplication.sendEvent(field, move)
    assert idle.told == [10, "stirred"]
    passes(idle, clock, 44)
    assert idle.told == [10, "stirred"]
    passes(idle, clock, 2)
    assert idle.told[-1] == 14


def test_what_is_no_input_does_not(idle, clock, qtbot):
    field = QWidget()
    qtbot.addWidget(field)
    idle.set_minutes(1)
    passes(idle, clock, 50)
    field.show()
    field.repaint()
    QApplication.processEvents()
    assert idle.told == [10]


def test_a_computer_that_slept_longer_is_locked_at_once(idle, clock):
    idle.set_minutes(5)
    passes(idle, clock, 3600)
    assert idle.told == ["idle"]


def test_never_means_never(idle, clock):
    idle.set_minutes(5)
    idle.set_minutes(0)
    assert not idle._timer.isActive()
    idle.stir()
    assert not idle._timer.isActive()


def test_it_really_counts(qapp, qtbot):
    holder = QObject()
    idle = Idle(qapp, holder)
    with qtbot.waitSignal(idle.went_idle, timeout=3000), qtbot.waitSignal(idle.counting):
        idle.set_seconds(1.2)
    qapp.removeEventFilter(idle)


class TestCountdown:
    @pytest.fixture
    def window(self, qtbot):
        window = QWidget()
        qtbot.addWidget(window)
        window.resize(800, 500)
        window.show()
        return window

    def test_it_floats_above_the_lower_edge_and_takes_no_click(self, window):
        notice = Countdown(Words("en"), window)
        assert notice.isHidden()
        notice.show_seconds(15)
        assert notice.text.text() == (
            "This window locks in 15 seconds. Any key or movement stops that."
        )
        assert window.rect().contains(notice.geometry())
        assert notice.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        before = notice.geometry()
        window.resize(900, 700)
        QApplication.processEvents()
        assert notice.geometry() != before
        assert window.rect().contains(notice.geometry())
        notice.show_seconds(1)
        assert "1 second." in notice.text.text()
        notice.end()
        assert notice.isHidden()

    def test_the_keyboard_stays_where_it_was(self, window, qtbot):
        field = QLineEdit(window)
        field.show()
        window.activateWindow()
        field.setFocus()
        Countdown(Words("en"), window).show_seconds(15)
        assert field.hasFocus()
