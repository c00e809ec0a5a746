# SPDX-License-Identifier: MIT
"""Encrypting: who loses access, what a stop leaves, and a store that an agent makes anew."""

from __future__ import annotations

import os
import shutil
import stat

import pytest
from places import Place

from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref, State
from memory_gui.engine.connection import open_database
from memory_gui.erasure.result import EraseState
from memory_gui.services import KeyPlace
from memory_gui.services.editing.merging import TRASHED
from memory_gui.services.home.view import Cause
from memory_gui.stores.format import Access
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.words import Words
from memory_gui.words.rotation import NEWS, OLD_KEY, opens_copy, opens_encrypted, opens_readable


@pytest.fixture
def place(tmp_path, file_keychain):
    it = Place(tmp_path, file_keychain(tmp_path / "chain"), "my atlas")
    yield it
    it.services.close()


def test_the_plan_names_who_loses_access_and_how_to_connect_them(place):
    shutil.copy(place.path, place.path.with_name("memory.db.bak"))
    plan = place.services.protect.plan(place.store.id)
    assert plan.access is Access.CONNECTOR
    assert "agentao -p" in plan.loses
    folder = place.path.parent.parent
    assert plan.connect[0] == f"cd '{folder}' && memory-cli agent agentao"
    assert f"agentao_store({str(place.path)!r})" in plan.connect[1]
    assert plan.readable == (str(place.path.with_name("memory.db.bak")),)
    who = place.services.protect.who(plan, keeps=True)
    text = "\n".join(opens_encrypted(Words(), who))
    assert "goes on with an empty memory, and loses what it learns" in text
    assert "memory.db.bak beside it stays readable" in text


def test_there_and_back_owner_mode_and_memories_stay(place):
    place.add("port", "8080")
    place.path.chmod(0o640)
    done = place.services.protect.encrypt(place.store.id)
    assert done.key_place is KeyPlace.KEYCHAIN
    assert stat.S_IMODE(place.path.stat().st_mode) == 0o640
    assert place.texts() == ["8080"]
    place.again()
    assert place.texts() == ["8080"]
    place.services.protect.decrypt(place.store.id)
    assert stat.S_IMODE(place.path.stat().st_mode) == 0o640
    assert place.path.read_bytes().startswith(b"SQLite format 3")
    assert place.texts() == ["8080"]


def test_a_second_name_of_the_file_is_refused(place):
    os.link(place.path, place.path.with_name("second.db"))
    for act in (place.services.protect.plan, place.services.protect.encrypt):
        with pytest.raises(UserError, match=r"rotation\.hard_links"):
            act(place.store.id)


def test_a_copy_over_something_is_refused_and_leaves_nothing(place):
    place.services.protect.encrypt(place.store.id)
    out = place.folder / "out.db"
    out.write_text("mine")
    with pytest.raises(UserError, match=r"store\.exists"):
        place.services.protect.decrypt(place.store.id, out)
    assert out.read_text() == "mine"
    assert sorted(file.name for file in place.folder.glob("out.db*")) == ["out.db"]


WHEN = "2026-11-30T10:00:00"


