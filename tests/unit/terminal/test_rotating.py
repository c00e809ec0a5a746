# SPDX-License-Identifier: MIT
"""Keys at the terminal: changed by a verb or with an erase, by descriptors, links said."""

from __future__ import annotations

import os

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
from memory_gui.rotation import rekey
from memory_gui.terminal import session as session_module

KEY = RawKey(bytes(range(32)))
NEW = RawKey(bytes(range(32, 64)))


def opens(path, key) -> bool:
    try:
        open_database(path, key, write=False).close()
    except UserError:
        return False
    return True


@pytest.fixture
def encrypted(make):
    return make(KEY)


def fd(behind, key):
    return ("--new-key-fd", str(behind(key.hex())))


class TestRotate:
    def rotate(self, terminal, *more):
        return terminal("key", "rotate", str(terminal.store), "--no-keychain", *more)

    def test_by_two_descriptors(self, encrypted, behind):
        done = self.rotate(encrypted, *encrypted.with_key(), *fd(behind, NEW), "--json")
        assert done.status == 0, done.out
        assert done.json["old_key"] == "not-ours"
        assert opens(encrypted.store, NEW)
        assert not opens(encrypted.store, KEY)

    def test_without_a_keychain_it_needs_a_key_to_change_to(self, encrypted):
        done = self.rotate(encrypted, *encrypted.with_key())
        assert done.status == 2
        assert "--new-key-fd" in done.err
        assert opens(encrypted.store, KEY)

    def test_a_readable_store_has_none(self, terminal, behind):
        done = self.rotate(terminal, *fd(behind, NEW))
        assert done.status == 6
        assert "not encrypted" in done.err

    @pytest.mark.parametrize("digits", [63, 65])
    def test_a_key_of_another_length_is_refused(self, encrypted, behind, digits):
        number = str(behind("a" * digits))
        done = self.rotate(encrypted, *encrypted.with_key(), "--new-key-fd", number)
        assert done.status == 3
        assert opens(encrypted.store, KEY)

    def test_a_program_that_has_it_open_is_named(self, encrypted, behind, peer):
        other = peer(encrypted.store, key=KEY.hex())
        other.do("SELECT count(*) FROM memories")
        done = self.rotate(encrypted, *encrypted.with_key(), *fd(behind, NEW), "--json")
        other.close()
        assert done.status == 4
        assert done.json["error"]["params"]["pid"] == other.pid
        assert opens(encrypted.store, KEY)

    def test_a_link_is_resolved_and_said(self, encrypted, behind, tmp_path):
        link = tmp_path / "link.db"
        link.symlink_to(encrypted.store)
        done = encrypted(
            "key", "rotate", str(link), "--no-keychain", *encrypted.with_key(), *fd(behind, NEW)
        )
        assert done.status == 0
        assert f"{link} is a link to {encrypted.store}" in done.out
        assert opens(encrypted.store, NEW)

    def test_a_second_name_is_refused(self, encrypted, behind, tmp_path):
        os.link(encrypted.store, tmp_path / "second.db")
        done = self.rotate(encrypted, *encrypted.with_key(), *fd(behind, NEW), "--json")
        assert done.status == 6
        assert done.json["error"]["code"] == "rotation.hard_links"
        assert opens(encrypted.store, KEY)


@pytest.mark.parametrize("which", [KEY, NEW])
def test_a_stopped_change_of_ones_own_keys_is_told_with_the_one_that_opens_it(
    encrypted, behind, monkeypatch, which
):
    """Killed before or after its commit: whoever gives both keys in turn learns which it is."""
    whole = rekey.rekey_file

    def die(path, key, new, **more):
        if which is NEW:
            whole(path, key, new, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(rekey, "rekey_file", die)
    monkeypatch.setattr(rekey.KeyChanges, "_settle_after_error", lambda *_: None)
    given = ("--no-keychain", *encrypted.with_key(), *fd(behind, NEW))
    assert encrypted("key", "rotate", str(encrypted.store), *given).status == 4
    monkeypatch.undo()
    monkeypatch.setattr(session_module, "has_terminal", lambda: False)
    monkeypatch.setenv("XDG_DATA_HOME", str(encrypted.home / ".local/share"))
    monkeypatch.setenv("HOME", str(encrypted.home))
    other = KEY if which is NEW else NEW
    wrong = ("--key-fd", str(behind(other.hex())), "--no-keychain")
    assert encrypted("list", str(encrypted.store), *wrong).status == 3
    right = ("--key-fd", str(behind(which.hex())), "--no-keychain")
    done = encrypted("list", str(encrypted.store), *right)
    assert done.status == 0
    assert "The key that was given now opens it" in done.err
    right = ("--key-fd", str(behind(which.hex())), "--no-keychain")
    assert "had been stopped" not in encrypted("list", str(encrypted.store), *right).err


class TestErase:
    def test_with_a_new_key(self, encrypted, behind):
        done = encrypted.verb("erase", "00000001", "--yes", *fd(behind, NEW), "--json")
        assert done.status == 0, done.out
        assert (done.json["state"], done.json["key"]) == ("proved", "new-old-not-ours")
        assert opens(encrypted.store, NEW)
        assert not opens(encrypted.store, KEY)

    def test_the_plan_says_it_first(self, encrypted, behind):
        done = encrypted.verb("erase", "00000001", "--dry-run", *fd(behind, NEW))
        assert "It was not in this program's keeping and is not destroyed" in done.out
        assert opens(encrypted.store, KEY)
        done = encrypted.verb("erase", "00000001", "--dry-run", "--keep-key", "--json")
        assert done.json["key"] == "kept"

    def test_keep_and_new_exclude_each_other(self, encrypted, behind):
        done = encrypted.verb("erase", "00000001", "--yes", "--keep-key", *fd(behind, NEW))
        assert done.status == 2

    def test_given_again_with_both_keys_it_is_understood(self, encrypted, behind):
        again = []
        for _ in range(2):
            again.append(encrypted.verb("erase", "00000001", "--yes", *fd(behind, NEW), "--json"))
        assert [done.status for done in again] == [0, 0]
        assert again[1].json["state"] == "proved"
        assert opens(encrypted.store, NEW)


class TestEncrypting:
    def test_who_loses_access_is_named_before_it_is_refused(self, terminal):
        done = terminal("encrypt", str(terminal.store), "--no-keychain")
        assert done.status == 6
        assert "agentao -p" in done.out
        assert "memory-cli agent agentao" in done.out

    def test_there_and_back(self, terminal, behind):
        given = ("--key-fd", str(behind(KEY.hex())), "--no-keychain", "--json")
        done = terminal("encrypt", str(terminal.store), "--agents-lose-access", *given)
        assert (done.status, done.json["access"]) == (0, "connector")
        assert opens(terminal.store, KEY)
        given = ("--key-fd", str(behind(KEY.hex())), "--no-keychain", "--json")
        done = terminal("decrypt", str(terminal.store), "--in-place", "--yes", *given)
        assert done.status == 0
        assert terminal.store.read_bytes().startswith(b"SQLite format 3")
