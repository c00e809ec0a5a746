# SPDX-License-Identifier: MIT
"""The reading contract, kept by databases that nobody declared: readable and with a key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_contract import Bench, ReadingContract

from memory_gui.domain.keys import RawKey
from memory_gui.engine.create import create_database
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.generic.format import GenericFormat

KEY = RawKey(bytes(range(32)))
SCRIPT = """
CREATE TABLE cats (id INTEGER PRIMARY KEY, name TEXT, note TEXT, created_at REAL, photo BLOB);
INSERT INTO cats VALUES (1, 'Mia', 'likes fish', 1761955200.5, x'00ff');
INSERT INTO cats VALUES (2, '米娅', '喜欢鱼', NULL, zeroblob(200000));
INSERT INTO cats VALUES (3, '', NULL, 'yesterday', NULL);
INSERT INTO cats VALUES (-4, 5, 6.5, 7, 'no blob');
CREATE TABLE loose (a, b, c);
INSERT INTO loose VALUES ('x', 1, NULL), (x'01', 'y', 2.5), (NULL, NULL, NULL);
CREATE TABLE named (owner TEXT, name, value TEXT, PRIMARY KEY (owner, name)) WITHOUT ROWID;
INSERT INTO named VALUES ('ann', 'a/b:c', 'one'), ('ann', 7, 'two'), ('', x'0a', 'three');
CREATE TABLE empty (x);
CREATE TABLE "a:b/c %" (title TEXT);
INSERT INTO "a:b/c %" VALUES ('odd');
CREATE VIEW v AS SELECT * FROM cats;
"""


def bench_of(path: Path, key: RawKey | None) -> Iterator[Bench]:
    create_database(path, key, SCRIPT)
    opened: list[Store] = []

    def look(_mode: Mode) -> Store:
        opened.append(GenericFormat().open(Location((path,)), key, Mode.LOOK))
        return opened[-1]

    yield Bench(look, "cats", {"title": "x", "text": "y"})
    for store in opened:
        store.close()


class TestReadable(ReadingContract):
    """A plain file."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Iterator[Bench]:
        yield from bench_of(tmp_path / "any.db", None)


class TestEncrypted(ReadingContract):
    """With a key that is given."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Iterator[Bench]:
        yield from bench_of(tmp_path / "any.db", KEY)
