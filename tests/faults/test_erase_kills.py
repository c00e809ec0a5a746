# SPDX-License-Identifier: MIT
"""Killed or refused by the disk, an erase is finished by the same command; nothing else is lost.

Here the workers are the processes that they are; ``test_erase_stops.py`` tries every place.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
import workload

CALLS = "pwrite64,ftruncate,fdatasync,fsync,unlink,unlinkat,rename,write"
needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")


def traced(argv, trace, *options):
    return subprocess.run(
        ["strace", "-f", "-qq", "-e", f"trace={CALLS}", *options, "-o", str(trace), *argv],
        check=False,
        capture_output=True,
        text=True,
        cwd="/",
        timeout=180,
    )


def calls_of(trace):
    """The largest number of calls that one process made."""
    numbers = {}
    for line in Path(trace).read_text("utf-8", "replace").splitlines():
        pid = line.split()[0]
        numbers[pid] = numbers.get(pid, 0) + 1
    return max(numbers.values())


class Trial:
    """Fresh copies of one workload, each killed at another call."""

    def __init__(self, folder, command, finish, **options):
        self._folder, self._command, self._finish = folder, command, finish
        self._key = options.get("key")
        self._model = folder / "model"
        self._model.mkdir()
        workload.build(self._model / "mem.db", **options)
        done = self.run(0, traced)
        assert done["first"] == 0
        self.calls = calls_of(self._folder / "0" / "trace")

    def run(self, number, start):
        place = self._folder / str(number)
        shutil.copytree(self._model, place)
        (place / "mem.db-shm").unlink(missing_ok=True)
        path, data = place / "mem.db", place / "data"
        first = start(self._command(path, data, self._key), place / "trace").returncode
        answer = self._finish(path, data, self._key) if number else {"state": "proved"}
        return {"first": first, "answer": answer, "verified": workload.verify(path, self._key)}

    def killed_at(self, call):
        def start(argv, trace):
            return traced(argv, trace, "-e", f"inject={CALLS}:signal=SIGKILL:when={call}")

        return self.run(call, start)

    def failing_at(self, call, error):
        """From this call on the disk takes nothing, for as long as the run lasts."""

        def start(argv, trace):
            return traced(argv, trace, "-e", f"inject={CALLS}:error={error}:when={call}+")

        return self.run(call, start)


def check(outcome, call):
    verified, answer = outcome["verified"], outcome["answer"]
    assert answer.get("state") == "proved", (call, answer)
    assert verified["integrity"] == "ok", call
    assert verified["kept"] == workload.KEPT, call
    assert verified["intact"], call
    assert verified["targets"] == verified["reviews"] == verified["free"] == 0, call
    assert not verified["forged"], call


@needs_strace
@pytest.mark.parametrize(
    ("key", "journal"), [(None, "delete"), (workload.KEY, "wal")], ids=["readable", "encrypted"]
)
def test_a_sample_of_kills(tmp_path, erase_command, erase_one, key, journal):
    trial = Trial(tmp_path, erase_command, erase_one, key=key, journal=journal, die=True)
    for part in (3, 5, 7):
        call = max(1, trial.calls * part // 10)
        outcome = trial.killed_at(call)
        assert outcome["first"] != 0, call
        check(outcome, call)
        assert outcome["verified"]["mode"] == journal


def test_the_eraser_goes_on_when_its_parent_dies(tmp_path, erase_command, erase_one):
    """The next run waits for it, then finds the work done and proves it."""
    built = workload.build(tmp_path / "mem.db", die=True)
    data = tmp_path / "data"
    parent = subprocess.Popen(
        erase_command(built.path, data),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
    )
    entry = wait_for_state(data, "erasing")
    parent.send_signal(signal.SIGKILL)
    parent.wait(60)
    answer = erase_one(built.path, data)
    assert answer["state"] == "proved"
    assert answer["proof"]["by"] == "structure" or answer["counts"]["memories"]["erased"]
    assert entry["lease_pid"] != parent.pid
    assert workload.verify(built.path)["targets"] == 0


def wait_for_state(data, state):
    until = time.monotonic() + 120
    while time.monotonic() < until:
        for file in (data / "pending").glob("*.json"):
            try:
                entry = json.loads(file.read_text("utf-8"))
            except (OSError, ValueError):
                continue
            if entry["state"] == state:
                return entry
        time.sleep(0.002)
    raise AssertionError(state)


@pytest.mark.root
def test_a_full_disk_during_vacuum_loses_nothing_and_is_finished_with_space(tmp_path, erase_one):
    mount = tmp_path / "small"
    mount.mkdir()
    model = workload.build(tmp_path / "mem.db", journal="delete")
    size = model.path.stat().st_size
    # Room for the deletions, not for a second copy of the file in the log.
    room = size + size // 2
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={room // 4096 * 4}k", "tmpfs", str(mount)], check=True
    )
    try:
        shutil.copyfile(model.path, mount / "mem.db")
        (mount / "mem.db").chmod(0o600)
        answer = erase_one(mount / "mem.db", tmp_path / "data")
        assert answer["state"] == "not-finished", answer
        assert answer["stores"][0]["reason"] == "store.disk_full"
        verified = workload.verify(mount / "mem.db")
        assert verified["integrity"] == "ok"
        assert verified["intact"]
        assert verified["kept"] == workload.KEPT
        subprocess.run(["mount", "-o", f"remount,size={size * 4 // 1024}k", str(mount)], check=True)
        assert erase_one(mount / "mem.db", tmp_path / "data")["state"] == "proved"
        assert workload.verify(mount / "mem.db")["targets"] == 0
    finally:
        subprocess.run(["umount", str(mount)], check=True)


def test_a_database_that_was_moved_away_meanwhile_is_not_recreated(tmp_path, erase_one):
    built = workload.build(tmp_path / "mem.db")
    os.rename(built.path, tmp_path / "elsewhere.db")
    assert "store.missing" in erase_one(built.path, tmp_path / "data")["error"]
    assert not built.path.exists()


@needs_strace
def test_a_disk_that_fails_at_a_write(tmp_path, erase_command, erase_one):
    trial = Trial(tmp_path, erase_command, erase_one, journal="wal", die=True)
    for part in (4, 8):
        call = max(1, trial.calls * part // 10)
        check(trial.failing_at(call, "EIO"), call)
