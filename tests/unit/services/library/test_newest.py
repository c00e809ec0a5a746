# SPDX-License-Identifier: MIT
"""Of a large store the newest records are there first: they are what a list begins with."""

from __future__ import annotations

import random
import threading

import pytest

from memory_gui.domain.queries import Query
from memory_gui.engine.connection import open_database
from memory_gui.index.content import Content
from memory_gui.services.library import reading
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.registry import Registry, formats
from memory_gui.stores.sql import table

RECORDS, HEAD = 90, 7
NEWEST = "SELECT id FROM memories WHERE deleted_at IS NULL ORDER BY updated_at DESC"
INSERT = """INSERT INTO memories (id, scope, type, key_normalized, title, content, tags_json,
 keywords_json, source, confidence, sensitivity, created_at, updated_at, deleted_at)
 VALUES (?1, 'project', 'note', ?1, ?1, ?1, '[]', '[]', 'explicit', 'explicit_user', 'normal',
 ?2, ?2, ?3)"""


@pytest.fixture
def path(tmp_path, empty_store):
    """A store whose rows do not lie in the order of their times; some are in the trash."""
    path = empty_store(tmp_path / "atlas/.agentao")
    times = [f"2026-01-{n // 24 + 1:02d}T{n % 24:02d}:00:00" for n in range(RECORDS)]
    random.Random(7).shuffle(times)
    with open_database(path, None, write=True) as connection, connection.writing():
        for n, when in enumerate(times):
            connection.execute(INSERT, (f"{n:08x}", when, when if n % 5 == 0 else None))
    return path


def newest(path, count):
    with open_database(path, None, write=False) as connection:
        return [str(row[0]) for row in connection.execute(f"{NEWEST} LIMIT {count}")]


def test_they_are_those_of_one_order_by_and_are_looked_for_range_by_range(path, monkeypatch):
    monkeypatch.setattr(table, "SCAN_ROWS", 10)
    monkeypatch.setattr(table, "_FAR", 10)
    monkeypatch.setattr(table, "_SMALL", 10)
    store = Registry(formats(None)).open(Location((path,)), None, Mode.LOOK)
    looks = []
    found = store.newest(HEAD, lambda: looks.append(True))
    assert {record.ref.key[-1] for record in found} == set(newest(path, HEAD))
    assert len(looks) == RECORDS // 10
    assert {len(store.newest(n, lambda: None)) for n in (1, 500)} == {1, RECORDS - RECORDS // 5}
    store.close()


def test_a_table_whose_numbers_lie_far_apart_is_read_as_it_lies(path):
    with open_database(path, None, write=True) as connection, connection.writing():
        connection.execute("UPDATE memories SET rowid = rowid * 1000000")
    store = Registry(formats(None)).open(Location((path,)), None, Mode.LOOK)
    assert store.newest(HEAD, lambda: None) == ()
    store.close()


def test_a_list_has_them_before_the_store_is_read(path, tmp_path, services_in, monkeypatch):
    monkeypatch.setattr(reading, "_MANY", 20)
    monkeypatch.setattr(reading, "_HEAD", HEAD)
    held, read_all = threading.Event(), reading.read_all

    def waiting(*args):
        assert held.wait(60)
        return read_all(*args)

    monkeypatch.setattr(reading, "read_all", waiting)
    library = services_in(tmp_path).library
    library.open(path, pair=False)
    query = Query(kinds=frozenset({"memory"}))
    begun = library.search(query, "-updated", patience=60)
    assert begun.partial
    assert [ref.key[-1] for ref in library.refs(begun.ids)] == newest(path, HEAD)
    held.set()
    whole = library.search(query, "-updated")
    assert not whole.partial
    assert whole.total == RECORDS
    live = [ref.key[-1] for ref in library.refs(whole.ids)]
    assert [one for one in live if one in set(newest(path, RECORDS))] == newest(path, RECORDS)
    library.close_all()


def test_they_do_not_make_the_rest_of_their_batches_slow(path, tmp_path, services_in, monkeypatch):
    monkeypatch.setattr(reading, "_MANY", 20)
    monkeypatch.setattr(reading, "_HEAD", HEAD)
    one_by_one, take = [], Content.take

    def counting(self, records, rows=()):
        one_by_one.extend(records)
        return take(self, records, rows)

    monkeypatch.setattr(Content, "take", counting)
    library = services_in(tmp_path).library
    library.open(path, pair=False)
    query = Query(kinds=frozenset({"memory"}))
    assert library.search(query, "title").total == RECORDS
    assert {one.ref.key[-1] for one in one_by_one if one.ref.kind == "memory"} == set(
        newest(path, HEAD)
    )
    assert library.search(Query(newest(path, HEAD)[0])).total == 1
    library.close_all()
