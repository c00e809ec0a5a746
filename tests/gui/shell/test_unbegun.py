# SPDX-License-Identifier: MIT
"""What was asked for and never begun because of a lock: not done, and said once in words."""

import threading

import pytest
from looking import child
from PySide6.QtWidgets import QLabel, QWidget


def said(window):
    where = child(window, QWidget, "window.unbegun")
    return child(where, QLabel, "banner.text").text() if where.isVisible() else ""


@pytest.fixture
def busy(window):
    """The line of acts is held up by one that takes its time."""
    go, begun = threading.Event(), threading.Event()
    window.bridge.call(lambda: (begun.set(), go.wait(60)), in_turn=True)
    assert begun.wait(30)
    yield go
    go.set()


def test_it_is_not_done_and_told_after_the_unlock(window, fake, settled, busy, qtbot):
    window.memories.go_to(0)
    before = dict(fake.library.records)
    window.memories.trash_selected()
    window.memories.undo()
    window.lock()
    busy.set()
    settled()
    assert (fake.called("trash"), fake.called("undo"), said(window)) == ([], [], "")
    window.unlock()
    settled()
    assert said(window) == (
        "Not done, because the window locked before it began: move 1 record to the trash, take the "
        "last act back. Nothing was changed by it; do it again if you still want it."
    )
    assert fake.library.records == before
    window.lock()
    settled()
    window.unlock()
    settled()
    assert said(window) == "", "once"


def test_what_had_begun_is_not_said_to_be_undone(window, fake, settled, busy):
    window.memories.go_to(0)
    window.memories.trash_selected()
    busy.set()
    settled()
    window.lock()
    settled()
    window.unlock()
    settled()
    assert len(fake.called("trash")) == 1
    assert said(window) == ""


def test_of_many_the_first_are_named(window, fake, settled, busy):
    for _ in range(6):
        window.memories.redo()
    window.lock()
    window.unlock()
    busy.set()
    settled()
    assert said(window).count("do again what was taken back") == 4
    assert ", 2 more acts. Nothing" in said(window)
