# SPDX-License-Identifier: MIT
"""A key wanted back while another record has it: restore, reopen, undo, redo."""

from __future__ import annotations

import pytest

from memory_gui.domain.changes import Decision, Edit, NewRecord, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import State
from memory_gui.domain.work import CancelToken
from memory_gui.engine.connection import open_database
from memory_gui.services.editing import chunks
from memory_gui.services.editing.clashes import Choice, Way
from memory_gui.stores.formats.agentao.store import AgentaoStore

SWAP, LEAVE = Choice(Way.SWAP), Choice(Way.LEAVE)


def live(pair):
    """Key to text of the live memories, as another connection reads them."""
    with open_database(pair.project_file, None, write=False) as connection:
        return dict(
            connection.execute(
                "SELECT key_normalized, content FROM memories WHERE deleted_at IS NULL"
            )
        )


def log(pair, ref):
    with open_database(pair.project_file, None, write=False) as connection:
        rows = connection.execute(
            "SELECT event_type FROM memory_events WHERE memory_id = ? ORDER BY id", ref.key
        )
    return [row[0] for row in rows]


@pytest.fixture
def clash(pair):
    """An old record in the trash, and a new one that has its key."""
    old = pair.add("tea", "green")
    pair.services.editing.trash([old.ref])
    new = pair.add("Tea", "black")
    (found,) = pair.services.editing.clashes([old.ref])
    return pair, old, new, found


class TestRestore:
    def test_says_who_has_the_key_and_a_free_one(self, clash):
        pair, old, new, found = clash
        assert found.ref == old.ref
        assert found.holder == pair.read(new.ref)
        assert (found.key, found.free) == ("tea", "tea_2")
        assert found.ways == (Way.SWAP, Way.BOTH, Way.LEAVE)
        ((ref, error),) = pair.services.editing.restore([old.ref]).failed
        assert (ref, error.code) == (old.ref, "record.key_taken")

    def test_swap_is_one_transaction_and_undone_by_one(self, clash):
        pair, old, new, found = clash
        result = pair.services.editing.settle([(found, SWAP)])
        assert (result.done, result.failed) == (1, ())
        assert live(pair) == {"tea": "green"}
        assert pair.read(new.ref).state is State.TRASH
        assert pair.services.editing.undo_text() == ("restore", 1)
        pair.services.editing.undo()
        assert live(pair) == {"tea": "black"}
        assert pair.read(old.ref).state is State.TRASH
        pair.services.editing.redo()
        assert live(pair) == {"tea": "green"}
        assert log(pair, new.ref)[:2] == ["create", "soft_delete"]

    def test_both_under_a_new_key_and_back(self, clash):
        pair, old, _new, found = clash
        pair.services.editing.settle([(found, Choice(Way.BOTH, " Tea of 2025 "))])
        assert live(pair) == {"tea": "black", "tea_of_2025": "green"}
        pair.services.editing.undo()
        assert live(pair) == {"tea": "black"}
        assert pair.read(old.ref).extra["key_normalized"] == "tea"
        pair.services.editing.redo()
        assert live(pair) == {"tea": "black", "tea_of_2025": "green"}

    def test_without_a_name_the_proposed_key_is_taken(self, clash):
        pair, _old, _new, found = clash
        pair.services.editing.settle([(found, Choice(Way.BOTH))])
        assert live(pair) == {"tea": "black", "tea_2": "green"}

    def test_a_key_that_is_taken_as_well_is_refused_and_nothing_is_written(self, clash):
        pair, _old, _new, found = clash
        pair.add("coffee", "strong")
        before = live(pair)
        ((_ref, error),) = pair.services.editing.settle(
            [(found, Choice(Way.BOTH, "coffee"))]
        ).failed
        assert error.code == "record.key_taken"
        assert live(pair) == before
        assert pair.read(found.ref).extra["key_normalized"] == "tea"

    def test_leave_does_nothing(self, clash):
        pair, _old, _new, found = clash
        assert pair.services.editing.settle([(found, LEAVE)]).done == 0
        assert live(pair) == {"tea": "black"}

    def test_another_holder_than_the_one_shown_is_not_swapped(self, clash):
        pair, _old, new, found = clash
        pair.services.editing.edit(Edit(Target(new.ref), {"text": "changed meanwhile"}))
        ((_ref, error),) = pair.services.editing.settle([(found, SWAP)]).failed
        assert error.code == "clash.changed"
        assert live(pair) == {"tea": "changed meanwhile"}

    def test_room_made_meanwhile_is_used(self, clash):
        pair, _old, new, found = clash
        pair.services.editing.trash([new.ref])
        assert pair.services.editing.settle([(found, SWAP)]).done == 1
        assert live(pair) == {"tea": "green"}
        assert log(pair, new.ref) == ["create", "soft_delete"]

    def test_of_many_only_the_clashing_ones_are_listed_once(self, clash):
        pair, old, _new, _found = clash
        others = [pair.add(f"number {i}") for i in range(3)]
        twins = [pair.add("twin", "first")]
        pair.services.editing.trash([twins[0].ref, *(one.ref for one in others)])
        twins.append(pair.add("twin", "second"))
        pair.services.editing.trash([twins[1].ref])
        refs = [old.ref, *(one.ref for one in others), *(one.ref for one in twins)]
        result = pair.services.editing.restore(refs)
        assert result.done == 4
        failed = [ref for ref, error in result.failed if error.code == "record.key_taken"]
        assert failed == [old.ref, twins[1].ref]
        assert [one.ref for one in pair.services.editing.clashes(failed)] == failed


