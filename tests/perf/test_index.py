# SPDX-License-Identifier: MIT
"""The in-memory index against SQLite over the same encrypted file: ``make bench RECORDS=n``.

Ratios within one run, not seconds: machines differ, and so does what else they are doing. They are
written down (``rows.tell``), and nothing fails for being slow; what is asserted is that both find
the same. Times are of the processor, since others may use the machine.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from bigstore import CHINESE, ENGLISH, KEY, make_big, row
from rows import tell

from memory_gui.domain.queries import SORTS, Query
from memory_gui.domain.records import State
from memory_gui.engine.connection import open_database
from memory_gui.engine.database import Connection
from memory_gui.index.content import Content
from memory_gui.index.memory import give_back
from memory_gui.index.whole import Shelved, Whole
from memory_gui.services.library.reading import read_all
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.registry import Registry, formats

RECORDS = int(os.environ.get("MEMORY_GUI_RECORDS", "30000"))
COLUMNS = ("title", "content", "tags_json", "key_normalized")
QUERIES, LIKES = 200, 12
LARGE = 300_000
"""Of more records each thing is measured once or twice."""
PAGE = 200
LIVE = frozenset({State.LIVE})
MEMORIES = frozenset({"memory"})

pytestmark = pytest.mark.timeout(3_600)


def timed(acts: Iterable[Callable[[], object]]) -> list[float]:
    """Seconds of the processor that each takes, one after another."""
    gc.collect()
    took = []
    for act in acts:
        begun = time.process_time()
        act()
        took.append(time.process_time() - begun)
    return took


def spent(act: Callable[[], object], times: int = 1) -> float:
    """Seconds of the processor, the best of some times."""
    return min(timed([act] * times))


def p95(values: Sequence[float]) -> float:
    """What 95 of 100 stay below."""
    return sorted(values)[max(0, round(len(values) * 0.95) - 1)]


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def peak() -> int:
    """The most bytes that this process had in memory."""
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


@dataclass
class Bench:
    connection: Connection
    store: Store
    content: Content
    whole: Whole
    load: float
    """Seconds that reading the store into memory took."""
    bare: float
    """Seconds of a loop that fetches all columns of all rows and does nothing with them."""
    usable: float
    """Seconds after which the first records were found."""
    grown: int
    """Bytes by which the process grew, the orders that are kept ready included."""
    peak: int
    """Bytes by which it had grown at most while it read, and made those."""

    @property
    def stores(self) -> list[Shelved]:
        return [Shelved(0, self.content)]

    def search(self, text: str, sort: str = "-updated") -> array[int]:
        """As if nothing had been asked before."""
        self.content.masks.follow(-1)
        query = Query(text, kinds=MEMORIES, states=LIVE)
        return self.whole.search(self.stores, query, query.parsed(), sort)

    def first(self, text: str) -> object:
        """The first page, as a person who types gets it."""
        query = Query(text, kinds=MEMORIES, states=LIVE)
        found = self.whole.first(self.stores, query, query.parsed(), "-updated", most=PAGE)
        return self.search(text)[:PAGE] if found is None else found

    def like(self, *words: str, tail: str = "", without: str = "", and_: str = "") -> list[object]:
        one = "(" + " OR ".join(f"{column} LIKE ?" for column in COLUMNS) + ")"
        where = ["deleted_at IS NULL", *[one] * len(words), *([f"NOT {one}"] if without else [])]
        parts = (*words, without) if without else words
        params = [f"%{part}%" for part in parts for _ in COLUMNS]
        sql = f"SELECT id FROM memories WHERE {' AND '.join(where)} {and_} {tail}"
        return list(self.connection.execute(sql, params))


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> Iterator[Bench]:
    path = make_big(tmp_path_factory.mktemp("bench"), RECORDS, encrypted=True).resolve()
    with open_database(path, KEY, write=False) as connection:

        def fetch() -> None:
            for _ in connection.rows("SELECT rowid, * FROM memories"):
                pass

        bare = spent(fetch, 2 if RECORDS > LARGE else 4)
        store = Registry(formats(None)).open(Location((path,)), KEY, Mode.LOOK)
        content = Content(store.id)
        before = resident()
        Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here on
        first: list[float] = []

        def looked(_done: int) -> None:
            if not first and content.count():
                first.append(time.process_time())

        begun = time.process_time()
        load = spent(lambda: read_all(content, store, looked))
        give_back()  # as a reading does
        whole = Whole()
        made_ready(whole, [Shelved(0, content)])
        highest = peak()
        give_back()
        grown = resident() - before
        for _ in range(0 if RECORDS > LARGE else 3):  # the best of some, as the bare loop
            load = min(load, spent(lambda: read_all(Content(store.id), store)))
        usable = first[0] - begun
        peaked = highest - before
        yield Bench(connection, store, content, whole, load, bare, usable, grown, peaked)
        store.close()


def made_ready(whole: Whole, stores: Sequence[Shelved]) -> None:
    """As the app does in the background once a store was read."""
    for make in (lambda: whole.ready.order(stores, "updated", 0), whole.ready_maker(stores, SORTS)):
        if make is not None:
            make()


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
    ours = timed(partial(bench.search, text) for text, _ in wanted)
    theirs = []
    for text, (words, without, and_) in wanted[:LIKES]:
        found: list[object] = []
        theirs.append(
            spent(lambda: found.extend(bench.like(*words, without=without, and_=and_)))  # noqa: B023
        )
        assert len(bench.search(text)) == len(found)
    tell("search", p95(ours), p95(theirs))


def test_search_typed(bench: Bench) -> None:
    bench.search("")
    words = ("e", "的", *dict.fromkeys(ENGLISH[:36]), *CHINESE[:20])[:50]
    assert len(words) == 50
    typed = [word[:n] for word in words for n in range(1, len(word) + 1)]
    ours = timed(partial(bench.first, text) for text in typed)
    whole = timed(partial(bench.search, text) for text in typed)
    tail = f"ORDER BY updated_at DESC LIMIT {PAGE}"
    theirs = timed(partial(bench.like, text, tail=tail) for text in typed[:LIKES])
    tell("search_typed", p95(ours), p95(theirs))
    tell("search_typed_counted", p95(whole), 0.0)
    assert len(bench.search("deploy")) == len(bench.like("deploy"))


def test_facets(bench: Bench) -> None:
    query = Query("deploy", kinds=MEMORIES, states=LIVE)
    parsed = query.parsed()
    bench.whole.search(bench.stores, query, parsed, "-updated")
    told = bench.whole.facets(bench.stores, query, parsed)
    ours = timed([lambda: bench.whole.facets(bench.stores, query, parsed)] * 20)
    hits = "(SELECT id FROM memories WHERE deleted_at IS NULL AND ({}))".format(
        " OR ".join(f"{column} LIKE '%deploy%'" for column in COLUMNS)
    )
    theirs = 0.0
    month = "substr(updated_at, 1, 7)"
    for column in ("type", "scope", "source", "confidence", month, "tags_json"):
        sql = f"SELECT {column}, count(*) FROM memories WHERE id IN {hits} GROUP BY 1"
        theirs += spent(lambda: bench.connection.execute(sql))  # noqa: B023
        if column == "type":
            assert {one.value: one.count for one in told["type"]} == dict(
                bench.connection.execute(sql)
            )
    tell("facets", p95(ours), theirs)


@pytest.mark.parametrize("name", ["updated", "created", "title", "type", "scope", "source"])
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
    text = sum(
        int(found[0] or 0)
        for found in bench.connection.execute(
            "SELECT sum(length(CAST(id || scope || type || key_normalized || title || content"
            " || tags_json || keywords_json || source || confidence || sensitivity || created_at"
            " || updated_at AS BLOB))) FROM memories"
        )
    )
    tell("index_load", bench.load, bench.bare)
    tell("index_usable", bench.usable, bench.load)
    tell("index_memory", bench.grown, text, "bytes")
    tell("index_memory_peak", bench.peak, text, "bytes")
