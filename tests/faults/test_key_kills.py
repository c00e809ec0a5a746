# SPDX-License-Identifier: MIT
"""Stopped at any system call, a change of keys leaves a store that one of the slots opens.

Killed, without room, refused by the keychain; all at once, or only the app, or only the eraser.
The next start finishes it or takes it back, and says which. ``MEMORY_GUI_KEY_KILLS`` is how many
kills are tried (40; ``make faults``: 400).
"""

import json
import os
import shutil
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest
import workload

from memory_gui.engine.holders import open_by

HERE = Path(__file__).parent
CALLS = "pwrite64,ftruncate,fdatasync,fsync,unlink,unlinkat,rename,link,linkat,write"
KILLS = int(os.environ.get("MEMORY_GUI_KEY_KILLS", "40"))
needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")
numbers = count()


class Place:
    """Fresh copies of one store, each stopped in another way."""

    def __init__(self, folder, journal, how):
        self.folder, self.journal, self.how = folder, journal, how
        self.model = folder / "model"
        self.model.mkdir()
        workload.build(self.model / "mem.db", key=workload.KEY, journal=journal, die=True)
        self.salt = (self.model / "mem.db").read_bytes()[:16].hex()

    def copy(self):
        place = self.folder / str(next(numbers))
        shutil.copytree(self.model, place)
        (place / "mem.db-shm").unlink(missing_ok=True)
        (place / "chain").mkdir()
        self.slot(place, "a").write_text(workload.KEY)
        return place

    def slot(self, place, name):
        return place / "chain" / f"memory-gui-{self.salt}.{name}"

    def slots(self, place):
        names = {name: self.slot(place, name) for name in "ab"}
        return {name: file.read_text() for name, file in names.items() if file.exists()}

    def argv(self, act, place, *more):
        script = [sys.executable, "-I", str(HERE / "rotate_one.py"), act]
        return [*script, *(str(place / n) for n in ("mem.db", "data", "chain")), self.how, *more]

    def run(self, argv):
        return subprocess.run(
            argv, check=False, capture_output=True, text=True, cwd="/", timeout=120
        )

    def traced(self, place, *options):
        start = ["strace", "-f", "-qq", "-e", f"trace={CALLS}", *options]
        return self.run([*start, "-o", str(place / "trace"), *self.argv("rotate", place)])

    def calls(self):
        place = self.copy()
        done = self.traced(place)
        assert done.returncode == 0, done.stderr
        assert self.check(place)["said"] is None
        seen = {}
        for line in (place / "trace").read_text("utf-8", "replace").splitlines():
            seen[line.split()[0]] = seen.get(line.split()[0], 0) + 1
        return max(seen.values())

    def opened_by(self, place):
        """The slots whose key opens the file; everything in it must be as it was."""
        good = []
        for name, key in self.slots(place).items():
            try:
                seen = workload.verify(place / "mem.db", key)
            except subprocess.CalledProcessError:
                continue
            assert seen["integrity"] == "ok"
            assert seen["intact"]
            assert (seen["kept"], seen["targets"]) == (workload.KEPT, workload.TARGETS)
            good.append((name, seen))
        return good

    def check(self, place):
        """Not stranded, finished by the next start, nothing left over; what that start said."""
        until = time.monotonic() + 120
        while open_by([place / "mem.db"]) and time.monotonic() < until:
            time.sleep(0.02)  # the eraser goes on when only its parent died
        aside = place.with_name(f"{place.name}-seen")
        shutil.copytree(place, aside)  # looking works a log in: the next start must do that itself
        assert len(self.opened_by(aside)) == 1, "stranded"
        done = self.run(self.argv("finish", place))
        assert done.returncode == 0, done.stderr
        ((name, seen),) = self.opened_by(place)
        assert set(self.slots(place)) == {name}, "a key that opens nothing was left"
        assert seen["mode"] == self.journal
        assert not seen["forged"]
        assert not list((place / "data").glob("keys/*.key"))
        return json.loads(done.stdout)


@needs_strace
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("journal", "how"),
    [("wal", "inline"), ("delete", "inline"), ("wal", "child"), ("delete", "child")],
)
def test_killed_anywhere(tmp_path, journal, how):
    place = Place(tmp_path, journal, how)
    total = place.calls()
    said, killed = [], 0
    number = max(1, KILLS // 8)
    for step in range(number):
        here = place.copy()
        at = 1 + step * total // number
        done = place.traced(here, "-e", f"inject={CALLS}:signal=SIGKILL:when={at}")
        killed += done.returncode != 0
        said.append(place.check(here)["said"])
    assert killed >= number * (0.8 if how == "inline" else 0.5)
    assert "taken-back" in said or (how == "child" and number < 10)
    assert how == "child" or "changed" in said or number < 10


@needs_strace
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("error", "journal"), [("ENOSPC", "wal"), ("ENOSPC", "delete"), ("EIO", "wal")]
)
def test_a_disk_that_fails_anywhere(tmp_path, error, journal):
    """From some write on every one fails, as on a full disk; then there is room again."""
    place = Place(tmp_path, journal, "inline")
    total = place.calls()
    number = max(1, KILLS // 8)
    for step in range(number):
        here = place.copy()
        at = 1 + step * total // number
        names = "pwrite64,ftruncate,fsync,fdatasync"
        place.traced(here, "-e", f"inject={names}:error={error}:when={at}+")
        place.check(here)


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_keychain_that_refuses_at_any_question(tmp_path, journal):
    place = Place(tmp_path, journal, "inline")
    here = place.copy()
    questions = json.loads(place.run(place.argv("rotate", here)).stdout)["calls"]
    assert questions >= 4
    for number in range(1, questions + 1):
        here = place.copy()
        place.run(place.argv("rotate", here, str(number)))
        place.check(here)
