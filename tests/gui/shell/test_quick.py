# SPDX-License-Identifier: MIT
"""Ctrl+K: everything by a few letters, in both languages, by keyboard and by ear."""

import pytest
from fake_services import PROJECT
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QWidget

from memory_gui.services import KnownStore
from memory_gui.ui.pages.settings_table import TABLE
from memory_gui.ui.shell.actions import ACTS
from memory_gui.ui.shell.quick.entries import NOT_OFFERED
from memory_gui.ui.views import VIEWS
from memory_gui.words import Words

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def box(window, qtbot, settled):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    settled()
    window._quick.toggle()
    settled()
    qtbot.waitUntil(lambda: window._quick.box.findChild(QLineEdit).hasFocus())
    return window._quick.box


def line(box):
    return box.findChild(QLineEdit, "quick.line")


def rows(box):
    found = box.findChild(QListWidget, "quick.list")
    return [found.item(n).data(Qt.ItemDataRole.UserRole).text for n in range(found.count())]


def chosen(box):
    return box.findChild(QListWidget, "quick.list").currentItem().data(Qt.ItemDataRole.UserRole)


def test_it_lists_every_act_view_store_and_setting(window, box, fake, settled):
    fake.library.known_stores = (KnownStore("/b/beta.db", "beta", "agentao", ""),)
    fake.home.at_hand_view = fake.home.look()
    window._quick.toggle()
    window._quick.toggle()
    settled()
    shown = rows(box)
    enabled = [a for a in ACTS if window._commands.actions[a.name].isEnabled()]
    for act in enabled:
        text = window._commands.actions[act.name].text()
        assert (text in shown) == (act.name not in NOT_OFFERED), act.name
    assert len(enabled) > 12
    for view in VIEWS:
        assert view.title in shown
    for setting in TABLE:
        assert setting.label in shown
    assert {"atlas", "You, everywhere", "beta"} <= set(shown)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("typed", ["lock", "LOCK", "锁定", "sd"])
def test_a_few_letters_find_an_act_in_both_languages(window, box, settled, language, typed):
    window._preferences.use_language(language)
    settled()
    line(box).setText(typed)
    assert Words(language).say("Lock") in rows(box)[:3]
    window._preferences.use_language("en")
    settled()


def test_return_does_it_and_the_keyboard_goes_back(window, box, qtbot, settled):
    window._quick.toggle()
    table = window.memories.findChild(QWidget, "list.table") or window.memories.list.table
    table.setFocus()
    window._quick.toggle()
    QTest.keyClicks(line(box), "settings")
    assert chosen(box).text == "Settings"
    QTest.keyClick(line(box), Qt.Key.Key_Return)
    settled()
    assert not box.isVisible()
    assert window.page_name == "settings"
    window._quick.toggle()
    before = window.focusWidget()
    assert before is line(box)
    QTest.keyClick(line(box), Qt.Key.Key_Escape)
    assert not box.isVisible()
    assert window.page_name == "settings"


def test_the_arrows_go_round(box):
    count = len(rows(box))
    QTest.keyClick(line(box), Qt.Key.Key_Up)
    assert box.findChild(QListWidget).currentRow() == count - 1
    QTest.keyClick(line(box), Qt.Key.Key_Down)
    QTest.keyClick(line(box), Qt.Key.Key_Down)
    assert box.findChild(QListWidget).currentRow() == 1
    QTest.keyClick(line(box), Qt.Key.Key_PageUp)
    assert box.findChild(QListWidget).currentRow() == 0


def test_each_row_is_spoken(box):
    found = box.findChild(QListWidget, "quick.list")
    reader = QAccessible.queryAccessibleInterface(found)
    names = [reader.child(n).text(QAccessible.Text.Name) for n in range(reader.childCount())]
    assert len(names) == found.count()
    assert any(name.startswith("Lock, Act, ") for name in names)
    assert line(box).accessibleName() == "Commands"


def test_what_is_chosen_is_announced(box, monkeypatch):
    said = []
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: said.append(event.message())
    )
    QTest.keyClick(line(box), Qt.Key.Key_Down)
    count = len(rows(box))
    assert said == [f"{chosen(box).spoken(Words('en'))}, 2 of {count}"]


def test_nothing_found_is_said(box):
    line(box).setText("xyzzy")
    assert rows(box) == []
    assert box.findChild(QLabel, "quick.nothing").isVisible()


def test_a_store_is_shown_alone(window, box, fake, settled):
    fake.home.at_hand_view = fake.home.look()
    window._quick.toggle()
    window._quick.toggle()
    settled()
    line(box).setText("atlas")
    assert chosen(box).text == "atlas"
    QTest.keyClick(line(box), Qt.Key.Key_Return)
    settled()
    assert window._panes.sidebar.stores == {PROJECT}


def test_locking_closes_it_and_forgets(window, box, fake, settled):
    fake.home.at_hand_view = fake.home.look()
    window._quick.toggle()
    window._quick.toggle()
    settled()
    assert "atlas" in rows(box)
    QTest.keyClick(line(box), Qt.Key.Key_L, CTRL)
    settled()
    assert window.page_name == "locked"
    assert not box.isVisible()
    assert rows(box) == []
    assert window._quick._entries._home.cards == ()


def test_ctrl_k_opens_and_closes_it(window, box, qtbot, settled):
    QTest.keyClick(line(box), Qt.Key.Key_K, CTRL)
    assert not box.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_K, CTRL)
    assert box.isVisible()


def test_it_follows_the_size_of_the_window(window, box):
    window.resize(960, 600)
    assert box.geometry().center().x() == pytest.approx(480, abs=2)
    assert window.rect().contains(box.geometry())


def test_a_click_elsewhere_closes_it(window, box, settled):
    window._panes.top.focus_search()
    settled()
    assert not box.isVisible()
