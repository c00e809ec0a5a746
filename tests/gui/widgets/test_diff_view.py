# SPDX-License-Identifier: MIT
"""The view of a change: seen, heard, plain, and gone when it is to go."""

from time import process_time

import pytest
from PySide6.QtGui import QGuiApplication, QTextCursor

from memory_gui.domain.diff import words_diff
from memory_gui.ui.palette import make_palette, tokens_of
from memory_gui.ui.tokens import DARK, LIGHT
from memory_gui.ui.widgets.diff_view import DiffView
from memory_gui.words import Words

OLD = "The service listens on 8080 behind the proxy."
NEW = "The service listens on 9090 behind the new proxy."


@pytest.fixture
def view(qtbot):
    made = DiffView(Words("en"), "test.diff")
    qtbot.addWidget(made)
    made.resize(400, 200)
    return made


def formats(view):
    """(text, struck out, underlined, colour) of each stretch."""
    found = []
    block = view.document().begin()
    while block.isValid():
        it = block.begin()
        while not it.atEnd():
            part = it.fragment()
            form = part.charFormat()
            found.append(
                (
                    part.text(),
                    form.fontStrikeOut(),
                    form.fontUnderline(),
                    form.foreground().color().name(),
                )
            )
            it += 1
        block = block.next()
    return found


def test_what_goes_is_struck_out_what_comes_underlined_and_both_have_a_sign(view):
    view.show_diff(OLD, NEW)
    assert view.differs
    assert view.toPlainText() == "The service listens on −8080+9090 behind the+ new proxy."
    marked = {text: (struck, under) for text, struck, under, _ in formats(view)}
    assert marked["−8080"] == (True, False)
    assert marked["+9090"] == (False, True)
    assert marked["+ new"] == (False, True)
    assert marked["The service listens on "] == (False, False)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_are_those_of_the_palette(view, qapp, tokens):
    before = qapp.palette()
    qapp.setPalette(make_palette(tokens))
    try:
        view.show_diff(OLD, NEW)
        assert tokens_of(QGuiApplication.palette()) is tokens
        by_text = {text: colour for text, _, _, colour in formats(view)}
        assert by_text["−8080"] == tokens.muted
        assert by_text["+9090"] == tokens.ok
    finally:
        qapp.setPalette(before)


def test_a_screen_reader_is_told_what_goes_and_comes(view):
    view.show_diff(OLD, NEW)
    assert view.accessibleName() == "What changes"
    assert view.accessibleDescription() == "Goes: 8080\nComes: 9090\nComes: new"


def test_in_chinese(qtbot):
    view = DiffView(Words("zh_CN"), "test.diff")
    qtbot.addWidget(view)
    view.show_diff("回答要简洁", "回答要详细")
    assert view.toPlainText() == "回答要−简洁+详细"
    assert view.accessibleDescription() == "去掉：简洁\n加上：详细"


def test_text_of_a_memory_is_never_taken_for_html(view):
    view.show_diff("<b>bold</b>", "<b>bold</b> <img src=x onerror=alert(1)>")
    assert "<b>bold</b>" in view.toPlainText()
    assert "<img src=x onerror=alert(1)>" in view.toPlainText()
    cursor = QTextCursor(view.document())
    cursor.select(QTextCursor.SelectionType.Document)
    assert not any(
        struck or under for text, struck, under, _ in formats(view) if text == "<b>bold</b>"
    )


def test_hidden_characters_are_drawn(view):
    view.show_diff("pay pal", "pay\u200bpal")
    assert "⟦U+200B⟧" in view.toPlainText()


def test_a_change_of_nothing_but_line_ends_is_seen(view):
    view.show_diff("a b", "a\n\nb")
    assert "↵" in view.toPlainText()
    assert "line end" in view.accessibleDescription()


def test_a_secret_that_comes_is_dots_for_eye_and_ear(view):
    secret = "sk-ant-api03-" + "Zx9" * 12
    view.show_diff("my key", f"my key {secret}")
    assert secret not in view.toPlainText()
    assert secret not in view.accessibleDescription()


def test_around_a_change_only_its_neighbourhood_is_shown(qtbot):
    view = DiffView(Words("en"), "test.diff", context=20)
    qtbot.addWidget(view)
    long = "word " * 400
    view.show_diff(long + "old " + long, long + "new " + long)
    shown = view.toPlainText()
    assert "−old+new" in shown
    assert len(shown) < 120
    assert shown.count("…") == 2


def test_an_endless_text_does_not_hold_the_window_up(view, qtbot):
    started = process_time()
    view.show_diff("深" * 500_000, "色" * 500_000)
    assert process_time() - started < 2


def test_wiping_leaves_nothing(view):
    view.show_diff(OLD, NEW)
    view.wipe()
    assert (view.toPlainText(), view.accessibleDescription(), view.differs) == ("", "", False)
    view.retranslate()
    assert view.accessibleDescription() == ""


def test_made_elsewhere(view):
    view.show_changes(words_diff(OLD, NEW))
    assert view.differs
