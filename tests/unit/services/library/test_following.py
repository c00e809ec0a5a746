# SPDX-License-Identifier: MIT
"""What another program writes into a large store is there at once, long before a comparison."""

from __future__ import annotations

import time

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref, State
from memory_gui.engine.connection import open_database
from memory_gui.services.library import following

NOW = "2026-11-30T12:00:00"
MEMORY = (
    "INSERT INTO memories VALUES (?, 'project', 'note', ?, ?, ?, '[]', '[]', 'explicit',"
    " 'explicit_user', 'normal', ?, ?, NULL)"
)
EVENT = "INSERT INTO memory_events (memory_id, event_type, timestamp) VALUES (?, ?, ?)"


def written(pair, *statements):
    with open_database(pair.project_file, None, write=True) as connection, connection.writing():
        for sql, params in statements:
            connection.change(sql, params)


@pytest.fixture
def read(pair):
    """A pair that is in memory, and whose comparisons are too slow to be made now."""
    for number in range(3):
        pair.add(f"kettle {number}", f"boils {number}")
    library = pair.services.library
    assert library.search(Query("kettle")).total == 3
    written(pair, (EVENT, ("", "create", NOW)))
    library.poll()
    pace = library.shelf(pair.project.id).reading.pace
    pace.took = pace.worked = 60.0
    pace.last = time.monotonic()
    return pair


def found(pair, text):
    assert pair.project.id in pair.services.library.poll()
    return pair.services.library.search(Query(text, kinds=frozenset({"memory"}))).total


def test_new_changed_and_trashed_memories(read):
    library = read.services.library
    refs = library.refs(library.search(Query('"kettle 1"', kinds=frozenset({"memory"}))).ids)
    (known,) = refs
    new = (MEMORY, ("ffff0001", "k", "teapot", "new in it", NOW, NOW))
    written(read, new, (EVENT, ("ffff0001", "create", NOW)))
    assert found(read, "teapot") == 1
    changed = (
        "UPDATE memories SET content = 'whistles', keywords_json = '[]' WHERE id = ?",
        known.key,
    )
    written(read, changed, (EVENT, (*known.key, "update", NOW)))
    assert found(read, "whistles") == 1
    assert library.search(Query("boils")).total == 2
    gone = ("UPDATE memories SET deleted_at = ? WHERE id = ?", (NOW, *known.key))
    written(read, gone, (EVENT, (*known.key, "soft_delete", NOW)))
    assert found(read, "") == 4
    states = frozenset({State.TRASH})
    assert library.search(Query("whistles", states=states)).total == 1
    assert library.counts()["event"][State.LIVE] == 7


def test_what_the_log_says_nothing_of_is_found_by_the_next_comparison(read):
    library = read.services.library
    written(read, ("UPDATE memories SET content = 'whistles'", ()))
    assert found(read, "whistles") == 0
    library.shelf(read.project.id).reading.pace.last -= 40.0
    assert found(read, "whistles") == 3


def test_more_than_a_step_takes_is_found_by_the_next_comparison(read):
    rows = [(MEMORY, (f"{n:08x}", f"k{n}", f"cup {n}", "many", NOW, NOW)) for n in range(2_100)]
    written(read, *rows)
    assert found(read, "cup") == 2_000
    read.services.library.shelf(read.project.id).reading.pace.last -= 40.0
    assert found(read, "cup") == 2_100
    assert read.services.library.record(Ref(read.project.id, "memory", (f"{2_099:08x}",)))


def test_what_is_known_is_shown_before_a_large_store_is_compared_and_only_once(read, monkeypatch):
    library = read.services.library
    reading = library.shelf(read.project.id).reading
    monkeypatch.setattr(following, "_LARGE", 1)
    reading.pace.last -= 40.0
    compared = []
    monkeypatch.setattr(reading, "compare", lambda: compared.append(1) or False)
    for number in range(2):
        assert compared == []
        row = (f"ffff000{number}", f"k{number}", "teapot", "new", NOW, NOW)
        written(read, (MEMORY, row))
        assert found(read, "teapot") == number + 1
    assert compared == [1]


def test_a_store_that_was_away_when_its_rows_were_wanted_is_told_when_it_is_back(pair):
    """Also where it came back between two polls, so that none of them ever failed."""
    pair.add("Kettle", "boils")
    library = pair.services.library
    ids = library.search(Query("kettle", kinds=frozenset({"memory"}))).ids
    shelf_ = library.shelf(pair.project.id)
    library.poll()
    assert library.poll() == frozenset()
    shelf_.let_go(UserError("store.let_go", pid="7"))
    (row,) = library.window(ids)
    assert (row.pale, row.title, row.text) == (True, "kettle", "")
    shelf_._come_back()
    assert library.poll() == {pair.project.id}
    (row,) = library.window(ids)
    assert (row.pale, row.title, row.text) == (False, "Kettle", "boils")
    assert library.poll() == frozenset()
