# SPDX-License-Identifier: MIT
"""Keys changed with the real gnome-keyring: by a wish, by an erase, killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent, RawKey
from memory_gui.engine.connection import open_database
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import Keychain

pytestmark = pytest.mark.rig

KEY = RawKey(bytes(range(32)))
INSERT = (
    "INSERT INTO memories(id, scope, key_normalized, title, content, created_at, updated_at)"
    " VALUES (?, 'project', ?, ?, ?, '2026-01-01T00:00:00', '2026-01-01T00:00:00')"
)


class Place:
    """A store whose key lies in the session's keychain, and the terminal program over it."""

    def __init__(self, folder, environment):
        self.environment = {
            **environment,
            "XDG_DATA_HOME": str(folder / "share"),
            "XDG_CONFIG_HOME": str(folder / "config"),
        }
        self.path = folder / "atlas/.agentao/memory.db"
        self.path.parent.mkdir(parents=True)
        create_store(self.path, KEY)
        with open_database(self.path, KEY, write=True) as connection, connection.writing():
            for number in range(5):
                row = (f"0000000{number}", f"k{number}", f"note {number}", f"text {number}")
                connection.execute(INSERT, row)
        self.salt = self.path.read_bytes()[:16]
        settings = folder / "share/memory-gui"
        settings.mkdir(parents=True, mode=0o700)
        (settings / "settings.toml").write_text("scripts_may_use_keychain = true\n")
        self.keychain = Keychain(environment=environment)
        self.keychain.store(self.salt, "a", KEY)

    def argv(self, *arguments):
        return [sys.executable, "-I", "-m", "memory_gui.cli", *arguments, "--json"]

    def cli(self, *arguments):
        done = subprocess.run(
            self.argv(*arguments),
            check=False,
            capture_output=True,
            text=True,
            env=self.environment,
            timeout=120,
        )
        return done.returncode, json.loads(done.stdout) if done.stdout.strip() else done.stderr

    def slots(self):
        found = self.keychain.find_all(self.salt)
        assert isinstance(found, (list, Absent)), found
        return {one.slot: one.key for one in found} if isinstance(found, list) else {}

    def opened_by(self):
        good = []
        for slot, key in self.slots().items():
            try:
                with open_database(self.path, key, write=False) as connection:
                    rows = connection.execute("SELECT count(*) FROM memories")[0][0]
            except UserError:
                continue
            good.append((slot, rows))
        return good


@pytest.fixture
def place(tmp_path, own_desktop):
    it = Place(tmp_path, own_desktop())
    yield it
    it.keychain.close()


def test_rotated_erased_and_encrypted_by_the_terminal(place):
    store = str(place.path)
    status, told = place.cli("key", "rotate", store)
    assert (status, told["old_key"]) == (0, "retired")
    assert place.opened_by() == [("b", 5)]
    assert set(place.slots()) == {"b"}
    status, told = place.cli("erase", store, "00000001", "--yes")
    assert (status, told["state"], told["key"]) == (0, "proved", "new")
    assert place.opened_by() == [("a", 4)]
    assert set(place.slots()) == {"a"}
    status, told = place.cli("erase", store, "00000002", "--yes", "--keep-key")
    assert (status, told["state"], told["key"]) == (0, "proved", "kept")
    assert set(place.slots()) == {"a"}
    status, told = place.cli("decrypt", store, "--in-place", "--yes")
    assert (status, told["encrypted"]) == (0, False)
    status, told = place.cli("encrypt", store, "--agents-lose-access")
    assert (status, told["key_place"]) == (0, "keychain")
    assert told["access"] == "connector"
    status, told = place.cli("list", store)
    assert (status, told["total"]) == (0, 3)


def test_killed_at_any_moment_one_slot_opens_it_and_the_next_call_says_so(place):
    store = str(place.path)
    said = set()
    for step in range(8):
        process = subprocess.Popen(
            place.argv("key", "rotate", store),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=place.environment,
            start_new_session=True,
        )
        wait_until_begun(place.path.parents[2] / "share/memory-gui/keys", process)
        time.sleep(step * 0.06)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(60)
        wait_until_free(place.path)
        assert len(place.opened_by()) == 1, step
        done = subprocess.run(
            place.argv("list", store)[:-1],
            check=True,
            capture_output=True,
            text=True,
            env=place.environment,
        )
        said |= {line for line in done.stderr.splitlines() if "had been stopped" in line}
        ((slot, rows),) = place.opened_by()
        assert rows == 5
        assert set(place.slots()) == {slot}
    assert said


def wait_until_begun(notes: Path, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while not list(notes.glob("*.key")) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.005)


def wait_until_free(path: Path) -> None:
    """The eraser goes on when its parent dies."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        try:
            links = subprocess.run(["fuser", str(path)], check=False, capture_output=True)
        except FileNotFoundError:
            time.sleep(1)
            return
        if links.returncode:
            return
        time.sleep(0.05)


def test_a_keychain_that_is_not_there_changes_nothing(place):
    place.keychain.close()
    before = place.path.read_bytes()
    place.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    status, told = place.cli("key", "rotate", str(place.path))
    assert status == 3
    assert told["error"]["code"] == "key.needed"
    assert place.path.read_bytes() == before


def test_an_old_key_that_waits_is_given_up_in_words(place):
    store = str(place.path)
    paper = place.path.parent / "paper.txt"
    status, _told = place.cli("key", "recovery", store, "--out", str(paper))
    assert status == 0
    status, told = place.cli("key", "rotate", store, "--yes")
    assert (status, told["old_key"]) == (0, "kept-recovery")
    assert set(place.slots()) == {"a", "b"}
    status, told = place.cli("key", "rotate", store, "--yes")
    assert (status, told["error"]["code"]) == (6, "rotation.old_key_waits")
    status, told = place.cli("key", "rotate", store, "--give-up-paper", "--yes")
    assert (status, told["old_key"]) == (0, "retired")
    assert place.opened_by() == [("b", 5)]
