# SPDX-License-Identifier: MIT
"""The contract, kept by FactMemory's table in every layout that is known: readable, encrypted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_contract import Bench, ChangingContract, everything

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.engine.create import create_database
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.facts.format import FactsFormat

DATA = Path(__file__).parent.parent / "data" / "facts"
KEY = RawKey(bytes(range(32)))
FIELDS = {"subject": "user:lin-xiaoyu", "text": "Reads the release notes on Friday mornings"}
OTHER_LAYOUTS = {
    "no id": "CREATE TABLE kept (subject TEXT, fact TEXT, source TEXT, created REAL,"
    " UNIQUE(subject, fact))",
    "text id": "CREATE TABLE kept (uuid TEXT PRIMARY KEY, subject TEXT, fact TEXT, source TEXT,"
    " created REAL, UNIQUE(subject, fact))",
}
ROWS = (
    ("user:lin", "Prefers short answers, reasons after", "turn-1", 1790003600.75),
    ("user:lin", "喜欢简洁的回答，先给结论，再给理由。", "turn-2", 1790003601.0),
    (
        "job:report-42",
        "Finding 1: 7 % of the market",
        "agent-a|https://example.com/1",
        1790003602.5,
    ),
    ("job:report-42", "Finding 2: 14 % of the market", "agent-b|https://example.com/2", 1790003603),
)


def bench_of(path: Path, key: RawKey | None) -> Iterator[Bench]:
    """A bench that closes what it opened."""
    opened: list[Store] = []

    def open_one(mode: Mode) -> Store:
        opened.append(FactsFormat().open(Location((path,)), key, mode))
        return opened[-1]

    yield Bench(open_one, "fact", FIELDS)
    for store in opened:
        store.close()


class Contract(ChangingContract):
    """A fact is its own key."""

    def test_the_same_key_is_refused_twice(self, bench: Bench) -> None:
        store = bench.change()
        before = everything(store)
        for record in before.values():
            fields = store.fields_of(record)
            with pytest.raises(UserError, match=r"facts\.same|record\.secret"):
                store.add(NewRecord(bench.kind, fields, despite=frozenset({"secret"})))
        assert everything(store) == before


class TestReadable(Contract):
    """The three samples: with a journal, in WAL, with vectors under another name."""

    @pytest.fixture(params=["memory.db", "research.db", "with-vectors.db"])
    def bench(self, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Bench]:
        copy = tmp_path / request.param
        copy.write_bytes((DATA / request.param).read_bytes())
        yield from bench_of(copy, None)


class TestOtherLayouts(Contract):
    """Known by the columns alone; a row without an id is known by its number."""

    @pytest.fixture(params=sorted(OTHER_LAYOUTS))
    def bench(self, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Bench]:
        path = tmp_path / "memory.db"
        rows = ", ".join(repr(row) for row in ROWS)
        more = f"INSERT INTO kept (subject, fact, source, created) VALUES {rows};"
        if request.param == "text id":
            more += "UPDATE kept SET uuid = 'id-' || rowid;"
        create_database(path, None, f"{OTHER_LAYOUTS[request.param]};{more}")
        yield from bench_of(path, None)


class TestEncrypted(Contract):
    """With a key of ours; the class cannot open it."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Iterator[Bench]:
        path = tmp_path / "research.db"
        table = (
            "CREATE TABLE facts (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, fact TEXT NOT NULL,"
            " source TEXT, created REAL NOT NULL, UNIQUE(subject, fact))"
        )
        rows = ", ".join(repr(row) for row in ROWS)
        more = f"INSERT INTO facts (subject, fact, source, created) VALUES {rows};"
        create_database(path, KEY, f"{table};{more}", journal_mode="wal")
        yield from bench_of(path, KEY)
