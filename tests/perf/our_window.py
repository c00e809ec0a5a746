# SPDX-License-Identifier: MIT
"""Our window as it starts: ``our_window.py start``, ``turns``, or ``rows FOLDER IDS``.

``rows`` has the key (hex) on standard input; ``IDS`` has the newest records' ids and times, a line
each.

``start`` prints, at the first paint, seconds of processor and the system's clock, and then which
button has the keyboard before and after Tab. ``rows`` prints both when the newest records stand in
the list, in order, and the rows that are seen are painted with their texts; and before, when the
whole window was given the key.
"""

import os
import sys
import time
from importlib import import_module
from pathlib import Path

from memory_gui import app
from memory_gui.ui import lazy

run = lazy.window()  # as app.main does first of all

from PySide6.QtCore import QEvent, QObject, Qt, QTimer  # noqa: E402 - in the app's own order
from PySide6.QtWidgets import QApplication  # noqa: E402 - as above

from memory_gui.ui.window import MainWindow  # noqa: E402 - as above

ROWS = 200
SETTLED_MS = 4_000
"""Until the window has made its pages beforehand."""


def told(*more):
    print(time.process_time(), time.monotonic(), *more, flush=True)


def focus():
    widget = QApplication.focusWidget()
    return widget.objectName() if widget is not None else "nothing"


def start():
    paint = MainWindow.paintEvent

    def painted(window, event):
        paint(window, event)
        told()
        MainWindow.paintEvent = paint
        QTimer.singleShot(0, lambda: keyboard(window))

    MainWindow.paintEvent = painted


def keyboard(window):
    before = focus()
    test = import_module("PySide6.QtTest").QTest
    test.keyClick(window.windowHandle(), Qt.Key.Key_Tab)
    print(before, focus(), window.whole, flush=True)
    os._exit(0)


class Painted(QObject):
    """Sees the list's rows being painted."""

    def __init__(self, window, wanted):
        super().__init__(window)
        self._window, self._wanted = window, wanted
        self._given = (time.process_time(), time.monotonic())
        window.memories.list.table.viewport().installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, self.look)
        return False

    def look(self):
        page = self._window.memories
        table, model = page.list.table, page.model
        if model.rowCount() < ROWS:
            return
        refs = page.services.library.refs(model.ids[:ROWS])
        times = [self._wanted.get(ref.key[-1], "") for ref in refs]
        if times != sorted(self._wanted.values(), reverse=True)[:ROWS]:
            return
        last = max(table.rowAt(table.viewport().height() - 1), 0)
        if all(model.record(row) is not None for row in range(last + 1)):
            told(*self._given, last + 1)
            os._exit(0)


def rows(folder, ids):
    key = import_module("memory_gui.domain.keys").RawKey.from_hex(sys.stdin.readline().strip())
    wanted = dict(line.split() for line in Path(ids).read_text().splitlines())
    furnish = MainWindow.furnish

    def whole(window):
        yield from furnish(window)
        QTimer.singleShot(SETTLED_MS, lambda: give(window))

    def give(window):
        Painted(window, wanted)
        window._opener.open(folder, key)

    MainWindow.furnish = whole


def turns():
    """The longest turn between the first paint and the whole window, in ms of its thread."""
    kind = import_module("memory_gui.ui.shell.starting").Starting
    turn, longest = kind._on_turn, [0.0]

    def timed(starting):
        begun = time.thread_time()
        turn(starting)
        longest[0] = max(longest[0], (time.thread_time() - begun) * 1000)
        if starting._window.whole:
            print(longest[0], flush=True)
            os._exit(0)

    kind._on_turn = timed


if sys.argv[1] == "start":
    start()
elif sys.argv[1] == "turns":
    turns()
else:
    rows(*sys.argv[2:])
app.main([] if sys.argv[1] == "start" else ["--no-keychain"])
