# SPDX-License-Identifier: MIT
"""Erasing over the pair: what the plan takes, what the app forgets, what it says."""

from __future__ import annotations

import json
import os
import signal
import stat
import time
from dataclasses import replace

import pytest

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref
from memory_gui.engine.connection import open_database
from memory_gui.erasure.joining import taking_whole, together
from memory_gui.erasure.result import EraseState
from memory_gui.words import Words
from memory_gui.words.erasure import held_lines

TEXT = "the canary of this test sings at seven every morning"


def test_plan_writes_nothing_and_run_erases_and_proves(pair):
    one, other = pair.add("canary", TEXT), pair.add("other")
    before = pair.rows(pair.project.id)
    plan = pair.services.erasing.plans.plan([one.ref])
    assert pair.rows(pair.project.id) == before
    assert plan.counts["memories"] == 1
    result = pair.services.erasing.run(plan)
    assert result.state is EraseState.PROVED
    assert result.proof.clean
    assert [row[0] for row in pair.rows(pair.project.id)] == [other.ref.key[0]]
    assert TEXT.encode() not in pair.project_file.read_bytes()


def test_the_app_goes_on_with_the_stores_afterwards(pair):
    one = pair.add("canary", TEXT)
    pair.services.library.search(Query())
    pair.services.erasing.run(pair.services.erasing.plans.plan([one.ref]))
    assert pair.services.library.search(Query("canary")).total == 0
    assert pair.add("next").title == "next"


def test_undo_forgets_the_erased_and_nothing_else(pair):
    one, other = pair.add("canary", TEXT), pair.add("other", "kept")
    pair.services.editing.edit(Edit(Target(other.ref), {"text": "changed"}))
    pair.services.editing.edit(Edit(Target(one.ref), {"text": "now it is silent"}))
    pair.services.erasing.run(pair.services.erasing.plans.plan([one.ref]))
    pair.services.editing.undo()
    assert pair.read(other.ref).text == "kept"
    pair.services.editing.undo()
    with pytest.raises(UserError, match=r"undo\.nothing"):
        pair.services.editing.undo()


def test_review_items_with_the_text_go_too_and_the_other_half_is_searched(pair):
    new = NewRecord("review", {"title": "canary", "text": TEXT, "scope": "project"})
    pair.services.review.propose(pair.project.id, new)
    one = pair.add("canary", TEXT)
    plan = pair.services.erasing.plans.plan([one.ref])
    assert plan.counts["memory_review_queue"] == 1
    assert {store.path for store in plan.stores} == {pair.project.id, pair.user.id}


def test_what_was_begun_is_finished_before_either_half_is_opened(pair, monkeypatch):
    one = pair.add("canary", TEXT)
    library, erasing = pair.services.library, pair.services.erasing
    plan = erasing.plans.plan([one.ref])

    def killed(*_args, **_kwargs):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("memory_gui.erasure.work.Child.start", killed)
        with pytest.raises(KeyboardInterrupt):
            erasing.run(plan)
    library.close_all()
    assert erasing.pending(pair.project_file)
    (result,) = erasing.finish_begun(pair.project_file)
    assert result.state is EraseState.PROVED
    assert erasing.finish_begun(pair.project_file) == ()
    assert TEXT.encode() not in pair.project_file.read_bytes()


def test_ids_that_nobody_has_are_missing(pair):
    strange = Ref(pair.project.id, "memory", ("ffffffff",))
    assert pair.services.erasing.plans.plan([strange]).missing == (strange,)


def test_side_files_that_repeat_it_are_cleaned_in_the_same_act(pair):
    one = pair.add("canary", TEXT)
    log, session = pair.folder / "atlas/agentao.log", pair.folder / "atlas/.agentao/sessions/1.json"
    session.parent.mkdir()
    log.write_text(f"request: {TEXT}\n")
    session.write_text(json.dumps({"messages": [{"content": f"So: {TEXT} Yes."}]}))
    result = pair.services.erasing.run(pair.services.erasing.plans.plan([one.ref]))
    assert (result.state, result.exit_code) == (EraseState.PROVED, 0)
    assert {find.where for find in result.cleaned} == {str(log), str(session)}
    assert log.read_text() == f"request: {'*' * len(TEXT)}\n"
    said = json.loads(session.read_text())["messages"][0]["content"]
    assert said == f"So: {'*' * len(TEXT)} Yes."


