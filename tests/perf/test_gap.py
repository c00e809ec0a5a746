# SPDX-License-Identifier: MIT
"""The longest pause of the event loop while everything is done that takes long.

Milliseconds in which our own threads kept it from going on (``tests/gui/beating.py``); the best of
a few tries of each act, and of the acts the worst. The tests in ``tests/gui`` hold the same acts to
50 ms.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "gui"))

from beating import longest_pause
from bigstore import KEY, make_big
from rows import tell

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

pytestmark = pytest.mark.timeout(3_600)


def until(wanted: Callable[[], object], patience: float = 900) -> None:
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


def test_ui_gap(window, tmp_path):
    folder = tmp_path / "atlas"
    make_big(folder, RECORDS, encrypted=True)
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

    pauses = {
        "load": longest_pause(load, TRIES),
        "search": longest_pause(find, TRIES),
        "scroll": longest_pause(scroll, TRIES),
        "select_all": longest_pause(memories.list.table.selectAll, TRIES),
        "bulk": longest_pause(bulk, 1),
    }
    for act, longest in pauses.items():
        tell(f"ui_gap_{act}", longest, 0.0, "ms")
    tell("ui_gap", max(pauses.values()), 0.0, "ms")
