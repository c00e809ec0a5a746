# SPDX-License-Identifier: MIT
"""The contract, kept by LangGraph's checkpoints: in WAL as it makes them, and encrypted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_contract import Bench, ReadingContract, code, everything, one

from memory_gui.domain.changes import ChangeSet, Target
from memory_gui.domain.records import Ref
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.langgraph_checkpoints.format import CheckpointsFormat

DATA = Path(__file__).parent.parent / "data" / "langgraph"


def bench_of(path: Path) -> Iterator[Bench]:
    """A bench that closes what it opened."""
    opened: list[Store] = []

    def open_one(mode: Mode) -> Store:
        opened.append(CheckpointsFormat().open(Location((path,)), None, mode))
        return opened[-1]

    yield Bench(open_one, "thread", {"text": "x"})
    for store in opened:
        store.close()


class TestSample(ReadingContract):
    """As LangGraph wrote it."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Iterator[Bench]:
        copy = tmp_path / "checkpoints.sqlite"
        copy.write_bytes((DATA / "checkpoints.sqlite").read_bytes())
        yield from bench_of(copy)

    def test_delete_is_undone_by_its_snapshot(self, bench: Bench) -> None:
        store = bench.change()
        before = everything(store)
        old = one(store, "thread")
        mine = {ref for ref in before if ref.key[0] == old.ref.key[0]}
        saved = store.snapshot([old.ref])
        assert old.text not in repr(saved)
        changes = store.delete(Target(old.ref, old.etag))
        assert set(changes.removed) == mine
        assert set(everything(store)) == set(before) - mine
        assert set(store.reinstate(saved).added) == mine
        assert {ref: r.text for ref, r in everything(store).items()} == {
            ref: r.text for ref, r in before.items()
        }
        assert store.reinstate(saved) == ChangeSet()

    def test_a_lost_update_is_refused(self, bench: Bench) -> None:
        store = bench.change()
        old = one(store, "thread")
        assert code(lambda: store.delete(Target(old.ref, "0" * 16))) == "record.changed"
        gone = Target(Ref(store.id, "thread", ("no such key",)))
        assert code(lambda: store.delete(gone)) == "record.gone"
        message = Target(one(store, "message").ref)
        assert code(lambda: store.delete(message)) == "store.cannot"
        store.may("delete", Target(old.ref, old.etag))
        assert code(lambda: store.may("delete", message)) == "store.cannot"
        assert code(lambda: store.may("edit", Target(old.ref))) == "store.cannot"
