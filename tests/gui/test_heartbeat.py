# SPDX-License-Identifier: MIT
"""The event loop never stands still: 5,000 records are opened, searched and scrolled through."""

import gc
import threading
import time
from pathlib import Path
from shutil import copytree

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QProgressBar
from waiting import settle

from memory_gui.domain.records import StoreId
from memory_gui.engine.connection import open_database
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.stores.formats.agentao.tables import Tables
from memory_gui.ui.shell.interpreter import Interpreter

ROWS = 5_000
LONGEST_MS = 50
TRIES = 5
"""The loop is ours, the machine is not: other programs may take the processor for a moment."""


class Heartbeat:
    """Ticks every 2 ms and remembers the longest pause between two ticks, in ms.

    Time in which this thread was ready and the system ran other programs is taken off.
    """

    def __init__(self):
        self.longest = 0.0
        self._last = (0.0, 0.0)
        self._stat = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        self._timer = QTimer()
        self._timer.setInterval(2)
        self._timer.timeout.connect(self._beat)

    def __enter__(self):
        self.longest, self._last = 0.0, self._now()
        self._timer.start()
        return self

    def __exit__(self, *_):
        self._beat()
        self._timer.stop()

    def _now(self):
        waited = int(self._stat.read_text().split()[1]) / 1e6 if self._stat.exists() else 0.0
        return time.perf_counter() * 1000, waited

    def _beat(self):
        now = self._now()
        pause = (now[0] - self._last[0]) - (now[1] - self._last[1])
        self.longest = max(self.longest, pause)
        self._last = now


@pytest.fixture(scope="module")
def big(tmp_path_factory):
    """A readable Agentao database with many memories."""
    folder = tmp_path_factory.mktemp("big") / "atlas"
    path = folder / ".agentao" / "memory.db"
    path.parent.mkdir(parents=True)
    create_store(path, None)
    connection = open_database(path.resolve(), None, write=True)
    tables = Tables(connection, StoreId(str(path)))
    with tables.writing():
        for n in range(ROWS):
            when = f"2026-{n % 11 + 1:02d}-{n % 28 + 1:02d}T08:{n % 60:02d}:00"
            tables.insert(
                "memory",
                {
                    "id": f"{n:08x}", "scope": "project", "type": "note",
                    "key_normalized": f"fact_{n}", "title": f"fact {n}",
                    "content": f"The service number {n} listens on {8000 + n % 100}. " * 4,
                    "tags_json": '["a","b"]', "keywords_json": "[]", "source": "explicit",
                    "confidence": "explicit_user", "sensitivity": "normal",
                    "created_at": when, "updated_at": when,
                },
            )  # fmt: skip
    connection.close()
    return folder


def beat_while(act):
    """The longest pause in ms, in the best of some tries."""
    longest = []
    for _ in range(TRIES):
        with Heartbeat() as heart:
            act()
        longest.append(heart.longest)
        if heart.longest <= LONGEST_MS:
            break
    return min(longest)


@pytest.fixture
def big_window(real_window, tmp_path):
    window = real_window(tmp_path)
    interpreter = Interpreter(window)
    yield window
    interpreter.close()


def open_all(window, folder):
    """Open a store, until all of it is listed: the list is shown while it is still being read."""
    window.open_paths([str(folder)])
    end = time.monotonic() + 30
    while window.memories.model.rowCount() != ROWS or window.bridge.busy:
        assert time.monotonic() < end, window.memories.model.rowCount()
        QApplication.processEvents()
        time.sleep(0.002)


def test_opening(big_window, big):
    def open_it():
        big_window._commands.actions["close_stores"].trigger()
        settle(big_window.bridge)
        open_all(big_window, big)

    assert beat_while(open_it) <= LONGEST_MS
    assert big_window.memories.model.rowCount() == ROWS


def test_the_collector_keeps_to_the_gui_thread(big_window):
    assert not gc.isenabled()
    assert gc.get_freeze_count() > 1_000


def test_searching_scrolling_and_selecting_all(qtbot, big_window, big):
    open_all(big_window, big)
    search = big_window.findChild(QLineEdit, "search")
    table = big_window.memories.list.table

    def look():
        search.clear()
        for letter in '"number 49"':
            qtbot.keyClicks(search, letter)
            qtbot.wait(40)
        qtbot.wait(200)
        settle(big_window.bridge)

    assert beat_while(look) <= LONGEST_MS
    assert big_window.memories.model.rowCount() == sum(
        "number 49" in f"number {n} " for n in range(ROWS)
    )
    search.clear()
    qtbot.wait(200)
    settle(big_window.bridge)

    def scroll():
        bar = table.verticalScrollBar()
        for step in range(0, 40):
            bar.setValue(bar.maximum() * step // 40)
            QApplication.processEvents()
        settle(big_window.bridge)

    assert beat_while(scroll) <= LONGEST_MS
    assert beat_while(table.selectAll) <= LONGEST_MS
    assert table.selected_count() == ROWS


def test_many_records_at_once_with_filters_beside_them(qtbot, big_window, big):
    open_all(big_window, big)
    memories = big_window.memories

    def narrow():
        memories.toggle_filters()
        settle(big_window.bridge, 30)
        memories.list.narrowing.choose({"month": frozenset({"2026-03"})})
        settle(big_window.bridge, 30)
        assert 0 < memories.model.rowCount() < ROWS
        memories.list.narrowing.choose({})
        settle(big_window.bridge, 30)
        memories.toggle_filters()

    def there_and_back():
        memories.list.table.select_ranges([(100, 599)])
        memories.list.bar.acted.emit("trash")
        settle(big_window.bridge, 120)
        memories.undo()
        settle(big_window.bridge, 120)

    assert beat_while(narrow) <= LONGEST_MS
    assert beat_while(there_and_back) <= LONGEST_MS
    assert memories.model.rowCount() == ROWS


def test_stop_is_heard_within_half_a_second(qtbot, big_window, big, stopwatch, tmp_path):
    folder = copytree(big, tmp_path / "stopped" / "atlas")  # many are of today afterwards
    open_all(big_window, folder)
    memories = big_window.memories
    memories.list.table.selectAll()
    memories.list.bar.acted.emit("trash")
    stop = memories.list.busy.findChild(QAbstractButton, "busy.cancel")
    bar = memories.list.busy.findChild(QProgressBar)
    seen = [0]

    def begun():
        """The records are looked at first, from none to all; then they are changed."""
        seen.append(bar.value())
        return stop.isVisible() and 0 < seen[-1] < max(seen)

    qtbot.waitUntil(begun, timeout=20_000)
    watch = stopwatch()
    stop.click()
    qtbot.waitUntil(lambda: "You stopped it" in memories.list.banner.text, timeout=5_000)
    assert watch.seconds < 0.5
    settle(big_window.bridge, 60)
    left = memories.model.rowCount()
    assert 0 < left < ROWS
    memories.undo()
    settle(big_window.bridge, 60)
    assert memories.model.rowCount() == ROWS
