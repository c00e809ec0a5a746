# SPDX-License-Identifier: MIT
"""Copied texts are marked as secret and go away again; nothing else is touched."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QClipboard, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from memory_gui.ui.privacy import Privacy
from memory_gui.ui.privacy.clipboard import SECONDS, Clipboard

TEXT = "Ann grew up in Vienna 维也纳"


@pytest.fixture
def board(qapp):
    board = QGuiApplication.clipboard()
    board.clear()
    yield board
    board.clear()


@pytest.fixture
def ours(board):
    made = Clipboard(platform="linux")
    yield made
    made.close()


def test_by_default_after_forty_five_seconds(ours):
    assert SECONDS == ours.seconds == 45
    told = []
    ours.copied.connect(told.append)
    ours.copy(TEXT)
    assert told == [45]
    assert 44_000 < ours._timer.remainingTime() <= 45_000


def test_a_copied_text_goes_away_by_itself(ours, board, qtbot):
    ours.set_seconds(1)
    with qtbot.waitSignal(ours.emptied, timeout=3000):
        ours.copy(TEXT)
        assert board.text() == TEXT
    assert board.text() == ""


def test_what_was_copied_elsewhere_stays(ours, board):
    ours.copy(TEXT)
    board.setText("someone else’s")
    assert not ours.holds_ours
    ours.forget()
    assert board.text() == "someone else’s"


def test_zero_seconds_mean_only_on_lock_and_quit(ours, board):
    ours.set_seconds(0)
    ours.copy(TEXT)
    assert not ours._timer.isActive()
    ours.forget()
    assert board.text() == ""


def test_a_shorter_time_counts_at_once(ours):
    ours.copy(TEXT)
    ours.set_seconds(10)
    assert ours._timer.remainingTime() <= 10_000


def test_the_hints_for_clipboard_managers(ours, board):
    ours.copy(TEXT)
    data = board.mimeData()
    assert bytes(data.data("x-kde-passwordManagerHint").data()) == b"secret"
    for name in (
        "ExcludeClipboardContentFromMonitorProcessing",
        "CanIncludeInClipboardHistory",
        "CanUploadToCloudClipboard",
    ):
        kept = data.data(f'application/x-qt-windows-mime;value="{name}"')
        assert bytes(kept.data()) == b"\0\0\0\0", name
    assert not data.hasHtml()


def test_on_macos_it_is_concealed_after_it_was_put_there(board):
    seen = []
    ours = Clipboard(platform="darwin", conceal=lambda: seen.append(board.text()))
    ours.copy(TEXT)
    assert seen == [TEXT]
    ours.close()


def test_a_command_is_no_secret_and_stays(ours, board):
    ours.guard()
    ours.copy_plain("memory-cli lock")
    ours.forget()
    assert board.text() == "memory-cli lock"
    assert not board.mimeData().hasFormat("x-kde-passwordManagerHint")


@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit])
def test_what_a_text_field_copies_goes_the_same_way(ours, board, qtbot, kind):
    ours.guard()
    field = kind(TEXT)
    qtbot.addWidget(field)
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert board.text() == TEXT
    assert ours.holds_ours
    assert board.mimeData().hasFormat("x-kde-passwordManagerHint")
    ours.forget()
    assert board.text() == ""


def test_locking_and_quitting_take_it_back(board):
    for act in (Privacy.forget, Privacy.close):
        privacy = Privacy()
        privacy.clipboard.copy(TEXT)
        act(privacy)
        assert board.text() == ""


def test_closing_ends_the_watch(ours, board):
    ours.guard()
    ours.close()
    board.setText(TEXT)
    assert not ours.holds_ours
    assert not ours._timer.isActive()


def test_nothing_that_we_do_not_own_is_ever_read(ours, monkeypatch):
    """Reading another program's clipboard can hang, and feeds clipboard managers."""

    class Foreign:
        def ownsClipboard(self):
            return False

        def ownsSelection(self):
            return False

        def mimeData(self, mode=None):
            raise AssertionError("read")

    monkeypatch.setattr(Clipboard, "_board", staticmethod(Foreign))
    monkeypatch.setattr(QGuiApplication, "platformName", staticmethod(lambda: "xcb"))
    ours._on_board_changed(QClipboard.Mode.Clipboard)
    ours._on_board_changed(QClipboard.Mode.Selection)
    ours.forget()