def test_side_files_that_are_accepted_stay_as_they_are(pair):
    one = pair.add("canary", TEXT)
    log = pair.folder / "atlas/agentao.log"
    log.write_text(TEXT)
    plan = pair.services.erasing.plans.plan([one.ref])
    result = pair.services.erasing.run(plan, accept_side_files=True)
    assert (result.state, result.accepted) == (EraseState.PROVED, True)
    assert log.read_text() == TEXT


def test_a_known_store_that_is_not_there_is_not_covered(pair, empty_store, monkeypatch):
    one = pair.add("canary", TEXT)
    monkeypatch.setattr(type(pair.services.library), "unseen_near", lambda *_: ("/gone/memory.db",))
    limits = pair.services.erasing.plans.plan([one.ref]).not_covered
    assert [one.params for one in limits if one.code == "limit.store_unseen"] == [
        {"path": "/gone/memory.db"}
    ]


def test_what_a_person_wrote_is_named_and_never_overwritten(pair):
    one = pair.add("canary", TEXT)
    log = pair.folder / "atlas/AGENTAO.md"
    log.write_text(f"request: {TEXT}\n")
    result = pair.services.erasing.run(pair.services.erasing.plans.plan([one.ref]))
    assert (result.state, result.exit_code) == (EraseState.NOT_PROVED, 7)
    assert [find.where for find in result.finds] == [str(log)]


def test_a_persons_memory_is_looked_for_in_every_projects_folder(pair, empty_store):
    other = empty_store(pair.folder / "birch/.agentao")
    (pair.folder / "birch/agentao.log").write_text(TEXT)
    pair.services.library.open(other)
    one = pair.add("canary", TEXT, scope="user")
    plan = pair.services.erasing.plans.plan([one.ref])
    named = {file.path for store in plan.stores for file in store.side_files}
    assert str(pair.folder / "birch/agentao.log") in named


def test_a_half_that_is_not_open_is_said(make_pair, tmp_path):
    services = make_pair(user_key=RawKey(bytes(32)))
    opened = services.library.open(tmp_path / "atlas")
    new = NewRecord("memory", {"title": "canary", "text": TEXT, "scope": "project"})
    ref = services.editing.add(opened[0].id, new).changes.added[0]
    limits = {limit.code for limit in services.erasing.plans.plan([ref]).not_covered}
    assert "limit.other_database" in limits


def test_the_receipt_holds_no_content_and_is_private(pair, tmp_path):
    one = pair.add("canary", TEXT)
    out = tmp_path / "receipt.json"
    result = pair.services.erasing.run(pair.services.erasing.plans.plan([one.ref]))
    assert pair.services.erasing.save_receipt(result, out) == out
    document = json.loads(out.read_text())
    assert document["signed"] is False
    assert "canary" not in out.read_text()
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    with pytest.raises(UserError, match=r"receipt\.exists"):
        pair.services.erasing.save_receipt(result, out)


def test_the_lock_may_come_while_it_runs_and_the_result_is_not_lost(pair):
    one = pair.add("canary", TEXT)
    plan = pair.services.erasing.plans.plan([one.ref])
    locked = []

    def tick(step, _done, _total):
        if not locked:
            locked.append(step)
            pair.services.lock.lock()

    result = pair.services.erasing.run(plan, tick=tick)
    assert locked
    assert result.state is EraseState.PROVED
    assert pair.services.library.stores() == ()


def test_another_program_that_has_it_open_is_named_and_nothing_is_claimed(pair, holder):
    one = pair.add("canary", TEXT)
    plan = pair.services.erasing.plans.plan([one.ref])
    pid = holder(pair.project_file)
    assert [who.pid for who in pair.services.erasing.open_by(plan)] == [pid]
    result = pair.services.erasing.run(plan)
    assert (result.state, result.exit_code) == (EraseState.NOT_FINISHED, 4)
    assert [who.pid for who in result.open_by] == [pid]
    assert pair.read(one.ref).text == TEXT


