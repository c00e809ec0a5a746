# SPDX-License-Identifier: MIT
"""There is always one record on the right; an act without one says what it needs."""

import pytest
from fake_services import record
from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QWidget

from memory_gui.ui.records.listing.delegate import MemoryDelegate
from memory_gui.ui.records.listing.table import MemoryTable
from memory_gui.ui.views import MEMORIES, SUMMARIES, TRASH
from memory_gui.words import Words


def table(window):
    return window.findChild(MemoryTable, "memories.list")


def title(window):
    return window.findChild(QLabel, "detail.title").text()


def told(window, name="memories.banner"):
    where = window.findChild(QWidget, name)
    return where.findChild(QLabel, "banner.text").text() if where.isVisible() else ""


@pytest.mark.parametrize("view", [TRASH, SUMMARIES])
def test_another_view_begins_with_its_first_row(window, settled, view):
    window.memories.go_to(5)
    window.choose_view(view)
    settled()
    assert table(window).currentIndex().row() == 0
    assert title(window)
    if view is TRASH:
        assert window.findChild(QWidget, "detail.restore").isVisible()


def test_after_a_button_of_the_detail_the_keyboard_is_in_the_list(qtbot, window, settled):
    """Left to Qt it would be on "Undo", which the next Return would press."""
    for view, name in ((MEMORIES, "detail.trash"), (TRASH, "detail.restore")):
        window.choose_view(view)
        settled()
        button = window.findChild(QPushButton, name)
        button.setFocus()
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        settled()
        assert table(window).hasFocus()
        assert "1 record is" in told(window)


def test_a_single_hit_is_shown(qtbot, window, settled):
    window.memories.go_to(5)
    window.search("deploy_port_7")
    qtbot.waitUntil(lambda: window.memories.model.rowCount() == 1)
    settled()
    assert title(window) == "deploy_port_7"


def test_what_is_chosen_stays_chosen(window, settled):
    window.memories.go_to(5)
    settled()
    before = title(window)
    window.memories.refresh()
    settled()
    assert title(window) == before


@pytest.mark.parametrize(
    ("key", "modifiers"),
    [
        (Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier),
        (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier),
    ],
)
def test_with_nothing_chosen_an_act_says_so(qtbot, window, settled, key, modifiers):
    table(window).clearSelection()
    qtbot.keyClick(table(window), key, modifiers)
    settled()
    assert told(window) == "Choose a record in the list first."


def test_on_another_page_too(window, settled):
    window.choose_view(MEMORIES)
    window.go("settings")
    settled()
    window.findChild(QAction, "act.erase").trigger()
    assert told(window, "window.banner") == "Choose a record in the list first."


def test_a_summary_does_not_say_its_title_twice(window, fake, settled):
    said = record(9_000, kind="summary", title="Bookings", text="# Bookings\n\nTwo legs.")
    fake.library.put(said)
    window.choose_view(SUMMARIES)
    settled()
    rows = range(window.memories.model.rowCount())
    window.memories.go_to(next(r for r in rows if window.memories.model.record(r) == said))
    settled()
    assert title(window) == "Bookings"
    assert window.findChild(QPlainTextEdit, "detailText").toPlainText() == "Two legs."


def test_what_is_no_memory_is_not_edited(qtbot, window, settled):
    window.choose_view(SUMMARIES)
    settled()
    qtbot.keyClick(table(window), Qt.Key.Key_F2)
    assert told(window) == "Only memories can be edited."
    qtbot.keyClick(table(window), Qt.Key.Key_Delete)
    assert told(window) == "Only memories can go to the trash."


def test_a_hit_is_marked_until_the_search_ends(qtbot, window, settled):
    def first_row():
        settled()
        view = table(window)
        return view.viewport().grab(view.visualRect(view.model().index(0, 0))).toImage()

    window.search("deploy_port_7")
    qtbot.waitUntil(lambda: window.memories.model.rowCount() == 1)
    marked = first_row()
    window.memories.list.delegate.mark(())
    assert first_row() != marked
    window.memories.list.delegate.mark(("deploy_port_7",))
    assert first_row() == marked
    window.memories.clear()
    assert window.memories.list.delegate.needles == (), "nothing of it is left after the lock"


class Rows(QAbstractTableModel):
    """Counts how often it is asked for a row's columns, as Qt does for each index it makes."""

    asked = 0

    def rowCount(self, parent=QModelIndex()):  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else 5_000

    def columnCount(self, parent=QModelIndex()):  # noqa: B008 - Qt's signature
        self.asked += 1
        return 0 if parent.isValid() else 1

    def data(self, index, role=0):
        return None


def test_all_rows_are_chosen_at_once_under_a_screen_reader_too(qapp):
    was = QAccessible.isActive()
    QAccessible.setActive(True)
    try:
        rows, delegate = Rows(), MemoryDelegate(Words())
        shown = MemoryTable(delegate)
        shown.setModel(rows)
        rows.asked = 0
        shown.selectAll()
        shown.go_to(3)
        assert shown.selected_count() == 1
        assert rows.asked < 1_000
    finally:
        QAccessible.setActive(was)
