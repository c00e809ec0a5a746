# SPDX-License-Identifier: MIT
"""The longest pause of the event loop, and letting it run until something is so."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

LONGEST_MS = 50
TRIES = 5
"""The loop is ours, the machine is not: other programs may take the processor for a moment."""


def until(wanted: Callable[[], object], patience: float = 600) -> None:
    """Let the event loop run until something is so."""
    end = time.monotonic() + patience
    while not wanted():
        assert time.monotonic() < end
        QApplication.processEvents()
        time.sleep(0.001)


def waits() -> dict[str, float]:
    """By thread of ours: for how many ms it was ready and the system ran something else."""
    found = {}
    for task in Path("/proc/self/task").iterdir():
        try:
            found[task.name] = int((task / "schedstat").read_text().split()[1]) / 1e6
        except OSError:
            continue
    return found


class Heartbeat:
    """Ticks every 2 ms and remembers the longest pause between two ticks, in ms.

    Time in which a thread of ours was ready and the system ran other programs is taken off: it may
    have been the one that held the interpreter.
    """

    def __init__(self) -> None:
        self.longest = 0.0
        self._last = 0.0
        self._waits: dict[str, float] = {}
        self._timer = QTimer()
        self._timer.setInterval(2)
        self._timer.timeout.connect(self._beat)

    def __enter__(self) -> Heartbeat:
        self.longest = 0.0
        self._waits, self._last = waits(), time.perf_counter()
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._beat()
        self._timer.stop()

    def _beat(self) -> None:
        now = time.perf_counter()
        pause = (now - self._last) * 1000
        if pause > self.longest:
            before, self._waits = self._waits, waits()
            lost = max(after - before.get(task, after) for task, after in self._waits.items())
            self.longest = max(self.longest, pause - lost)
        elif pause > LONGEST_MS / 4:
            self._waits = waits()
        self._last = time.perf_counter()


def longest_pause(act: Callable[[], object], tries: int = TRIES) -> float:
    """The longest pause in ms while something is done, in the best of some tries."""
    found = []
    for _ in range(tries):
        with Heartbeat() as heart:
            act()
        found.append(heart.longest)
        if heart.longest <= LONGEST_MS:
            break
    return min(found)
