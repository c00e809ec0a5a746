# SPDX-License-Identifier: MIT
"""The window from outside: how soon it is there, and how soon a store's first rows are.

Each time is that of a process of its own, beside a bare one in the same run (``bare_window.py``):
seconds of processor, since other programs may use the machine, and the best of some rounds.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from bigstore import KEY, make_big, newest
from measuring import RECORDS
from rows import LARGE, tell

from memory_gui.engine.connection import open_database

HERE = Path(__file__).parent
SMALL = 1_000
ROUNDS = 5
PROCESSOR = "s of processor"

pytestmark = pytest.mark.timeout(3_600)


@pytest.fixture
def ran(tmp_path) -> Callable[..., list[str]]:
    """What a script beside this one printed, in words; the key on its standard input."""

    def run(script: str, *arguments: object) -> list[str]:
        done = subprocess.run(
            [sys.executable, HERE / script, *map(str, arguments)],
            input=f"{KEY.hex()}\n", env=environment(tmp_path), capture_output=True,
            text=True, timeout=600, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    return run


def environment(home: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "LANG": "C.UTF-8",
        "QT_QPA_PLATFORM": "offscreen",
    }


def test_start(ran):
    ours, bare = [], []
    for _ in range(ROUNDS):
        spent, _clock, before, after, whole = ran("our_window.py", "start")
        assert (before, after) == ("start.file", "start.folder")  # Tab is heard at once
        assert whole == "False"
        ours.append(float(spent))
        bare.append(float(ran("bare_window.py")[0]))
    tell("start", min(ours), min(bare), PROCESSOR)
    assert min(ours) <= 1.8 * min(bare)


def test_what_comes_after_the_first_paint_comes_in_short_turns(ran):
    longest = min(float(ran("our_window.py", "turns")[0]) for _ in range(ROUNDS - 2))
    tell("ui_gap_start", longest, 0.0, "ms")
    assert longest <= 50


@pytest.mark.parametrize("records", sorted({SMALL, RECORDS}))
def test_first_rows(ran, tmp_path, records):
    """From the key, in a window that is there, until the newest 200 are listed and painted."""
    path = make_big(tmp_path / "store", records, encrypted=True)
    with open_database(path, KEY, write=False) as connection:
        ids = tmp_path / "ids"
        ids.write_text("\n".join(newest(connection)))
    ours, bare = [], []
    for _ in range(ROUNDS - (3 if records > LARGE else 2)):
        end, _clock, begun, _, rows = ran("our_window.py", "rows", path.parents[1], ids)
        assert int(rows) > 5
        ours.append(float(end) - float(begun))
        bare.append(float(ran("bare_window.py", path)[0]))
    name = "first_rows" if records == RECORDS else f"first_rows_{records}"
    tell(name, min(ours), min(bare), PROCESSOR)
