# SPDX-License-Identifier: MIT
"""``memory-cli`` with a real keychain, at a terminal and without one."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

from memory_gui.engine.connection import open_database
from memory_gui.stores.formats.agentao.create import create_store

pytestmark = pytest.mark.rig

PROGRAM = [sys.executable, "-I", "-m", "memory_gui.cli"]
PATIENCE = 120


def at_a_terminal(*arguments: str) -> subprocess.CompletedProcess[str]:
    """With a controlling terminal on standard input; what is printed is captured."""
    mine, theirs = pty.openpty()

    def own_the_terminal() -> None:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    try:
        return subprocess.run(
            [*PROGRAM, *arguments],
            stdin=theirs,
            capture_output=True,
            text=True,
            preexec_fn=own_the_terminal,
            timeout=PATIENCE,
            check=False,
        )
    finally:
        os.close(mine)
        os.close(theirs)


def document(done: subprocess.CompletedProcess[str]) -> Any:
    return json.loads(done.stdout)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    file = tmp_path / "atlas/.agentao/memory.db"
    file.parent.mkdir(parents=True)
    create_store(file, None)
    with open_database(file, None, write=True) as connection, connection.writing():
        for number in range(3):
            connection.execute(
                "INSERT INTO memories(id, scope, key_normalized, title, content, created_at,"
                " updated_at) VALUES (?, 'project', ?, ?, 'a text of this memory', ?, ?)",
                (f"0000000{number}", f"k{number}", f"t{number}", *["2026-01-01T00:00:00"] * 2),
            )
    return file


def test_the_tour_keeps_its_key_in_the_keychain_and_leaves_none_behind():
    done = at_a_terminal("tour", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "in the keychain" in document(done)["steps"][0]["text"]
    known = document(at_a_terminal("stores", "list", "--json"))["stores"]
    assert not [one for one in known if "sample" in one["path"]]


def test_encrypted_listed_erased_and_made_readable_again(store):
    name = str(store)
    done = at_a_terminal("encrypt", name, "--agents-lose-access", "--json")
    assert done.returncode == 0, done.stdout
    assert document(done)["key_place"] == "keychain"
    assert not store.read_bytes().startswith(b"SQLite format 3")
    assert document(at_a_terminal("list", name, "--json"))["total"] == 3
    erased = at_a_terminal("erase", name, "00000001", "--yes", "--json")
    assert (erased.returncode, document(erased)["state"]) == (0, "proved")
    known = document(at_a_terminal("stores", "list", "--json"))["stores"]
    assert name in {one["path"] for one in known}
    assert at_a_terminal("stores", "name", name, "berries").returncode == 0
    assert document(at_a_terminal("list", "name:berries", "--json"))["total"] == 2
    assert at_a_terminal("decrypt", name, "--in-place", "--yes").returncode == 0
    with open_database(store, None, write=False) as connection:
        assert connection.execute("SELECT count(*) FROM memories") == [(2,)]
    assert at_a_terminal("stores", "forget", name).returncode == 0


def test_without_a_terminal_the_keychain_is_not_touched(store):
    assert at_a_terminal("encrypt", str(store), "--agents-lose-access").returncode == 0
    done = subprocess.run(
        [*PROGRAM, "list", str(store), "--json"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, document(done)["error"]["code"]) == (6, "terminal.permission")
