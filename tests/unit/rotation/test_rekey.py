# SPDX-License-Identifier: MIT
"""Changing a key: the new one is kept first, believed only when read, the old one goes last."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Passphrase, RawKey
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
from memory_gui.ledger.keynotes import BEGUN, KEPT_FILES, KEPT_RECOVERY, RETIRING, KeyNotes
from memory_gui.rotation import rekey as module
from memory_gui.rotation.rekey import KeyChanges, Wish, rekey_file, rotate_key

KEY = RawKey(bytes(range(32)))
OTHER = RawKey(bytes(range(32, 64)))
SCRIPT = (
    "CREATE TABLE one(id INTEGER PRIMARY KEY, text TEXT NOT NULL);"
    "INSERT INTO one(text) VALUES ('alpha'), ('beta');"
)


def rows(path: Path, key):
    with open_database(path, key, write=False) as connection:
        return connection.execute("SELECT text FROM one"), connection.journal_mode


def opens(path: Path, key) -> bool:
    try:
        rows(path, key)
    except UserError as error:
        assert error.code == "key.wrong"  # noqa: PT017 - every other one is a failure
        return False
    return True


class Place:
    """A store, a keychain that holds its key in slot a, and notes."""

    def __init__(self, folder, keychain, journal="wal"):
        self.folder, self.keychain = folder, keychain
        self.path = folder / "memory.db"
        create_database(self.path, KEY, SCRIPT, journal_mode=journal)
        self.salt = self.path.read_bytes()[:16]
        keychain.store(self.salt, "a", KEY)
        self.notes = KeyNotes(folder / "data")
        self.changes = KeyChanges(keychain, self.notes)

    def slots(self):
        found = self.keychain.find_all(self.salt)
        return {p.slot: p.key for p in found} if isinstance(found, list) else {}

    def rotate(self, **wish):
        return rotate_key(self.changes, self.path, KEY, Wish(self.salt, **wish))


@pytest.fixture
def place(tmp_path, file_keychain):
    return lambda journal="wal", **more: Place(
        tmp_path, file_keychain(tmp_path / "chain", **more), journal
    )


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_the_new_key_opens_it_and_the_old_one_is_gone(place, journal):
    it = place(journal)
    before = rows(it.path, KEY)
    change = it.rotate()
    assert change.settled.code == "changed"
    assert change.settled.old == "retired"
    assert it.slots() == {"b": change.new}
    assert rows(it.path, change.new) == before
    assert not opens(it.path, KEY)
    assert it.path.read_bytes()[:16] == it.salt
    assert it.notes.list() == ()


def test_there_and_back_the_slots_take_turns(place):
    it = place()
    first = it.rotate()
    second = rotate_key(it.changes, it.path, first.new, Wish(it.salt))
    assert it.slots() == {"a": second.new}
    assert opens(it.path, second.new)


def test_the_key_is_in_the_keychain_before_the_file_changes(place, monkeypatch):
    it = place()
    seen = []
    whole = module.rekey_file

    def look(path, key, new, **more):
        seen.append((it.slots(), opens(path, KEY), it.notes.list()[0].state))
        return whole(path, key, new, **more)

    monkeypatch.setattr(module, "rekey_file", look)
    change = it.rotate(new=OTHER)
    assert change.new == OTHER
    assert seen == [({"a": KEY, "b": OTHER}, True, BEGUN)]


def test_a_keychain_that_refuses_the_new_key_changes_nothing(place):
    it = place(refuse=3)  # store at first, find, store
    with pytest.raises(UserError, match=r"vault\.denied"):
        it.rotate()
    assert it.slots() == {"a": KEY}
    assert opens(it.path, KEY)
    assert it.notes.list() == ()


def test_a_keychain_that_keeps_the_old_key_is_asked_again(place):
    it = place(refuse=5)  # store, find, store, find, retire
    change = it.rotate()
    assert change.settled.old == RETIRING
    assert change.settled.problem.code == "vault.denied"
    assert set(it.slots()) == {"a", "b"}
    it.changes.finish(it.path, it.salt)
    assert it.slots() == {"b": change.new}
    assert it.notes.list() == ()


def test_keys_of_the_callers_touch_no_keychain(place):
    it = place()
    change = it.rotate(new=OTHER, in_keychain=False)
    assert change.settled.old == "not-ours"
    assert opens(it.path, OTHER)
    assert it.slots() == {"a": KEY}
    assert it.notes.list() == ()


class TestAnOldKeyThatIsKept:
    def test_for_other_files(self, place):
        it = place()
        change = it.rotate(others=("/backups/memory.db",))
        assert change.settled.old == KEPT_FILES
        assert it.slots() == {"a": KEY, "b": change.new}
        (note,) = it.notes.list()
        assert note.others == ("/backups/memory.db",)
        it.changes.finish(it.path, it.salt)
        assert set(it.slots()) == {"a", "b"}

    def test_then_no_slot_is_free_until_it_may_go(self, place):
        it = place()
        first = it.rotate(others=("/backups/memory.db",))
        with pytest.raises(UserError, match=r"rotation\.slots_full"):
            rotate_key(it.changes, it.path, first.new, Wish(it.salt))
        assert opens(it.path, first.new)
        second = rotate_key(it.changes, it.path, first.new, Wish(it.salt, drop=True))
        assert it.slots() == {"a": second.new}
        assert it.notes.list() == ()

    def test_until_the_new_recovery_key_is_confirmed(self, place):
        it = place()
        change = it.rotate(paper="2026-11-02")
        assert change.settled.old == KEPT_RECOVERY
        it.changes.finish(it.path, it.salt)
        assert set(it.slots()) == {"a", "b"}
        with pytest.raises(UserError, match=r"rotation\.old_key_waits"):
            rotate_key(it.changes, it.path, change.new, Wish(it.salt))
        assert it.changes.old_key_may_go(it.path, it.salt).old == "retired"
        assert it.slots() == {"b": change.new}
        assert it.changes.old_key_may_go(it.path, it.salt) is None

    def test_for_both_reasons(self, place):
        it = place()
        it.rotate(paper="2026-11-02", others=("/backups/memory.db",))
        assert it.changes.old_key_may_go(it.path, it.salt).old == KEPT_FILES
        assert set(it.slots()) == {"a", "b"}
        assert it.changes.old_key_may_go(it.path, it.salt, files_too=True).old == "retired"


class TestNothingIsBelieved:
    def test_a_rekey_that_says_ok_and_changes_nothing(self, place, monkeypatch):
        """The first of the traps: the answer is that of a rekey that was done."""
        it = place()
        monkeypatch.setattr(module, "rekey_file", lambda *_args, **_more: ())
        change = it.rotate()
        assert change.settled.code == "taken-back"
        assert it.slots() == {"a": KEY}

    def test_the_eraser_says_so_when_the_old_key_still_opens_it(self, tmp_path):
        code = (
            "import sys\nfrom pathlib import Path\n"
            "from memory_gui.engine.wipe import Wipe\n"
            "from memory_gui.erasure.eraser import Eraser\n"
            "Wipe.rekey = lambda *_: 'ok'\n"
            "eraser, key = Eraser(), {'raw': sys.argv[2]}\n"
            "for message in ({'do': 'open', 'path': sys.argv[1], 'key': key, 'rows': []},\n"
            "        {'do': 'prepare'}, {'do': 'erase', 'new_key': {'raw': 'ab' * 32}},\n"
            "        {'do': 'close'}):\n"
            "    answer = eraser.handle(message, lambda _: None)\n"
            "print(answer.get('failed'))\n"
        )
        path = tmp_path / "memory.db"
        create_database(path, KEY, SCRIPT)
        done = subprocess.run(
            [sys.executable, "-c", code, str(path), KEY.hex()],
            check=True,
            capture_output=True,
            text=True,
        )
        assert done.stdout.strip() in {"key.wrong", "rotation.not_changed"}
        assert opens(path, KEY)

    def test_neither_key_opens_it(self, place):
        """Then nothing is retired, and the note stays."""
        it = place()
        stray = it.notes.begin(
            str(it.path), it.salt, "rotate", old_slot="a", new_slot="b", journal_mode="wal"
        )
        it.notes.put(replace(stray, lease_started=0.0))
        it.keychain.retire(it.salt, "a")
        it.keychain.store(it.salt, "a", OTHER)
        it.keychain.store(it.salt, "b", RawKey(bytes(32)))
        assert it.changes.finish(it.path, it.salt) is None
        assert set(it.slots()) == {"a", "b"}
        assert len(it.notes.list()) == 1


class TestInUse:
    @pytest.mark.parametrize("journal", ["wal", "delete"])
    def test_an_idle_program_is_named_and_nothing_changed(self, place, peer, journal):
        it = place(journal)
        other = peer(it.path, key=KEY.hex())
        other.do("SELECT count(*) FROM one")
        with pytest.raises(UserError) as raised:
            it.rotate()
        assert raised.value.code == "rotation.in_use"
        assert raised.value.params["pid"] == other.pid
        other.close()
        assert it.slots() == {"a": KEY}
        assert opens(it.path, KEY)

    def test_a_reader_that_comes_later_is_found_by_the_lock(self, place, peer, monkeypatch):
        """In rollback mode SQLCipher answers ok then, and changes nothing."""
        it = place("delete")
        monkeypatch.setattr(module, "refuse_holders", lambda _path: None)
        other = peer(it.path, key=KEY.hex())
        other.do("BEGIN")
        other.do("SELECT count(*) FROM one")
        with pytest.raises(UserError, match=r"rotation\.in_use"):
            it.rotate()
        other.close()
        assert it.slots() == {"a": KEY}
        assert opens(it.path, KEY)
        assert it.notes.list() == ()


def test_other_cipher_settings_keep_their_key(tmp_path):
    path = tmp_path / "memory.db"
    words = Passphrase("correct horse", 3)
    create_database(path, words, SCRIPT)
    with pytest.raises(UserError, match=r"rotation\.cipher"):
        rekey_file(path, words, OTHER)
    assert rows(path, words)[0] == [("alpha",), ("beta",)]


def test_a_passphrase_is_replaced_by_a_raw_key(tmp_path):
    path = tmp_path / "memory.db"
    words = Passphrase("correct horse", 4)
    create_database(path, words, SCRIPT)
    rekey_file(path, words, OTHER)
    assert rows(path, OTHER)[0] == [("alpha",), ("beta",)]
    assert not opens(path, words)


def test_a_second_name_of_the_file_is_refused(place):
    it = place()
    (it.folder / "second.db").hardlink_to(it.path)
    with pytest.raises(UserError, match=r"raw\.hard_links"):
        it.rotate()
    assert it.slots() == {"a": KEY}
