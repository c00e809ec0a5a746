# SPDX-License-Identifier: MIT
"""The contract, kept by persistent memory's one strict table: readable and encrypted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_contract import SAID, Bench, ChangingContract, everything, one

from memory_gui.domain.changes import ChangeSet, Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.engine.create import create_database
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.persistent_memory.format import PersistentMemoryFormat
from memory_gui.stores.formats.persistent_memory.schema import LAYOUT

DATA = Path(__file__).parent.parent / "data" / "persistent-memory" / "workspace" / "state"
KEY = RawKey(bytes(range(32)))
FIELDS = {
    "subject": "lin-xiaoyu",
    "type": "episode",  # a preference may push another one out of the prompt
    "title": "editor.theme",
    "text": "Dark, with large letters",
}
ROWS = (
    ("lin", "preference", "answers", "Short ones first; reasons after", "session-1", 3),
    ("lin", "episode", "trip:2026.05", "成都, with hot pot", "session-2", 1),
    ("mateo", "preference", "answers", "Long ones, with examples", "s.9", 1),
    ("mateo", "episode", "garden-1", "Planted beans 🌱", "s_9", 2),
)


def bench_of(path: Path, key: RawKey | None) -> Iterator[Bench]:
    """A bench that closes what it opened."""
    opened: list[Store] = []

    def open_one(mode: Mode) -> Store:
        opened.append(PersistentMemoryFormat().open(Location((path,)), key, mode))
        return opened[-1]

    yield Bench(open_one, "memory", FIELDS)
    for store in opened:
        store.close()


class Contract(ChangingContract):
    """Every change of ours comes from our session, and is one revision later."""

    def test_an_edit_changes_what_it_names_and_nothing_else(self, bench: Bench) -> None:
        store = bench.change()
        old = one(store, bench.kind)
        changes = store.apply(Edit(Target(old.ref, old.etag), {"text": SAID}))
        assert changes == ChangeSet(changed=(old.ref,))
        (new,) = store.fetch([old.ref])
        assert new is not None
        assert (new.text, new.source, new.etag != old.etag) == (SAID, "memory-gui", True)
        same = ("title", "type", "subject", "state", "ref", "told")
        assert all(getattr(new, name) == getattr(old, name) for name in same)
        assert int(new.extra["revision"] or 0) == int(old.extra["revision"] or 0) + 1

    def test_the_same_key_is_refused_twice(self, bench: Bench) -> None:
        store = bench.change()
        before = everything(store)
        for record in before.values():
            fields = store.fields_of(record)
            with pytest.raises(UserError, match=r"persistent\.key_taken"):
                store.add(NewRecord(bench.kind, fields))
        assert everything(store) == before


class TestReadable(Contract):
    """The sample, as the app's own class wrote it."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Iterator[Bench]:
        copy = tmp_path / "memory.sqlite3"
        copy.write_bytes((DATA / "memory.sqlite3").read_bytes())
        yield from bench_of(copy, None)


class TestEncrypted(Contract):
    """With a key of ours; the app's own class cannot open it."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Iterator[Bench]:
        path = tmp_path / "memory.sqlite3"
        rows = ", ".join(repr(row) for row in ROWS)
        script = f"{LAYOUT};\nINSERT INTO memory VALUES {rows};\nPRAGMA user_version = 1;"
        create_database(path, KEY, script)
        yield from bench_of(path, KEY)
