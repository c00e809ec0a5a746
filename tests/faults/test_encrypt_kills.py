# SPDX-License-Identifier: MIT
"""Stopped at any system call, encrypting and making readable lose nothing, and leave no second
readable copy behind that nobody knows of. ``MEMORY_GUI_KEY_KILLS`` as in ``test_key_kills``.
"""

import json
import os
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CALLS = "pwrite64,ftruncate,fdatasync,fsync,unlink,unlinkat,rename,link,linkat,write,chmod"
KILLS = int(os.environ.get("MEMORY_GUI_KEY_KILLS", "40"))
CANARY = b"the canary sings at seven"
needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")
numbers = count()


def run(act, place, *before):
    argv = [*before, sys.executable, "-I", str(HERE / "encrypt_one.py"), act, str(place)]
    return subprocess.run(argv, check=False, capture_output=True, text=True, cwd="/", timeout=120)


def answer(act, place):
    done = run(act, place)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return json.loads(done.stdout)


def traced(act, place, *options):
    start = ["strace", "-f", "-qq", "-e", f"trace={CALLS}", *options]
    return run(act, place, *start, "-o", str(place / "trace"))


@pytest.fixture
def model(tmp_path):
    """A readable store with a past, or an encrypted one."""

    def build(*, encrypted):
        place = tmp_path / f"model-{encrypted}"
        place.mkdir()
        answer("make", place)
        if encrypted:
            answer("encrypt", place)
        return place

    return build


def copy(model):
    place = model.with_name(str(next(numbers)))
    shutil.copytree(model, place)
    # Notes know the store by its path.
    for note in (place / "data/keys").glob("*.key"):
        note.unlink()
    return place


def check(place, texts, *, encrypted_before):
    """What the next start finds and says."""
    told = answer("start", place)
    assert told["texts"] == texts
    folder = place / "atlas/.agentao"
    left = {file.name for file in folder.iterdir()} - {
        "memory.db",
        "memory.db-wal",
        "memory.db-shm",
    }
    if told["encrypted"] is encrypted_before:  # a journal of its own is rolled back by who writes
        left -= {"memory.db-journal"}
    assert not left
    assert not list(place.glob("out.db.memory-gui-part"))
    salt = (folder / "memory.db").read_bytes()[:16].hex()
    keys = {
        file.name.removesuffix(".a").rpartition("-")[2] for file in (place / "chain").glob("*-*.a")
    }
    if told["encrypted"]:
        assert keys & {salt} == {salt}
        for file in folder.iterdir():
            assert CANARY not in file.read_bytes(), file
        if not encrypted_before:
            assert keys - {"ledger"} == {salt}
    elif not encrypted_before:
        assert not keys - {"ledger", "marks"}, "a key of a file that never came to be"
    return told


def calls_of(place):
    """The largest number of calls that one process made."""
    total = {}
    for line in (place / "trace").read_text("utf-8", "replace").splitlines():
        total[line.split()[0]] = total.get(line.split()[0], 0) + 1
    return max(total.values())


@needs_strace
@pytest.mark.timeout(3600)
def test_an_erase_with_a_new_key_killed_anywhere(model):
    """The next start finishes it, or finds that it was never begun; one slot opens the store."""
    before = model(encrypted=True)
    texts = answer("start", before)["texts"]
    left = [text for text in texts if int(text.split()[-1]) >= 5]
    first = copy(before)
    assert traced("erase", first).returncode == 0
    total = calls_of(first)
    ends, number = set(), max(1, KILLS // 8)
    for step in range(number):
        place = copy(before)
        at = (step + 1) * total // number
        traced("erase", place, "-e", f"inject={CALLS}:signal=SIGKILL:when={at}")
        told = answer("start", place)
        assert told["texts"] in (texts, left), at
        ends.add((told["texts"] == left, tuple(told["begun"])))
        assert set(told["begun"]) <= {"proved"}, at
        path = place / "atlas/.agentao/memory.db"
        salt = path.read_bytes()[:16].hex()
        assert len(list((place / "chain").glob(f"memory-gui-{salt}.[ab]"))) == 1, at
        assert not list((place / "data/keys").glob("*.key")), at
        if told["texts"] == texts:  # it was not begun: the same command does it
            assert answer("erase", place)["state"] == "proved"
    assert (True, ("proved",)) in ends or number < 10


@needs_strace
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("act", ["encrypt", "decrypt", "copy"])
def test_killed_anywhere(model, act):
    before = model(encrypted=act != "encrypt")
    texts = answer("start", before)["texts"]
    assert len(texts) == 40
    first = copy(before)
    assert traced(act, first).returncode == 0
    total = calls_of(first)
    ends, news, number = set(), set(), max(1, KILLS // 8)
    for step in range(number):
        place = copy(before)
        traced(
            act, place, "-e", f"inject={CALLS}:signal=SIGKILL:when={(step + 1) * total // number}"
        )
        told = check(place, texts, encrypted_before=act != "encrypt")
        ends.add(told["encrypted"])
        news |= set(told["news"])
    if act != "copy":
        assert ends == {True, False}
        assert news or number < 10
    else:
        assert ends == {True}


@needs_strace
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("act", ["encrypt", "decrypt"])
def test_a_disk_that_fails_anywhere(model, act):
    before = model(encrypted=act != "encrypt")
    texts = answer("start", before)["texts"]
    for step in range(max(1, KILLS // 13)):
        place = copy(before)
        names = "pwrite64,ftruncate,fsync,fdatasync"
        traced(act, place, "-e", f"inject={names}:error=ENOSPC:when={1 + step * 25}+")
        check(place, texts, encrypted_before=act != "encrypt")
