# SPDX-License-Identifier: MIT
"""The longest pause of the event loop while everything is done that takes long.

Milliseconds in which our own threads kept it from going on (``tests/gui/beating.py``); the best of
a few tries of each act, and of the acts the worst; and how soon what another program writes is in
the list, which stays where it was. The tests in ``tests/gui`` hold the same acts to 50 ms.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLineEdit

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "gui"))

from beating import longest_pause
from bigstore import KEY, make_big
from rows import tell

from memory_gui.erasure.result import EraseState
from memory_gui.services import build_services
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.fonts import base_font, load_fonts
from memory_gui.ui.palette import Theme
from memory_gui.ui.shell.interpreter import Interpreter
from memory_gui.ui.window import MainWindow
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

RECORDS = int(os.environ.get("MEMORY_GUI_RECORDS") or 100_000)
LIVE = RECORDS - RECORDS // 50
MANY = min(10_000, LIVE // 10)
TRIES = 3
FEW, SOME = 1, 1_000
"""Rows that another program writes at once."""
ERASED = 1_000
ELSEWHERE = """
import sys
from datetime import datetime
from pathlib import Path
from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
path, first, rows = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
now = datetime.now().isoformat(timespec="seconds")
with open_database(path, RawKey(bytes(range(32))), write=True) as one, one.writing():
    for n in range(first, first + rows):
        name = f"ff{n:014x}"
        one.execute("INSERT INTO memories VALUES (?, 'project', 'note', ?, ?, 'from elsewhere',"
                    " '[]', '[]', 'explicit', 'explicit_user', 'normal', ?, ?, NULL)",
                    (name, "elsewhere_" + name, "elsewhere " + name, now, now))
        one.execute("INSERT INTO memory_events (memory_id, event_type, timestamp)"
                    " VALUES (?, 'create', ?)", (name, now))
"""
"""Another program, as Agentao writes: DATABASE FIRST ROWS."""

pytestmark = pytest.mark.timeout(3_600)


def until(wanted: Callable[[], object], patience: float = 300) -> None:
    """Let the event loop run until something is so."""
    end = time.monotonic() + patience
    while not wanted():
        assert time.monotonic() < end
        QApplication.processEvents()
        time.sleep(0.001)


def pause(seconds: float) -> None:
    end = time.monotonic() + seconds
    until(lambda: time.monotonic() > end)


@pytest.fixture
def window(qtbot, qapp, tmp_path) -> Iterator[MainWindow]:
    load_fonts()
    qapp.setFont(base_font(shipped=True))
    words = Words("en")
    services = build_services(
        words=words, home=tmp_path, data_dir=tmp_path / "data", keychain=NoKeychain()
    )
    services.settings.change(auto_lock_minutes=0)  # nobody touches a key here for minutes
    bridge = Bridge()
    made = MainWindow(
        Context(services, bridge, words), Theme(qapp, "light"), services.library.stores
    )
    with qtbot.waitExposed(made):
        made.show()
    interpreter = Interpreter(made)
    made.begin()
    until(lambda: not bridge.busy)
    yield made
    interpreter.close()
    made.memories.clear()
    made.close()
    bridge.close()
    services.close()


@pytest.fixture
def folder(tmp_path) -> Path:
    make_big(tmp_path / "atlas", RECORDS, encrypted=True)
    return tmp_path / "atlas"


def test_ui_gap(folder, window):
    memories = window.memories
    search = window.findChild(QLineEdit, "search")

    def rows(number: int) -> None:
        until(lambda: memories.model.rowCount() == number)

    def load():
        window._commands.close_stores()
        until(lambda: memories.model.rowCount() == 0)
        window._opener.open(str(folder), KEY)
        rows(LIVE)

    def find():
        for end in range(1, len(word := f"memory {RECORDS // 2:07d}") + 1):
            search.setText(word[:end])
            pause(0.03)
        rows(1)
        search.clear()
        rows(LIVE)

    def scroll():
        bar = memories.list.table.verticalScrollBar()
        for step in range(60):
            bar.setValue(bar.maximum() * step // 60)
            QApplication.processEvents()
        until(lambda: not window._context.bridge.busy)

    def bulk():
        memories.list.table.select_ranges([(100, 99 + MANY)])
        memories.list.bar.acted.emit("trash")
        rows(LIVE - MANY)
        memories.undo()
        rows(LIVE)

    table = memories.list.table
    seen: dict[int, float] = {}
    written = [0]

    def on_top():
        """The record on top of what is seen, and where it stands."""
        index = table.indexAt(QPoint(1, 1))
        return memories.model.ids[index.row()], table.visualRect(index).top()

    def elsewhere(number: int):
        def write():
            bar = table.verticalScrollBar()
            bar.setValue(bar.maximum() // 2)
            until(lambda: not window._context.bridge.busy)
            before = on_top()
            arguments = [str(folder / ".agentao/memory.db"), str(written[0]), str(number)]
            other = subprocess.Popen([sys.executable, "-c", ELSEWHERE, *arguments])
            until(lambda: other.poll() is not None)
            began = time.monotonic()
            assert other.returncode == 0
            written[0] += number
            rows(LIVE + written[0])
            seen[number] = min(seen.get(number, 900.0), time.monotonic() - began)
            pause(1.5)  # what comes with the comparison, where it is due
            assert on_top() == before

        return write

    def erase():
        services, plans = memories.services, []
        refs = services.library.refs(memories.model.ids[:ERASED])
        window._context.bridge.call(services.erasing.plans.plan, refs, done=plans.append)
        until(lambda: plans)
        results = []
        window._context.bridge.call(services.erasing.run, plans[0], done=results.append)
        until(lambda: results)
        assert results[0].state is not EraseState.NOT_FINISHED
        memories.refresh()
        rows(LIVE + written[0] - len(refs))

    pauses = {
        "load": longest_pause(load, TRIES),
        "search": longest_pause(find, TRIES),
        "scroll": longest_pause(scroll, TRIES),
        "select_all": longest_pause(memories.list.table.selectAll, TRIES),
        "bulk": longest_pause(bulk, 1),
        "elsewhere_1": longest_pause(elsewhere(FEW), TRIES),
        "elsewhere_1000": longest_pause(elsewhere(SOME), TRIES),
        "erase": longest_pause(erase, 1),
    }
    for number, seconds in seen.items():
        tell(f"seen_{number}", seconds, 0.0, "s")
    for act, longest in pauses.items():
        tell(f"ui_gap_{act}", longest, 0.0, "ms")
    tell("ui_gap", max(pauses.values()), 0.0, "ms")
