# SPDX-License-Identifier: MIT
"""Secrets are dots on screen and for a screen reader, until a button is held."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from memory_gui.findings.secrets import DOTS
from memory_gui.ui.pages.marking import Mark, Piece, drawn, word_diff
from memory_gui.ui.pages.text_view import TextView
from memory_gui.ui.privacy.buttons import HoldButton
from memory_gui.ui.privacy.masking import kinds_in, mask_pieces, masked
from memory_gui.words import Words

SECRET = "hunter2-xyz"
TEXT = f"The database password: {SECRET}\nand nothing else."


@pytest.fixture
def view(qtbot) -> TextView:
    made = TextView("view", "Text")
    qtbot.addWidget(made)
    made.resize(300, 100)
    return made


def read_out(view: TextView) -> str:
    """All that an accessibility client gets of it."""
    interface = QAccessible.queryAccessibleInterface(view)
    kinds = (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Value)
    texts = [interface.text(kind) for kind in kinds]
    text = interface.textInterface()
    return " ".join([*texts, text.text(0, text.characterCount()) if text else ""])


def test_dots_stand_for_a_secret_and_the_rest_stays(view):
    view.show_text(TEXT)
    assert view.toPlainText() == TEXT.replace(SECRET, DOTS)
    assert view.marks <= {Mark.PLAIN, Mark.SECRET}
    assert view.has_secret
    assert SECRET not in read_out(view)
    assert "database" in read_out(view)


def test_it_shows_only_while_it_is_held(view):
    view.show_text(TEXT)
    view.reveal(on=True)
    assert view.toPlainText() == TEXT
    view.reveal(on=False)
    assert SECRET not in view.toPlainText() + read_out(view)


def test_another_text_is_masked_although_the_last_one_was_shown(view):
    view.show_text(TEXT)
    view.reveal(on=True)
    view.show_text("token: 12345678")
    assert view.toPlainText() == f"token: {DOTS}"


def test_a_text_without_secrets_has_nothing_to_reveal(view):
    view.show_text("Concise, answer first.")
    assert not view.has_secret
    assert view.toPlainText() == "Concise, answer first."


def test_masking_can_be_off(view):
    view.set_masking(on=False)
    view.show_text(TEXT)
    assert view.toPlainText() == TEXT
    assert not view.has_secret


def test_a_hidden_text_is_in_no_document(view):
    view.show_text(TEXT)
    view.reveal(on=True)
    view.hide_text("Text is hidden")
    assert view.toPlainText() == "Text is hidden"
    assert "database" not in read_out(view)
    view.grab()
    view.hide_text("")
    assert "database" in view.toPlainText()


def test_wiping_leaves_nothing(view):
    view.show_text(TEXT)
    view.reveal(on=True)
    view.wipe()
    assert view.toPlainText() == ""
    assert not view._pieces


def test_a_secret_over_several_pieces_is_one_row_of_dots():
    pieces = (Piece("password: hun", Mark.PLAIN, 13), Piece("ter2-xyz now", Mark.FOUND, 12))
    assert [(one.text, one.mark) for one in mask_pieces(pieces)] == [
        ("password: ", Mark.PLAIN),
        (DOTS, Mark.SECRET),
        (" now", Mark.FOUND),
    ]


def test_of_a_changed_secret_only_the_change_is_told():
    left, right = (mask_pieces(side) for side in word_diff("token=abcd12345", "token=wxyz98765"))
    for side, mark in ((left, Mark.REMOVED), (right, Mark.ADDED)):
        assert DOTS in [one.text for one in side if one.mark in (mark, Mark.SECRET)]
        assert not any("abcd" in one.text or "wxyz" in one.text for one in side)


def test_a_hidden_character_before_a_secret_does_not_uncover_it():
    assert masked("x\u200b token: abc12345678") == f"x\u200b token: {DOTS}"
    assert DOTS in "".join(
        one.text for one in mask_pieces(tuple(drawn("\u202etoken: abc12345678")))
    )


def test_kinds_are_named_once_each():
    words = Words("en")
    text = (
        "password: hunter22 token: hunter33 https://hooks.slack.com/services/T000/B000/XXXXXXXXXX"
    )
    assert kinds_in(words, [text]) == "a password or key and a webhook address"
    assert kinds_in(words, ["plain"]) == ""


class TestHoldButton:
    @pytest.fixture
    def button(self, qtbot):
        host = QWidget()
        qtbot.addWidget(host)
        host.resize(200, 80)
        button = HoldButton("Hold to show", host)
        button.held_now = []
        button.held.connect(button.held_now.append)
        with qtbot.waitExposed(host):
            host.show()
        host.activateWindow()
        button.setFocus()
        button.host = host
        return button

    def test_by_mouse(self, button):
        QTest.mousePress(button, Qt.MouseButton.LeftButton)
        assert button.held_now == [True]
        QTest.mouseRelease(button, Qt.MouseButton.LeftButton)
        assert button.held_now == [True, False]

    def test_by_key(self, button):
        QTest.keyPress(button, Qt.Key.Key_Space)
        assert button.held_now == [True]
        QTest.keyRelease(button, Qt.Key.Key_Space)
        assert button.held_now == [True, False]

    @pytest.mark.parametrize("what", ["focus", "hidden", "disabled"])
    def test_it_ends_when_the_button_is_out_of_reach(self, button, what):
        QTest.mousePress(button, Qt.MouseButton.LeftButton)
        if what == "focus":
            button.focusOutEvent(QFocusEvent(QFocusEvent.Type.FocusOut))
        elif what == "hidden":
            button.hide()
        else:
            button.setEnabled(False)
        assert button.held_now == [True, False]