def test_a_waiting_erase_is_finished_when_the_other_program_lets_go(pair, holder, monkeypatch):
    one = pair.add("canary", TEXT)
    plan = pair.services.erasing.plans.plan([one.ref])
    pid = holder(pair.project_file)
    assert pair.services.erasing.run(plan).state is EraseState.NOT_FINISHED
    assert pair.services.erasing.waiting() == ()
    assert pair.services.erasing.finish_waiting() == ()
    os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + 60
    while not pair.services.erasing.waiting() and time.monotonic() < until:
        time.sleep(0.05)
    (done,) = pair.services.erasing.finish_waiting()
    assert done.state is EraseState.PROVED
    assert pair.services.erasing.pending() == ()


def test_how_long_it_is_held_is_said_where_the_agent_waits_too_short(pair, monkeypatch):
    one = pair.add("canary", TEXT)
    plan = pair.services.erasing.plans.plan([one.ref])
    assert pair.services.erasing.plans.held_for(plan) == ()
    monkeypatch.setattr("memory_gui.services.erasing.plans.seconds", lambda *_: 7.2)
    assert pair.services.erasing.plans.held_for(plan) == ((str(pair.project_file), 8, 5),)
    quick = replace(plan.stores[0], format="persistent-memory")
    held = pair.services.erasing.plans.held_for(replace(plan, stores=(quick,)))
    (line,) = held_lines(Words("en"), held)
    assert "held for about 8 seconds. Its agent waits 0.3 seconds" in line
    (short,) = held_lines(Words("en"), [("a.db", 1, 0.3)])
    assert "held for about 1 second. Its" in short


def test_a_result_that_was_told_need_not_be_kept(pair):
    one = pair.add("canary", TEXT)
    result = pair.services.erasing.run(pair.services.erasing.plans.plan([one.ref]))
    assert pair.services.erasing.finished(pair.project_file)
    pair.services.erasing.told(result, at_once=False)
    assert pair.services.erasing.finished(pair.project_file)
    pair.services.erasing.told(result, at_once=True)
    assert pair.services.erasing.finished(pair.project_file) == ()


def test_what_was_told_a_while_ago_is_forgotten(pair, monkeypatch):
    one = pair.add("canary", TEXT)
    result = pair.services.erasing.run(pair.services.erasing.plans.plan([one.ref]))
    now = time.time()
    pair.services.erasing.told(result, at_once=False)
    monkeypatch.setattr("time.time", lambda: now + 60)
    assert pair.services.erasing.finished(pair.project_file) == ()
    assert not list((pair.folder / "data/pending").glob("*.json"))


def test_the_agents_bookkeeping_is_left_out(pair):
    one = pair.add("version", TEXT)
    library = pair.services.library
    refs = [record.ref for record in library.window(library.search(Query()).ids)]
    assert {ref.kind for ref in refs} >= {"memory", "meta"}
    chosen, left = pair.services.erasing.plans.erasable(refs)
    assert one.ref in chosen
    assert {ref.kind for ref in left} == {"meta"}
    assert pair.services.erasing.plans.plan_query(Query("version")).counts["memories"] == 1


def test_prove_names_kept_records_by_their_refs(pair):
    one = pair.add("canary", "uv")
    proof = pair.services.erasing.prove(pair.project_file, ["uv"])
    assert one.ref.text in {hit.ref for hit in proof.kept_hits}