class TestAStoreThatAnAgentMakesAnew:
    def stray(self, place):
        place.add("port", "8080")
        place.add("name", "atlas")
        place.services.protect.encrypt(place.store.id)
        assert place.services.protect.strays() == ()
        place.services.library.close(place.store.id)
        place.path.rename(place.path.with_name("memory.db.mine"))
        for file in place.path.parent.glob("memory.db-*"):
            file.unlink()
        create_store(place.path, None)
        place.again()
        return place.path.with_name("memory.db.mine")

    def test_is_noticed_and_the_encrypted_one_found(self, place):
        mine = self.stray(place)
        (stray,) = place.services.protect.strays()
        assert stray.path == str(place.path)
        assert stray.encrypted == (str(mine),)

    def test_and_home_tells_it(self, place):
        mine = self.stray(place)
        told = [one for one in place.services.home.look().problems if one.cause is Cause.STRAY]
        assert [(one.path, one.code) for one in told] == [(str(place.path), str(mine))]

    def test_and_merged_without_writing_anything_over(self, place):
        mine = self.stray(place)
        place.add("port", "9090")  # its key lives there with another text
        place.add("name", "atlas")
        place.add("colour", "green")
        (into,) = place.services.library.open(mine, pair=False)
        done = place.services.merging.merge(place.store.id, into.id)
        assert (done.brought["memory"], done.same, done.clashes) == (1, 1, ("port",))
        assert not done.whole
        assert place.texts(into) == ["8080", "atlas", "green"]
        assert place.texts() == ["9090", "atlas", "green"]
        again = place.services.merging.merge(place.store.id, into.id)
        assert (again.added, again.clashes) == (0, ("port",))

    def other_program(self, place):
        """What an agent leaves besides memories: proposals in every state, a summary, its log."""
        with open_database(place.path, None, write=True) as there, there.writing():
            for number, state in enumerate(("pending", "approved", "rejected")):
                there.execute(
                    "INSERT INTO memory_review_queue(id, scope, type, key_normalized, title,"
                    " content, status, created_at, updated_at)"
                    " VALUES (?, 'project', 'note', ?, ?, ?, ?, ?, ?)",
                    (f"r{number}", f"k{number}", f"t{number}", f"c{number}", state, WHEN, WHEN),
                )
            there.execute(
                "INSERT INTO session_summaries(id, session_id, summary_text, created_at)"
                " VALUES ('s1', 'session', 'We moved the port.', ?)",
                (WHEN,),
            )

    def counts(self, place, store):
        return {
            kind: dict(states)
            for kind, states in place.services.library.counts([store.id]).items()
            if states and kind != "meta"
        }

    def test_everything_it_has_comes_along_as_it_is_stored_and_is_counted(self, place):
        mine = self.stray(place)
        colour = place.add("colour", "green")
        gone = place.add("gone", "trashed text")
        place.services.editing.trash([gone])
        self.other_program(place)
        place.services.library.poll()
        (into,) = place.services.library.open(mine, pair=False)
        before, log = self.counts(place, into), self.counts(place, place.store)["event"][State.LIVE]
        done = place.services.merging.merge(place.store.id, into.id)
        assert done.whole
        assert done.brought == {
            "memory": 1, TRASHED: 1, "review": 3, "summary": 1, "event": log,
        }  # fmt: skip
        after = self.counts(place, into)
        assert after["memory"][State.LIVE] == before["memory"][State.LIVE] + 1
        assert after["memory"][State.TRASH] == 1
        assert after["review"] == {State.PENDING: 1, State.APPROVED: 1, State.REJECTED: 1}
        assert after["summary"] == {State.LIVE: 1}
        library = place.services.library
        for ref in (colour, gone):  # the same row: id, times, source and all
            there = library.record(Ref(into.id, ref.kind, ref.key))
            assert there.etag == library.record(ref).etag

    def test_run_again_nothing_is_added_and_nothing_is_written(self, place):
        mine = self.stray(place)
        place.services.editing.trash([place.add("gone", "trashed text")])
        self.other_program(place)
        place.services.library.poll()
        (into,) = place.services.library.open(mine, pair=False)
        place.services.merging.merge(place.store.id, into.id)
        before = self.counts(place, into)
        again = place.services.merging.merge(place.store.id, into.id)
        assert (again.added, again.clashes, again.failed) == (0, (), ())
        assert self.counts(place, into) == before

    def test_a_proposal_whose_key_waits_there_with_another_text_is_a_clash(self, place):
        mine = self.stray(place)
        self.other_program(place)
        place.services.library.poll()
        (into,) = place.services.library.open(mine, pair=False)
        place.services.merging.merge(place.store.id, into.id)
        with open_database(place.path, None, write=True) as there, there.writing():
            there.execute("DELETE FROM memory_review_queue WHERE status <> 'pending'")
            there.execute("UPDATE memory_review_queue SET content = 'other', id = 'r9'")
        place.services.library.poll()
        done = place.services.merging.merge(place.store.id, into.id)
        assert (done.clashes, done.whole) == (("t0",), False)

    def test_what_was_brought_can_be_taken_back(self, place):
        mine = self.stray(place)
        place.add("colour", "green")
        (into,) = place.services.library.open(mine, pair=False)
        place.services.merging.merge(place.store.id, into.id)
        assert "green" in place.texts(into)
        while place.services.editing.undo_text() and "green" in place.texts(into):
            place.services.editing.undo()
        assert "green" not in place.texts(into)
        assert "green" in place.texts()

    def test_made_readable_by_ourselves_it_is_none(self, place):
        place.services.protect.encrypt(place.store.id)
        place.services.protect.decrypt(place.store.id)
        assert place.services.protect.strays() == ()

    def test_a_person_may_say_that_it_is_meant(self, place):
        self.stray(place)
        place.services.protect.forget_stray(str(place.path))
        assert place.services.protect.strays() == ()


def test_every_code_has_its_words(place):
    words = Words("zh_CN")
    plan = place.services.protect.plan(place.store.id)
    for keeps in (True, False):
        who = place.services.protect.who(plan, keeps=keeps)
        for lines in (opens_encrypted, opens_readable, opens_copy):
            assert all(lines(words, who))
    assert all(words.say(text, path="/x") for text in (*NEWS.values(), *OLD_KEY.values()))


def test_an_unfinished_erase_is_one_of_the_file_that_was_swapped_in(place):
    place.add("port", "8080")
    (ref,) = [one.ref for one in memories(place)]
    (entry,) = place.services.erasing.announce(place.services.erasing.plans.plan([ref]))
    assert entry.scheme["inode"] == place.path.stat().st_ino
    for change in (place.services.protect.encrypt, place.services.protect.decrypt):
        change(place.store.id)
        (entry,) = place.services.erasing.pending(place.path)
        assert entry.scheme["inode"] == place.path.stat().st_ino
        assert entry.scheme["encrypted"] == (change == place.services.protect.encrypt)
    done = place.services.erasing.resume(entry)
    assert done.state is EraseState.PROVED
    assert done.counts["memories"].erased == 1


def memories(place):
    query = Query(stores=frozenset({place.store.id}), kinds=frozenset({"memory"}))
    return place.services.library.window(place.services.library.search(query).ids)
