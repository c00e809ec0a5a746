# SPDX-License-Identifier: MIT
"""An erase that waits while another database comes to lie at its path."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import workload

from memory_gui.domain.erasing import EraseRows
from memory_gui.erasure.messages import taken_message
from memory_gui.erasure.plan import ErasePlan
from memory_gui.erasure.result import Count, EraseState, StoreResult
from memory_gui.erasure.run import resume, run_erase


def all_rows(path):
    with closing(sqlite3.connect(path)) as db:
        return [
            db.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
            for table in ("memories", "memory_review_queue", "memory_events")
        ]


def put_in_place(source, path):
    """As a restored backup comes: a new file takes the name."""
    for role in ("-wal", "-shm", "-journal"):
        Path(f"{path}{role}").unlink(missing_ok=True)
    fresh = path.with_name("fresh")
    shutil.copyfile(source, fresh)
    fresh.replace(path)


@pytest.fixture
def waiting(built, plan_of, keys_of, pending, peer):
    """An erase that a reader stopped, what it was of, and a copy of the store from before it."""
    made = built(journal="delete")
    before = made.path.with_name("before")
    shutil.copyfile(made.path, before)
    with closing(sqlite3.connect(made.path)) as db:
        owner = dict(db.execute("SELECT id, memory_id FROM memory_events"))
    plan = plan_of(made)
    rows = tuple(
        replace(one, owner="memory_id", owners={key: owner[key[0]] for key in one.keys})
        if one.kind == "event"
        else one
        for one in plan.stores[0].rows
    )
    plan = ErasePlan((replace(plan.stores[0], rows=rows),))
    other = peer(made.path)
    other.do("SELECT count(*) FROM memories")
    assert run_erase(plan, keys_of(made), pending=pending).exit_code == 4
    other.close()
    (entry,) = pending.list(str(made.path.resolve()))
    return made, plan, entry, before


def make_other(before):
    """The same layout and the same counted keys, of other memories."""
    with closing(sqlite3.connect(before)) as db, db:
        db.execute("UPDATE memories SET id = 'x' || id")
        db.execute("UPDATE memory_review_queue SET id = 'x' || id")
        db.execute("UPDATE memory_events SET memory_id = 'x' || memory_id")


def test_nothing_of_it_is_touched_and_nothing_is_called_proved(waiting, pending):
    made, _, entry, before = waiting
    make_other(before)
    put_in_place(before, made.path)
    theirs, data = all_rows(made.path), made.path.read_bytes()
    done = resume(entry, None, pending=pending)
    assert done.state is EraseState.NOT_PROVED
    assert done.exit_code == 7
    assert done.stores[0].reason == "erase.other_store"
    assert done.proof is None
    assert all_rows(made.path) == theirs
    assert made.path.read_bytes() == data
    (entry,) = pending.list(str(made.path.resolve()))
    assert (entry.state, entry.scheme["other"]) == ("not-proved", True)
    assert resume(entry, None, pending=pending).exit_code == 7


def test_a_counted_key_is_taken_only_with_its_owner(waiting, pending):
    made, _, entry, _ = waiting
    with closing(sqlite3.connect(made.path)) as db, db:  # in the very file
        taken = entry.scheme["rows"][2]["keys"][0][0]
        db.execute("UPDATE memory_events SET memory_id = 'another' WHERE id = ?", (taken,))
    done = resume(entry, None, pending=pending)
    assert done.state is EraseState.PROVED, (done.stores[0].reason, done.proof)
    with closing(sqlite3.connect(made.path)) as db:
        left = db.execute("SELECT memory_id FROM memory_events WHERE id = ?", (taken,)).fetchall()
    assert left == [("another",)]


def test_a_backup_that_brings_the_rows_back_is_erased_and_proved(waiting, pending):
    made, plan, entry, before = waiting
    put_in_place(before, made.path)
    # They were gone from the file that it began in; each counts once all the same.
    all_of_it = Count(workload.TARGETS, workload.TARGETS)
    counts = dict.fromkeys(plan.stores[0].counts, all_of_it)
    told = taken_message(StoreResult(str(made.path), EraseState.PROVED, counts))
    entry = replace(entry, state="still-in", scheme={**entry.scheme, "taken": told})
    pending.put(entry)
    done = resume(entry, None, pending=pending)
    assert done.state is EraseState.PROVED, (done.stores[0].reason, done.proof)
    assert set(done.counts.values()) == {all_of_it}
    assert workload.verify(made.path)["targets"] == 0
    assert workload.verify(made.path)["events"] == workload.KEPT
    (entry,) = pending.list(str(made.path.resolve()))
    again = resume(entry, None, pending=pending)  # it is the planned one from now on
    assert again.state is EraseState.PROVED


def test_rows_of_an_old_note_without_owners_are_left_in_a_file_that_may_be_another(
    waiting, pending
):
    made, _, entry, _ = waiting
    rows = [{k: v for k, v in one.items() if k[:5] != "owner"} for one in entry.scheme["rows"]]
    scheme = {k: v for k, v in entry.scheme.items() if k != "inode"} | {"rows": rows}
    entry = replace(entry, scheme=scheme)
    pending.put(entry)
    done = resume(entry, None, pending=pending)
    assert done.state is EraseState.NOT_PROVED
    assert done.stores[0].reason == "erase.numbered_rows"
    seen = workload.verify(made.path)
    assert seen["targets"] == 0
    assert seen["events"] == workload.KEPT + workload.TARGETS


def test_a_new_erase_of_the_other_database_does_not_take_the_old_one_over(waiting, pending):
    made, plan, old, before = waiting
    make_other(before)
    put_in_place(before, made.path)
    mine = EraseRows("memories", ("id",), (("x" + made.ids[0],),), "memory")
    store = replace(plan.stores[0], rows=(mine,), texts=())
    done = run_erase(ErasePlan((store,)), {store.path: None}, pending=pending)
    assert done.state is EraseState.PROVED, (done.stores[0].reason, done.proof)
    assert done.counts["memories"].erased == 1
    assert set(done.counts) == {"memories"}
    states = {entry.id: entry.state for entry in pending.list(store.path)}
    assert states.pop(old.id) == "not-proved"
    assert set(states.values()) <= {"done"}


def test_the_wipe_leaves_the_file_the_one_that_was_planned(waiting, pending):
    made, _, entry, _ = waiting
    assert entry.scheme["inode"] == made.path.stat().st_ino
    assert resume(entry, None, pending=pending).state is EraseState.PROVED
    assert made.path.stat().st_ino == entry.scheme["inode"]
