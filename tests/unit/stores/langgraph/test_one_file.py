# SPDX-License-Identifier: MIT
"""LangGraph's store and checkpoints in one file are one store: nothing in it is passed over."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from memory_gui.domain.changes import ChangeSet, Confidence, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, RefText
from memory_gui.services import Services
from memory_gui.stores.format import Format, Location, Mode
from memory_gui.stores.formats.langgraph.format import SharedFormat
from memory_gui.stores.formats.langgraph.store import SharedStore
from memory_gui.stores.formats.langgraph_checkpoints.format import CheckpointsFormat
from memory_gui.stores.formats.langgraph_store.format import LanggraphStoreFormat
from memory_gui.stores.sight import see

sys.path.insert(0, str(Path(__file__).parents[3]))

from langgraph_file import DATA, one_file

FORMATS: tuple[Format, ...] = (LanggraphStoreFormat(), CheckpointsFormat(), SharedFormat())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return one_file(tmp_path)


def records(store: SharedStore) -> list[Record]:
    return [record for batch in store.scan() for record in batch]


def test_the_file_is_one_store_whatever_it_is_asked_for(path: Path) -> None:
    found = {one.name: one.probe(see(Location((path,)))) for one in FORMATS}
    assert found == {
        "langgraph": Confidence.CERTAIN,
        "langgraph-store": Confidence.NO,
        "langgraph-checkpoints": Confidence.NO,
    }
    for one in FORMATS:
        store = one.open(Location((path,)), None, Mode.LOOK)
        assert store.info().counts.keys() == set(SharedFormat.kinds)
        assert {record.kind for batch in store.scan() for record in batch} >= {"item", "thread"}
        store.close()
    for name in ("store.sqlite", "checkpoints.sqlite"):
        copy = Path(shutil.copy(DATA / name, path.parent / name))
        with pytest.raises(UserError, match="other_schema"):
            SharedFormat().open(Location((copy,)), None, Mode.LOOK)


def test_items_and_threads_are_deleted_each_its_way_and_undone_together(path: Path) -> None:
    store = SharedFormat().open(Location((path,)), None, Mode.CHANGE)
    assert isinstance(store, SharedStore)
    before = records(store)
    thread = next(one for one in before if one.kind == "thread")
    item = next(one for one in before if one.kind == "item")
    saved = store.snapshot([thread.ref, item.ref])
    gone = store.delete(Target(thread.ref, thread.etag)) | store.delete(Target(item.ref, item.etag))
    assert {one.ref for one in before} - {one.ref for one in records(store)} >= set(gone.removed)
    assert set(store.reinstate(saved).added) >= {item.ref, thread.ref}
    assert {one.ref for one in records(store)} == {one.ref for one in before}
    assert store.reinstate(saved) == ChangeSet()
    assert store.resolve(RefText(None, thread.ref.key)) == thread.ref
    assert store.resolve(RefText(None, item.ref.key)) == item.ref
    with pytest.raises(UserError, match=r"store\.cannot"):
        store.may("edit", Target(thread.ref))
    store.close()


def repeated(services: Services, path: Path) -> tuple[Ref, Ref]:
    """An item that says what a message of a thread says."""
    (store, *_) = services.library.open(path, pair=False)
    services.library.allow_writing(store.id)
    message = next(
        record
        for record in services.library.window(
            services.library.search(Query("kind:message type:human Ginkgo")).ids
        )
        if record is not None
    )
    fields = {"subject": "memories.lin", "title": "same", "text": json.dumps({"t": message.text})}
    (item,) = services.editing.add(store.id, NewRecord("item", fields)).changes.added
    return item, Ref(store.id, "thread", (message.ref.key[0],))


def test_an_erase_of_one_names_the_other_that_says_the_same(path: Path, services: Services) -> None:
    item, thread = repeated(services, path)
    (of_thread,) = services.erasing.plans.plan([thread]).stores
    assert item in of_thread.still_in
    (of_both,) = services.erasing.plans.plan([thread, item]).stores
    assert not {item, thread} & set(of_both.still_in)
    plan = services.erasing.plans.plan([item])
    assert thread in plan.stores[0].still_in
    result = services.erasing.run(plan)
    assert str(result.state) == "proved"
    assert result.proof is not None
    kept = {hit.ref for hit in result.proof.kept_hits}
    assert thread.text in kept
    assert item.text not in kept
    assert {ref.split(":")[0] for ref in kept} == {"item", "thread"}
