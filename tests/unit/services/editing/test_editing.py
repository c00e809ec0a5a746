# SPDX-License-Identifier: MIT
"""Changing records, moving them between the pair, taking it all back."""

from __future__ import annotations

import pytest

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref, State
from memory_gui.domain.work import CancelToken
from memory_gui.services.editing import chunks
from memory_gui.services.editing.acts import Acts
from memory_gui.services.undo.stack import LIMIT, UndoStack
from memory_gui.services.undo.steps import SetTrash


def values(record):
    return record.title, record.text, record.type, record.tags, record.scope


class TestEachAct:
    def test_add_edit_trash_restore_delete(self, pair):
        editing = pair.services.editing
        one = pair.add("tea", "green")
        editing.edit(Edit(Target(one.ref, one.etag), {"text": "black", "tags": ("x", "y")}))
        assert pair.read(one.ref).text == "black"
        assert pair.read(one.ref).tags == ("x", "y")
        editing.trash([one.ref])
        assert pair.read(one.ref).state is State.TRASH
        editing.restore([one.ref])
        assert pair.read(one.ref).state is State.LIVE
        editing.trash([one.ref])
        assert editing.delete([one.ref]).changes.removed == (one.ref,)
        assert pair.services.library.record(one.ref) is None
        assert pair.rows(pair.project.id) == []

    def test_what_is_live_is_not_deleted_where_there_is_a_trash(self, pair):
        one = pair.add("tea", "green")
        ((ref, error),) = pair.services.editing.delete([one.ref]).failed
        assert (ref, error.code) == (one.ref, "record.trash_first")
        assert pair.read(one.ref) == one

    def test_memory_follows_each_change(self, pair):
        library = pair.services.library
        one = pair.add("tea", "green")
        assert library.search(Query("green")).total == 1
        pair.services.editing.edit(Edit(Target(one.ref), {"text": "black"}))
        assert library.search(Query("green")).total == 0
        assert library.search(Query("black")).total == 1
        pair.services.editing.trash([one.ref])
        pair.services.editing.delete([one.ref])
        assert library.search(Query("black", kinds=frozenset({"memory"}))).total == 0

    def test_tags_are_added_and_removed_and_nothing_is_written_for_nothing(self, pair):
        one = pair.add("tea", tags=("a", "b"))
        pair.services.editing.tag([one.ref], add=("c", "a"), remove=("b",))
        tagged = pair.read(one.ref)
        assert tagged.tags == ("a", "c")
        pair.services.editing.tag([one.ref], add=("a",))
        assert pair.read(one.ref).etag == tagged.etag


class TestSeveral:
    def test_failures_are_listed_once_and_the_others_done(self, pair):
        one, two = pair.add("one"), pair.add("two")
        strange = Ref(pair.project.id, "memory", ("ffffffff",))
        result = pair.services.editing.trash([one.ref, strange, two.ref, strange])
        assert result.done == 2
        assert [(ref, error.code) for ref, error in result.failed] == [(strange, "record.gone")]

    def test_progress_is_told_and_stopping_keeps_what_is_done(self, pair, monkeypatch):
        monkeypatch.setattr(chunks, "MOST", 2)
        monkeypatch.setattr(chunks, "HELD_S", 60.0)
        refs = [pair.add(f"number {i}").ref for i in range(5)]
        token, told = CancelToken(), []

        def tick(step, done, total):
            told.append((step, done, total))
            if done == 2:
                token.cancel()

        result = pair.services.editing.trash(refs, tick=tick, cancel=token)
        assert (result.done, result.stopped) == (2, True)
        assert told == [("trash", 1, 5), ("trash", 2, 5)]
        assert pair.services.library.counts()["memory"] == {State.LIVE: 3, State.TRASH: 2}

    def test_one_undo_takes_all_of_them_back(self, pair):
        refs = [pair.add(f"number {i}").ref for i in range(3)]
        pair.services.editing.trash(refs)
        assert pair.services.editing.undo_text() == ("trash", 3)
        pair.services.editing.undo()
        assert {pair.read(ref).state for ref in refs} == {State.LIVE}


