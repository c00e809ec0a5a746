# SPDX-License-Identifier: MIT
"""Many records in one transaction: as if each were done alone, and never for long."""

from __future__ import annotations

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from memory_gui.domain.changes import Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import State
from memory_gui.domain.work import CancelToken
from memory_gui.engine.connection import open_database
from memory_gui.engine.database import Connection
from memory_gui.services.editing import chunks, editing
from memory_gui.services.editing.acts import Acts
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.stores.formats.agentao.store import AgentaoStore

KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from pairs import services_for
from memory_gui.domain.queries import Query
from memory_gui.services.editing import chunks
from memory_gui.stores.formats.agentao.store import AgentaoStore
chunks.MOST, chunks.HELD_S = 3, 60.0
real, calls = AgentaoStore.trash, []
def trash(self, target):
    found = real(self, target)
    calls.append(target)
    if len(calls) == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return found
AgentaoStore.trash = trash
folder = Path(sys.argv[2])
services = services_for(folder)
services.library.open(folder / "atlas")
found = services.library.search(Query("number"), "created")
services.editing.trash(services.library.refs(found.ids))
"""
"""Ends itself in the second transaction, behind the second record of it."""


def asked(pair, sql):
    with open_database(pair.project_file, None, write=False) as connection:
        return connection.execute(sql)


def trashed(pair):
    rows = asked(pair, "SELECT id FROM memories WHERE deleted_at IS NOT NULL")
    return {str(row[0]) for row in rows}


def events(pair):
    return asked(pair, "SELECT memory_id, event_type FROM memory_events ORDER BY memory_id, id")


@pytest.fixture
def refs(pair, monkeypatch):
    """Ten records; three of them are one transaction."""
    monkeypatch.setattr(chunks, "MOST", 3)
    monkeypatch.setattr(chunks, "HELD_S", 60.0)
    return [pair.add(f"number {i}", tags=("old",)).ref for i in range(10)]


@pytest.fixture
def written(monkeypatch):
    """How many records each transaction was about, once it was written."""
    numbers, real = [], Shelf.absorb

    def absorb(self, changes):
        numbers.append(len(changes.refs))
        real(self, changes)

    monkeypatch.setattr(Shelf, "absorb", absorb)
    return numbers


def _away(patch):
    """The third transaction finds nobody."""
    real, calls = Shelf.change, []

    def change(self, work, cancel=None):
        calls.append(work)
        if len(calls) > 2:
            raise UserError("store.away")
        return real(self, work, cancel)

    patch.setattr(Shelf, "change", change)


def _closed(patch):
    """The store is no longer among the open ones when the next records are come to."""
    real, calls = Library.shelf, []

    def shelf(self, store):
        calls.append(store)
        if len(calls) > 2:
            raise UserError("store.not_open")
        return real(self, store)

    patch.setattr(editing, "AT_ONCE", 3)
    patch.setattr(Acts, "refusal", lambda *_: None)
    patch.setattr(Acts, "targets", lambda _self, wanted: [*map(Target, wanted)])
    patch.setattr(Library, "shelf", shelf)


@pytest.fixture(params=[_away, _closed])
def away(request):
    """How a store goes away behind the second transaction."""
    return request.param


class TestAsIfAlone:
    @pytest.mark.parametrize("most", [1, 4])
    def test_rows_events_and_counter_are_those_of_single_acts(self, pair, monkeypatch, most):
        monkeypatch.setattr(chunks, "MOST", most)
        refs = [pair.add(f"number {i}", tags=("old",)).ref for i in range(6)]
        names = [ref.key[0] for ref in refs]
        editing = pair.services.editing
        editing.trash(refs)
        assert trashed(pair) == set(names)
        editing.undo()
        assert trashed(pair) == set()
        editing.redo()
        editing.restore(refs)
        editing.tag(refs, add=("new",), remove=("old",))
        assert {row[0] for row in asked(pair, "SELECT tags_json FROM memories")} == {'["new"]'}
        editing.undo()
        assert {row[0] for row in asked(pair, "SELECT tags_json FROM memories")} == {'["old"]'}
        each = ["create", "soft_delete", "update", "soft_delete", *["update"] * 3]
        assert events(pair) == [(name, event) for name in sorted(names) for event in each]
        counter = asked(pair, "SELECT value FROM schema_meta WHERE key = 'memories_change'")
        assert [int(row[0]) for row in counter] == [len(each) * len(names)]
        assert {pair.read(ref).tags for ref in refs} == {("old",)}

    def test_memory_is_brought_up_to_date_once_for_each(self, pair, refs, written):
        pair.services.library.counts()
        assert pair.services.editing.trash(refs).done == 10
        assert written == [3, 3, 3, 1]
        pair.services.editing.undo()
        assert written[4:] == [3, 3, 3, 1]
        assert trashed(pair) == set()


class TestOneOfThem:
    def test_that_was_changed_fails_alone(self, pair, refs):
        odd = Target(refs[4], "not its etag")
        result = pair.services.editing.trash([*refs[:4], odd, *refs[5:]])
        assert [(ref, error.code) for ref, error in result.failed] == [(refs[4], "record.changed")]
        assert trashed(pair) == {ref.key[0] for ref in refs if ref != refs[4]}
        pair.services.editing.undo()
        assert trashed(pair) == set()

    def test_that_must_stay_fails_alone(self, pair, refs, monkeypatch):
        def refuse(_act, ref):
            if ref == refs[1]:
                raise UserError("store.away")

        monkeypatch.setattr(pair.services.editing._acts, "_refuse", refuse)
        for act in ("trash", "tag"):
            more = {"add": ("x",)} if act == "tag" else {}
            result = getattr(pair.services.editing, act)(refs[:3], **more)
            assert [ref for ref, _ in result.failed] == [refs[1]]
        assert trashed(pair) == {refs[0].key[0], refs[2].key[0]}

    def test_of_an_undo_leaves_those_before_it_done(self, pair, refs, monkeypatch):
        editing = pair.services.editing
        editing.trash(refs)
        real = AgentaoStore.restore

        def restore(self, target):
            if target.ref == refs[5]:
                raise UserError("record.key_taken")
            return real(self, target)

        with monkeypatch.context() as patch:
            patch.setattr(AgentaoStore, "restore", restore)
            with pytest.raises(UserError, match=r"key_taken"):
                editing.undo()
        left = trashed(pair)
        assert refs[5].key[0] in left
        assert 0 < len(left) < 10
        editing.undo()
        assert trashed(pair) == set()


class TestTheFile:
    def test_another_program_gets_it_between_two_transactions(self, pair, refs, monkeypatch):
        real, inside, between = Shelf.absorb, [], []

        def writes():
            try:
                with (
                    open_database(pair.project_file, None, write=True, busy_ms=0) as connection,
                    connection.writing(),
                ):
                    connection.change("UPDATE memories SET confidence = confidence")
            except UserError as error:
                return error.code
            return "written"

        def absorb(self, changes):
            between.append(writes())
            real(self, changes)

        monkeypatch.setattr(Shelf, "absorb", absorb)
        act = AgentaoStore.trash

        def trash(self, target):
            found = act(self, target)
            inside.append(writes())
            return found

        monkeypatch.setattr(AgentaoStore, "trash", trash)
        told = []
        tick = lambda step, *_: step != "trash" or told.append(writes())  # noqa: E731 - one line
        assert pair.services.editing.restore(refs).done == 0
        assert pair.services.editing.trash(refs, tick=tick).done == 10
        assert between == ["written"] * 8
        assert inside == ["store.locked"] * 10
        assert told == ["written"] * 10

    def test_it_is_held_for_a_bounded_time(self, pair, refs, written, monkeypatch):
        monkeypatch.setattr(chunks, "HELD_S", 0.0)
        assert pair.services.editing.trash(refs).done == 10
        assert written == [1] * 10

    def test_what_cannot_be_committed_is_not_done(self, pair, refs, monkeypatch):
        real, commits = Connection.execute, []

        def execute(self, sql, params=()):
            if sql == "COMMIT" and self.writable and refs and self._raw.total_changes:
                commits.append(sql)
                if len(commits) == 2:
                    raise UserError("store.disk_full", path="x")
            return real(self, sql, params)

        with monkeypatch.context() as patch:
            patch.setattr(Connection, "execute", execute)
            result = pair.services.editing.trash(refs)
        gone = trashed(pair)
        assert (result.done, len(result.failed)) == (len(gone), 3)
        assert {error.code for _, error in result.failed} == {"store.disk_full"}
        assert gone == {ref.key[0] for ref in refs} - {ref.key[0] for ref, _ in result.failed}
        assert len([1 for _, event in events(pair) if event == "soft_delete"]) == 7
        pair.services.editing.undo()
        assert trashed(pair) == set()

    def test_a_store_that_is_taken_away_meanwhile_did_the_rest_not(
        self, pair, refs, monkeypatch, away
    ):
        with monkeypatch.context() as patch:
            away(patch)
            result = pair.services.editing.trash(refs)
        gone = trashed(pair)
        assert (result.done, result.stopped) == (6, False)
        assert [ref for ref, _ in result.failed] == refs[6:]
        assert {error.code for _, error in result.failed} <= {"store.away", "store.not_open"}
        assert gone == {ref.key[0] for ref in refs[:6]}
        assert pair.services.editing.stopped(pair.project.id) == ()
        pair.services.editing.undo()
        assert trashed(pair) == set()

    def test_what_is_written_is_done_though_memory_does_not_follow(self, pair, refs, monkeypatch):
        shelf = pair.services.library.shelf(pair.project.id)
        shelf.load()

        def absorb(*_):
            raise UserError("store.locked")

        with monkeypatch.context() as patch:
            patch.setattr(Shelf, "absorb", absorb)
            result = pair.services.editing.trash(refs)
        assert (result.done, result.failed) == (10, ())
        assert shelf.content.counts()["memory"] == {State.LIVE: 10}
        shelf.poll()
        assert shelf.content.counts()["memory"] == {State.TRASH: 10}
        pair.services.editing.undo()
        assert trashed(pair) == set()

    def test_whatever_ends_it_what_was_done_can_be_taken_back(self, pair, refs):
        def tick(step, done, _total):
            if (step, done) == ("trash", 5):
                raise RuntimeError

        with pytest.raises(RuntimeError):
            pair.services.editing.trash(refs, tick=tick)
        assert trashed(pair) == {ref.key[0] for ref in refs[:6]}
        pair.services.editing.undo()
        assert trashed(pair) == set()

    @pytest.mark.parametrize("code", ["store.constraint", "store.io"])
    def test_where_a_record_ends_all_of_it_none_is_done(self, pair, refs, monkeypatch, code):
        """Without a transaction those behind it would each be written by itself."""
        real = AgentaoStore.trash

        def trash(self, target):
            found = real(self, target)
            if target.ref == refs[4]:
                ends = "INSERT OR ROLLBACK INTO memories SELECT * FROM memories LIMIT 1"
                with self.together() if code == "store.constraint" else nullcontext():
                    self._connection.change(ends)
            return found

        with monkeypatch.context() as patch:
            patch.setattr(AgentaoStore, "trash", trash)
            result = pair.services.editing.trash(refs)
        assert {ref for ref, _ in result.failed} == set(refs[3:6])
        assert code in {error.code for _, error in result.failed}
        assert trashed(pair) == {ref.key[0] for ref in refs if ref not in refs[3:6]}

    def test_stopped_between_two_records_those_before_it_are_done(self, pair, refs, monkeypatch):
        token, real, asked_for = CancelToken(), AgentaoStore.trash, []

        def trash(self, target):
            if target.ref == refs[4]:
                token.cancel()
            return real(self, target)

        monkeypatch.setattr(AgentaoStore, "trash", trash)
        acts = pair.services.editing._acts
        monkeypatch.setattr(acts, "_refuse", lambda _act, ref: asked_for.append(ref))
        result = pair.services.editing.trash(refs, cancel=token)
        assert asked_for == refs[:6]
        assert (result.done, result.stopped) == (5, True)
        assert trashed(pair) == {ref.key[0] for ref in refs[:5]}
        pair.services.editing.undo()
        assert trashed(pair) == set()


def test_killed_in_the_middle_each_record_is_whole_and_the_rest_is_told(pair, refs, services_in):
    pair.services.close()
    shared = str(Path(__file__).parents[1])
    command = [sys.executable, "-c", KILLED, shared, str(pair.folder)]
    assert subprocess.run(command, check=False).returncode == -9
    gone = trashed(pair)
    assert len(gone) == 3
    assert {name for name, event in events(pair) if event == "soft_delete"} == gone
    again = services_in(pair.folder)
    again.library.open(pair.folder / "atlas")
    (stopped,) = again.editing.stopped(pair.project.id)
    assert (stopped.act, stopped.done, stopped.total) == ("trash", 3, 10)
    assert {ref.key[0] for ref in stopped.left}.isdisjoint(gone)
    assert again.editing.trash(stopped.left).done == 7
    assert len(trashed(pair)) == 10
