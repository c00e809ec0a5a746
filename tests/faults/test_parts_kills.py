# SPDX-License-Identifier: MIT
"""A store of several files: killed between two of them, the rest is erased when it is opened."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memory_gui.erasure.result import EraseState
from memory_gui.services import build_services
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
    words=Words("en"), home=folder / "home", data_dir=folder / "data", keychain=NoKeychain()
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
services.erasing.run(services.erasing.plans.plan(chosen))
"""


@pytest.mark.parametrize(
    "files", [pytest.param(0, marks=pytest.mark.soak), 1, pytest.param(2, marks=pytest.mark.soak)]
)
def test_what_was_left_is_erased_at_the_next_opening(tmp_path: Path, files: int) -> None:
    folder = tmp_path.resolve()
    shutil.copytree(DATA / "home/.mem0", folder / "mem0")
    shutil.copytree(DATA / "tmp-qdrant", folder / "mem0/qdrant")
    command = [sys.executable, "-I", "-c", KILLED, str(folder), str(files)]
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