class TestUndo:
    def test_keeps_the_act_and_writes_nothing_until_a_person_chose(self, pair):
        editing = pair.services.editing
        old, other = pair.add("tea", "green"), pair.add("water", "cold")
        editing.trash([old.ref, other.ref])
        other_agent_saves(pair, "tea", "black")
        with pytest.raises(UserError, match=r"undo\.clash"):
            editing.undo()
        assert live(pair) == {"tea": "black"}
        assert editing.undo_text() == ("trash", 2)
        (found,) = editing.undo_clashes()
        assert found.ref == old.ref
        editing.undo({old.ref: (found, SWAP)})
        assert live(pair) == {"tea": "green", "water": "cold"}
        assert editing.undo_text() == ("add", 1)  # the one before it
        editing.redo()
        assert live(pair) == {"tea": "black"}

    def test_of_a_rename_whose_old_key_was_taken(self, pair):
        editing = pair.services.editing
        one = pair.add("tea", "green")
        editing.edit(Edit(Target(one.ref), {"title": "coffee", "text": "strong"}))
        other_agent_saves(pair, "tea", "black")
        (found,) = editing.undo_clashes()
        editing.undo({one.ref: (found, Choice(Way.BOTH, "old tea"))})
        assert live(pair) == {"tea": "black", "old_tea": "green"}
        assert pair.read(one.ref).title == "tea"
        editing.redo()
        assert live(pair) == {"tea": "black", "coffee": "strong"}

    def test_of_a_rename_by_swap(self, pair):
        editing = pair.services.editing
        one = pair.add("tea", "green")
        editing.edit(Edit(Target(one.ref), {"title": "coffee"}))
        other_agent_saves(pair, "tea", "black")
        (found,) = editing.undo_clashes()
        editing.undo({one.ref: (found, SWAP)})
        assert live(pair) == {"tea": "green"}
        editing.redo()
        assert live(pair) == {"tea": "black", "coffee": "green"}

    def test_redo_of_an_add(self, pair):
        editing = pair.services.editing
        one = pair.add("tea", "green")
        editing.undo()
        other_agent_saves(pair, "tea", "black")
        with pytest.raises(UserError, match=r"undo\.clash"):
            editing.redo()
        (found,) = editing.redo_clashes()
        editing.redo({one.ref: (found, Choice(Way.BOTH))})
        assert live(pair) == {"tea": "black", "tea_2": "green"}
        editing.undo()
        assert live(pair) == {"tea": "black"}

    def test_leaving_it_ends_the_act(self, pair):
        editing = pair.services.editing
        old = pair.add("tea", "green")
        editing.trash([old.ref])
        other_agent_saves(pair, "tea", "black")
        (found,) = editing.undo_clashes()
        editing.undo({old.ref: (found, LEAVE)})
        assert live(pair) == {"tea": "black"}
        assert editing.undo_text() == ("add", 1)

    def test_what_failed_in_its_middle_can_be_taken_back_further(self, pair, monkeypatch):
        """A lock in the middle: what was done is redone, the rest is still to be taken back."""
        editing = pair.services.editing
        refs = [pair.add(f"number {i}").ref for i in range(4)]
        editing.trash(refs)
        calls = []
        real = AgentaoStore.restore

        def restore(self, target):
            calls.append(target)
            if len(calls) == 3:
                raise UserError("store.locked", path="x")
            return real(self, target)

        monkeypatch.setattr(AgentaoStore, "restore", restore)
        with pytest.raises(UserError, match=r"store\.locked"):
            editing.undo()
        assert len(live(pair)) == 2
        editing.undo()
        assert len(live(pair)) == 4
        assert {pair.read(ref).state for ref in refs} == {State.LIVE}

    def test_stopped_in_its_middle_the_rest_can_be_taken_back_later(self, pair, monkeypatch):
        monkeypatch.setattr(chunks, "MOST", 2)
        monkeypatch.setattr(chunks, "HELD_S", 60.0)
        editing = pair.services.editing
        refs = [pair.add(f"number {i}").ref for i in range(5)]
        editing.trash(refs)
        token, told = CancelToken(), []

        def tick(step, done, total):
            told.append((step, done, total))
            if (step, done) == ("turn", 2):
                token.cancel()

        assert len(editing.undo(tick=tick, cancel=token).refs) == 2
        assert len(live(pair)) == 2
        assert told[-1] == ("turn", 2, 5)
        editing.undo()
        assert len(live(pair)) == 5
        editing.redo()
        editing.redo()
        assert live(pair) == {}


