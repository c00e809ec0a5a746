# SPDX-License-Identifier: MIT
"""The list's model: never waits, fetches what is looked at, keeps Qt's contract."""

import random
from array import array
from dataclasses import replace

import pytest
from fake_services import FakeServices, record
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import State
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.records.listing.model import (
    BLOCK,
    BLOCKS_KEPT,
    RECORD_ROLE,
    SAID_ROLE,
    MemoryTableModel,
)
from memory_gui.words import Words

ROWS = 1_000


class Library:
    """Ten records for each id asked; writes down what it was asked for."""

    def __init__(self):
        self.asked = []
        self.error = None
        self.pale = False

    def window(self, ids, most=None):
        self.asked.append(list(ids))
        if self.error is not None:
            raise self.error
        if self.pale:
            return [replace(record(n, text=""), pale=True) for n in ids]
        return [None if n % 97 == 96 else record(n) for n in ids]


@pytest.fixture
def library():
    return Library()


@pytest.fixture
def model(qapp, library):
    fake = FakeServices()
    fake.library = library
    bridge = Bridge()
    made = MemoryTableModel(Context(fake, bridge, Words("en")))
    made.bridge = bridge
    yield made
    made.clear()
    bridge.close()


def wait(qtbot, model):
    qtbot.wait(5)
    qtbot.waitUntil(lambda: not model.bridge.busy)


def test_qt_agrees_through_random_lists(qtbot, model):
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    chance = random.Random(4)
    for _ in range(30):
        size = chance.choice([0, 1, 5, BLOCK, BLOCK + 1, ROWS])
        ids = array("q", chance.sample(range(5 * ROWS), size))
        model.show(ids, {})
        for row in chance.sample(range(size), min(5, size)):
            model.data(model.index(row, 0))
        qtbot.wait(1)
    wait(qtbot, model)
    assert tester.model() is model


def test_a_row_that_is_not_here_is_asked_for_not_waited_for(qtbot, model, library):
    model.show(array("q", range(ROWS)), {})
    index = model.index(500, 0)
    assert model.data(index) == ""
    assert library.asked == []
    wait(qtbot, model)
    assert model.data(index).endswith("_500")
    assert len(library.asked) == 3, "its block and the two beside it, once"
    assert library.asked[0][0] % BLOCK == 0


def test_blocks_that_came_with_the_list_are_not_asked_for(qtbot, model, library):
    rows = [record(n) for n in range(BLOCK)]
    model.show(array("q", range(BLOCK)), {0: rows})
    assert model.data(model.index(7, 0), RECORD_ROLE) is rows[7]
    wait(qtbot, model)
    assert library.asked == []


def test_a_record_that_is_gone_is_none(qtbot, model):
    model.show(array("q", range(200)), {})
    model.record(96)
    wait(qtbot, model)
    assert model.record(96) is None
    assert model.record(95) is not None


def test_an_answer_for_an_older_list_is_dropped(qtbot, model):
    model.show(array("q", range(200)), {})
    model.record(0)
    qtbot.wait(5)
    model.show(array("q", [42]), {})
    wait(qtbot, model)
    model.record(0)
    wait(qtbot, model)
    assert model.record(0).ref.key == (f"{42:08x}",)


def test_the_same_ids_again_move_nothing(qtbot, model):
    model.show(array("q", [1, 2]), {0: [record(1), record(2)]})
    resets = []
    model.modelReset.connect(lambda: resets.append(1))
    changed = record(2, state=State.TRASH)
    with qtbot.waitSignal(model.dataChanged):
        moved = model.show(array("q", [1, 2]), {0: [record(1), changed]})
    assert not moved
    assert resets == []
    assert model.record(1).state is State.TRASH


def test_only_some_blocks_are_kept(qtbot, model):
    model.show(array("q", range(BLOCK * (BLOCKS_KEPT + 20))), {})
    for block in range(0, BLOCKS_KEPT + 20, 2):
        model.record(block * BLOCK)
        wait(qtbot, model)
    assert len(model._blocks) <= BLOCKS_KEPT


def test_screen_readers_hear_title_and_text(model):
    model.show(array("q", [0]), {0: [record(0, title="A title", text="Its text")]})
    index = model.index(0, 0)
    assert model.data(index, Qt.ItemDataRole.AccessibleTextRole) == "A title"
    assert model.data(index, Qt.ItemDataRole.AccessibleDescriptionRole) == "Its text"


def test_clear_leaves_no_record(qtbot, model):
    model.show(array("q", range(200)), {})
    model.record(0)
    wait(qtbot, model)
    model.clear()
    assert model.rowCount() == 0
    assert model._blocks == {}


@pytest.mark.parametrize("error", [UserError("store.damaged", path="x"), ValueError("a bug")])
def test_what_could_not_be_read_says_so_and_is_asked_again_by_a_look_only(
    qtbot, model, library, error
):
    told = []
    model.failed.connect(told.append)
    library.error = error
    model.show(array("q", range(ROWS)), {})
    index = model.index(500, 0)
    model.data(index)
    wait(qtbot, model)
    assert told == ([error] if isinstance(error, UserError) else [])
    assert model.data(index) == "This could not be read"
    again = "It is tried again when you scroll or search."
    assert model.data(index, Qt.ItemDataRole.AccessibleDescriptionRole) == again
    asked = len(library.asked)
    wait(qtbot, model)
    assert len(library.asked) == asked, "painting it asks nobody"
    library.error = None
    model.ask_again(0, 10)
    wait(qtbot, model)
    assert len(library.asked) == asked, "those rows were read, or never asked for"
    model.ask_again(498, 505)
    wait(qtbot, model)
    assert model.data(index).endswith("_500")
    assert model.data(index, SAID_ROLE) == ()


def test_rows_whose_store_is_away_say_so_until_they_are_read(qtbot, model, library):
    library.pale = True
    model.show(array("q", range(200)), {})
    index = model.index(3, 0)
    model.data(index)
    wait(qtbot, model)
    assert model.data(index, SAID_ROLE) == ("Waiting for its store…",)
    assert model.data(index, Qt.ItemDataRole.AccessibleDescriptionRole) == "Waiting for its store…"
    library.pale = False
    model.show(array("q", range(200)), {0: [record(n) for n in range(BLOCK)]})
    assert model.data(index, SAID_ROLE) == (), "the list came again: its store is back"
    model.data(model.index(150, 0))
    wait(qtbot, model)
    assert model.data(model.index(150, 0), SAID_ROLE) == ()
