# SPDX-License-Identifier: MIT
"""What the open stores cannot do is not offered: acts with their reason, views, orders."""

import shutil
from pathlib import Path

from looking import child
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QListWidget, QWidget
from waiting import settle
from working import opened

from memory_gui.engine.create import create_database
from memory_gui.ui.shell.siderows import ROLE
from memory_gui.ui.views import MEMORIES, REVIEW

DATA = Path(__file__).parents[2] / "data"
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
WHY = "What its program expects of the rows is not known here, so nothing in it is changed."
NEVER = ("new", "edit", "trash", "erase", "clean")


def views(window):
    rows = child(window, QListWidget, "sidebar.views")
    return [rows.model().index(row, 0).data(ROLE).name for row in range(rows.count())]


def orders(window):
    box = child(window, QComboBox, "memories.sort")
    return [box.itemText(row) for row in range(box.count())], box.currentText()


def said(window, name="window.banner"):
    return child(window, QWidget, name).findChild(QLabel, "banner.text").text()


def test_a_database_that_nobody_declared_and_then_one_that_can(tmp_path, real_window, qtbot):
    any_db = tmp_path / "any.db"
    create_database(any_db, None, "CREATE TABLE t (name); INSERT INTO t VALUES ('fish');")
    window = opened(real_window(tmp_path / "home"), any_db)
    window.activateWindow()
    actions = window._commands.actions
    assert views(window) == ["memories"]
    assert orders(window) == (["By title", "As stored"], "As stored")

    for name in NEVER:
        assert not actions[name].isEnabled(), name
        assert WHY in actions[name].toolTip().replace("\n", " "), name
    assert not actions["agent_line"].isEnabled()
    for key, modifier in (
        (Qt.Key.Key_E, CTRL | SHIFT), (Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_N, CTRL),
    ):  # fmt: skip
        window._panes.banner.dismiss()
        qtbot.keyClick(window, key, modifier)
        settle(window.bridge)
        assert (window.page_name, said(window)) == ("memories", WHY)
    qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    assert "Review: no open store can have such records." in said(window)
    assert window.memories.view is MEMORIES

    window._quick.toggle()
    settle(window.bridge)
    child(window, QLineEdit, "quick.line").setText("erase")
    entries = child(window, QListWidget, "quick.list")
    shown = {e.text: e for row in range(entries.count()) if (e := entries.item(row).data(ROLE))}
    assert shown["Erase…"].group == WHY
    window._panes.banner.dismiss()
    shown["Erase…"].run()
    assert said(window) == WHY
    window._quick.clear()

    notes = tmp_path / ".agent-harness" / "memory"
    notes.mkdir(parents=True)
    (notes / "project.md").write_text("one\n\ntwo\n")
    window.open_paths([str(notes)])
    settle(window.bridge, 30)
    assert views(window) == ["memories", "review", "summaries", "activity"]
    assert not actions["erase"].isEnabled(), "the first one is still the chosen one"
    child(window, QListWidget, "sidebar.stores").setCurrentRow(0)
    settle(window.bridge)
    assert all(actions[name].isEnabled() for name in NEVER)
    window.memories.list.table.selectAll()
    window.memories.erase_selected()
    settle(window.bridge, 30)
    assert window.page_name == "erase"
    assert "1 record is in a store in which nothing can be erased" in said(
        window, "memories.banner"
    )
    window.go("start")
    window.choose_view(REVIEW)
    window._commands.close_store(str(notes))
    settle(window.bridge, 30)
    assert (views(window), window.memories.view) == (["memories"], MEMORIES)


def test_orders_follow_what_the_chosen_store_has(tmp_path, real_window):
    for name, folder in (("facts/research.db", ""), ("mcp-server-memory/memory.jsonl", "")):
        shutil.copy(DATA / name, tmp_path / folder)
    window = opened(real_window(tmp_path / "home"), tmp_path / "research.db")
    assert orders(window) == (["By date made", "By source", "By person"], "By date made")
    assert window.memories.list.head.sort == "-created"
    window.open_paths([str(tmp_path / "memory.jsonl")])
    settle(window.bridge, 30)
    window._panes.sidebar.choose_store(str(tmp_path / "memory.jsonl"))
    settle(window.bridge)
    assert orders(window) == (["By title", "By type", "By person", "As stored"], "As stored")
    assert window.memories.list.head.sort == "kind"
    assert window.memories.services.settings.values.list_order == "-updated", "chosen by nobody"