class TestReopen:
    def propose(self, pair, text):
        fields = {"title": "tea", "key": "tea", "text": text, "scope": "project"}
        done = pair.services.review.propose(pair.project.id, NewRecord("review", fields))
        return done.changes.refs[0]

    @pytest.fixture
    def again(self, pair):
        old = self.propose(pair, "green")
        pair.services.review.decide(Decision(Target(old), Verdict.REJECT))
        new = self.propose(pair, "black")
        with pytest.raises(UserError, match=r"review\.proposed_again"):
            pair.services.review.decide(Decision(Target(old), Verdict.REOPEN))
        (found,) = pair.services.editing.clashes([old])
        assert found.holder.ref == new
        return pair, old, new, found

    def test_swap(self, again):
        pair, old, new, found = again
        assert pair.services.editing.settle([(found, SWAP)]).done == 1
        assert (pair.read(old).state, pair.read(new).state) == (State.PENDING, State.REJECTED)
        pair.services.editing.undo()
        assert (pair.read(old).state, pair.read(new).state) == (State.REJECTED, State.PENDING)

    def test_both(self, again):
        pair, old, new, found = again
        assert pair.services.editing.settle([(found, Choice(Way.BOTH))]).done == 1
        assert (pair.read(old).state, pair.read(new).state) == (State.PENDING, State.PENDING)
        assert pair.read(old).extra["key_normalized"] == "tea_2"
        assert pair.services.editing.undo_text() == ("reopen", 1)
        pair.services.editing.undo()
        assert pair.read(old).state is State.REJECTED
        assert pair.read(old).extra["key_normalized"] == "tea"


def other_agent_saves(pair, key, text):
    """Another program takes a key; told to the app by looking again."""
    with open_database(pair.project_file, None, write=True) as connection:
        now = "2026-11-29T10:00:00"
        values = ("feedbeef", "project", "note", key, key, text, "[]", "[]", "auto", now, now)
        connection.execute(
            "INSERT INTO memories (id, scope, type, key_normalized, title, content, tags_json,"
            " keywords_json, source, confidence, sensitivity, created_at, updated_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'auto_summary', 'normal', ?, ?)",
            values,
        )
    pair.services.library.poll()


class TestInstead:
    """Saving what takes another record's key: that one goes to the trash in the same act."""

    def test_a_new_one(self, pair):
        old = pair.add("tea", "green")
        fields = {"title": "tea", "text": "black", "scope": "project"}
        target = Target(old.ref, old.etag)
        pair.services.editing.add(pair.project.id, NewRecord("memory", fields), instead=target)
        assert live(pair) == {"tea": "black"}
        assert pair.read(old.ref).state is State.TRASH
        pair.services.editing.undo()
        assert live(pair) == {"tea": "green"}
        pair.services.editing.redo()
        assert live(pair) == {"tea": "black"}

    def test_a_renamed_one(self, pair):
        old, one = pair.add("tea", "green"), pair.add("coffee", "strong")
        edit = Edit(Target(one.ref, one.etag), {"title": "Tea"})
        pair.services.editing.edit(edit, instead=Target(old.ref, old.etag))
        assert live(pair) == {"tea": "strong"}
        pair.services.editing.undo()
        assert live(pair) == {"tea": "green", "coffee": "strong"}

    def test_one_that_moves(self, pair):
        fields = {"title": "tea", "text": "mine", "scope": "user"}
        done = pair.services.editing.add(pair.project.id, NewRecord("memory", fields))
        (mine,) = done.changes.added
        one = pair.add("tea", "green")
        edit = Edit(Target(one.ref, one.etag), {"scope": "user"})
        with pytest.raises(UserError, match=r"record\.key_taken"):
            pair.services.editing.edit(edit)
        pair.services.editing.edit(edit, instead=Target(mine))
        assert live(pair) == {}
        assert pair.read(mine).state is State.TRASH
        pair.services.editing.undo()
        assert live(pair) == {"tea": "green"}
        assert pair.read(mine).state is State.LIVE

    def test_when_it_cannot_be_saved_the_other_one_stays(self, pair):
        old, one = pair.add("tea", "green"), pair.add("coffee", "strong")
        edit = Edit(Target(one.ref, "0" * 16), {"title": "Tea"})
        with pytest.raises(UserError, match=r"record\.changed"):
            pair.services.editing.edit(edit, instead=Target(old.ref, old.etag))
        assert live(pair) == {"tea": "green", "coffee": "strong"}


class TestKeyHolder:
    def test_is_told_before_saving(self, pair):
        one = pair.add("tea", "green")
        holder = pair.services.editing.key_holder
        fields = {"title": "Tea", "scope": "project"}
        assert holder(pair.project.id, fields).ref == one.ref
        assert holder(pair.project.id, fields).free == "tea_2"
        assert holder(pair.project.id, fields, one.ref) is None
        assert holder(pair.project.id, {"title": "深色", "scope": "project"}) is None
        assert holder(pair.project.id, {"title": "Tea", "scope": "user"}) is None
