# SPDX-License-Identifier: MIT
"""Everything that can be used can be found, heard, and reached with the keyboard alone."""

import pytest
from fake_services import FakeServices
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QWidget,
)

from memory_gui.ui.views import ACTIVITY, MEMORIES, TRASH

USED = (QAbstractButton, QLineEdit, QComboBox, QAbstractScrollArea)


def usable(window):
    """Widgets that take the keyboard, without the insides of Qt's own ones."""
    for widget in window.findChildren(QWidget):
        own = not widget.objectName().startswith("qt_") and not isinstance(widget, QMenu)
        inside = isinstance(widget.parent(), QLineEdit | QComboBox)
        popup = widget.window() is not window
        takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        shown = widget.isVisible()
        if isinstance(widget, USED) and own and takes and shown and not inside and not popup:
            yield widget


def spoken(widget):
    if isinstance(widget, QComboBox):  # Qt calls it by its choice, whatever it is for
        return widget.accessibleName()
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface else ""


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_usable_widget_has_both_names(window, settled, language):
    window._preferences.read_language(language)
    for view in (MEMORIES, TRASH, ACTIVITY):
        window.choose_view(view)
        settled()
        assert len(list(usable(window))) > 3, view.name
        assert nameless(window) == [], view.name


@pytest.mark.parametrize("state", ["edit", "new", "start", "filters", "bulk", "several", "asked"])
def test_and_so_in_other_states(window, settled, state):
    if state == "edit":
        window.memories.edit_current()
    elif state == "new":
        window.memories.new_memory()
    elif state == "filters":
        window.memories.toggle_filters()
        settled()
        window.memories.list.narrowing.choose({"type": {"decision"}, "tag": {""}})
    elif state == "bulk":
        window.findChild(QWidget, "memories.list").selectAll()
        window.findChild(QAbstractButton, "bulk.tag").click()
    elif state == "start":
        window.go("start")
    else:
        window.choose_view(TRASH)
        settled()
        window.findChild(QWidget, "memories.list").selectAll()
        if state == "asked":
            window.memories.trash_selected()
    settled()
    assert len(list(usable(window))) > 3
    assert nameless(window) == []


def nameless(window):
    return [
        f"{type(w).__name__} {w.objectName()!r} {spoken(w)!r}"
        for w in usable(window)
        if not w.objectName() or not (spoken(w) or has_buddy(window, w))
    ]


def has_buddy(window, widget):
    """A combo box is always called by its choice; its label names it."""
    return any(label.buddy() is widget and label.text() for label in window.findChildren(QLabel))


def test_no_label_has_a_spoken_name(window):
    assert [w.objectName() for w in window.findChildren(QLabel) if w.accessibleName()] == []


def test_no_two_visible_widgets_share_a_name(window, settled):
    names = [w.objectName() for w in usable(window)]
    assert len(names) == len(set(names)), sorted(names)


def walk(window, start):
    """Where Tab leads, from a widget and round to it again."""
    start.setFocus()
    seen = [start.objectName()]
    for _ in range(60):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        name = QApplication.focusWidget().objectName()
        if name in seen:
            break
        seen.append(name)
    return seen


def test_tab_goes_from_the_search_through_the_panes(window, settled):
    order = walk(window, window.findChild(QLineEdit, "search"))
    wanted = [
        "search", "top.theme", "top.lock", "top.more", "sidebar.stores", "sidebar.views",
        "sidebar.open", "memories.sort", "memories.new", "memories.list", "detailText",
        "detail.edit", "detail.trash", "detail.erase",
    ]  # fmt: skip
    assert [name for name in order if name in wanted] == wanted


def test_tab_goes_through_the_editor_in_reading_order(window, settled):
    window.memories.edit_current()
    settled()
    order = walk(window, window.findChild(QLineEdit, "editor.title"))
    wanted = [
        "editor.title", "editor.text", "editor.tags", "editor.scope", "editor.type",
        "editor.cancel", "editor.save",
    ]  # fmt: skip
    assert [name for name in order if name in wanted] == wanted


def test_the_main_job_by_keys_alone(qtbot, window, fake: FakeServices, settled):
    """Find, correct, trash, restore, lock: no mouse, no direct call."""
    ctrl = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(window, Qt.Key.Key_F, ctrl)
    qtbot.keyClicks(QApplication.focusWidget(), "8080")
    qtbot.wait(250)
    settled()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F2)
    settled()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_A, ctrl)
    qtbot.keyClicks(QApplication.focusWidget(), "Port 9090.")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return, ctrl)
    settled()
    assert [edit.fields for (edit,) in fake.called("edit")] == [{"text": "Port 9090."}]
    qtbot.keyClick(window, Qt.Key.Key_F, ctrl)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    settled()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Delete)
    settled()
    assert len(fake.called("trash")) == 1
    qtbot.keyClick(window, Qt.Key.Key_Z, ctrl)
    settled()
    assert len(fake.called("undo")) == 1
    qtbot.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.AltModifier)
    settled()
    assert window.memories.view is TRASH
    qtbot.keyClick(window, Qt.Key.Key_L, ctrl)
    settled()
    assert window.page_name == "locked"
