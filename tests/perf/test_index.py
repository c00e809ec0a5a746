# SPDX-License-Identifier: MIT
"""The in-memory index against SQLite's own ``LIKE`` and ``ORDER BY`` over the same encrypted file.

Ratios within one run, not seconds: machines differ, and so does what else they are doing. They are
printed, and nothing fails for being slow; what is asserted is that both find the same.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from bigstore import KEY, make_big

from memory_gui.domain.queries import Query
from memory_gui.domain.records import State
from memory_gui.engine.connection import open_database
from memory_gui.engine.database import Connection
from memory_gui.index.content import Content
from memory_gui.index.whole import Shelved, Whole
from memory_gui.stores.contract import Location, Mode
from memory_gui.stores.registry import Registry, formats

RECORDS = 30_000
COLUMNS = ("title", "content", "tags_json", "key_normalized")
ROUNDS = 3


@dataclass
class Bench:
    connection: Connection
    stores: list[Shelved]
    whole: Whole
    read: float
    """Seconds that it took to read the store into memory."""

    def search(self, text: str, sort: str = "-updated") -> int:
        query = Query(text, kinds=frozenset({"memory"}), states=frozenset({State.LIVE}))
        return len(self.whole.search(self.stores, query, query.parsed(), sort))

    def like(self, *words: str) -> int:
        one = "(" + " OR ".join(f"{column} LIKE ?" for column in COLUMNS) + ")"
        where = " AND ".join(["deleted_at IS NULL", *[one] * len(words)])
        params = [f"%{word}%" for word in words for _ in COLUMNS]
        sql = f"SELECT id FROM memories WHERE {where} ORDER BY updated_at DESC"
        return len(self.connection.execute(sql, params))


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> Iterator[Bench]:
    path = make_big(tmp_path_factory.mktemp("bench"), RECORDS, encrypted=True).resolve()
    store = Registry(formats(None)).open(Location((path,)), KEY, Mode.LOOK)
    content = Content(store.id)
    started = time.perf_counter()
    content.begin()
    for batch in store.scan():
        content.take(batch)
    content.end()
    read = time.perf_counter() - started
    with open_database(path, KEY, write=False) as connection:
        yield Bench(connection, [Shelved(0, content)], Whole(), read)
    store.close()


def median(act: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        act()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('"memory 0012345"', ["memory 0012345"]),
        ("deploy proxy", ["deploy", "proxy"]),
        ("数据库", ["数据库"]),
        ("的", ["的"]),
        ("e", ["e"]),
    ],
)
def test_searching(bench: Bench, text: str, words: list[str]) -> None:
    assert bench.search(text) == bench.like(*words)
    ours, theirs = median(lambda: bench.search(text)), median(lambda: bench.like(*words))
    print(f"{text}: {theirs / ours:.0f} times as fast as LIKE ({ours * 1000:.1f} ms)")


@pytest.mark.parametrize("name", ["updated", "title"])
def test_sorting(bench: Bench, name: str) -> None:
    column = {"updated": "updated_at", "title": "title"}[name]
    sql = f"SELECT rowid FROM memories WHERE deleted_at IS NULL ORDER BY {column}"
    theirs = median(lambda: bench.connection.execute(sql))

    def ours() -> None:
        bench.whole.clear()
        bench.search("", name)

    took = median(ours)
    print(f"sort by {name}: {theirs / took:.0f} times as fast as ORDER BY ({took * 1000:.1f} ms)")
    assert bench.search("", name) == len(bench.connection.execute(sql))


def test_counting(bench: Bench) -> None:
    query = Query("deploy", kinds=frozenset({"memory"}))
    told = bench.whole.facets(bench.stores, query, query.parsed())
    types = {one.value: one.count for one in told["type"]}
    sql = "SELECT type, count(*) FROM memories WHERE {} GROUP BY 1".format(
        "(" + " OR ".join(f"{column} LIKE '%deploy%'" for column in COLUMNS) + ")"
    )
    assert types == dict(bench.connection.execute(sql))
    ours = median(lambda: bench.whole.facets(bench.stores, query, query.parsed()))
    theirs = median(lambda: bench.connection.execute(sql))
    print(f"all facets: {theirs / ours:.0f} times as fast as one GROUP BY ({ours * 1000:.1f} ms)")


def test_reading_and_size(bench: Bench) -> None:
    columns = ", ".join(("id", "type", "scope", *COLUMNS, "created_at", "updated_at"))
    bare = median(lambda: bench.connection.execute(f"SELECT {columns} FROM memories"))
    content = bench.stores[0].content
    text = sum(
        int(row[0] or 0)
        for row in bench.connection.execute(
            "SELECT sum(length(CAST(title || content || key_normalized || tags_json AS BLOB)))"
            " FROM memories"
        )
    )
    print(
        f"reading: {bench.read / bare:.1f} times a bare SELECT, {bench.read / RECORDS * 1e6:.0f} µs"
        f" a record; in memory: {content.nbytes / RECORDS:.0f} bytes a record,"
        f" {content.nbytes / text:.2f} times the text"
    )
    assert content.nbytes < 3 * text
