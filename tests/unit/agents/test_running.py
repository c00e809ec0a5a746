# SPDX-License-Identifier: MIT
"""How the agent's process is started: what it finds, what it is handed, what it hides."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory_gui.agents.start import LentParts
from memory_gui.terminal.agent_python import START, places

HIDE = """
import ctypes, os, resource
from memory_gui.agents.running import _hide_memory
before = os.umask(0o022)
_hide_memory()
print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), oct(os.umask(0)))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="prctl")
def test_its_memory_is_closed_and_its_files_are_as_before():
    done = subprocess.run([sys.executable, "-c", HIDE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "0o22"]


def test_parts_are_lent_by_name_only(tmp_path: Path):
    for name in ("lent", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    finder = LentParts({"lent": str(tmp_path), "gone": str(tmp_path)})
    spec = finder.find_spec("lent")
    assert spec is not None
    assert spec.origin == str(tmp_path / "lent" / "__init__.py")
    assert finder.find_spec("other") is None
    assert finder.find_spec("gone") is None
    assert finder.find_spec("lent.part", [str(tmp_path / "lent")]) is None


def test_a_bare_python_finds_them_and_says_what_it_lacks(tmp_path: Path):
    def look(lent: dict[str, str]) -> dict[str, object]:
        done = subprocess.run(
            [sys.executable, "-P", "-S", START, "probe", json.dumps(lent)],
            capture_output=True,
            text=True,
            check=True,
            env={"PATH": os.defpath},
        )
        return json.loads(done.stdout.splitlines()[-1])

    here = places()
    assert set(here) == {"memory_gui", "sqlcipher3", "babel"}
    found = look(here)
    assert (found["agentao"], found["talks"], found["lacks"]) == (None, False, [])
    assert look({"memory_gui": here["memory_gui"]})["lacks"] == ["sqlcipher3", "babel"]
