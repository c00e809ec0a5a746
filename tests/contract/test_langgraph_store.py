# SPDX-License-Identifier: MIT
"""The contract, kept by LangGraph's store: readable with and without vectors, old, encrypted."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from store_contract import Bench, ChangingContract

from memory_gui.domain.keys import RawKey
from memory_gui.engine.create import create_database
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.langgraph_store.format import LanggraphStoreFormat
from memory_gui.stores.jsontext import laid_out

sys.path.insert(0, str(Path(__file__).parents[1]))

from langgraph_file import one_file

DATA = Path(__file__).parent.parent / "data" / "langgraph"
KEY = RawKey(bytes(range(32)))
NOW = datetime(2026, 12, 1, 8, 0, tzinfo=UTC)
OLD = """
CREATE TABLE store_migrations (v INTEGER PRIMARY KEY);
CREATE TABLE store (prefix text NOT NULL, key text NOT NULL, value text NOT NULL,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (prefix, key));
CREATE INDEX store_prefix_idx ON store (prefix);
INSERT INTO store (prefix, key, value, created_at, updated_at) VALUES
    ('memories.lin', 'a', CAST('{"text":"short"}' AS BLOB), {T}, {T}),
    ('memories.lin', 'b', '{"text":"as text, \\u4e2d, 1.50", "n": 1.50}', {T}, {T}),
    ('memories.lin', 'c', CAST('{"text": broken' AS BLOB), {T}, NULL),
    ('memories', 'd', CAST('["no object", {"deep": [1, [2, [3]]]}]' AS BLOB), 'no time', 7),
    ('memories.mateo', '', CAST('{}' AS BLOB), {T}, {T});
""".replace("{T}", "'2026-10-01 08:00:00'")


def says(text: str) -> str:
    """A value that says something, as it is shown."""
    return laid_out(json.dumps({"text": text}))


FIELDS = {"subject": "memories.lin-xiaoyu", "title": "new", "text": says("A new one, 新的")}


def bench_of(path: Path, key: RawKey | None) -> Iterator[Bench]:
    """A bench that closes what it opened."""
    opened: list[Store] = []

    def open_one(mode: Mode) -> Store:
        made = LanggraphStoreFormat(clock=lambda: NOW)
        opened.append(made.open(Location((path,)), key, mode))
        return opened[-1]

    yield Bench(open_one, "item", FIELDS, says)
    for store in opened:
        store.close()


class TestSamples(ChangingContract):
    """As LangGraph wrote them."""

    @pytest.fixture(params=["store.sqlite", "store-with-vectors.sqlite"])
    def bench(self, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Bench]:
        copy = tmp_path / request.param
        copy.write_bytes((DATA / request.param).read_bytes())
        yield from bench_of(copy, None)


class TestOldAndOdd(ChangingContract):
    """Before TTLs, with values as text, without JSON, with an empty key; readable and encrypted."""

    @pytest.fixture(params=[None, KEY], ids=["readable", "encrypted"])
    def bench(self, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Bench]:
        path = tmp_path / "app.db"
        create_database(path, request.param, OLD)
        yield from bench_of(path, request.param)


class TestBesideCheckpoints(ChangingContract):
    """In the file of the checkpoints: items and threads are one store."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Iterator[Bench]:
        yield from bench_of(one_file(tmp_path), None)
