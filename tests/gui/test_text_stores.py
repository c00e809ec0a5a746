# SPDX-License-Identifier: MIT
"""The window over real stores that are text files: list, search, edit, new, delete, erase; the
drawing of relations with the keyboard and for a screen reader; old JSON made into a database.
"""

import json
import shutil
from pathlib import Path

import pytest
import working
from looking import child
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QListWidget, QPlainTextEdit, QWidget
from waiting import settle
from working import erase, opened, press

from memory_gui.domain.records import Ref
from memory_gui.ui.graph.node import NodeButton
from memory_gui.ui.views import MEMORIES, SUMMARIES

DATA = Path(__file__).parents[1] / "data"


def choose(window, text):
    """The one record that holds a text, chosen."""
    found = working.choose(window, f'"{text}"')
    assert window.memories.model.rowCount() == 1
    return found


def banner(window):
    return child(window, QWidget, "window.banner")


def told(window):
    return child(banner(window), QLabel, "banner.text").text()


def press_banner(window):
    child(banner(window), QAbstractButton, "banner.action0").click()
    settle(window.bridge, 30)


@pytest.fixture
def notes(tmp_path, real_window):
    shutil.copytree(DATA / "notes" / "home", tmp_path / "sample")
    folder = tmp_path / "sample" / ".agent-harness" / "memory"
    (folder / "sessions").mkdir()
    (folder / "sessions" / "one.json").write_text('{"messages": ["Guten Tag"]}')
    return opened(real_window(tmp_path / "home"), tmp_path / "sample"), folder


@pytest.fixture
def graph(tmp_path, real_window):
    shutil.copy(DATA / "mcp-server-memory" / "memory.jsonl", tmp_path / "memory.jsonl")
    return opened(real_window(tmp_path / "home"), tmp_path / "memory.jsonl"), tmp_path


def test_notes_are_listed_changed_and_erased(notes):
    window, folder = notes
    assert window.memories.model.rowCount() == 17
    window.choose_view(SUMMARIES)
    settle(window.bridge)
    assert window.memories.model.rowCount() == 1
    window.choose_view(MEMORIES)
    settle(window.bridge)
    choose(window, "zqo-harness-008-34b0bb")
    window.memories.edit_current()
    settle(window.bridge)
    child(window, QPlainTextEdit, "editor.text").setPlainText("zq-corrected in the window")
    press(window, "editor.save")
    user = folder / "user.md"
    assert "zq-corrected in the window" in user.read_text("utf-8")
    assert "zqo-harness-008-34b0bb" not in user.read_text("utf-8")
    record = choose(window, "zq-corrected in the window")
    shown = erase(window, [record.ref])
    assert "Proved gone" in shown
    assert "zq-corrected" not in user.read_text("utf-8")
    window.memories.set_text("")
    settle(window.bridge)
    window.memories.new_memory()
    settle(window.bridge)
    child(window, QPlainTextEdit, "editor.text").setPlainText("zq-new from the window")
    press(window, "editor.save")
    assert "zq-new from the window" in (folder / "project.md").read_text("utf-8")


def test_a_graph_is_listed_changed_and_erased(graph):
    window, folder = graph
    file = folder / "memory.jsonl"
    choose(window, "zqo-servermem-002-d91e84")
    window.memories.edit_current()
    settle(window.bridge)
    child(window, QPlainTextEdit, "editor.text").setPlainText("zq-observed in the window")
    press(window, "editor.save")
    assert "zq-observed in the window" in file.read_text("utf-8")
    record = choose(window, "zq-observed in the window")
    assert "Proved gone" in erase(window, [record.ref])
    assert "zq-observed" not in file.read_text("utf-8")
    assert all(map(json.loads, file.read_text("utf-8").split("\n")))


class TestRelations:
    @pytest.fixture
    def page(self, graph, qtbot):
        window, folder = graph
        ref = Ref(str(folder / "memory.jsonl"), "entity", ("林晓雨",))
        window.go("graph", ref)
        settle(window.bridge)
        return window

    def nodes(self, window):
        shown = (node for node in window.findChildren(NodeButton) if not node.isHidden())
        return sorted(shown, key=lambda node: node.number)

    def test_each_is_read_aloud_and_walked_to_by_the_keyboard(self, page, qtbot):
        nodes = self.nodes(page)
        assert [node.accessibleName() for node in nodes] == [
            "林晓雨, person, 2 relations",
            "Project Ginkgo 银杏, project, 2 relations, 1 step away",
            "nobody (dangling), not in the store, 1 relation, 1 step away",
            "Mateo Álvarez, person, 1 relation, 2 steps away",
        ]
        for node in nodes:
            interface = QAccessible.queryAccessibleInterface(node)
            assert interface.role() == QAccessible.Role.Button
        tabbed = [node.focusPolicy() == Qt.FocusPolicy.StrongFocus for node in nodes]
        assert tabbed == [True, False, False, False]
        qtbot.keyClick(nodes[0], Qt.Key.Key_Down)
        here = next(node for node in nodes if node.focusPolicy() == Qt.FocusPolicy.StrongFocus)
        assert here is not nodes[0]
        qtbot.keyClick(here, Qt.Key.Key_Home)
        relations = child(page, QListWidget, "graph.relations")
        said = [relations.item(row).text() for row in range(relations.count())]
        assert said == ["works on → Project Ginkgo 银杏", "mentions → nobody (dangling)"]
        relations.itemActivated.emit(relations.item(0))
        qtbot.keyClick(nodes[1], Qt.Key.Key_Return)
        settle(page.bridge)
        assert self.nodes(page)[0].text() == "Project Ginkgo 银杏"
        page.resize(1280, 800)
        for node in self.nodes(page):
            assert node.visibleRegion().boundingRect() == node.rect(), "all of a chain is in sight"
        qtbot.keyClick(self.nodes(page)[0], Qt.Key.Key_Escape)
        assert page.page_name == "memories"

    def test_hidden_and_locked_nothing_is_left(self, page):
        hide = page.findChild(QAction, "act.hide")
        hide.trigger()
        settle(page.bridge)
        texts = [node.text() + node.accessibleName() for node in self.nodes(page)]
        assert texts
        assert not any("Ginkgo" in text or "林" in text for text in texts)
        hide.trigger()
        settle(page.bridge)
        assert "Ginkgo" in self.nodes(page)[1].text()
        page.lock()
        settle(page.bridge, 30)
        left = [w.text() + w.accessibleName() for w in page.findChildren(NodeButton)]
        assert not any(left)
        assert child(page, QListWidget, "graph.relations").count() == 0

    def test_the_record_has_the_way_there(self, graph):
        window, _ = graph
        window.memories.set_text("kind:entity")
        settle(window.bridge)
        window.memories.go_to(0)
        settle(window.bridge)
        press(window, "detail.relations.show")
        assert self.nodes(window)


def test_old_json_becomes_a_database(tmp_path, real_window):
    shutil.copytree(DATA / "agentao-0.2.5", tmp_path / "project")
    old = tmp_path / "project" / ".agentao" / "memory.json"
    window = real_window(tmp_path / "home")
    window.open_paths([str(old)])
    settle(window.bridge, 30)
    assert window.memories.model.rowCount() == 4
    assert "a database be made of it" in told(window)
    press_banner(window)
    assert "4 records are in" in told(window)
    assert (old.parent / "memory.db").is_file()
    assert old.is_file()
    press_banner(window)
    stores = child(window, QListWidget, "sidebar.stores")
    assert stores.count() == 3  # all of them, the old one and the new one