class TestGoingOn:
    """An erase that had to wait knows its texts as long as its rows are there."""

    @pytest.fixture
    def waits(self, pair, holder):
        """A log that repeats a text, an erase that another program kept from beginning."""
        one = pair.add("canary", TEXT)
        log = pair.project_file.parent.parent / "agentao.log"
        log.write_text(f"saved: {TEXT}\nand another line\n", "utf-8")
        pid = holder(pair.project_file)
        result = pair.services.erasing.run(pair.services.erasing.plans.plan([one.ref]))
        assert result.state is EraseState.NOT_FINISHED
        os.kill(pid, signal.SIGKILL)
        (entry,) = pair.services.erasing.pending()
        assert TEXT not in json.dumps(dict(entry.scheme))
        return entry, log

    def test_what_the_log_repeats_goes_as_in_the_first_run(self, pair, waits):
        entry, log = waits
        done = pair.services.erasing.resume(entry)
        assert (done.state, done.proof.by) == (EraseState.PROVED, "content+structure")
        assert TEXT not in log.read_text("utf-8")
        assert "and another line" in log.read_text("utf-8")
        assert [find.where for find in done.cleaned] == [str(log)]
        codes = [limit.code for limit in done.not_covered]
        assert "limit.side_files_unsearched" not in codes
        assert "limit.other_database" in codes  # the person's own was not searched this time

    def test_what_a_person_wrote_is_named_and_not_proved(self, pair, waits):
        entry, log = waits
        mine = log.with_name("AGENTAO.md")
        mine.write_text(TEXT, "utf-8")
        done = pair.services.erasing.resume(entry)
        assert done.state is EraseState.NOT_PROVED
        assert [find.where for find in done.finds] == [str(mine)]

    def test_accepted_files_stay_as_they_are(self, pair, waits):
        entry, log = waits
        done = pair.services.erasing.resume(entry, accept_side_files=True)
        assert (done.state, done.accepted) == (EraseState.PROVED, True)
        assert TEXT in log.read_text("utf-8")

    def test_texts_of_what_was_saved_since_are_not_touched(self, pair, waits):
        entry, log = waits
        said = "nobody asked to erase this other remark at all"
        with open_database(pair.project_file, None, write=True) as connection:
            connection.execute(
                "INSERT INTO memory_review_queue(id, scope, type, key_normalized, title, content,"
                " evidence, status, created_at, updated_at) VALUES ('ab12cd34ef56', 'project',"
                " 'note', 'k', 't', ?, ?, 'pending', '2026-01-01T00:00:00', '2026-01-01T00:00:00')",
                (said, f"{TEXT} {said}"),
            )
        log.write_text(f"{TEXT}\n{said}\n", "utf-8")
        pair.services.erasing.resume(entry)
        assert said in log.read_text("utf-8")
        assert TEXT not in log.read_text("utf-8")

    def test_where_a_row_went_meanwhile_not_every_text_is_known(self, pair, holder):
        one, two = pair.add("canary", TEXT), pair.add("other", "a second remark of this very test")
        log = pair.project_file.parent.parent / "agentao.log"
        log.write_text(f"{TEXT}\na second remark of this very test\n", "utf-8")
        pid = holder(pair.project_file)
        pair.services.erasing.run(pair.services.erasing.plans.plan([one.ref, two.ref]))
        os.kill(pid, signal.SIGKILL)
        with open_database(pair.project_file, None, write=True) as connection:
            connection.execute("DELETE FROM memories WHERE id = ?", two.ref.key)
        (entry,) = pair.services.erasing.pending()
        done = pair.services.erasing.resume(entry)
        assert TEXT not in log.read_text("utf-8")
        assert "limit.side_files_unsearched" in [limit.code for limit in done.not_covered]