class TestUndo:
    def test_every_act_and_back_again(self, pair):
        editing, library = pair.services.editing, pair.services.library
        one = pair.add("tea", "green")
        editing.edit(Edit(Target(one.ref), {"title": "Coffee", "text": "black"}))
        editing.trash([one.ref])
        editing.restore([one.ref])
        editing.trash([one.ref])
        editing.delete([one.ref])
        for _ in range(4):
            editing.undo()
        assert values(pair.read(one.ref)) == ("Coffee", "black", "note", (), "project")
        editing.undo()
        assert values(pair.read(one.ref)) == values(one)
        assert pair.read(one.ref).extra["key_normalized"] == "tea"
        editing.undo()
        assert library.record(one.ref) is None
        with pytest.raises(UserError, match=r"undo\.nothing"):
            editing.undo()
        for _ in range(6):
            editing.redo()
        assert library.record(one.ref) is None
        assert editing.redo_text() is None

    def test_what_was_done_in_a_closed_store_is_forgotten(self, pair):
        editing, library = pair.services.editing, pair.services.library
        pair.add("tea", "green")
        pair.add("of you", "texts", scope="user")
        assert editing.undo_text() == ("add", 1)
        library.close(pair.user.id)
        kept = [ref.store for entry in editing._stack._undo for ref in entry.refs]
        assert kept == [pair.project.id]
        library.close_all()
        assert editing.undo_text() is None
        assert editing._stack._undo == []

    def test_is_a_new_edit(self, pair):
        one = pair.add("tea", "green")
        pair.services.editing.edit(Edit(Target(one.ref), {"text": "black"}))
        before = len(list(pair.services.library.search(Query(kinds=frozenset({"event"}))).ids))
        pair.services.editing.undo()
        pair.services.library.poll()
        after = len(list(pair.services.library.search(Query(kinds=frozenset({"event"}))).ids))
        assert after == before + 1

    def test_is_refused_when_somebody_changed_it_since(self, pair):
        editing = pair.services.editing
        one = pair.add("tea", "green")
        editing.edit(Edit(Target(one.ref), {"text": "black"}))
        shelf = pair.services.library.shelf(pair.project.id)
        shelf.change(lambda store: store.apply(Edit(Target(one.ref), {"text": "theirs"})))
        with pytest.raises(UserError, match=r"undo\.changed"):
            editing.undo()
        assert pair.read(one.ref).text == "theirs"

    def test_a_new_act_forgets_what_could_be_redone(self, pair):
        editing = pair.services.editing
        pair.add("one")
        editing.undo()
        pair.add("two")
        with pytest.raises(UserError, match=r"undo\.nothing"):
            editing.redo()

    def test_the_lock_forgets_everything(self, pair):
        pair.add("one")
        pair.services.lock.lock()
        assert pair.services.editing.undo_text() is None

    def test_the_oldest_are_forgotten_first(self):
        stack = UndoStack()
        refs = [Ref("s", "memory", (str(i),)) for i in range(LIMIT + 1)]
        for ref in refs:
            stack.record("trash", [SetTrash(ref, trash=False)], 1)
        stack.drop(refs[2:])
        assert stack.next_undo().refs == {refs[1]}
        stack.drop(refs[1:2])
        assert stack.next_undo() is None


