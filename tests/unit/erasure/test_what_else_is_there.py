# SPDX-License-Identifier: MIT
"""What an agent's database may hold beside its records: foreign triggers and tables, short texts.

And who may write while it is proved.
"""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
import sqlcipher3
import workload

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.engine.alone import check_fresh
from memory_gui.erasure import work
from memory_gui.erasure.probes import batches, short_batch
from memory_gui.erasure.proof import COPIED, UNSEARCHED
from memory_gui.erasure.result import EraseState
from memory_gui.erasure.run import planned, prove, resume, run_erase
from memory_gui.process.child import ChildGone


def in_file(built, sql):
    workload.statement(built.path, None, sql)


def with_foreign(plan, *sql):
    return replace(plan, stores=(replace(plan.stores[0], foreign_sql=sql),))


def with_texts(plan, *texts, side_files=()):
    store = replace(plan.stores[0], texts=texts, side_files=tuple(side_files))
    return replace(plan, stores=(store,))


TRIGGERS = {
    "other rows": "DELETE FROM session_summaries",
    "more of the same": "DELETE FROM memories",
}


@pytest.mark.parametrize("agreed", [False, True])
@pytest.mark.parametrize("act", TRIGGERS.values(), ids=TRIGGERS)
def test_a_trigger_that_takes_more_than_the_plan_is_rolled_back(
    built, plan_of, keys_of, pending, act, agreed
):
    made = built()
    sql = f"CREATE TRIGGER nosy AFTER DELETE ON memories BEGIN {act}; END"
    in_file(made, sql)
    plan = with_foreign(plan_of(made), sql) if agreed else plan_of(made)
    with pytest.raises(UserError) as caught:
        run_erase(plan, keys_of(made), pending=pending)
    assert caught.value.code == "erase.more_rows"
    verified = workload.verify(made.path)
    assert verified["kept"] == workload.KEPT
    assert verified["targets"] == workload.TARGETS
    assert pending.list() == ()


COPY = (
    "CREATE TRIGGER t AFTER DELETE ON memories BEGIN INSERT INTO spy(a) VALUES (old.content); END"
)


def test_a_trigger_that_copies_needs_a_yes_and_is_never_proved(built, plan_of, keys_of, pending):
    made = built()
    in_file(made, "CREATE TABLE spy (n INTEGER PRIMARY KEY, a)")
    in_file(made, COPY)
    with pytest.raises(UserError, match=r"erase\.more_rows"):
        run_erase(plan_of(made), keys_of(made), pending=pending)
    plan = with_foreign(plan_of(made), "the trigger")
    result = run_erase(plan, keys_of(made), pending=pending)
    assert (result.state, result.exit_code) == (EraseState.NOT_PROVED, 7)
    assert [(find.where, find.what) for find in result.finds] == [("spy", "table")]


ARCHIVE = (
    "CREATE TRIGGER t AFTER DELETE ON memories BEGIN INSERT INTO memories"
    " VALUES ('c' || old.id, old.scope, old.type, 'c' || old.key_normalized, 'copy', old.content,"
    " NULL); END"
)
APPEND = (
    "CREATE TRIGGER t AFTER DELETE ON memories BEGIN UPDATE memory_review_queue"
    " SET evidence = evidence || old.content WHERE id = 'r-kept'; END"
)
BY_WAY = (
    "CREATE TABLE inbox (a)",
    "CREATE TRIGGER t AFTER DELETE ON memories BEGIN INSERT INTO inbox VALUES (old.content); END",
    "CREATE TRIGGER u AFTER INSERT ON inbox BEGIN INSERT INTO memory_review_queue"
    " VALUES (hex(randomblob(8)), '', new.a, '', 'pending'); DELETE FROM inbox; END",
)


