# SPDX-License-Identifier: MIT
"""Stores are found, in the terminal and in the real window, only after a person says so."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from by_names import Window

sys.path.insert(0, str(Path(__file__).parents[1]))
from planted import EXPECTED_PROJECT, EXPECTED_USUAL, plant

pytestmark = pytest.mark.rig


@pytest.fixture
def planted(tmp_path):
    return plant(tmp_path)


def contents(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(file): (file.lstat().st_size, file.lstat().st_mtime_ns)
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def test_in_the_terminal(planted, tmp_path):
    home, work = planted
    environment = {**os.environ, "HOME": str(home)}
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "MEM0_DIR", "DATA_DIR"):
        environment.pop(name, None)
    environment["XDG_DATA_HOME"] = str(home / ".local/share")
    before = contents(work)
    for given, expected, folder in (
        ((), EXPECTED_USUAL, home),
        (("--in", str(work)), EXPECTED_PROJECT, work),
    ):
        command = [sys.executable, "-I", "-m", "memory_gui.cli", "discover", "--json", *given]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=60
        )
        found = json.loads(done.stdout)["stores"]
        assert {
            (one["format"], str(Path(one["path"]).relative_to(folder))) for one in found
        } == expected
    assert contents(work) == before


def test_in_the_window_after_the_question(planted, screen, tmp_path):
    home, _ = planted
    environment = {**os.environ, "HOME": str(home), "MEMORY_GUI_DATA": str(tmp_path / "data")}
    before = contents(home)
    command = [sys.executable, "-I", "-m", "memory_gui.app"]
    with (tmp_path / "stderr").open("ab") as log:
        program = subprocess.Popen(command, env=environment, stderr=log)
    try:
        it = Window(screen(), program)
        it.says("start.discovery.title", "Shall the app look")
        assert not it.shows("start.discovery.group0.row0.open")
        it.part("start.discovery.yes").press()
        it.desktop.wait(lambda: it.shows("start.discovery.group0.row0.open"), 60)
        names = {one.text for one in it.window.find_all("label")}
        assert {"Agentao", "Mem0", "Claude Code", "seen, not yet opened"} <= names
        changed = {name for name, seen in contents(home).items() if before.get(name) != seen}
        assert not [name for name in changed if name.endswith((".db", ".md", ".jsonl"))]
        it.window.find("push button", "Open: ~/.agentao/memory.db").press()
        assert it.count() > 0
        it.quit()
    finally:
        program.kill()
        program.wait(60)
    assert "Traceback" not in (tmp_path / "stderr").read_text()
