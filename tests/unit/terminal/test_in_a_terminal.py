# SPDX-License-Identifier: MIT
"""``memory-cli`` as a process of its own, with a controlling terminal and without."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.recovery import recovery_text

KEY = RawKey(bytes(range(32)))
PROGRAM = [sys.executable, "-I", "-m", "memory_gui.cli"]
PATIENCE = 60.0


def environment(home: Path, language: str = "en_US.UTF-8") -> dict[str, str]:
    return {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "PATH": os.environ["PATH"],
        "LANG": language,
    }


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make(tmp_path, None)


def make(folder: Path, key: RawKey | None) -> Path:
    (folder / "atlas/.agentao").mkdir(parents=True)
    file = folder / "atlas/.agentao/memory.db"
    create_store(file, key)
    with open_database(file, key, write=True) as connection, connection.writing():
        connection.execute(
            "INSERT INTO memories(id, scope, key_normalized, title, content, created_at,"
            " updated_at) VALUES ('00000000', 'project', 'tea', 'tea', 'green', ?, ?)",
            ("2026-01-01T00:00:00", "2026-01-01T00:00:00"),
        )
    return file


class Person:
    """Someone at a terminal: reads what is shown, types."""

    def __init__(self, home: Path, *arguments: str, language: str = "en_US.UTF-8") -> None:
        self._mine, theirs = pty.openpty()

        def own_the_terminal() -> None:
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self._process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(home, language),
            preexec_fn=own_the_terminal,  # noqa: PLW1509 - a terminal is owned only like this
        )
        os.close(theirs)
        self.shown = ""

    def read_until(self, text: str) -> None:
        until = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < until, self.shown
            ready, _, _ = select.select([self._mine], [], [], 1)
            if ready:
                try:
                    piece = os.read(self._mine, 4096)
                except OSError:
                    piece = b""
                assert piece, self.shown
                self.shown += piece.decode("utf-8", "replace")

    def answer(self, question: str, text: str, *, seen: str = "") -> None:
        """Wait for a question that was not answered yet; before it ``seen`` was shown."""
        self.read_until(question)
        assert seen in self.shown, self.shown
        time.sleep(0.2)  # asking throws away what was typed before
        self.shown = ""
        self.type(text + "\n")

    def type(self, text: str) -> None:
        os.write(self._mine, text.encode())

    def end(self) -> int:
        while True:
            ready, _, _ = select.select([self._mine], [], [], 0.05)
            if ready:
                try:
                    piece = os.read(self._mine, 4096)
                except OSError:
                    break
                if not piece:
                    break
                self.shown += piece.decode("utf-8", "replace")
            elif self._process.poll() is not None:
                break
        os.close(self._mine)
        return self._process.wait(PATIENCE)


def alone(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """As a script has it: no controlling terminal."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment(home),
        start_new_session=True,
        timeout=PATIENCE,
        check=False,
    )


def rows(store: Path, key: RawKey | None = None) -> int:
    with open_database(store, key, write=False) as connection:
        return int(connection.execute("SELECT count(*) FROM memories")[0][0])


class TestAKeyIsAskedFor:
    """Why first; a recovery key, a raw key or a passphrase; at most twice in a row."""

    @pytest.fixture
    def locked(self, tmp_path):
        return make(tmp_path, KEY)

    def test_it_is_said_why_before_anything_is_asked(self, tmp_path, locked):
        person = Person(tmp_path, "list", str(locked), "--no-keychain")
        person.read_until("Recovery key, raw key or passphrase")
        assert "switched off for this run" in person.shown
        person.type(recovery_text(KEY).lower() + "\n")
        assert person.end() == 0, person.shown
        assert "green" in person.shown or "tea" in person.shown
        assert recovery_text(KEY).lower()[:5] not in person.shown

    def test_two_in_a_row_that_do_not_open_it_end_the_asking(self, tmp_path, locked):
        person = Person(tmp_path, "list", str(locked), "--no-keychain")
        person.answer("passphrase for", "not it")
        person.answer("passphrase for", recovery_text(RawKey(b"z" * 32)))
        assert person.end() == 3, person.shown
        assert "Two keys in a row" in person.shown
        assert "passphrase for" not in person.shown

    def test_a_slip_is_named_and_nothing_typed_gives_up(self, tmp_path, locked):
        person = Person(tmp_path, "list", str(locked), "--no-keychain")
        text = recovery_text(KEY)
        slip = text[:6] + ("2" if text[6] != "2" else "3") + text[7:]
        person.answer("passphrase for", slip)
        person.answer("passphrase for", "", seen="group 2")
        assert person.end() == 3, person.shown

    def test_the_recovery_key_is_shown_at_a_terminal(self, tmp_path, locked):
        person = Person(tmp_path, "key", "recovery", str(locked), "--no-keychain")
        person.read_until("passphrase for")
        person.type(KEY.hex() + "\n")
        assert person.end() == 0, person.shown
        shown = " ".join(person.shown.split())
        for line in recovery_text(KEY).split(" "):
            assert line in shown
        assert "█" in person.shown
        assert "will not remember" in shown

    def test_and_confirmed_there(self, tmp_path, locked):
        person = Person(tmp_path, "key", "recovery", str(locked), "--confirm", "--no-keychain")
        person.answer("passphrase for", KEY.hex())
        person.answer("from the paper", recovery_text(KEY)[:-1])
        person.answer("from the paper", recovery_text(KEY), seen="has 4 characters")
        assert person.end() == 0, person.shown
        assert "Confirmed" in person.shown


