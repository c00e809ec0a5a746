# SPDX-License-Identifier: MIT
"""A store of several files: killed between two of them, the rest is erased when it is opened."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memory_gui.erasure.result import EraseState
from memory_gui.services import build_services
from memory_gui.terminal.run import run
from memory_gui.terminal.session import Streams
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

DATA = Path(__file__).parent.parent / "data" / "mem0"
GONE = ("zqo-mem0-027-1ddc36", "zqo-mem0-034-f8d7ff", "zqo-mem0-035-34d525", "zqo-mem0-03-ent")
KILLED = """
import os, sys
from pathlib import Path
import memory_gui.erasure.run as run
from memory_gui.services import build_services
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

folder, last = Path(sys.argv[1]), int(sys.argv[2])
services = build_services(
    words=Words("en"), home=folder / "home", data_dir=Path(sys.argv[3]), keychain=NoKeychain()
)
(store,) = services.library.open(folder / "mem0/history.db")
shelf = services.library.shelf(store.id)
records = shelf.screen(lambda one: [r for some in one.scan() for r in some if r.kind == "memory"])
chosen = [r.ref for r in records if "no. 1 " in r.text or r.state == "trash"]
real, done = run._work, []

def work(*parts):
    done.append(None)
    if len(done) > last:
        os._exit(9)
    return real(*parts)

run._work = work
print(*(ref.text for ref in chosen))
sys.stdout.flush()
services.erasing.run(services.erasing.plans.plan(chosen))
"""


@pytest.mark.parametrize(
    "files", [pytest.param(0, marks=pytest.mark.soak), 1, pytest.param(2, marks=pytest.mark.soak)]
)
def test_what_was_left_is_erased_at_the_next_opening(tmp_path: Path, files: int) -> None:
    folder = tmp_path.resolve()
    shutil.copytree(DATA / "home/.mem0", folder / "mem0")
    shutil.copytree(DATA / "tmp-qdrant", folder / "mem0/qdrant")
    command = [sys.executable, "-I", "-c", KILLED, str(folder), str(files), str(folder / "data")]
    assert subprocess.run(command, check=False, timeout=120).returncode == 9
    services = build_services(
        words=Words("en"), home=folder / "home", data_dir=folder / "data", keychain=NoKeychain()
    )
    try:
        assert len(services.erasing.pending()) == 3 - files
        results = services.erasing.finish_begun(folder / "mem0/history.db")
        assert [result.state for result in results] == [EraseState.PROVED] * (3 - files)
        assert services.erasing.pending() == ()
    finally:
        services.close()
    for path in (folder / "mem0").rglob("*"):
        raw = path.read_bytes() if path.is_file() else b""
        assert not any(one.encode() in raw for one in GONE), path


@pytest.mark.parametrize("named", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_the_terminal_finishes_all_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    """``erase --resume``, and the same command again: neither ends with the first file.

    All that the command finished stands in the one receipt that was asked for.
    """
    folder = tmp_path.resolve()
    history = folder / "mem0/history.db"
    shutil.copytree(DATA / "home/.mem0", folder / "mem0")
    shutil.copytree(DATA / "tmp-qdrant", folder / "mem0/qdrant")
    place = folder / "home/.local/share/memory-gui"
    command = [sys.executable, "-I", "-c", KILLED, str(folder), "1", str(place)]
    killed = subprocess.run(command, check=False, timeout=120, capture_output=True, text=True)
    assert killed.returncode == 9, killed.stderr
    monkeypatch.setenv("HOME", str(folder / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "home/.local/share"))
    said = io.StringIO()
    more = killed.stdout.split() if named else ["--resume"]
    status = run(
        ["erase", str(history), *more, "--yes", "--no-keychain", "--receipt", str(folder / "r")],
        Streams(io.StringIO(), said, said),
        {"LANG": "en_US.UTF-8", "HOME": str(folder / "home")},
    )
    assert (status, said.getvalue().count("Result: erased, and proved gone.")) == (0, 2 + named)
    receipt = json.loads((folder / "r").read_text())
    paths = [store["path"] for store in receipt["stores"]]
    assert (receipt["state"], len(set(paths)), len(paths)) == ("proved", 2 + named, 2 + named)
    assert (str(history) in paths) == named
    assert {store["state"] for store in receipt["stores"]} == {"proved"}
    for path in (folder / "mem0").rglob("*"):
        raw = path.read_bytes() if path.is_file() else b""
        assert not any(one.encode() in raw for one in GONE), path
