# SPDX-License-Identifier: MIT
"""The event loop while thousands of proposals are looked at and decided, and how soon Stop is.

200 here, 10,000 by ``make soak``. Pauses are those of our own threads (``beating``).
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from beating import LONGEST_MS, longest_pause, until
from waiting import settle

sys.path.insert(0, str(Path(__file__).parents[1]))

from bigstore import make_queue

from memory_gui.ui.review.page import ReviewPage
from memory_gui.ui.shell.interpreter import Interpreter

PENDING = 10_000 if "MEMORY_GUI_SOAK" in os.environ else 200
STOP_MS = 500

pytestmark = pytest.mark.timeout(1_200)  # the machine may be shared by ten


def test_thousands_are_looked_at_and_decided_without_a_pause(real_window, tmp_path):
    project = tmp_path / "atlas"
    make_queue(project, PENDING)
    window = real_window(tmp_path)
    interpreter = Interpreter(window)
    pauses = []

    def begin() -> ReviewPage:
        window.open_paths([str(project)])
        until(window.memories.services.library.stores)
        window.go("review")
        page = window.findChild(ReviewPage)
        until(lambda: page.place.text().endswith(f"of {PENDING:,}") or page.card.text.isVisible())
        return page

    pauses.append(longest_pause(begin))
    page = window.findChild(ReviewPage)
    several = page.several

    def look() -> None:
        if not page.many.isChecked():
            page.many.click()
        else:
            several.look()
        until(lambda: several.list.model.rowCount() > 0)

    pauses.append(longest_pause(look))
    until(lambda: several.list.model.rowCount() == PENDING)
    pauses.append(longest_pause(lambda: (several.list.none.click(), several.list.every.click())))
    stopped: list[float] = []

    def act() -> None:
        several.reject.click()
        until(lambda: several.busy._bar.value() > 20 or not page._many.busy)
        asked = time.perf_counter()
        several.stop_wanted.emit()
        until(lambda: not page._many.busy)
        stopped.append((time.perf_counter() - asked) * 1000)

    pauses.append(longest_pause(act))
    assert min(stopped) < STOP_MS
    settle(window.bridge, 600)
    assert max(pauses) <= LONGEST_MS, pauses
    interpreter.close()