class TestAPerson:
    def test_is_asked_before_an_erase_and_may_say_no(self, tmp_path, store):
        person = Person(tmp_path, "erase", str(store), "00000000", "--no-keychain")
        person.read_until("Type yes to go on")
        person.type("no\n")
        assert person.end() == 2
        assert rows(store) == 1

    def test_who_says_yes_sees_it_proved(self, tmp_path, store):
        person = Person(tmp_path, "erase", str(store), "00000000", "--no-keychain")
        person.read_until("Type yes to go on")
        person.type("yes\n")
        assert person.end() == 0, person.shown
        assert "proved" in person.shown
        assert rows(store) == 0

    def test_is_asked_for_the_key_and_it_is_not_shown(self, tmp_path):
        store = make(tmp_path, KEY)
        person = Person(tmp_path, "list", str(store), "--no-keychain")
        person.read_until("Recovery key, raw key or passphrase")
        person.type(KEY.hex() + "\n")
        assert person.end() == 0, person.shown
        assert "tea" in person.shown
        assert KEY.hex() not in person.shown

    def test_reads_chinese_where_the_language_is_chinese(self, tmp_path, store):
        person = Person(tmp_path, "list", str(store), "--no-keychain", language="zh_CN.UTF-8")
        assert person.end() == 0
        assert "共 1 条记录" in person.shown


class TestAScript:
    def test_needs_a_yes_for_what_cannot_be_taken_back(self, tmp_path, store):
        for verb in ("erase", "delete"):
            done = alone(tmp_path, verb, str(store), "00000000", "--no-keychain")
            assert done.returncode == 2
        assert rows(store) == 1

    def test_needs_a_persons_permission_for_the_keychain(self, tmp_path):
        store = make(tmp_path, KEY)
        done = alone(tmp_path, "list", str(store), "--json")
        assert done.returncode == 6
        assert json.loads(done.stdout)["error"]["code"] == "terminal.permission"
        assert done.stderr == ""

    def test_needs_it_to_keep_a_new_key_too_and_is_told_that(self, tmp_path, store):
        done = alone(tmp_path, "encrypt", str(store), "--agents-lose-access", "--json")
        assert done.returncode == 6
        assert json.loads(done.stdout)["error"]["code"] == "terminal.may_not_keep"
        assert rows(store) == 1

    def test_gives_the_key_by_a_descriptor(self, tmp_path):
        store = make(tmp_path, KEY)
        reading, writing = os.pipe()
        os.write(writing, KEY.hex().encode())
        os.close(writing)
        done = subprocess.run(
            [*PROGRAM, "list", str(store), "--json", "--key-fd", str(reading)],
            pass_fds=[reading],
            capture_output=True,
            text=True,
            env=environment(tmp_path),
            start_new_session=True,
            check=False,
        )
        os.close(reading)
        assert done.returncode == 0, done.stdout
        assert json.loads(done.stdout)["total"] == 1

    def test_the_key_is_read_from_no_argument_and_no_environment(self, tmp_path):
        store = make(tmp_path, KEY)
        for name in ("MEMORY_GUI_KEY", "MEMORY_CLI_KEY", "KEY"):
            done = subprocess.run(
                [*PROGRAM, "list", str(store), "--no-keychain"],
                env={**environment(tmp_path), name: KEY.hex()},
                capture_output=True,
                start_new_session=True,
                check=False,
            )
            assert done.returncode == 3
        assert alone(tmp_path, "list", str(store), "--key", KEY.hex()).returncode == 2

    def test_a_reader_that_has_seen_enough_is_no_error(self, tmp_path, store):
        command = f"{' '.join(PROGRAM)} list {store} --json --no-keychain | head -c 1"
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""

    def test_starts_within_a_second(self, tmp_path, store):
        alone(tmp_path, "list", str(store), "--no-keychain")
        spent = []
        for _ in range(3):
            before = os.times()  # of its own work: a machine may be busy with other things
            alone(tmp_path, "list", str(store), "--no-keychain")
            after = os.times()
            spent.append(after.children_user + after.children_system)
            spent[-1] -= before.children_user + before.children_system
        assert min(spent) < 1.0
