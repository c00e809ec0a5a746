# SPDX-License-Identifier: MIT
"""Records far longer than an agent would write: read by their beginnings, never cut by a change."""

from __future__ import annotations

import tracemalloc

import pytest

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.queries import Query
from memory_gui.engine.connection import open_database

MOST = 20_000
LONG = "The service listens on 8080.\r\n" * 20_000


@pytest.fixture
def long_ones(tmp_path, empty_store, services_in):
    """An open store with 24 memories of 0.6 MB, made by another program."""
    services = services_in(tmp_path)
    path = empty_store(tmp_path / "atlas/.agentao")
    (opened,) = services.library.open(path, pair=False)
    for number in range(24):
        fields = {"title": f"note {number}", "text": "short", "scope": "project"}
        services.editing.add(opened.id, NewRecord("memory", fields))
    services.library.close_all()
    with open_database(path, None, write=True) as connection, connection.writing():
        connection.execute("UPDATE memories SET content = ?", (LONG,))
    (opened,) = services.library.open(path, pair=False)
    return services, services.library.search(Query(kinds=frozenset({"memory"}))).ids


def test_a_list_has_their_beginnings_and_is_never_given_all_of_them(long_ones):
    services, ids = long_ones
    tracemalloc.start()
    rows = services.library.window(ids, MOST)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert {(len(one.text), one.more) for one in rows} == {(MOST, len(LONG) - MOST)}
    assert peak < 18 * len(LONG)  # a few at a time, where 24 are listed
    (whole,) = services.library.window(ids[:1])
    assert (whole.text, whole.more) == (LONG, 0)
    assert whole.etag == rows[0].etag


def test_a_tag_is_added_and_the_text_stays_to_its_last_character(long_ones):
    services, ids = long_ones
    (row,) = services.library.window(ids[:1], MOST)
    result = services.editing.edit(Edit(Target(row.ref, row.etag), {"tags": ("kept",)}))
    assert result.failed == ()
    found = services.library.record(row.ref)
    assert (found.text, found.tags) == (LONG, ("kept",))
