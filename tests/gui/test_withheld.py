# SPDX-License-Identifier: MIT
"""A store that another program holds for a while: its rows say so, and come when it answers."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from looking import child, table
from PySide6.QtWidgets import QLabel, QWidget
from working import opened

sys.path.insert(0, str(Path(__file__).parents[1]))

from bigstore import make_big

from memory_gui.engine.connection import open_database
from memory_gui.stores.formats.agentao import format as agentao
from memory_gui.ui.records.listing.model import SAID_ROLE

ROWS = 400
HOLD = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
held.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.readline()
held.execute("COMMIT")
"""


@pytest.fixture
def withheld(tmp_path, real_window, monkeypatch):
    """A window over a store that readers cannot read during a write, and what holds and frees it.

    It waits for others no longer than it must.
    """
    monkeypatch.setattr(agentao, "open_database", partial(open_database, busy_ms=50))
    path = make_big(tmp_path / "atlas", ROWS)
    code = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA journal_mode=DELETE')"
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    window = opened(real_window(tmp_path / "home"), path)
    started = []

    def hold():
        held = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(held)
        assert held.stdout.readline() == "held\n"

    def free():
        started.pop().communicate("now\n", timeout=60)

    yield window, hold, free
    for left in started:
        left.communicate(timeout=60)


def test_rows_wait_for_it_and_come_by_themselves(withheld, qtbot):
    window, hold, free = withheld
    model, last = window.memories.model, window.memories.model.rowCount() - 1
    hold()
    table(window).verticalScrollBar().setValue(table(window).verticalScrollBar().maximum())
    window.memories.go_to(last)
    said = ("Waiting for its store…",)
    qtbot.waitUntil(lambda: model.data(model.index(last, 0), SAID_ROLE) == said)
    note = child(child(window, QWidget, "detail.hidden"), QLabel, "banner.text")
    qtbot.waitUntil(lambda: note.text() == "Waiting for its store to show all of it.")
    assert model.record(last).text == ""
    free()
    qtbot.waitUntil(lambda: model.data(model.index(last, 0), SAID_ROLE) == ())
    assert "(memory 0000" in model.record(last).text
    qtbot.waitUntil(lambda: not note.isVisible())
    assert window.memories.list.record == model.record(last), "and it is still the chosen one"
