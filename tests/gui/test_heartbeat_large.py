# SPDX-License-Identifier: MIT
"""The event loop with an encrypted store of 100,000 memories; acts on 10,000 in the long form."""

import sys
import time
from pathlib import Path

import pytest
from beating import LONGEST_MS, longest_pause
from PySide6.QtWidgets import QApplication, QLineEdit
from waiting import settle

sys.path.insert(0, str(Path(__file__).parents[1]))

from bigstore import KEY, make_big

from memory_gui.domain.queries import Query
from memory_gui.domain.records import State
from memory_gui.erasure.result import EraseState
from memory_gui.ui.shell.interpreter import Interpreter

RECORDS = 100_000
LIVE = RECORDS - RECORDS // 50
MANY = 10_000
MEMORIES = Query(kinds=frozenset({"memory"}), states=frozenset({State.LIVE}))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large") / "atlas"
    make_big(folder, RECORDS, encrypted=True)
    return folder


@pytest.fixture
def window(real_window, tmp_path):
    window = real_window(tmp_path)
    interpreter = Interpreter(window)
    yield window
    interpreter.close()


def listed(window, rows: int, patience: float = 120) -> None:
    """Until the list has so many rows."""
    end = time.monotonic() + patience
    while window.memories.model.rowCount() != rows:
        assert time.monotonic() < end, window.memories.model.rowCount()
        QApplication.processEvents()
        time.sleep(0.002)


def open_large(window, folder) -> None:
    """From nothing; with the key given by hand, as the key page does after it was typed."""
    window.memories.services.library.close_all()
    window.bridge.call(window.memories.services.library.open, str(folder), key=KEY, pair=False)
    settle(window.bridge, 30)
    window.open_paths([str(folder)])
    listed(window, LIVE)


def test_opening_searching_and_scrolling(qtbot, window, large):
    assert longest_pause(lambda: open_large(window, large)) <= LONGEST_MS
    search = window.findChild(QLineEdit, "search")
    table = window.memories.list.table

    def look():
        search.clear()
        for letter in "memory 0050000":
            qtbot.keyClicks(search, letter)
            qtbot.wait(30)
        listed(window, 1)

    def every_row_again():
        search.clear()
        listed(window, LIVE)

    def scroll():
        bar = table.verticalScrollBar()
        for step in range(60):
            bar.setValue(bar.maximum() * step // 60)
            QApplication.processEvents()
        settle(window.bridge, 30)

    assert longest_pause(look) <= LONGEST_MS
    assert longest_pause(every_row_again) <= LONGEST_MS
    assert longest_pause(scroll) <= LONGEST_MS
    assert longest_pause(table.selectAll) <= LONGEST_MS
    assert table.selected_count() == LIVE


def stopped_after(window, work, *args) -> float:
    """Milliseconds from Cancel to the end of a call that was under way for half a second."""
    handle = window.bridge.call(work, *args, cancellable=True)
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        QApplication.processEvents()
    began = time.monotonic()
    handle.stop()
    while not handle.finished:
        QApplication.processEvents()
        assert time.monotonic() - began < 20
    return (time.monotonic() - began) * 1000


@pytest.mark.soak
@pytest.mark.timeout(1_800)
def test_acts_on_many(window, large):
    open_large(window, large)
    services = window.memories.services
    refs = services.library.refs(services.library.search(MEMORIES).ids[:MANY])
    answers = []

    def run(work, *args):
        def go():
            window.bridge.call(work, *args, done=answers.append)
            settle(window.bridge, 900)

        return longest_pause(go, tries=1)

    assert stopped_after(window, services.editing.trash, refs) <= 500
    if services.editing.undo_text() is not None:  # it had come to the first record
        services.editing.undo()
    assert stopped_after(window, services.erasing.plan, refs) <= 500
    assert run(services.editing.trash, refs) <= LONGEST_MS
    assert answers[-1].done == MANY
    assert run(services.editing.undo) <= LONGEST_MS
    assert run(services.erasing.plan, refs) <= LONGEST_MS
    assert answers[-1].counts["memories"] == MANY
    assert run(services.erasing.run, answers[-1]) <= LONGEST_MS
    assert answers[-1].state is EraseState.PROVED
    assert services.library.search(MEMORIES).total == LIVE - MANY