class TestMoving:
    def test_a_new_scope_moves_the_record_and_keeps_when_it_was_made(self, pair):
        one = pair.add("tea", "green", tags=("a",))
        result = pair.services.editing.edit(Edit(Target(one.ref, one.etag), {"scope": "user"}))
        (there,) = result.changes.added
        assert there.store == pair.user.id
        moved = pair.read(there)
        assert values(moved) == ("tea", "green", "note", ("a",), "user")
        assert moved.created_at == one.created_at
        assert pair.rows(pair.project.id) == []

    def test_a_trashed_record_that_moves_is_not_taken_for_its_live_twin(self, pair):
        """Both were made in the same second, with the same words: they are two records."""
        editing = pair.services.editing
        dead = pair.add("tea", "green")
        editing.trash([dead.ref])
        there = editing.edit(Edit(Target(dead.ref), {"scope": "user"})).changes.added[0]
        twin = pair.add("tea", "green")
        editing.edit(Edit(Target(there), {"scope": "project"}))
        assert pair.read(dead.ref).state is State.TRASH
        assert pair.read(twin.ref).state is State.LIVE
        assert len(pair.rows(pair.project.id)) == 2

    def test_undo_moves_it_back_and_the_undos_before_follow_it(self, pair):
        editing = pair.services.editing
        one = pair.add("tea", "green")
        editing.edit(Edit(Target(one.ref), {"text": "black"}))
        editing.edit(Edit(Target(one.ref), {"scope": "user"}))
        editing.undo()
        assert pair.rows(pair.user.id) == []
        editing.undo()
        (row,) = pair.rows(pair.project.id)
        assert row[1:] == ("tea", "green")

    def test_a_new_record_goes_where_its_scope_belongs(self, pair):
        new = NewRecord("memory", {"title": "name", "text": "Ann", "scope": "user"})
        result = pair.services.editing.add(pair.project.id, new)
        assert result.changes.added[0].store == pair.user.id

    def test_without_the_other_half_it_is_refused_and_nothing_written(self, single):
        one = single.add("tea")
        with pytest.raises(UserError) as caught:
            single.services.editing.edit(Edit(Target(one.ref), {"scope": "user"}))
        assert (caught.value.code, caught.value.params["reason"]) == ("pair.needed", "pair.absent")
        new = NewRecord("memory", {"title": "name", "text": "Ann", "scope": "user"})
        with pytest.raises(UserError, match=r"pair\.needed"):
            single.services.editing.add(single.project.id, new)
        assert len(single.rows(single.project.id)) == 1

    def test_a_taken_key_there_leaves_it_here(self, pair):
        one = pair.add("tea", "green")
        pair.add("tea", "theirs", scope="user")
        with pytest.raises(UserError, match=r"record\.key_taken"):
            pair.services.editing.edit(Edit(Target(one.ref), {"scope": "user"}))
        assert [row[2] for row in pair.rows(pair.project.id)] == ["green"]
        assert [row[2] for row in pair.rows(pair.user.id)] == ["theirs"]

    def test_refused_there_it_stays_here_once(self, pair):
        one = pair.add("tea", "green")
        edit = Edit(Target(one.ref, one.etag), {"scope": "user", "text": "x" * 4_001})
        with pytest.raises(UserError, match=r"record\.text_long"):
            pair.services.editing.edit(edit)
        assert [row[2] for row in pair.rows(pair.project.id)] == ["green"]
        assert pair.rows(pair.user.id) == []

    def test_stopped_in_its_middle_it_is_found_and_finished(self, pair, monkeypatch):
        one = pair.add("tea", "green")
        edit = Edit(Target(one.ref, one.etag), {"scope": "user"})
        with monkeypatch.context() as patch:
            patch.setattr(Acts, "_change_there", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                pair.services.editing.edit(edit)
        assert len(pair.rows(pair.project.id)) == len(pair.rows(pair.user.id)) == 1
        lines = {line.code: line for line in pair.services.checks.check(pair.project.id)}
        assert lines["check.moved_twice"].ok is False
        pair.services.editing.edit(edit)
        assert pair.rows(pair.project.id) == []
        assert [row[1:] for row in pair.rows(pair.user.id)] == [("tea", "green")]
        lines = {line.code for line in pair.services.checks.check(pair.project.id)}
        assert "check.moved_twice" not in lines


class TestStoppedByTheLock:
    """A lock, or the window's end, stops an act in its middle: it is told afterwards."""

    @pytest.fixture(autouse=True)
    def threes(self, monkeypatch):
        monkeypatch.setattr(chunks, "MOST", 3)
        monkeypatch.setattr(chunks, "HELD_S", 60.0)

    @staticmethod
    def trash_until_third(pair, **how):
        refs = [pair.add(f"tea {n}", "green").ref for n in range(6)]
        token = CancelToken()

        def tick(step, done, _total):
            if (step, done) == ("trash", 3):
                token.cancel(**how)

        result = pair.services.editing.trash(refs, tick=tick, cancel=token)
        assert (result.done, result.stopped) == (3, True)
        return refs

    def test_it_is_told_afterwards_and_can_go_on(self, pair):
        refs = self.trash_until_third(pair, unheard=True)
        editing, store = pair.services.editing, pair.project.id
        (told,) = editing.stopped(store)
        assert (told.act, told.done, told.total) == ("trash", 3, 6)
        assert set(told.left) == set(refs[3:])
        editing.trash(told.left)
        assert editing.stopped(store) == ()

    def test_an_error_in_its_middle_is_told_as_well(self, pair):
        refs = [pair.add(f"tea {n}", "green").ref for n in range(3)]
        editing = pair.services.editing

        def act(target):
            if target.ref == refs[1]:
                raise Cancelled
            return editing._acts.trash(target)

        with pytest.raises(Cancelled):
            editing.each("trash", refs, act)
        (told,) = editing.stopped(pair.project.id)
        assert (told.done, told.total) == (1, 3)

    def test_who_stops_it_hears_it_at_once_and_not_again(self, pair):
        self.trash_until_third(pair)
        assert pair.services.editing.stopped(pair.project.id) == ()
