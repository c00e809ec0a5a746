# SPDX-License-Identifier: MIT
"""Erased records that come back with an older file, or by an agent, are named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from keychains import SECRETS, ManyKeychains

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.queries import Query
from memory_gui.engine.connection import open_database
from memory_gui.erasure.result import EraseState
from memory_gui.ledger.ledger import FILE
from memory_gui.services import build_services
from memory_gui.services.erased.returned import is_random
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.words import Words

TEXT = "the canary of this test sings at seven every morning"


class Place:
    """A project's store, and services with a ledger."""

    def __init__(self, folder: Path, key: RawKey | None = None) -> None:
        self.folder, self.key = folder, key
        self.file = folder / "atlas/.agentao/memory.db"
        self.file.parent.mkdir(parents=True)
        create_store(self.file, key)
        self.keychain = ManyKeychains(SECRETS)
        self.services = self.start()

    def start(self):
        return build_services(
            words=Words(),
            home=self.folder / "home",
            data_dir=self.folder / "data",
            keychain=self.keychain,
        )

    def open(self, path: Path | None = None):
        return self.services.library.open(path or self.file, key=self.key)[0].id

    def add(self, title: str, text: str = TEXT):
        store = self.open()
        new = NewRecord("memory", {"title": title, "text": text, "scope": "project"})
        return self.services.editing.add(store, new).changes.added[0]

    def copy_aside(self) -> Path:
        self.services.library.close_all()
        aside = self.folder / "aside.db"
        shutil.copy(self.file, aside)
        self.open()
        return aside

    def erase(self, *refs):
        erasing = self.services.erasing
        return erasing.run(erasing.plans.plan(refs))

    def look(self):
        return self.services.returned.look(self.open())


@pytest.fixture
def place(tmp_path):
    made = Place(tmp_path)
    yield made
    made.services.close()


def test_a_copy_that_is_put_back_names_exactly_the_erased(place):
    one, other = place.add("canary"), place.add("other", "kept")
    aside = place.copy_aside()
    assert place.erase(one).state is EraseState.PROVED
    assert place.look() == ()
    place.services.library.close_all()
    shutil.copy(aside, place.file)
    assert place.look() == (one,)
    assert other in place.services.library.records([other])


def test_it_is_known_after_a_restart_and_erased_again_it_is_gone(place):
    one = place.add("canary")
    aside = place.copy_aside()
    place.erase(one)
    place.services.close()
    shutil.copy(aside, place.file)
    place.services = place.start()
    assert place.look() == (one,)
    assert place.erase(*place.look()).state is EraseState.PROVED
    assert place.look() == ()
    assert TEXT.encode() not in place.file.read_bytes()


def test_the_copy_itself_opened_elsewhere_names_it_too(place):
    one = place.add("canary")
    aside = place.copy_aside()
    place.erase(one)
    folder = place.folder / "elsewhere/.agentao"
    folder.mkdir(parents=True)
    shutil.copy(aside, folder / "memory.db")
    store = place.open(folder / "memory.db")
    assert [ref.key for ref in place.services.returned.look(store)] == [one.key]


def test_an_agent_that_brings_the_same_id_back_is_noticed(place):
    one = place.add("canary")
    place.erase(one)
    with open_database(place.file, None, write=True) as connection, connection.writing():
        connection.execute(
            "INSERT INTO memories(id, scope, key_normalized, title, content, created_at,"
            " updated_at) VALUES (?, 'project', 'x', 'x', 'anew', '2030-01-01T00:00:00', '')",
            one.key,
        )
    place.services.library.poll()
    assert place.look() == (one,)


def test_one_that_a_person_lets_stay_is_not_named_again(place):
    one = place.add("canary")
    aside = place.copy_aside()
    place.erase(one)
    place.services.library.close_all()
    shutil.copy(aside, place.file)
    assert place.services.returned.let_stay(place.look()) == 1
    assert place.look() == ()


def test_what_came_of_nothing_or_is_not_finished_is_not_named(place, monkeypatch):
    one = place.add("canary")

    def refused(*_args, **_kwargs):
        raise UserError("store.disk_full", path="")

    with monkeypatch.context() as patch:
        patch.setattr("memory_gui.services.erasing.erasing.run_erase", refused)
        with pytest.raises(UserError):
            place.erase(one)
    assert place.look() == ()

    def killed(*_args, **_kwargs):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("memory_gui.erasure.work.Child.start", killed)
        with pytest.raises(KeyboardInterrupt):
            place.erase(one)
    assert place.look() == ()
    aside = place.copy_aside()
    (result,) = place.services.erasing.finish_begun(place.file)
    assert result.state is EraseState.PROVED
    place.services.library.close_all()
    shutil.copy(aside, place.file)
    assert place.look() == (one,)


def test_an_encrypted_store_is_known_by_its_salt_under_its_old_key(tmp_path):
    place = Place(tmp_path, RawKey(bytes(range(32))))
    one = place.add("canary")
    aside = place.copy_aside()
    assert place.erase(one).state is EraseState.PROVED
    place.services.library.close_all()
    shutil.copy(aside, place.file)
    assert place.look() == (one,)
    place.services.close()


def test_the_ledger_holds_marks_and_no_id(place):
    one = place.add("canary")
    place.erase(one)
    rows = place.services.keeper.ledger().erased.gone()
    assert len(rows) == 1
    assert all(len(part) == 32 for part in (rows[0].mark, rows[0].made, rows[0].store))
    key = place.keychain.find_in("memory-gui/ledger")[0].key
    with open_database(place.folder / "data" / FILE, key, write=False) as connection:
        kept = repr(connection.execute("SELECT * FROM erased_record"))
    assert one.key[0] not in kept
    assert str(place.file) not in kept
    assert (place.folder / "data/erased").stat().st_size == 0


def test_nobody_is_asked_before_anything_was_erased(tmp_path):
    place = Place(tmp_path)
    place.open()
    asked = len(place.keychain.log)
    assert place.look() == ()
    assert len(place.keychain.log) == asked
    place.services.close()


@pytest.mark.parametrize(
    ("key", "random"),
    [
        (("1f0c2ab9",), True),
        (("123e4567-e89b-12d3-a456-426614174000",), True),
        (("17",), False),
        (("email",), False),
        (("1f0c2ab9", "2"), False),
    ],
)
def test_which_keys_nobody_uses_twice(key, random):
    assert is_random(key) is random


def test_where_records_have_no_key_of_their_own_they_are_known_by_what_they_say(tmp_path):
    place = Place(tmp_path)
    notes = tmp_path / "home/.agent-harness/memory/project.md"
    notes.parent.mkdir(parents=True)
    before = f"first note\n\n{TEXT}\n\nthird note\n"
    notes.write_text(before)
    store = place.services.library.open(notes.parent)[0].id
    refs = place.services.library.refs(place.services.library.search(Query()).ids)
    records = place.services.library.records([ref for ref in refs if ref.store == store])
    (one,) = [ref for ref, record in records.items() if record.text == TEXT]
    assert place.erase(one).state is EraseState.PROVED
    assert place.services.returned.look(store) == ()
    place.services.library.close_all()
    notes.write_text(f"a new one before\n\n{before}")
    store = place.services.library.open(notes.parent)[0].id
    (back,) = place.services.returned.look(store)
    assert place.services.library.record(back).text == TEXT
    assert place.services.returned.let_stay([back]) == 1
    assert place.services.returned.look(store) == ()
    place.services.close()
