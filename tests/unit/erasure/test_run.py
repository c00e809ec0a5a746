# SPDX-License-Identifier: MIT
"""A whole erase through both children: what is done, said, kept, and what is not."""

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
import workload

from memory_gui.domain.erasing import EraseScope, SideFile
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.erasure import work
from memory_gui.erasure.plan import StoreFacts, make_plan
from memory_gui.erasure.receipt import receipt_of, refuse_receipt, unsigned, write_receipt
from memory_gui.erasure.recipe import Case, recipe_for
from memory_gui.erasure.result import Count, EraseState
from memory_gui.erasure.run import is_done, planned, prove, resume, run_erase
from memory_gui.erasure.taking import begin_scheme
from memory_gui.ledger import PendingErase
from memory_gui.process.child import ChildGone


def clean(verified, mode):
    return (
        verified["integrity"] == "ok"
        and not verified["forged"]
        and verified["intact"]
        and verified["kept"] == workload.KEPT
        and verified["targets"] == verified["reviews"] == verified["free"] == 0
        and verified["events"] == workload.KEPT
        and verified["mode"] == mode
        # The agent's trigger counted every deleted row.
        and verified["changes"] == workload.TARGETS
    )


@pytest.mark.parametrize("key", [None, workload.KEY], ids=["readable", "encrypted"])
@pytest.mark.parametrize("journal", ["wal", "delete", "persist", "truncate"])
def test_proved_gone_and_everything_else_as_it_was(
    built, plan_of, keys_of, pending, tmp_path, key, journal
):
    made = built(key=key, journal=journal, die=True)
    receipt = tmp_path / "receipt.json"
    ticks = []
    result = run_erase(
        plan_of(made),
        keys_of(made),
        pending=pending,
        tick=lambda step, done, total: ticks.append(step),
    )
    assert result.state is EraseState.PROVED
    assert result.exit_code == 0
    recipe = recipe_for(Case("wal" if journal == "wal" else "delete"))
    assert tuple(step.name for step in result.steps) == recipe.steps
    assert ("log-mode" in recipe.steps) == (journal != "wal")
    counts = {table: (c.found, c.erased, c.kept) for table, c in result.counts.items()}
    assert counts == dict.fromkeys(
        ("memories", "memory_review_queue", "memory_events"), (12, 12, 0)
    )
    assert result.proof.by == "content+structure"
    assert clean(workload.verify(made.path, key), "wal" if journal == "wal" else "delete")
    left = Path(f"{made.path}-journal")
    assert left.exists() == (journal in ("persist", "truncate"))
    assert not (left.exists() and left.read_bytes().strip(b"\0"))
    assert journal != "truncate" or not left.stat().st_size
    assert {"delete", "vacuum", "prove-structure"} <= set(ticks) | {"prove-structure"}
    write_receipt(receipt, unsigned(receipt_of(result, plan_of(made)), "not signed"))
    written = json.loads(receipt.read_text("utf-8"))
    assert written["signed"] is False
    assert written["state"] == "proved"
    assert tuple(written["stores"][0]["recipe"]["steps"]) == recipe.steps
    said = {
        one["sql"]: one["answer"] for step in written["steps"] for one in step.get("statements", ())
    }
    assert said["PRAGMA secure_delete"] == "1"
    assert said['DELETE FROM "memories" WHERE "id" IN (?, …)'] == "12 rows"
    assert said["PRAGMA wal_checkpoint(TRUNCATE)"] == "(0, 0, 0)"
    assert stat.S_IMODE(receipt.stat().st_mode) == 0o600


def test_full_text_is_built_anew_and_again_after_vacuum(built, plan_of, keys_of, pending):
    made = built(full_text="ext", die=True)
    result = run_erase(plan_of(made), keys_of(made), pending=pending)
    assert result.state is EraseState.PROVED
    answers = {step.name: step.result for step in result.steps}
    assert answers["full-text"] == answers["full-text-again"] == "rebuild"
    assert workload.verify(made.path)["full_text"] > 0


