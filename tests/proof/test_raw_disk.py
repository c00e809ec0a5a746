# SPDX-License-Identifier: MIT
"""On the raw disk: what bare statements leave, what a broken step leaves, and what we leave.

Each test has a fresh image. "New" are places that did not hold the text before the erase.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import workload
from disk import Disk

pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(shutil.which("mkfs.ext4") is None, reason="needs e2fsprogs"),
]

HERE = Path(__file__).parent
MARKER = workload.MARK.encode()
NEW_KEY = "0ddba11e" * 8
FOUR = (
    "PRAGMA secure_delete = ON",
    "DELETE FROM memories WHERE id NOT LIKE 'kept%'",
    "DELETE FROM memory_review_queue",
    "DELETE FROM memory_events WHERE id > 60",
    "VACUUM",
    "PRAGMA wal_checkpoint(TRUNCATE)",
)


@pytest.fixture
def disk(tmp_path):
    return Disk(tmp_path)


def key_bytes(key):
    return bytes.fromhex(key) if key else None


@dataclass(frozen=True)
class Cell:
    """A kind of database with a past. ``without`` is a step without which something is left."""

    name: str
    journal: str
    without: str
    key: str | None = None
    new_key: str | None = None
    full_text: str | None = None
    dirty: bool = True

    def place(self, tmp_path):
        """A disk with it: with what earlier programs freed, or copied onto blank blocks."""
        tmp_path.mkdir()
        disk = Disk(tmp_path)
        options = {"key": self.key, "journal": self.journal, "full_text": self.full_text}
        if self.dirty:
            with disk.mounted() as folder:
                workload.build(folder / "mem.db", die=True, **options)
        else:
            copied_in(disk, tmp_path, **options)
        return disk

    def hits(self, disk):
        """What can be read: by the key that opens it now; by no key, and in files by neither."""
        return set(disk.hits(MARKER, key_bytes(self.new_key or self.key)))

    def in_files(self, disk):
        with disk.mounted() as folder:
            files = (folder / name for name in ("mem.db", "mem.db-wal", "mem.db-journal"))
            found = [Disk.marks(file, MARKER, key_bytes(self.key)) for file in files]
        return sum(found)


CELLS = (
    Cell("readable-wal-ext", "wal", "renew_full_text", full_text="ext"),
    Cell("readable-delete-own", "delete", "renew_full_text", full_text="own"),
    Cell("readable-wal-cdel", "wal", "vacuum", full_text="cdel", dirty=False),
    Cell("new-key-wal", "wal", "vacuum", workload.KEY, NEW_KEY),
    Cell("new-key-delete-ext", "delete", "renew_full_text", workload.KEY, NEW_KEY, "ext"),
    Cell("same-key-wal-own", "wal", "vacuum", workload.KEY, full_text="own", dirty=False),
)


def erase(folder, key=None, without=None, new_key=None, before=()):
    """Through both children (or with a step broken); the app's own files lie on the disk too."""
    argv = [*before, sys.executable, "-I", str(HERE / "erase_one.py"), str(folder / "mem.db")]
    argv += [str(folder / "data")]
    argv += ["--key", key] if key else []
    argv += ["--new-key", new_key] if new_key else []
    argv += ["--without", without] if without else []
    done = subprocess.run(argv, check=False, capture_output=True, text=True, cwd="/", timeout=120)
    assert workload.MARK not in done.stdout + done.stderr
    return json.loads(done.stdout) if done.stdout else {"state": f"ended {done.returncode}"}


def files_with_the_text(disk, key=None):
    with disk.mounted() as folder:
        return [
            str(file.relative_to(folder))
            for file in folder.rglob("*")
            if file.is_file() and MARKER in file.read_bytes()
        ]


def copied_in(disk, tmp_path, **options):
    """A disk on which nothing was ever freed: whatever is new, the erase put there."""
    elsewhere = tmp_path / "made"
    elsewhere.mkdir()
    workload.build(elsewhere / "mem.db", **options)
    with disk.mounted() as folder:
        shutil.copyfile(elsewhere / "mem.db", folder / "mem.db")
        (folder / "mem.db").chmod(0o600)


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_the_four_statements_leave_the_text_in_freed_blocks(disk, tmp_path, journal):
    copied_in(disk, tmp_path, journal=journal)
    assert disk.hits(MARKER)
    with disk.mounted() as folder:
        workload.statement(folder / "mem.db", None, *FOUR)
        assert workload.verify(folder / "mem.db")["targets"] == 0
    assert files_with_the_text(disk) == []  # the file is clean, and yet:
    left = disk.hits(MARKER)
    assert len(left) > 20
    data = disk.image.read_bytes()
    pieces = {data[at : at + len(MARKER) + 6] for at in left}
    # A piece of a 9 KB memory, which lay in an overflow chain.
    assert any(piece.startswith(MARKER + b"0002v") for piece in pieces)


