# SPDX-License-Identifier: MIT
"""Windows are kept out of captures where the system can; the systems are played here."""

from __future__ import annotations

import ctypes

import pytest
from PySide6.QtWidgets import QDialog, QWidget

from memory_gui.ui.privacy import capture, macos
from memory_gui.ui.privacy.capture import Capture, block_on_windows


@pytest.fixture
def blocked():
    return []


@pytest.fixture
def guard(qapp, blocked):
    made = Capture(None, lambda handle, on: blocked.append((handle, on)) is None)
    made.watch(qapp)
    yield made
    made.close()


def shown(qtbot, kind=QWidget):
    window = kind()
    qtbot.addWidget(window)
    window.resize(200, 100)
    with qtbot.waitExposed(window):
        window.show()
    return window


def test_windows_that_are_there_and_windows_that_come(qtbot, guard, blocked):
    first = shown(qtbot)
    assert blocked == []
    guard.block(blocked=True)
    assert (int(first.winId()), True) in blocked
    dialog = shown(qtbot, QDialog)
    assert (int(dialog.winId()), True) in blocked
    inner = QWidget(first)
    inner.show()
    assert len({handle for handle, _ in blocked}) == 2
    guard.block(blocked=False)
    assert (int(first.winId()), False) in blocked
    assert (int(dialog.winId()), False) in blocked


def test_after_closing_nothing_more_is_blocked(qtbot, guard, blocked):
    guard.block(blocked=True)
    guard.close()
    shown(qtbot)
    assert blocked == []


def test_linux_cannot_and_says_so(qapp, monkeypatch, qtbot):
    monkeypatch.setattr(capture.sys, "platform", "linux")
    made = Capture()
    made.watch(qapp)
    made.block(blocked=True)
    shown(qtbot)
    assert not made.possible


@pytest.mark.parametrize(
    ("refused", "wanted"),
    [((), [0x11]), ((0x11,), [0x11, 0x01]), ((0x11, 0x01), [0x11, 0x01])],
)
def test_windows_takes_the_newest_affinity_that_it_knows(refused, wanted):
    asked = []

    def call(handle, affinity):
        asked.append(affinity)
        return 0 if affinity in refused else 1

    assert block_on_windows(7, True, call) is (len(refused) < 2)
    assert asked == wanted
    assert block_on_windows(7, False, call)
    assert asked[-1] == 0


class Played:
    """An Objective-C runtime that writes down what it is told."""

    def __init__(self, window=40):
        self.sent = []
        self._window = window

    def klass(self, name):
        return {b"NSString": 1, b"NSPasteboard": 2, b"NSArray": 3}[name]

    def send(self, receiver, selector, *arguments, types):
        assert len(arguments) == len(types)
        self.sent.append((receiver, selector, *arguments))
        if selector == b"window":
            return self._window
        return 10 + len(arguments[0]) if selector == b"stringWithUTF8String:" else 20


def test_macos_shares_no_window():
    runtime = Played()
    assert macos.share_window(7, shared=False, runtime=runtime)
    assert macos.share_window(7, shared=True, runtime=runtime)
    assert runtime.sent == [
        (7, b"window"),
        (40, b"setSharingType:", 0),
        (7, b"window"),
        (40, b"setSharingType:", 1),
    ]


def test_a_view_without_a_window_is_left_alone():
    runtime = Played(window=0)
    assert not macos.share_window(7, shared=False, runtime=runtime)
    assert runtime.sent == [(7, b"window")]


def test_the_pasteboard_is_marked_as_concealed():
    runtime = Played()
    assert macos.conceal_pasteboard(runtime)
    concealed = 10 + len(macos.CONCEALED)
    assert (3, b"arrayWithObject:", concealed) in runtime.sent
    assert (20, b"addTypes:owner:", 20, None) in runtime.sent
    assert (20, b"setString:forType:", 10, concealed) in runtime.sent


def test_without_a_mac_nothing_happens(monkeypatch):
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)
    assert not macos.conceal_pasteboard()
    assert not macos.share_window(7, shared=False)