def test_nothing_of_the_text_is_in_anything_we_write(
    built, plan_of, keys_of, pending, tmp_path, monkeypatch
):
    made = built()
    seen = []
    put = type(pending).put
    monkeypatch.setattr(
        type(pending),
        "put",
        lambda self, entry: (seen.append(repr(entry.scheme)), put(self, entry)),
    )
    receipt = tmp_path / "receipt.json"
    result = run_erase(plan_of(made), keys_of(made), pending=pending)
    write_receipt(receipt, receipt_of(result, plan_of(made)))
    files = [p for p in (tmp_path / "data").rglob("*") if p.is_file()]
    texts = [receipt.read_text("utf-8"), json.dumps(result.as_json()), repr(result), *seen]
    texts += [file.read_text("utf-8") for file in files]
    assert len(seen) >= 5
    assert files
    assert not [text for text in texts if workload.MARK in text]
    assert workload.MARK not in repr(plan_of(made))
    assert made.ids[0] in receipt.read_text("utf-8")  # opaque: it may stand there


def test_a_program_that_only_has_it_open_stops_it_and_is_named(
    built, plan_of, keys_of, pending, peer
):
    for journal in ("delete", "wal"):
        made = built(journal=journal)
        before = made.path.read_bytes()
        other = peer(made.path)
        other.do("SELECT count(*) FROM memories")
        result = run_erase(plan_of(made), keys_of(made), pending=pending)
        assert result.state is EraseState.NOT_FINISHED
        assert result.exit_code == 4
        assert [who.pid for who in result.open_by] == [other.pid]
        assert result.open_by[0].name == "peer.py"
        assert result.proof is None
        assert made.path.read_bytes() == before
        # It is written down, and goes on when the other lets go.
        (entry,) = pending.list(str(made.path.resolve()))
        other.close()
        done = resume(entry, None, pending=pending)
        assert done.state is EraseState.PROVED
        assert done.proof.by == "structure"
        assert workload.verify(made.path)["targets"] == 0
        pending.remove(entry.id)


def test_a_repeated_erase_finishes_what_was_begun_with_its_rows(
    built, plan_of, keys_of, pending, peer
):
    made = built()
    plan = plan_of(made)
    other = peer(made.path)
    other.do("SELECT count(*) FROM memories")
    assert run_erase(plan, keys_of(made), pending=pending).exit_code == 4
    other.close()
    # The second plan names less; what the first one named goes too.
    less = replace(plan, stores=(replace(plan.stores[0], rows=plan.stores[0].rows[:1]),))
    result = run_erase(less, keys_of(made), pending=pending)
    assert result.state is EraseState.PROVED
    assert result.counts["memory_review_queue"].erased == workload.TARGETS


def test_given_twice_it_is_understood(built, plan_of, keys_of, pending):
    made = built()
    assert run_erase(plan_of(made), keys_of(made), pending=pending).exit_code == 0
    (entry,) = pending.list(str(made.path.resolve()))
    assert is_done(entry)
    again = resume(entry, None, pending=pending)
    assert again.state is EraseState.PROVED
    assert again.counts == {
        table: Count(n, n) for table, n in plan_of(made).stores[0].counts.items()
    }


def test_stopped_behind_the_commit_the_next_run_tells_what_went(
    built, plan_of, keys_of, pending, monkeypatch
):
    made = built()
    counts = plan_of(made).stores[0].counts

    def gone(*_, **__):
        raise ChildGone("prover")

    with monkeypatch.context() as patch:
        patch.setattr(work, "prove_store", gone)
        stopped = run_erase(plan_of(made), keys_of(made), pending=pending)
    assert stopped.state is EraseState.NOT_FINISHED
    (entry,) = pending.list(str(made.path.resolve()))
    done = resume(entry, None, pending=pending)
    assert done.state is EraseState.PROVED
    assert done.counts == {table: Count(n, n) for table, n in counts.items()}


def test_stopped_before_the_commit_nothing_counts_twice(built, plan_of, keys_of, pending):
    made = built()
    store = plan_of(made).stores[0]
    entry = replace(PendingErase.begin(store.path, begin_scheme(store)), state="erasing")
    pending.put(entry)
    done = resume(entry, None, pending=pending)
    assert done.counts == {table: Count(n, n) for table, n in store.counts.items()}


