# SPDX-License-Identifier: MIT
"""Two writers on one real database: the window, and another program in a process of its own."""

import contextlib
import json
import subprocess
import sys
import threading

import pytest
from looking import banner, child, press, press_in_banner, text
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QPlainTextEdit, QPushButton, QWidget
from waiting import settle

from memory_gui.stores.sample import HOME, make_sample
from memory_gui.ui.views import ACTIVITY, TRASH

AGENT = """
import json, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=20)
for line in sys.stdin:
    sql, values = json.loads(line)
    rows = connection.execute(sql, values).fetchall()
    connection.commit()
    print(json.dumps(rows), flush=True)
"""
TITLE = "current_focus"


class Agent:
    """Another program with an SQLite of its own, that keeps its connection open."""

    def __init__(self, path):
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", AGENT, str(path)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __call__(self, sql, *values):
        self._process.stdin.write(json.dumps([sql, values]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def writes(self, text):
        self(
            "UPDATE memories SET content = ?, updated_at = '2027-01-01T00:00:00' WHERE title = ?",
            text, TITLE,
        )  # fmt: skip

    def reads(self):
        ((content,),) = self("SELECT content FROM memories WHERE title = ?", TITLE)
        return content

    def close(self):
        self._process.stdin.close()
        self._process.wait(20)
        self._process.stdout.close()


@pytest.fixture
def both(tmp_path, real_window):
    """The window on a real pair, the editor open on one memory, and the other program."""
    location = make_sample(tmp_path / "sample", None)
    window = real_window(tmp_path / "sample" / HOME)
    window.open_paths([str(location.main)])
    settle(window.bridge, 30)
    agent = Agent(location.main)
    window.memories.set_text(TITLE)
    settle(window.bridge)
    window.memories.go_to(0)
    settle(window.bridge)
    assert text(window, "detail.title") == TITLE
    yield window, agent
    agent.close()


@pytest.fixture
def overtaken(both, qtbot):
    """Both have changed the same memory; the open editor shows it."""
    window, agent = both
    base = agent.reads()
    window.memories.edit_current()
    field = child(window, QPlainTextEdit, "editor.text")
    field.setPlainText(base + "\nAsk Ben first.")
    agent.writes("Urgent! " + base)
    editor = child(window, QWidget, "editor")
    qtbot.waitUntil(lambda: banner(editor, "editor.banner") != "", timeout=3_000)
    return window, agent, base


class TestTheirsMineBoth:
    def decide(self, window, how):
        press_in_banner(child(window, QWidget, "editor"), how, "editor.banner")
        settle(window.bridge)

    def test_it_is_shown_at_once_with_what_they_changed(self, overtaken):
        window, _agent, base = overtaken
        theirs = child(window, QWidget, "editor.theirs.text")
        assert "+Urgent!" in theirs.toPlainText()
        assert child(window, QPlainTextEdit, "editor.text").toPlainText().startswith(base)

    def test_theirs(self, overtaken):
        window, agent, base = overtaken
        self.decide(window, "Take theirs")
        assert child(window, QPlainTextEdit, "editor.text").toPlainText() == "Urgent! " + base
        assert agent.reads() == "Urgent! " + base

    def test_mine(self, overtaken):
        window, agent, base = overtaken
        self.decide(window, "Keep mine")
        assert agent.reads() == base + "\nAsk Ben first."

    def test_both(self, overtaken, qtbot):
        window, agent, base = overtaken
        self.decide(window, "Both")
        assert agent.reads() == "Urgent! " + base, "nothing is written before Save"
        qtbot.wait(300)
        settle(window.bridge)
        press(window, "editor.save")
        settle(window.bridge)
        assert agent.reads() == "Urgent! " + base + "\nAsk Ben first."
        window.memories.undo()
        settle(window.bridge)
        assert agent.reads() == "Urgent! " + base

    def test_a_writer_that_goes_on_writing_loses_nothing(self, both, qtbot):
        """Whatever the order: what was saved last was seen by a person first."""
        window, agent = both
        window.memories.edit_current()
        field = child(window, QPlainTextEdit, "editor.text")
        editor = child(window, QWidget, "editor")
        field.setPlainText("mine")
        for number in range(5):
            agent.writes(f"theirs {number}")
            press(window, "editor.save")
            settle(window.bridge)
            assert agent.reads() == f"theirs {number}"
            assert "Another program changed" in banner(editor, "editor.banner")
        self.decide(window, "Keep mine")
        if agent.reads() != "mine":  # the question was about an earlier text: it is asked again
            assert "Another program changed" in banner(editor, "editor.banner")
            self.decide(window, "Keep mine")
        assert agent.reads() == "mine"


def test_a_key_that_the_agent_took_meanwhile(both, qtbot):
    """Trash, the agent saves the same key, undo: nothing is lost and a person chooses."""
    window, agent = both
    base = agent.reads()
    window.memories.trash_selected()
    settle(window.bridge)
    agent(
        "INSERT INTO memories (id, scope, type, key_normalized, title, content, tags_json,"
        " keywords_json, source, confidence, sensitivity, created_at, updated_at)"
        " VALUES ('feedbeef', 'project', 'note', ?, ?, 'newer', '[]', '[]', 'auto',"
        " 'auto_summary', 'normal', '2027-01-01T00:00:00', '2027-01-01T00:00:00')",
        TITLE, TITLE,
    )  # fmt: skip
    window.memories.undo()
    settle(window.bridge)
    assert window.page_name == "clash"
    live = "SELECT content FROM memories WHERE key_normalized LIKE ? AND deleted_at IS NULL"
    assert agent(live, TITLE + "%") == [["newer"]]
    assert child(window, QLineEdit, "clash.0.key").text() == f"{TITLE}_2"
    press(window, "clash.apply")
    settle(window.bridge)
    assert sorted(agent(live, TITLE + "%")) == sorted([["newer"], [base]])
    window.memories.redo()
    settle(window.bridge)
    assert agent(live, TITLE + "%") == [["newer"]]


def test_the_key_clash_is_shown_before_saving(both, qtbot):
    window, agent = both
    ((other, key),) = agent(
        "SELECT title, key_normalized FROM memories WHERE scope = 'project' AND deleted_at IS NULL"
        " AND title != ? AND title = key_normalized LIMIT 1",
        TITLE,
    )
    window.memories.edit_current()
    child(window, QLineEdit, "editor.title").setText(other)
    taken = child(window, QWidget, "editor.taken")
    qtbot.waitUntil(taken.isVisible, timeout=3_000)
    assert key in child(taken, QLabel, "editor.taken.text").text()
    assert not child(window, QPushButton, "editor.save").isEnabled()
    press(window, "editor.taken.swap")
    settle(window.bridge)
    live = "SELECT title FROM memories WHERE key_normalized = ? AND deleted_at IS NULL"
    assert agent(live, key) == [[other]]
    dead = "SELECT count(*) FROM memories WHERE key_normalized = ? AND deleted_at IS NOT NULL"
    assert agent(dead, key)[0][0] >= 1


def test_a_new_memory_says_what_the_agent_itself_would_choose(both, qtbot):
    window, _agent = both
    opened = window.memories.list.searching.opened
    window.memories.right.write_new(opened[0], opened)
    child(window, QLineEdit, "editor.title").setText("Likes tea")
    child(window, QLineEdit, "editor.tags").setText("preference")
    preview = child(window, QLabel, "editor.preview")
    qtbot.waitUntil(lambda: "By itself" in preview.text(), timeout=3_000)
    assert preview.text() == (
        "The agent files it as likes_tea (preference). By itself it would choose: everywhere."
    )
    child(window, QLineEdit, "editor.tags").setText("tea")
    qtbot.waitUntil(lambda: "By itself" not in preview.text(), timeout=3_000)
    assert preview.text() == "The agent files it as likes_tea (note)."
    window.memories.right.clear()


def test_the_activity_tells_the_two_apart(both, qtbot):
    window, agent = both
    window.memories.trash_selected()
    settle(window.bridge)
    ((ident,),) = agent("SELECT id FROM memories WHERE title = ?", TITLE)
    agent(
        "INSERT INTO memory_events (memory_id, event_type, timestamp) VALUES (?, 'update', ?)",
        ident, "2026-01-02T03:04:05",
    )  # fmt: skip
    qtbot.wait(1_200)
    window.choose_view(ACTIVITY)
    settle(window.bridge)
    timeline = child(window, QListView, "activity.list").model()
    said = [timeline.data(timeline.index(n, 0)) for n in range(timeline.rowCount())]
    mine = [line for line in said if "You: moved to the trash" in line]
    theirs = [line for line in said if "Agentao: changed" in line and TITLE in line]
    assert len(mine) == 1
    assert theirs
    assert not [line for line in said if "Agentao: moved to the trash" in line and TITLE in line]


def test_undo_of_what_another_changed_since_says_so(both):
    window, agent = both
    window.memories.edit_current()
    child(window, QPlainTextEdit, "editor.text").setPlainText("mine")
    press(window, "editor.save")
    settle(window.bridge)
    agent.writes("theirs")
    window.memories.undo()
    settle(window.bridge)
    assert "changed since" in banner(window)
    assert agent.reads() == "theirs"
    window.choose_view(TRASH)
    settle(window.bridge)
    press_in_banner(window, "Show it")
    settle(window.bridge)
    assert text(window, "detail.title") == TITLE


def test_restoring_while_the_agent_writes_in_a_row(both):
    """No lost update and no error box, with a writer that does not wait."""
    window, agent = both
    stop = threading.Event()

    def write():
        number = 0
        while not stop.is_set():
            with contextlib.suppress(ValueError, BrokenPipeError):
                agent("UPDATE schema_meta SET value = value WHERE key = ?", "version")
            number += 1

    window.memories.trash_selected()
    settle(window.bridge)
    thread = threading.Thread(target=write)
    thread.start()
    try:
        window.choose_view(TRASH)
        settle(window.bridge)
        window.memories.go_to(0)
        settle(window.bridge)
        window.memories.restore_selected()
        settle(window.bridge, 20)
    finally:
        stop.set()
        thread.join()
    live = "SELECT count(*) FROM memories WHERE title = ? AND deleted_at IS NULL"
    assert agent(live, TITLE) == [[1]]