@pytest.mark.parametrize(
    ("sql", "table"),
    [
        ((ARCHIVE,), "memories"),
        ((APPEND,), "memory_review_queue"),
        (BY_WAY, "memory_review_queue"),
    ],
    ids=["new-rows", "into-a-row", "by-another-trigger"],
)
def test_a_copy_among_the_agents_own_rows_is_no_record_that_was_kept(
    built, plan_of, keys_of, pending, sql, table
):
    """What is known to lie in the same database is never called gone, nor kept by a person."""
    made = built()
    in_file(made, "INSERT INTO memory_review_queue VALUES ('r-kept', 't', 'c', '', 'pending')")
    for one in sql:
        in_file(made, one)
    plan = with_foreign(plan_of(made), *sql)
    result = run_erase(plan, keys_of(made), pending=pending)
    assert (result.state, result.exit_code) == (EraseState.NOT_PROVED, 7)
    assert [(find.where, find.what) for find in result.finds] == [(table, COPIED)]
    assert result.finds[0].count >= 1
    assert result.proof.kept_hits == ()
    (entry,) = pending.list()
    assert resume(entry, None, pending=pending).exit_code == 7
    accepted = resume(entry, None, pending=pending, accept_side_files=True)
    assert accepted.exit_code == 0
    assert accepted.accepted
    assert "limit.copied" in {limit.code for limit in accepted.not_covered}


def test_a_trigger_that_copies_nothing_of_it_is_in_nobodys_way(built, plan_of, keys_of, pending):
    made = built()
    sql = (
        "CREATE TRIGGER t AFTER DELETE ON memories BEGIN"
        " INSERT INTO memory_events (memory_id, event_type) VALUES (old.id, 'gone'); END"
    )
    in_file(made, sql)
    result = run_erase(with_foreign(plan_of(made), sql), keys_of(made), pending=pending)
    assert (result.state, result.finds) == (EraseState.PROVED, ())


def test_where_texts_are_unknown_a_copy_cannot_be_ruled_out(built, plan_of, keys_of, pending):
    """Stopped behind the commit: the note tells which tables copies may be in."""
    made = built()
    in_file(made, ARCHIVE)
    plan = with_texts(with_foreign(plan_of(made), ARCHIVE))
    result = run_erase(plan, keys_of(made), pending=pending)
    assert (result.state, result.exit_code) == (EraseState.NOT_PROVED, 7)
    assert [(f.where, f.what, f.error) for f in result.finds] == [("memories", COPIED, UNSEARCHED)]
    (entry,) = pending.list()
    accepted = resume(entry, None, pending=pending, accept_side_files=True)
    assert "limit.copied_unsearched" in {limit.code for limit in accepted.not_covered}


def test_a_run_that_goes_on_knows_whose_triggers_are_whose(
    built, plan_of, keys_of, pending, monkeypatch
):
    """The agent's own counter writes too, and copies nothing; an index is built anew."""
    made = built(full_text="own")
    with sqlcipher3.connect(made.path) as connection:
        found = connection.execute("SELECT sql FROM sqlite_master WHERE sql LIKE '%mem_fts%'")
        foreign = [sql for (sql,) in found if sql.startswith("CREATE TRIGGER")]
    connection.close()
    assert foreign

    def gone(*_, **__):
        raise ChildGone("prover")

    with monkeypatch.context() as patch:
        patch.setattr(work, "prove_store", gone)
        plan = with_foreign(plan_of(made), *foreign)
        assert run_erase(plan, keys_of(made), pending=pending).exit_code == 4
    (entry,) = pending.list()
    done = resume(entry, None, pending=pending)
    assert (done.state, done.finds) == (EraseState.PROVED, ())