def test_stopped_before_the_point_of_no_return_nothing_has_changed(
    built, plan_of, keys_of, pending
):
    made = built(journal="delete")
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        run_erase(
            plan_of(made),
            keys_of(made),
            pending=pending,
            tick=lambda step, *_: cancel.cancel() if step == "lock" else None,
            cancel=cancel,
        )
    verified = workload.verify(made.path)
    assert verified["targets"] == workload.TARGETS
    assert verified["mode"] == "delete"
    assert pending.list() == ()


def test_waiting_for_another_copy_of_the_app_can_be_stopped(built, plan_of, keys_of, pending):
    made = built()
    store = plan_of(made).stores[0]
    # Another process that lives works on it: the one that started this one.
    entry = replace(
        PendingErase.begin(store.path, begin_scheme(store)),
        lease_pid=os.getppid(),
        lease_started=psutil.Process(os.getppid()).create_time(),
        state="erasing",
    )
    pending.put(entry)
    cancel, told = CancelToken(), []

    def tick(step, *_):
        told.append(step)
        cancel.cancel()

    with pytest.raises(Cancelled):
        run_erase(plan_of(made), keys_of(made), pending=pending, tick=tick, cancel=cancel)
    assert told == ["wait-for-other"]
    assert [one.id for one in pending.list(store.path)] == [entry.id]


def test_text_in_side_files_is_not_proved_until_it_is_accepted(
    built, plan_of, keys_of, pending, tmp_path
):
    made = built()
    log = tmp_path / "agentao.log"
    log.write_text("..." + workload.target_text(1, 2), "utf-8")
    result = run_erase(plan_of(made, [SideFile(str(log), "log")]), keys_of(made), pending=pending)
    assert result.state is EraseState.NOT_PROVED
    assert result.exit_code == 7
    assert [(find.where, find.count) for find in result.finds] == [(str(log), 1)]
    # The database itself is clean; the entry remembers where text is left, without the text.
    (entry,) = pending.list(str(made.path.resolve()))
    assert entry.state == "still-in"
    again = resume(entry, None, pending=pending)
    assert again.exit_code == 7
    (entry,) = pending.list(str(made.path.resolve()))
    accepted = resume(entry, None, pending=pending, accept_side_files=True)
    assert accepted.exit_code == 0
    limits = {limit.code: limit.params for limit in accepted.not_covered}
    assert limits["limit.side_file"]["path"] == str(log)


@pytest.mark.parametrize("again", ["the same rows", "fewer rows"])
def test_finds_are_forgotten_only_where_every_text_was_looked_for_again(
    built, plan_of, keys_of, pending, tmp_path, again
):
    made = built()
    log = tmp_path / "agentao.log"
    log.write_text("..." + workload.target_text(1, 2), "utf-8")
    plan = plan_of(made, [SideFile(str(log), "log")])
    assert run_erase(plan, keys_of(made), pending=pending).exit_code == 7
    (entry,) = pending.list(str(made.path.resolve()))
    pending.put(replace(entry, state="waiting"))  # it was looked at again, and somebody held it
    log.write_text("nothing of it", "utf-8")
    if again == "fewer rows":
        (store,) = plan.stores
        plan = replace(
            plan, stores=(replace(store, rows=store.rows[:1], texts=("a text of another record",)),)
        )
    result = run_erase(plan, keys_of(made), pending=pending)
    assert result.exit_code == (0 if again == "the same rows" else 7)


def test_a_dry_run_is_the_plan_and_writes_nothing(built, plan_of):
    made = built()
    before = {p.name: p.read_bytes() for p in made.path.parent.iterdir()}
    result = planned(plan_of(made))
    assert str(result.state) == "planned"
    assert result.counts["memories"].found == workload.TARGETS
    assert {p.name: p.read_bytes() for p in made.path.parent.iterdir()} == before