def test_a_plain_delete_leaves_old_versions_and_review_items(disk):
    with disk.mounted() as folder:
        workload.build(folder / "mem.db", journal="delete")
        workload.statement(folder / "mem.db", None, "PRAGMA secure_delete = OFF", *FOUR[1:4])
    data = disk.image.read_bytes()
    assert any(data.find(f"{workload.MARK}{n:04d}v1".encode()) >= 0 for n in range(12))
    assert data.find(f"said: {workload.MARK}".encode()) >= 0


@pytest.mark.parametrize("killed", [False, True], ids=["", "killed"])
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_our_erase_leaves_nothing_on_the_disk(tmp_path, cell, killed):
    """Nothing in a file, nothing new in free blocks; with a new key nothing that it can read."""
    disk = cell.place(tmp_path / "one")
    before = cell.hits(disk)
    assert cell.in_files(disk)
    with disk.mounted() as folder:
        if killed:  # in the middle of writing: the eraser, or who waits for it
            call = 60 if cell.key else 45
            stop = f"inject=pwrite64:signal=SIGKILL:when={call}"
            erase(
                folder,
                cell.key,
                None,
                cell.new_key,
                ("strace", "-f", "-qq", "-o", os.devnull, "-e", "trace=pwrite64", "-e", stop),
            )
        assert erase(folder, cell.key, None, cell.new_key)["state"] == "proved"
        verified = workload.verify(folder / "mem.db", cell.new_key or cell.key)
    assert cell.in_files(disk) == 0
    left = cell.hits(disk)
    assert left == set() if cell.new_key or not cell.dirty else left <= before
    assert (verified["integrity"], verified["intact"]) == ("ok", True)
    assert verified["targets"] == 0
    assert verified["mode"] == cell.journal


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_a_cell_sees_a_broken_recipe(tmp_path, cell):
    """Now and then a later write falls on what was left, so several disks are tried."""
    for attempt in range(4):
        disk = cell.place(tmp_path / str(attempt))
        before = cell.hits(disk)
        with disk.mounted() as folder:
            erase(folder, cell.key, cell.without, cell.new_key)
        after = cell.hits(disk)
        if cell.in_files(disk) or (after if cell.new_key else after - before):
            return
    pytest.fail("broken, and never seen")


@pytest.mark.parametrize(
    ("without", "journal", "die"),
    [("zero_tail", "wal", False), ("zero_log", "wal", True), ("_zero_journal", "persist", True)],
)
def test_a_step_that_is_left_out_is_seen_on_the_disk(tmp_path, without, journal, die):
    """These steps leave nothing in the file: only the disk tells that they are needed.

    Now and then a later write happens to fall on the freed blocks, so several disks are tried.
    """
    for attempt in range(5):
        (tmp_path / str(attempt)).mkdir()
        disk = Disk(tmp_path / str(attempt))
        with disk.mounted() as folder:
            workload.build(folder / "mem.db", journal=journal, die=die, secure_delete=False)
        assert disk.hits(MARKER)
        with disk.mounted() as folder:
            assert erase(folder, without=without)["state"] == "erased"
        assert files_with_the_text(disk) == []
        if disk.hits(MARKER):
            return
    pytest.fail("left out, and never seen")


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("full_text", [None, "own", "ext", "cdel"])
@pytest.mark.parametrize("key", [None, workload.KEY], ids=["readable", "encrypted"])
@pytest.mark.parametrize("journal", ["delete", "truncate", "persist", "wal"])
@pytest.mark.parametrize("auto_vacuum", [0, 1, 2])
def test_every_combination(disk, tmp_path, key, journal, full_text, auto_vacuum):
    copied_in(
        disk, tmp_path, key=key, journal=journal, full_text=full_text, auto_vacuum=auto_vacuum
    )
    with disk.mounted() as folder:
        assert erase(folder, key)["state"] == "proved"
    assert disk.hits(MARKER, key_bytes(key)) == []
