# SPDX-License-Identifier: MIT
"""The app's window over one large store: typing, and the longest pause of the event loop.

Typing: wall time from a letter in the search box to the first page in the list, which is what a
person waits for; the box itself waits for nothing. Beside it the SQL that finds the same page, in a
thread that does nothing else.

Pauses: milliseconds in which our threads kept the loop from going on (``tests/gui/beating.py``);
the best of a few tries of each act, and of the acts the worst; and how soon what another program
writes is in the list, which stays where it was. ``tests/gui`` holds the same acts to 50 ms.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "gui"))

from beating import longest_pause, until
from bigstore import KEY, make_big
from inside import Typing, app_window, pause
from measuring import LIKES, NEWEST, RECORDS, like, p95, typed, waited
from rows import LARGE, tell

from memory_gui.engine.connection import open_database
from memory_gui.erasure.result import EraseState
from memory_gui.ui.records.listing.model import RECORD_ROLE
from memory_gui.ui.window import MainWindow

LIVE = RECORDS - RECORDS // 50
MANY = min(int(os.environ.get("MEMORY_GUI_BULK") or 100_000), LIVE // 10)
"""Records of a bulk act: of a million records an act on 100,000 takes minutes."""
TRIES = 3
COUNTED = 3
"""Of a large store all hits of each third text are counted."""
LETTER_S = 0.1
"""Between two letters: somebody who types ten in a second."""
FEW, SOME = 1, 1_000
"""Rows that another program writes at once."""
ERASED = min(1_000, LIVE // 10)
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


@pytest.fixture
def folder(tmp_path) -> Iterator[Path]:
    folder = tmp_path / "atlas"
    make_big(folder, RECORDS, encrypted=True)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def window(qapp, folder, tmp_path) -> Iterator[MainWindow]:
    with app_window(qapp, tmp_path / "home") as made:
        yield made


def listed(window: MainWindow, number: int) -> None:
    until(lambda: window.memories.model.rowCount() == number)


def at_rest(window: MainWindow) -> None:
    until(lambda: not window._context.bridge.busy)


def test_search_typed(folder, window):
    window._opener.open(str(folder), KEY)
    listed(window, LIVE)
    pause(2.0)
    at_rest(window)  # orders are made ready behind the window
    typing, texts = Typing(window), typed()
    first = []
    for text in texts:
        first.append(typing.first_page(text))
        pause(LETTER_S)  # while all hits of this one are counted
    counted = [typing.counted(text) for text in texts[:: COUNTED if RECORDS > LARGE else 1]]
    with open_database(folder / ".agentao/memory.db", KEY, write=False) as connection:
        typing.counted("deploy")
        assert window.memories.model.rowCount() == len(like(connection, "deploy"))
        at_rest(window)
        theirs = waited(partial(like, connection, text, tail=NEWEST) for text in texts[:LIKES])
    window.findChild(QLineEdit, "search").clear()
    tell("search_typed", p95(first), p95(theirs))
    tell("search_typed_counted", p95(counted), 0.0)


def test_ui_gap(folder, window):
    memories, table = window.memories, window.memories.list.table
    search = window.findChild(QLineEdit, "search")
    bar, changes = memories.list.bar, []
    memories.changed.connect(lambda made: changes.append(len(made.refs)))  # and holds no record

    def load():
        window._commands.close_stores()
        listed(window, 0)
        window._opener.open(str(folder), KEY)
        listed(window, LIVE)

    def find():
        for end in range(1, len(word := f"memory {RECORDS // 2:07d}") + 1):
            search.setText(word[:end])
            pause(0.03)
        listed(window, 1)
        search.clear()
        listed(window, LIVE)

    def scroll():
        scroll_bar = table.verticalScrollBar()
        for step in range(60):
            scroll_bar.setValue(scroll_bar.maximum() * step // 60)
            QApplication.processEvents()
        at_rest(window)

    def jump():
        for key, row in ((Qt.Key.Key_End, LIVE - 1), (Qt.Key.Key_Home, 0)) * 3:
            QTest.keyClick(table, key)
            assert table.currentIndex().row() == row
            until(lambda: table.currentIndex().data(RECORD_ROLE) is not None)
        at_rest(window)

    def select_all():
        QTest.keySequence(table, QKeySequence.StandardKey.SelectAll)
        assert table.selected_count() == LIVE
        pause(0.2)
        at_rest(window)  # what is told of the selection

    def bulk(act, way=0):
        """Of each record listed then ``way`` is counted: gone, come back or as it was."""

        def go():
            changes.clear()
            table.select_ranges([(100, 99 + MANY)])
            pause(0.05)  # nobody does both in one event
            act()
            until(lambda: changes, 1_800)
            assert changes == [MANY]
            live[0] += way * MANY
            listed(window, live[0])
            at_rest(window)

        return go

    seen: dict[int, float] = {}
    written = [0]
    live = [LIVE]

    def on_top():
        """The record on top of what is seen, and where it stands."""
        index = table.indexAt(QPoint(1, 1))
        return memories.model.ids[index.row()], table.visualRect(index).top()

    def elsewhere(number: int):
        def write():
            scroll_bar = table.verticalScrollBar()
            scroll_bar.setValue(scroll_bar.maximum() // 2)
            at_rest(window)
            before = on_top()
            arguments = [str(folder / ".agentao/memory.db"), str(written[0]), str(number)]
            other = subprocess.Popen([sys.executable, "-c", ELSEWHERE, *arguments])
            until(lambda: other.poll() is not None)
            began = time.monotonic()
            assert other.returncode == 0
            written[0] += number
            live[0] += number
            listed(window, live[0])
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
        live[0] -= len(refs)
        listed(window, live[0])

    begun = time.monotonic()
    pauses = {}
    for name, act, tries in (
        ("load", load, TRIES),
        ("search", find, TRIES),
        ("scroll", scroll, TRIES),
        ("jump", jump, TRIES),
        ("select_all", select_all, TRIES),
        ("trash", bulk(lambda: bar.acted.emit("trash"), -1), 1),
        ("undo", bulk(memories.undo, +1), 1),
        ("tag", bulk(lambda: bar.tags_wanted.emit(("bench",), ())), 1),
        ("elsewhere_1", elsewhere(FEW), TRIES),
        ("elsewhere_1000", elsewhere(SOME), TRIES),
        ("erase", erase, 1),
    ):
        pauses[name] = longest_pause(act, tries)
        print(f"{name}: {pauses[name]:.1f} ms, after {time.monotonic() - begun:.0f} s")
    tell("bulk", MANY, 0.0, "records")
    for number, seconds in seen.items():
        tell(f"seen_{number}", seconds, 0.0, "s")
    for act, longest in pauses.items():
        tell(f"ui_gap_{act}", longest, 0.0, "ms")
    tell("ui_gap", max(pauses.values()), 0.0, "ms")
