# SPDX-License-Identifier: MIT
"""The in-memory index against SQLite over the same encrypted file: ``make bench RECORDS=n``.

Ratios within one run, not seconds: machines differ, and so does what else they are doing. They are
written down (``rows.tell``), and nothing fails for being slow; what is asserted is that both find
the same. Times are of the processor, since others may use the machine.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest
import sqlcipher3

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from bigstore import KEY, make_big, row
from index_alone import made_ready
from measuring import (
    COLUMNS,
    LIKES,
    NEWEST,
    PAGE,
    RECORDS,
    like,
    p95,
    processor,
    spent,
    typed,
)
from rows import LARGE, tell
from table import SORTED

from memory_gui.domain.queries import SORTS, Query
from memory_gui.domain.records import State
from memory_gui.engine.connection import open_database
from memory_gui.engine.database import Connection
from memory_gui.index.content import Content
from memory_gui.index.whole import Shelved, Whole
from memory_gui.services.library.reading import read_all
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.registry import Registry, formats

QUERIES, COUNTS = 200, 20
LIVE = frozenset({State.LIVE})
MEMORIES = frozenset({"memory"})

pytestmark = pytest.mark.timeout(3_600)


@dataclass
class Bench:
    path: Path
    connection: Connection
    store: Store
    content: Content
    whole: Whole

    @property
    def stores(self) -> list[Shelved]:
        return [Shelved(0, self.content)]

    def search(self, text: str, sort: str = "-updated") -> array[int]:
        """As if nothing had been asked before."""
        self.content.masks.follow(-1)
        query = Query(text, kinds=MEMORIES, states=LIVE)
        return self.whole.search(self.stores, query, query.parsed(), sort)

    def first(self, text: str) -> object:
        """The first page, as a person who types gets it; as if nothing had been asked before."""
        self.content.masks.follow(-1)
        query = Query(text, kinds=MEMORIES, states=LIVE)
        found = self.whole.first(self.stores, query, query.parsed(), "-updated", most=PAGE)
        return self.search(text)[:PAGE] if found is None else found


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> Iterator[Bench]:
    path = make_big(tmp_path_factory.mktemp("bench"), RECORDS, encrypted=True).resolve()
    with open_database(path, KEY, write=False) as connection:
        store = Registry(formats(None)).open(Location((path,)), KEY, Mode.LOOK)
        content, whole = Content(store.id), Whole()
        read_all(content, store)
        made_ready(whole, [Shelved(0, content)])
        yield Bench(path, connection, store, content, whole)
        store.close()


def asked(dice: random.Random) -> dict[str, tuple[str, ...] | tuple[object, ...]]:
    number = f"{dice.randrange(RECORDS):07d}"
    title = str(row(dice.randrange(RECORDS))[4])
    return {
        title: ((title,), "", ""),
        f"{number} {title[:2]}": ((number, title[:2]), "", ""),
        f"{number} -nobody": ((number,), "nobody", ""),
        f"type:note {number}": ((number,), "", "AND type = 'note'"),
    }


def test_search(bench: Bench) -> None:
    bench.search("")  # the order that lists are shown in is kept ready
    dice = random.Random(1)
    wanted = [one for _ in range(QUERIES // 4) for one in asked(dice).items()]
    ours = processor(partial(bench.search, text) for text, _ in wanted)
    asking = [
        partial(like, bench.connection, *words, without=without, and_=and_)
        for _, (words, without, and_) in wanted[:LIKES]
    ]
    theirs = processor(asking)
    for (text, _), ask in zip(wanted, asking if RECORDS <= LARGE else asking[:4], strict=False):
        assert len(bench.search(text)) == len(ask())
    tell("search", p95(ours), p95(theirs))


def test_search_typed_in_the_index(bench: Bench) -> None:
    bench.search("")
    ours = processor(partial(bench.first, text) for text in typed())
    theirs = processor(
        partial(like, bench.connection, text, tail=NEWEST) for text in typed()[:LIKES]
    )
    tell("search_typed_index", p95(ours), p95(theirs))


def test_facets(bench: Bench) -> None:
    """Both know the hits: ours has found them, SQLite has their rows in a table of its own."""
    words = list(dict.fromkeys(word for word in typed() if len(word) > 1))[::5][:COUNTS]
    ours = []
    for word in words:
        query = Query(word, kinds=MEMORIES, states=LIVE)
        parsed = query.parsed()
        bench.whole.search(bench.stores, query, parsed, "-updated")
        ours.append(spent(partial(bench.whole.facets, bench.stores, query, parsed)))
    told = bench.whole.facets(bench.stores, query, parsed)
    month = "substr(updated_at, 1, 7)"
    connection = sqlcipher3.connect(bench.path)
    connection.execute(f"PRAGMA key = \"x'{KEY.hex()}'\"")
    holds = " OR ".join(f"{column} LIKE '%{words[-1]}%'" for column in COLUMNS)
    connection.execute(
        "CREATE TEMP TABLE hits AS SELECT rowid AS hit FROM memories"
        f" WHERE deleted_at IS NULL AND ({holds})"
    )
    counts = {}

    def group() -> None:
        for column in ("type", "scope", "source", "confidence", month, "tags_json"):
            counts[column] = connection.execute(
                f"SELECT {column}, count(*) FROM hits JOIN memories ON memories.rowid = hit"
                " GROUP BY 1"
            ).fetchall()

    theirs = spent(group, 1 if RECORDS > LARGE else 3)
    connection.close()
    assert {one.value: one.count for one in told["type"]} == dict(counts["type"])
    tell("facets", p95(ours), theirs)


@pytest.mark.parametrize("name", SORTED)
def test_sort(bench: Bench, name: str) -> None:
    column = {"updated": "updated_at", "created": "created_at"}.get(name, name)
    sql = f"SELECT rowid FROM memories WHERE deleted_at IS NULL ORDER BY {column}"
    theirs = spent(lambda: bench.connection.execute(sql), 1 if RECORDS > LARGE else 3)
    bench.whole.clear()
    first = spent(lambda: bench.search("", name))
    if make := bench.whole.ready_maker(bench.stores, SORTS):
        make()
    again = spent(lambda: bench.search("", f"-{name}"), 3)
    assert len(bench.search("", name)) == len(bench.connection.execute(sql))
    with changed(bench):
        after = spent(lambda: bench.search("", name))
    tell(f"sort_{name}_first", first, theirs)
    tell(f"sort_{name}", again, theirs)
    tell(f"sort_{name}_changed", after, theirs)


@contextmanager
def changed(bench: Bench) -> Iterator[None]:
    """A hundred records have another title."""
    refs = [bench.content.ref(number) for number in range(0, RECORDS, RECORDS // 100)]
    records = [one for one in bench.store.fetch([ref for ref in refs if ref]) if one]
    etags = [f"{int(one.etag, 16) ^ 1:016x}" for one in records]
    bench.content.put(
        replace(one, etag=etag, title=one.title[::-1])
        for one, etag in zip(records, etags, strict=True)
    )
    yield
    bench.content.put(records)


def test_index_load_and_memory(bench: Bench) -> None:
    """In a process of its own: what others have left in memory does not count there."""
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("index_alone.py"), bench.path],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(done.stdout)
    tell("index_load", found["load"], found["bare"])
    tell("index_usable", found["usable"], found["load"])
    tell("orders_ready", found["ready"], found["load"])
    tell("index_memory", found["grown"], found["text"], "bytes")
    tell("index_memory_peak", found["peak"], found["text"], "bytes")
