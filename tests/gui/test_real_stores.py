# SPDX-License-Identifier: MIT
"""The window over the real services and real databases: nothing between is faked."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QListWidget, QPlainTextEdit, QWidget
from waiting import settle

from memory_gui.domain.keys import RawKey
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.stores.sample import HOME, make_sample

OTHER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
rows = connection.execute(sys.argv[2]).fetchall()
connection.commit()
print(rows)
"""
KEY = RawKey(bytes(range(32)))


def other_program(path, sql):
    """Another program, with an SQLite of its own, in its own process."""
    result = subprocess.run(
        [sys.executable, "-I", "-c", OTHER, str(path), sql],
        capture_output=True, text=True, timeout=20, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def opened(window, path):
    window.open_paths([str(path)])
    settle(window.bridge, 30)
    return window


def child(window, kind, name):
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def told(window):
    where = child(window, QWidget, "window.banner")
    return child(where, QLabel, "banner.text").text() if where.isVisible() else ""


def titles(window):
    model = window.memories.model
    return [model.data(model.index(row, 0)) for row in range(model.rowCount())]


def choose(window, title):
    window.memories.set_text(title)
    settle(window.bridge)
    window.memories.go_to(titles(window).index(title))
    settle(window.bridge)


@pytest.fixture
def readable(tmp_path, real_window):
    """The window with a readable pair; the project's and the person's file."""
    location = make_sample(tmp_path / "sample", None)
    window = opened(real_window(tmp_path / "sample" / HOME), location.main)
    return window, location.main, tmp_path / "sample" / HOME / ".agentao" / "memory.db"


class TestPair:
    def test_both_databases_are_one_list(self, readable):
        window, project, person = readable
        stores = child(window, QListWidget, "sidebar.stores")
        assert [stores.item(n).text() for n in range(3)] == [
            "All stores", "ferryman", "You, everywhere",
        ]  # fmt: skip
        count = "SELECT count(*) FROM memories WHERE deleted_at IS NULL"
        numbers = [int(other_program(path, count).strip("[](),")) for path in (project, person)]
        assert len(titles(window)) == sum(numbers)

    def test_an_edit_is_in_the_file(self, readable):
        window, project, _ = readable
        choose(window, "current_focus")
        window.memories.edit_current()
        child(window, QPlainTextEdit, "editor.text").setPlainText("Something else, 别的.")
        child(window, QWidget, "editor.save").click()
        settle(window.bridge)
        sql = "SELECT content FROM memories WHERE title = 'current_focus'"
        assert other_program(project, sql) == "[('Something else, 别的.',)]"

    def test_another_scope_moves_it_to_the_other_file(self, readable):
        window, project, person = readable
        choose(window, "current_focus")
        window.memories.edit_current()
        scope = child(window, QComboBox, "editor.scope")
        scope.setCurrentIndex(scope.findData("user"))
        child(window, QWidget, "editor.save").click()
        settle(window.bridge)
        sql = "SELECT scope FROM memories WHERE title = 'current_focus'"
        assert other_program(project, sql) == "[]"
        assert other_program(person, sql) == "[('user',)]"
        assert child(window, QLabel, "detail.store.value").text() == "You, everywhere"

    def test_trash_and_undo(self, readable):
        window, project, _ = readable
        choose(window, "current_focus")
        window.memories.trash_selected()
        settle(window.bridge)
        sql = "SELECT deleted_at IS NULL FROM memories WHERE title = 'current_focus'"
        assert other_program(project, sql) == "[(0,)]"
        window.memories.undo()
        settle(window.bridge)
        assert other_program(project, sql) == "[(1,)]"
        assert titles(window) == ["current_focus"]


class TestSeveral:
    """Two projects and what is about the person, open at once."""

    @pytest.fixture
    def three(self, readable, tmp_path):
        window, project, person = readable
        other = tmp_path / "ferry-docs" / ".agentao" / "memory.db"
        other.parent.mkdir(parents=True)
        create_store(other, None)
        opened(window, other)
        return window, project, person, other

    def test_they_are_one_list_and_each_can_be_alone(self, three):
        window, *_ = three
        stores = child(window, QListWidget, "sidebar.stores")
        assert [stores.item(n).text() for n in range(4)] == [
            "All stores", "ferryman", "You, everywhere", "ferry-docs",
        ]  # fmt: skip
        all_of_them = len(titles(window))
        stores.setCurrentRow(3)
        settle(window.bridge)
        assert titles(window) == []
        stores.setCurrentRow(0)
        settle(window.bridge)
        assert len(titles(window)) == all_of_them

    def test_a_new_memory_is_kept_where_it_was_chosen(self, three):
        window, _, _, other = three
        stores = child(window, QListWidget, "sidebar.stores")
        stores.setCurrentRow(3)
        settle(window.bridge)
        window.memories.new_memory()
        child(window, QLineEdit, "editor.title").setText("docs live in the wiki")
        child(window, QPlainTextEdit, "editor.text").setPlainText("All docs live in the wiki.")
        child(window, QWidget, "editor.save").click()
        settle(window.bridge)
        assert titles(window) == ["docs live in the wiki"]
        assert other_program(other, "SELECT count(*) FROM memories") == "[(1,)]"

    def test_closing_one_leaves_the_others_and_forgets_its_undo(self, three):
        window, _project, person, other = three
        choose(window, "current_focus")
        window.memories.trash_selected()
        settle(window.bridge)
        window._commands.close_store(window._holding.opened[0].id)
        settle(window.bridge, 30)
        stores = child(window, QListWidget, "sidebar.stores")
        names = [stores.item(n).text() for n in range(stores.count())]
        assert names == ["All stores", "You, everywhere", "ferry-docs"]
        assert not window._commands.actions["undo"].isEnabled()
        window.memories.set_text("")
        settle(window.bridge)
        model = window.memories.model
        kept = {model.record(row).ref.store for row in range(min(50, model.rowCount()))}
        assert kept == {str(person)}
        count = "SELECT count(*) FROM memories"
        assert other_program(other, count) == "[(0,)]"


class TestOtherWriter:
    SQL = "UPDATE memories SET content = 'theirs' WHERE title = 'current_focus'"

    def test_is_seen_within_two_seconds_and_the_place_stays(self, qtbot, readable, stopwatch):
        window, project, _ = readable
        choose(window, "current_focus")
        view = child(window, QPlainTextEdit, "detailText")
        other_program(project, self.SQL)
        watch = stopwatch()
        qtbot.waitUntil(lambda: view.toPlainText() == "theirs", timeout=20_000)
        assert watch.seconds < 2
        assert child(window, QLabel, "detail.title").text() == "current_focus"

    def test_does_not_lose_to_an_open_editor(self, qtbot, readable):
        window, project, _ = readable
        choose(window, "current_focus")
        window.memories.edit_current()
        child(window, QPlainTextEdit, "editor.text").setPlainText("mine")
        other_program(project, self.SQL)
        child(window, QWidget, "editor.save").click()
        settle(window.bridge)
        sql = "SELECT content FROM memories WHERE title = 'current_focus'"
        assert other_program(project, sql) == "[('theirs',)]"
        banner = child(child(window, QWidget, "editor"), QWidget, "editor.banner")
        assert "Another program changed" in child(banner, QLabel, "banner.text").text()


class TestBadInput:
    def test_each_is_said_in_its_own_words_and_nothing_is_changed(self, real_window, tmp_path):
        make = {
            "missing": lambda path: None,
            "empty": Path.touch,
            "folder": Path.mkdir,
            "text": lambda path: path.write_text("not a database " * 400),
            "cut": lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(30)),
        }
        window, texts = real_window(tmp_path), set()
        for kind, act in make.items():
            path = tmp_path / f"{kind}.db"
            act(path)
            before = path.read_bytes() if path.is_file() else None
            opened(window, path)
            assert window.page_name == "start"
            assert window.memories.model.rowCount() == 0
            assert not child(window, QWidget, "sidebar").isVisible()
            text = told(window)
            assert str(path) in text, text
            assert (path.read_bytes() if path.is_file() else None) == before
            if kind in ("missing", "empty", "folder"):
                texts.add(text.replace(kind, "x"))
        assert len(texts) == 3

    def test_a_database_of_no_known_format_is_shown_and_never_written(self, real_window, tmp_path):
        path = tmp_path / "x.db"
        other_program(path, "CREATE TABLE t(x)")
        other_program(path, "INSERT INTO t VALUES ('port 8080')")
        before = path.read_bytes()
        window = opened(real_window(tmp_path), path)
        assert window.page_name == "memories"
        assert window.memories.model.rowCount() == 1
        window.memories.go_to(0)
        settle(window.bridge)
        text = child(window, QPlainTextEdit, "detailText").toPlainText()
        assert "port 8080" in text
        assert not child(window, QWidget, "detail.edit").isVisible()
        window.close()
        assert path.read_bytes() == before


class TestKeys:
    def test_an_encrypted_store_without_a_key_has_a_page_of_its_own(self, real_window, tmp_path):
        location = make_sample(tmp_path / "sample", KEY)
        window = opened(real_window(tmp_path / "nobody"), location.main)
        assert window.page_name == "key"
        assert window.memories.model.rowCount() == 0
        page = child(window, QWidget, "page.key")
        field = next(
            line for line in page.findChildren(QLineEdit) if line.isVisible() and line.isEnabled()
        )
        field.setText(KEY.hex())
        field.returnPressed.emit()
        settle(window.bridge, 30)
        assert window.page_name == "memories"
        assert len(titles(window)) > 50

    @pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
    def test_lock_lets_go_of_the_files(self, readable):
        window, project, person = readable

        def held():
            links = set()
            for number in os.listdir("/proc/self/fd"):
                with contextlib.suppress(FileNotFoundError):  # the listing's own
                    links.add(os.readlink(f"/proc/self/fd/{number}"))
            return links & {str(project), str(person)}

        assert held() == {str(project), str(person)}
        window.lock()
        settle(window.bridge)
        assert held() == set()
        window.unlock()
        settle(window.bridge, 30)
        assert window.page_name == "memories"
        assert len(titles(window)) > 100
