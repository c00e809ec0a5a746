# SPDX-License-Identifier: MIT
"""Saved searches above the filters: saved by name, chosen again, replaced, removed, forgotten."""

import pytest
from looking import child, press, titles
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QMenu

from memory_gui.ui.records.facets.saved import SaveLine

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture
def menu(window, settled):
    """Opens the menu and gives its entries by their texts."""
    press(window, "memories.filters")
    settled()

    def opened():
        press(window, "saved.open")
        settled()
        found = child(window, QMenu, "saved.menu")
        return {entry.text(): entry for entry in found.actions() if entry.text()}

    return opened


def search(window, settled, text):
    window.search(text)
    QTest.qWait(250)
    settled()


def save(window, settled, name):
    child(window, QLineEdit, "saved.name").setText(name)
    press(window, "saved.save")
    settled()


def test_what_is_shown_is_saved_and_shown_again(window, settled, menu):
    everything = titles(window)
    assert not menu()["Save this search…"].isEnabled(), "everything is shown: nothing to save"
    search(window, settled, "style")
    window.memories.list.narrowing.choose({"type": frozenset({"preference"})})
    settled()
    found = titles(window)
    assert found != everything
    menu()["Save this search…"].trigger()
    save(window, settled, "my style & co")
    assert not child(window, SaveLine, "saved.line").isVisible()
    window.memories.list.narrowing.choose({})
    search(window, settled, "")
    assert titles(window) == everything
    menu()["my style && co"].trigger()
    QTest.qWait(250)
    settled()
    assert titles(window) == found
    assert window._panes.top.text == "style"
    assert window.memories.query.facets == {"type": frozenset({"preference"})}


def test_a_name_that_is_taken_is_said_and_may_be_given_again(window, settled, menu, fake):
    fake.filters.save("mine", "old")
    search(window, settled, "new")
    menu()["Save this search…"].trigger()
    save(window, settled, "mine")
    button = child(window, QAbstractButton, "saved.save")
    assert button.text() == "Replace"
    assert fake.filters.get("mine").text == "old"
    QTest.keyClick(child(window, QLineEdit, "saved.name"), Qt.Key.Key_Return)
    settled()
    assert fake.filters.get("mine").text == "new"


def test_one_is_removed_and_texts_are_hidden_and_forgotten(window, settled, menu, fake):
    fake.filters.save("mine", "old")
    removing = menu()["Remove"].menu()
    removing.actions()[0].trigger()
    settled()
    assert fake.filters.list() == ()
    fake.filters.save("other", "old")
    window._context.privacy.hiding.toggle()
    assert "other" not in menu()
    child(window, QLineEdit, "saved.name").setText("half typed")
    window.memories.clear()
    assert child(window, QLineEdit, "saved.name").text() == ""
    assert (
        not window.findChildren(QMenu, "saved.menu")
        or not child(window, QMenu, "saved.menu").isVisible()
    )
    window._context.privacy.hiding.toggle()
