# SPDX-License-Identifier: MIT
"""One switch takes every text off the screen and out of a screen reader's reach."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.records import PROJECT, record
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget

from memory_gui.domain.records import State
from memory_gui.findings.secrets import DOTS
from memory_gui.ui.pages.text_view import TextView
from memory_gui.ui.privacy.buttons import HideButton
from memory_gui.ui.views import MEMORIES, REVIEW, SUMMARIES, TRASH

sys.path.insert(0, str(Path(__file__).parents[1] / "pages"))

import scene

CANARY = "zqxcanary"
SECRET = "hunter2-xyz"


@pytest.fixture
def full(window, fake, settled):
    """The window over records that all say the canary, and a password each."""
    for ref in list(fake.library.records):
        fake.library.drop(ref)
    for number in range(6):
        fake.library.put(said(number))
    fake.library.put(said(20, state=State.TRASH))
    fake.library.put(said(30, kind="review", state=State.PENDING))
    fake.library.put(said(40, kind="summary"))
    window.memories.refresh()
    settled()
    window.memories.go_to(0)
    settled()
    return window


def said(number, **more):
    one = record(number, store=PROJECT, title=f"{CANARY} title password: {SECRET}", **more)
    text = f"{CANARY} text\npassword: {SECRET}"
    extra = {**one.extra, "evidence_text": f"{CANARY} evidence token={SECRET}", "evidence": text}
    return replace(one, text=text, tags=(f"{CANARY}tag",), subject=f"{CANARY}key", extra=extra)


def everything(window):
    """All that eyes and screen readers get of the window, hidden pages left out."""
    found = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible():
            continue
        for name in ("text", "toPlainText", "displayText", "toolTip"):
            method = getattr(widget, name, None)
            if callable(method) and not (name == "text" and isinstance(widget, QLineEdit)):
                found.append(str(method()))
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface is not None and interface.isValid():
            for kind in (
                QAccessible.Text.Name,
                QAccessible.Text.Value,
                QAccessible.Text.Description,
            ):
                found.append(interface.text(kind))
            part = interface.textInterface()
            if part is not None:
                found.append(part.text(0, part.characterCount()))
    model = window.memories.model
    for row in range(model.rowCount()):
        for role in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.AccessibleTextRole,
            Qt.ItemDataRole.AccessibleDescriptionRole,
            Qt.ItemDataRole.ToolTipRole,
        ):
            found.append(str(model.data(model.index(row, 0), role)))
    return "\n".join(found)


def toggle(window):
    window.findChild(HideButton, "top.hide").click()
    QApplication.processEvents()


@pytest.mark.parametrize("view", [MEMORIES, TRASH, SUMMARIES, REVIEW], ids=lambda v: v.name)
def test_no_view_shows_a_text(full, settled, view):
    full.choose_view(view)
    settled()
    full.memories.go_to(0)
    settled()
    assert CANARY in everything(full)
    before = full.grab().toImage()
    toggle(full)
    settled()
    assert CANARY not in everything(full)
    assert full.grab().toImage() != before
    toggle(full)
    settled()
    assert CANARY in everything(full)


@pytest.mark.parametrize("view", [MEMORIES, TRASH, SUMMARIES, REVIEW], ids=lambda v: v.name)
def test_no_view_shows_a_secret(full, settled, view):
    full.choose_view(view)
    settled()
    full.memories.go_to(0)
    settled()
    said = everything(full)
    assert CANARY in said
    assert SECRET not in said
    assert DOTS in said


def test_rows_that_come_later_are_hidden_too(full, fake, settled):
    toggle(full)
    fake.library.put(said(77))
    full.memories.refresh()
    settled()
    full.memories.go_to(1)
    settled()
    assert CANARY not in everything(full)


def test_the_sign_is_clear(full):
    button = full.findChild(HideButton, "top.hide")
    assert button.accessibleName() == "Hide all texts"
    narrow = button.sizeHint().width()
    toggle(full)
    assert button.isChecked()
    assert button.accessibleName() == "Show the texts again"
    assert button.sizeHint().width() > 2 * narrow  # it says "Texts hidden"


def test_what_is_searched_for_is_dots(full, settled):
    box = full.findChild(QLineEdit, "search")
    full.search(CANARY)
    toggle(full)
    assert CANARY not in box.displayText()
    interface = QAccessible.queryAccessibleInterface(box)
    assert CANARY not in interface.text(QAccessible.Text.Value)
    assert box.text() == CANARY
    toggle(full)
    assert box.displayText() == CANARY


def test_by_keyboard(full):
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(full, Qt.Key.Key_H, keys)
    assert full._context.privacy.hiding.hidden
    QTest.keyClick(full, Qt.Key.Key_H, keys)
    assert not full._context.privacy.hiding.hidden


def test_it_can_begin_hidden(full, fake):
    fake.settings.change(hide_at_start=True)
    full._guarding.begin()
    assert full._context.privacy.hiding.hidden
    assert CANARY not in everything(full)


def test_secrets_are_shown_while_the_button_is_held(full, settled):
    hold = full.findChild(QAbstractButton, "detail.reveal")
    text = full.findChild(TextView, "detailText")
    title = full.findChild(QLabel, "detail.title")
    assert hold.isVisible()
    assert "a password or key" in full.findChild(QLabel, "detail.secrets").text()
    QTest.mousePress(hold, Qt.MouseButton.LeftButton)
    assert SECRET in text.toPlainText()
    assert SECRET in title.text()
    QTest.mouseRelease(hold, Qt.MouseButton.LeftButton)
    assert SECRET not in everything(full)


def test_the_next_record_is_covered_although_the_button_is_still_held(full, settled):
    hold = full.findChild(QAbstractButton, "detail.reveal")
    QTest.mousePress(hold, Qt.MouseButton.LeftButton)
    full.memories.go_to(1)
    settled()
    assert SECRET not in everything(full)


def test_covering_can_be_switched_off(full, fake, settled):
    fake.settings.change(mask_secrets=False)
    full._guarding.apply()
    assert SECRET in everything(full)
    assert not full.findChild(QAbstractButton, "detail.reveal").isVisible()


def test_copying_takes_the_whole_text_and_says_for_how_long(full, fake):
    full.findChild(QAbstractButton, "detail.copy").click()
    board = QGuiApplication.clipboard()
    assert board.text() == f"{CANARY} text\npassword: {SECRET}"
    assert board.mimeData().hasFormat("x-kde-passwordManagerHint")
    banner = full.findChild(QWidget, "memories.banner")
    told = banner.findChild(QLabel, "banner.text").text()
    assert told == "Copied. It leaves the clipboard after 45 seconds."
    full.lock()
    assert board.text() == ""


def test_ctrl_c_in_the_list_copies_the_text(full):
    table = full.findChild(QWidget, "memories.list")
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().endswith(f"password: {SECRET}")
    full._context.privacy.clipboard.forget()


def test_quitting_takes_the_copied_text_back(full):
    full.memories.copy_current()
    full.close()
    assert QGuiApplication.clipboard().text() == ""


def test_tags_to_filter_by_are_texts_too(full, settled):
    full.memories.toggle_filters()
    full.memories.list.narrowing.panel.choose({"tag": frozenset({f"{CANARY}tag"})})
    settled()
    chips = full.findChild(QWidget, "facets.chips")
    shown = [button.text() for button in chips.findChildren(QAbstractButton)]
    assert f"Tag: {CANARY}tag" in shown
    toggle(full)
    assert CANARY not in everything(full)
    toggle(full)


def test_titles_in_an_erase_plan_and_in_what_was_told(full, fake, settled):
    fake.erasing.plan_value = scene.plan(3)
    full.go("erase", tuple(list(fake.library.records)[:3]))
    settled()
    assert CANARY in everything(full)
    toggle(full)
    assert CANARY not in everything(full)
    toggle(full)
    full.choose_view(REVIEW)
    settled()
    toggle(full)
    QTest.keyClick(full.findChild(QWidget, "page.review"), Qt.Key.Key_R)
    settled()
    assert CANARY not in everything(full)


def test_what_is_selected_is_copied_and_not_the_whole_text(full):
    board = QGuiApplication.clipboard()
    view = full.findChild(TextView, "detailText")
    view.setFocus()
    cursor = view.textCursor()
    cursor.setPosition(3)
    cursor.setPosition(9, cursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert board.text() == CANARY[3:9]
    title = full.findChild(QLabel, "detail.title")
    title.setFocus()
    title.setSelection(0, 4)
    QTest.keyClick(title, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert board.text() == CANARY[:4]
    assert board.mimeData().hasFormat("x-kde-passwordManagerHint")
    full._context.privacy.clipboard.forget()