@pytest.mark.parametrize("extra", ["", " WITHOUT ROWID"])
def test_a_table_that_the_agent_does_not_know_holds_no_kept_records(
    built, plan_of, keys_of, pending, extra
):
    made = built()
    in_file(made, f"CREATE TABLE spy (n INTEGER PRIMARY KEY, a){extra}")
    in_file(made, "INSERT INTO spy SELECT rowid, content FROM memories WHERE id NOT LIKE 'kept%'")
    result = run_erase(plan_of(made), keys_of(made), pending=pending)
    assert (result.state, result.exit_code) == (EraseState.NOT_PROVED, 7)
    assert [(find.where, find.what) for find in result.finds] == [("spy", "table")]
    assert result.proof.kept_hits == ()
    (entry,) = pending.list()
    accepted = resume(entry, None, pending=pending, accept_side_files=True)
    assert accepted.exit_code == 0
    assert "limit.table" in {limit.code for limit in accepted.not_covered}


def test_a_view_that_repeats_the_text_is_not_the_agents(built, plan_of, keys_of, pending):
    made = built()
    text = workload.target_text(4, 2)[:60].replace("'", "")
    in_file(made, f"CREATE VIEW v AS SELECT '{text}' AS a")
    result = run_erase(plan_of(made), keys_of(made), pending=pending)
    assert [(find.where, find.what) for find in result.finds] == [("sqlite_schema", "table")]


# ---- short texts


@pytest.mark.parametrize(
    ("text", "data", "found"),
    [
        ("ruff", "we use Ruffles", True),
        ("1234", "20231234567", True),
        ("uv", "use uv here", True),
        ("uv", "用uv管理", True),
        ("uv", "uvula, luv, uv_1", False),
        ("e", "e", True),
        ("e", "every e5", False),
        ("银杏", "一棵银杏树", True),
        ("李", "姓李的", True),
        ("李小", "\\u674e\\u5c0f", True),
        ("ÄB", "xäb.", True),
        ("c++", "in c++.", True),
        ("1234567", "x1234567x", True),
    ],
)
def test_short_texts_as_an_erase_looks_for_them(text, data, found):
    assert list(batches([text])) == []
    batch = short_batch([text], words=True)
    assert bool(batch.scan(data.encode())) is found
    if text.encode() in data.encode().lower():
        assert short_batch([text], words=False).scan(data.encode())


@pytest.mark.parametrize("text", ["李小", "1234", "银", "uv"])
def test_a_short_text_in_a_kept_record_and_in_a_side_file(
    built, plan_of, keys_of, pending, tmp_path, text
):
    made = built()
    in_file(made, f"UPDATE memories SET title = 'so {text} is' WHERE id = 'kept0007'")
    log = tmp_path / "notes.json"
    log.write_text(json.dumps({"a": f"so {text} was"}), "utf-8")
    plan = with_texts(plan_of(made), text, side_files=[SideFile(str(log), "session", "json")])
    result = run_erase(plan, keys_of(made), pending=pending)
    assert (result.state, result.exit_code) == (EraseState.NOT_PROVED, 7)
    assert [(find.where, find.count) for find in result.finds] == [(str(log), 1)]
    assert [hit.ref for hit in result.proof.kept_hits] == ["memory:kept0007"]
    limited = "limit.short_text" in {limit.code for limit in result.not_covered}
    assert limited == (len(text.encode()) < 4)


def test_prove_finds_a_short_text_anywhere(built):
    made = built()
    in_file(made, "UPDATE memories SET title = 'dequeuvres' WHERE id = 'kept0007'")
    proof = prove(str(made.path), None, ["uv"])
    assert [hit.ref.partition(":")[0] for hit in proof.kept_hits] == ["memories"]
    assert prove(str(made.path), None, ["ǿǿ"]).kept_hits == ()


def test_the_agents_own_ids_are_no_content(built, plan_of, keys_of, pending):
    made = built()
    result = run_erase(with_texts(plan_of(made), "0007"), keys_of(made), pending=pending)
    # Events name the memory that they are about: there it is no key of their own.
    assert {hit.ref.partition(":")[0] for hit in result.proof.kept_hits} == {"event"}


# ---- side files


