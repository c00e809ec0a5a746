# SPDX-License-Identifier: MIT
"""``memory-cli erase`` on small disks of our own: full but for a few blocks, gone in the middle (as
in a power cut: what was not written through is lost), and read-only, before or between.

The app's own notes lie on that disk too. Whatever the disk refused: the store is whole, each record
is old or gone, what is unfinished is known, and with the disk as it should be the same command
finishes it. A short sample runs always; ``make faults`` takes every place.
"""

import os
import shutil
import tempfile
from pathlib import Path

import agentstore
import pytest
import stops
from disk import Disk
from trials import CASES, LONG, OURS, READABLE

SIZE = 12 << 20
SHORT = tuple(c for c in CASES if c.kind in (READABLE, OURS))
pytestmark = [
    pytest.mark.root,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(shutil.which("mkfs.ext4") is None, reason="needs e2fsprogs"),
]
every_case = pytest.mark.parametrize("case", CASES if LONG else SHORT, ids=lambda case: case.name)


@pytest.fixture
def disk(quick):
    with tempfile.TemporaryDirectory(dir=quick) as folder:
        yield Disk(Path(folder), SIZE)


def onto(folder, model):
    """A copy on that disk, with the app's own home beside it."""
    trial = model.copy(onto=folder)
    trial.at_home(folder / "home")
    return trial


def off(folder, trial):
    """Make room for the next one."""
    trial.remove()
    for name in ("store", "home"):
        shutil.rmtree(folder / name)


def reasons(answer):
    """Every code by which the command said why it did not finish."""
    said = answer["said"]
    codes = [store.get("reason") for store in said.get("stores", ())]
    return {code for code in (*codes, said.get("error", {}).get("code")) if code}


@every_case
def test_a_disk_that_is_full_but_for_some_blocks(models, disk, case):
    model = models(case).measured()
    ends = set()
    with disk.mounted() as folder:
        for blocks in range(0, 160, max(1, 800 // LONG)) if LONG else (0, 8, 24, 60, 160):
            trial = onto(folder, model)
            with disk.leaving(blocks):
                answer = trial.erase()
                assert answer["status"] == 0, (blocks, answer)
                if answer["exit"] != 0:
                    assert answer["said"].get("state") in ("not-finished", None), (blocks, answer)
                    said = reasons(answer)
                    assert said <= {"store.disk_full", "pending.disk_full", "erase.disk_space"}, (
                        blocks,
                        answer,
                    )
                    assert said, (blocks, answer)
            seen = trial.after_stop()
            ends.add(answer["exit"])
            assert answer["exit"] != 0 or seen["gone"]
            trial.goes_on()
            trial.is_gone()
            off(folder, trial)
    assert 0 in ends
    assert len(ends) > 1


@every_case
def test_a_disk_that_is_gone_in_the_middle(models, disk, case):
    model = models(case).measured()
    total = len(model.points)
    gone = set()
    for at in range(1, total + 1, max(1, total * 3 // LONG if LONG else total // 4)):
        with disk.mounted() as folder:
            trial = onto(folder, model)
            os.sync()
            answer = trial.erase(at=at, act=stops.shut_down.__name__)
            assert answer["status"] == 0, (model.points[at - 1], answer)
        with disk.mounted() as folder:
            seen = trial.after_stop()
            gone.add(seen["gone"])
            assert answer["exit"] != 0 or seen["gone"], (model.points[at - 1], answer)
            trial.goes_on()
            trial.is_gone()
            off(folder, trial)
    assert gone == {True, False}


@every_case
def test_a_disk_that_is_read_only(models, disk, case):
    """At first; and after a kill in the middle."""
    model = models(case).measured()
    past = next(n for n, name in enumerate(model.points, 1) if name.startswith("sql VACUUM"))
    with disk.mounted() as folder:
        trial = onto(folder, model)
        disk.remount("ro")
        answer = trial.erase()
        assert answer["exit"] not in (0, 7), answer
        assert reasons(answer) & {"store.read_only"}, answer
        disk.remount("rw")
        assert trial.after_stop()["targets"] == agentstore.TARGETS
        assert trial.erase(at=past)["status"] == -9
        disk.remount("ro")
        answer = trial.erase()
        assert answer["exit"] not in (0, 7), answer
        # In the second place: the note of it, or of the key that was given, cannot be written, or
        # the note cannot be read but is there.
        unwritten = {"pending.failed", "pending.in_ledger", "rotation.not_written"}
        assert reasons(answer) <= unwritten, answer
        assert reasons(answer), answer
        disk.remount("rw")
        assert trial.pending()
        assert trial.after_stop()["gone"]
        trial.goes_on()
        trial.is_gone()