class TestOneAct:
    """What a person does about a result that is not proved belongs to the same erase."""

    @pytest.fixture
    def held(self, pair):
        """An erase that is not proved: what a person wrote repeats it. Plan, result and file."""
        one = pair.add("canary", TEXT)
        log = pair.project_file.parent.parent / "AGENTAO.md"
        log.write_text(f"... {TEXT}", "utf-8")
        plan = pair.services.erasing.plans.plan([one.ref])
        result = pair.services.erasing.run(plan)
        assert result.state is EraseState.NOT_PROVED
        assert result.counts["memories"].erased == 1
        return plan, result, log

    def test_accepting_keeps_what_the_run_did_and_ends_it(self, pair, held):
        plan, result, log = held
        done = pair.services.erasing.accept(result, plan)
        assert (done.state, done.accepted, done.exit_code) == (EraseState.PROVED, True, 0)
        assert (done.counts, done.steps) == (result.counts, result.steps)
        assert str(log) in [limit.params.get("path") for limit in done.not_covered]
        assert pair.services.erasing.pending() == ()

    def test_the_same_plan_again_continues_it(self, pair, held):
        plan, result, log = held
        log.unlink()
        done = pair.services.erasing.run(plan)
        assert (done.state, done.accepted) == (EraseState.PROVED, False)
        assert done.counts["memories"].erased == 1
        assert done.proof.by == "content+structure"
        assert len(done.steps) > len(result.steps)
        assert pair.services.erasing.pending() == ()

    def test_resuming_tells_what_was_taken_out_before(self, pair, held):
        (entry,) = pair.services.erasing.pending()
        done = pair.services.erasing.resume(entry, accept_side_files=True)
        assert done.counts["memories"].erased == 1
        assert done.accepted
        assert TEXT not in json.dumps(dict(entry.scheme))

    def test_a_plan_that_takes_more_continues_it(self, pair, held):
        plan, _, log = held
        log.unlink()
        other = pair.add("more", "another text that repeats nothing of it")
        more = together(plan, pair.services.erasing.plans.plan([other.ref]))
        done = pair.services.erasing.run(more)
        assert done.state is EraseState.PROVED
        assert done.counts["memories"].erased == 2
        assert pair.services.erasing.pending() == ()

    def test_another_erase_leaves_it_alone(self, pair, held):
        other = pair.add("more", "another text that repeats nothing of it")
        done = pair.services.erasing.run(pair.services.erasing.plans.plan([other.ref]))
        assert done.counts["memories"].erased == 1
        assert [entry.state for entry in pair.services.erasing.pending()] == ["still-in"]

    def test_summaries_that_repeat_it_go_in_the_same_act(self, pair):
        one = pair.add("canary", TEXT)
        with open_database(pair.project_file, None, write=True) as connection:
            connection.execute(
                "INSERT INTO session_summaries VALUES"
                " ('aaaa', 's', ?, 0, 0, '2026-01-01T00:00:00')",
                (f"They said: {TEXT}",),
            )
        plan = pair.services.erasing.plans.plan([one.ref])
        result = pair.services.erasing.run(plan)
        assert [find.where for find in result.finds] == ["summary"]
        refs = [ref for store in plan.stores for ref in store.still_in]
        more = together(plan, pair.services.erasing.plans.plan(refs))
        done = pair.services.erasing.run(more)
        assert (done.state, done.finds) == (EraseState.PROVED, ())
        assert done.counts["memories"].erased == done.counts["session_summaries"].erased == 1
        assert pair.services.erasing.pending() == ()


def test_room_on_the_disk_is_asked_for_before_anything_is_written(pair, monkeypatch):
    one = pair.add("canary", TEXT)
    plan = pair.services.erasing.plans.plan([one.ref])
    monkeypatch.setattr("memory_gui.erasure.space.free_at", lambda _: 4096)
    with pytest.raises(UserError) as refused:
        pair.services.erasing.run(plan)
    assert refused.value.code == "erase.disk_space"
    assert refused.value.params["needed"] >= 0.1
    assert pair.services.erasing.pending() == ()
    assert pair.read(one.ref).text == TEXT


def test_a_transcript_that_repeats_it_can_be_taken_away_whole(pair):
    one = pair.add("canary", TEXT)
    log, session = pair.folder / "atlas/agentao.log", pair.folder / "atlas/.agentao/sessions/1.json"
    other = session.with_name("2.json")
    session.parent.mkdir()
    log.write_text(f"request: {TEXT}\n")
    session.write_text(json.dumps({"messages": [{"content": f"{TEXT}, and what I mean by it"}]}))
    other.write_text(json.dumps({"messages": []}))
    plan = taking_whole(pair.services.erasing.plans.plan([one.ref]))
    with session.open("rb") as held:  # the same blocks, after its name is gone
        result = pair.services.erasing.run(plan)
        assert not held.read().strip(b"\0")
    assert (result.state, result.exit_code) == (EraseState.PROVED, 0)
    assert {find.where: find.removed for find in result.cleaned} == {
        str(log): False,
        str(session): True,
    }
    assert not session.exists()
    assert other.exists()
    assert log.read_text() == f"request: {'*' * len(TEXT)}\n"
    assert not any(one.code == "hold.session" for one in result.may_hold)