def test_the_other_database_of_a_pair_is_searched_and_wiped_only_where_text_is_left(
    built, plan_of, keys_of, pending, tmp_path
):
    made = built()
    folder = tmp_path / "user"
    folder.mkdir()
    other = workload.build(folder / "user.db", secure_delete=False, journal="delete")
    quiet = workload.build(folder / "quiet.db", secure_delete=True, journal="delete")
    workload.statement(other.path, None, "PRAGMA secure_delete = OFF", *_gone())
    workload.statement(quiet.path, None, "PRAGMA secure_delete = ON", *_gone(), "VACUUM")
    before = quiet.path.read_bytes()
    plan = plan_of(made)
    more = [
        replace(plan.stores[0], path=str(path.resolve()), rows=())
        for path in (other.path, quiet.path)
    ]
    result = run_erase(replace(plan, stores=(*plan.stores, *more)), keys_of(made), pending=pending)
    assert result.state is EraseState.PROVED
    assert prove(str(other.path), None, made.texts).clean
    assert quiet.path.read_bytes() == before


def _gone():
    return (
        "DELETE FROM memories WHERE id NOT LIKE 'kept%'",
        "DELETE FROM memory_review_queue",
        "DELETE FROM memory_events WHERE id > 60",
    )


def test_a_receipt_never_overwrites(built, plan_of, keys_of, pending, tmp_path):
    made = built()
    before = made.path.read_bytes()
    victim = tmp_path / "victim"
    victim.write_text("mine", "utf-8")
    link = tmp_path / "link.json"
    link.symlink_to(victim)
    for path in (victim, link):
        with pytest.raises(UserError) as caught:
            refuse_receipt(path)
        assert caught.value.code == "receipt.exists"
    assert victim.read_text("utf-8") == "mine"
    assert made.path.read_bytes() == before


@pytest.mark.parametrize(
    "extra",
    [
        ["CREATE TABLE log (line TEXT)", "CREATE VIRTUAL TABLE f USING fts5(line)"],
        [
            "CREATE TABLE log (line TEXT)",
            "CREATE TABLE seen (n INTEGER PRIMARY KEY)",
            "CREATE TRIGGER t AFTER INSERT ON log BEGIN INSERT INTO seen VALUES (new.rowid); END",
        ],
    ],
    ids=["index", "trigger"],
)
def test_rowids_that_something_knows_are_not_moved(built, plan_of, keys_of, pending, extra):
    made = built()
    workload.statement(made.path, None, *extra)
    with pytest.raises(UserError) as caught:
        run_erase(plan_of(made), keys_of(made), pending=pending)
    assert caught.value.code == "erase.rowids"
    assert caught.value.params["table"] == "log"
    assert workload.verify(made.path)["targets"] == workload.TARGETS
    assert pending.list() == ()


@pytest.mark.skipif(not hasattr(os, "link"), reason="needs hard links")
def test_a_file_with_a_second_name_is_not_written_to(built, plan_of, keys_of, pending, tmp_path):
    made = built()
    os.link(made.path, tmp_path / "second")
    with pytest.raises(UserError) as caught:
        run_erase(plan_of(made), keys_of(made), pending=pending)
    assert caught.value.code == "raw.hard_links"
    assert workload.verify(made.path)["targets"] == workload.TARGETS


def test_a_wrong_key_changes_nothing(built, plan_of, keys_of, pending):
    made = built(key=workload.KEY)
    before = made.path.read_bytes()
    wrong = replace(made, key="ab" * 32)
    with pytest.raises(UserError) as caught:
        run_erase(plan_of(made), keys_of(wrong), pending=pending)
    assert caught.value.code == "key.wrong"
    assert made.path.read_bytes() == before
    assert pending.list() == ()


def test_make_plan_searches_each_database_for_the_texts_of_both():
    a, b = StoreId("/a.db"), StoreId("/b.db")
    scopes = [EraseScope(a, (), ("text one",)), EraseScope(b, (), ("text two", ""))]
    facts = {s: StoreFacts(s, "agentao", False) for s in (a, b)}
    plan = make_plan(scopes, facts)
    assert [store.texts for store in plan.stores] == [("text one", "text two")] * 2
    assert [limit.code for limit in plan.not_covered][:4] == [
        "limit.freed_earlier",
        "limit.snapshots",
        "limit.backups",
        "limit.flash",
    ]
