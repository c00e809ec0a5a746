# SPDX-License-Identifier: MIT
"""What is told about a store that cannot be opened as usual, each cause in its own words."""

from __future__ import annotations

import os
import subprocess

import pytest

from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database

KEY = RawKey(bytes(range(32)))


def flip(terminal, place):
    with terminal.store.open("r+b") as stream:
        stream.seek(place)
        byte = stream.read(1)
        stream.seek(place)
        stream.write(bytes([byte[0] ^ 0xFF]))


class TestADamagedEncryptedStore:
    @pytest.mark.parametrize("page", [0, 1, 3])
    def test_check_uses_the_key_it_is_given(self, make, page):
        terminal = make(KEY)
        for _ in range(2):
            terminal.verb("list")  # the log is folded in
        flip(terminal, page * 4096 + 2000)
        done = terminal.verb("check", "--json")
        assert (done.status, done.json["ok"]) == (9, False)
        given = terminal.with_key()
        assert terminal("check", str(terminal.store), *given).status == 9  # keychain not refused


class TestBytesThatMeanNothing:
    def test_without_a_key_it_is_said_that_it_may_be_no_database(self, terminal):
        noise = terminal.store.with_name("noise.db")
        noise.write_bytes(os.urandom(8192))
        done = terminal("list", str(noise), "--json")
        assert (done.status, done.json["error"]["code"]) == (6, "terminal.permission")
        assert "no database" in done.json["error"]["text"]
        assert str(noise) in done.json["error"]["text"]

    def test_a_length_that_no_database_has(self, terminal):
        noise = terminal.store.with_name("noise.db")
        noise.write_bytes(os.urandom(8191))
        done = terminal("list", str(noise), "--json")
        assert (done.status, done.json["error"]["code"]) == (1, "store.cut_off")


class TestNotes:
    @pytest.mark.root
    def test_a_private_copy_is_told_in_text_too(self, terminal, tmp_path):
        folder = tmp_path / "there/.agentao"
        folder.mkdir(parents=True)
        with open_database(terminal.store, None, write=True) as connection:
            with connection.writing():
                connection.execute("UPDATE memories SET title = 'pear' WHERE id = '00000000'")
            # By another process: this one has it open.
            subprocess.run(["cp", terminal.store, f"{terminal.store}-wal", folder], check=True)
        subprocess.run(["mount", "--bind", folder, folder], check=True)
        try:
            subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
            terminal.store = folder / "memory.db"
            info, listed = terminal.verb("info"), terminal.verb("list")
            notes = terminal.verb("info", "--json").json["notes"]
            as_json = terminal.verb("list", "--json")
        finally:
            subprocess.run(["umount", folder], check=True)
        assert notes == ["opened.from_copy"]
        assert "private copy" in info.out
        assert "private copy" in listed.err
        assert as_json.err == ""

    def test_a_newer_schema_is_told(self, terminal):
        with open_database(terminal.store, None, write=True) as connection, connection.writing():
            sql = "UPDATE schema_meta SET value = '99' WHERE key = 'version'"
            assert connection.change(sql) == 1
        assert "newer version" in terminal.verb("info").out
        assert "newer version" in terminal.verb("list").err