def test_what_cannot_be_read_is_named_and_no_proof(built, plan_of, keys_of, pending, tmp_path):
    made = built()
    folder = tmp_path / "sessions"
    folder.mkdir()
    plan = with_texts(plan_of(made), *made.texts, side_files=[SideFile(str(folder), "session")])
    result = run_erase(plan, keys_of(made), pending=pending)
    assert result.exit_code == 7
    assert [(find.where, find.count, find.error) for find in result.finds] == [
        (str(folder), 0, "side_file.unreadable")
    ]
    (entry,) = pending.list()
    accepted = resume(entry, None, pending=pending, accept_side_files=True)
    assert accepted.exit_code == 0
    assert "limit.side_file_unread" in {limit.code for limit in accepted.not_covered}


def test_the_plan_says_which_side_files_hold_it(built, plan_of, tmp_path):
    made = built()
    log, empty = tmp_path / "agentao.log", tmp_path / "empty.log"
    log.write_text(made.texts[0], "utf-8")
    empty.write_text("nothing", "utf-8")
    files = [SideFile(str(log), "log"), SideFile(str(empty), "log")]
    result = planned(plan_of(made, files))
    assert (result.state, result.exit_code) == (EraseState.PLANNED, 0)
    assert [find["path"] for find in result.as_json()["side_files"]] == [str(log)]


# ---- one erase and another


def test_each_erase_has_its_own_result(built, plan_of, keys_of, pending, tmp_path):
    made = built()
    log = tmp_path / "agentao.log"
    log.write_text(made.texts[0], "utf-8")
    whole = plan_of(made, [SideFile(str(log), "log")]).stores[0]

    def part(number):
        rows = replace(whole.rows[0], keys=(whole.rows[0].keys[number],))
        text = made.texts[0] if number == 0 else "words that are nowhere else at all"
        return replace(plan_of(made), stores=(replace(whole, rows=(rows,), texts=(text,)),))

    first = run_erase(part(0), keys_of(made), pending=pending)
    assert first.exit_code == 7
    second = run_erase(part(1), keys_of(made), pending=pending)
    assert (second.exit_code, second.finds) == (0, ())
    assert second.counts["memories"].found == 1
    assert sorted(entry.state for entry in pending.list()) == ["done", "still-in"]
    # The file is cleaned: then the first one is proved too.
    log.unlink()
    (old,) = [entry for entry in pending.list() if entry.state == "still-in"]
    assert resume(old, None, pending=pending).exit_code == 0


def test_nothing_chosen_is_nothing_erased(plan_of, built, pending, tmp_path):
    made = built()
    plan = replace(plan_of(made), stores=())
    with pytest.raises(UserError, match=r"erase\.nothing"):
        run_erase(plan, {}, pending=pending)
    assert not (tmp_path / "receipt").exists()


# ---- an agent that writes


WRITE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0.1)
try:
    connection.execute("UPDATE schema_meta SET value = value")
    connection.commit()
except sqlite3.OperationalError as error:
    print(error)
"""


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_nobody_writes_between_the_erase_and_its_proof(
    built, plan_of, keys_of, pending, monkeypatch, journal
):
    made = built(journal=journal)
    answers = []
    really = work.prove_store

    def while_proving(*given, **named):
        argv = [sys.executable, "-I", "-c", WRITE, str(made.path)]
        answers.append(subprocess.run(argv, capture_output=True, text=True, check=True).stdout)
        return really(*given, **named)

    monkeypatch.setattr(work, "prove_store", while_proving)
    result = run_erase(plan_of(made), keys_of(made), pending=pending)
    assert answers == ["database is locked\n"]
    assert result.state is EraseState.PROVED
    assert [step.name for step in result.steps][-2:] == ["sync", "check"]


def test_an_agent_that_comes_back_at_once_is_no_failure(built, peer):
    made = built(journal="wal")
    other = peer(made.path)
    other.do("SELECT count(*) FROM memories")
    assert check_fresh(made.path, None) == "ok"
