# SPDX-License-Identifier: MIT
"""How long a start takes, as a multiple of what the same interpreter needs for nothing.

Ratios within one run, not seconds: machines differ, and so does what else they are doing.
"""

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent
ROUNDS = 5


def fastest(*command: object) -> float:
    """Seconds that the command takes from start to end, the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run([str(part) for part in command], capture_output=True, check=True, timeout=60)
        best = min(best, time.perf_counter() - start)
    return best


@pytest.fixture(scope="module")
def qt() -> float:
    """A process that loads Qt's widgets and our engine's library, and nothing of ours."""
    return fastest(sys.executable, "-I", "-c", "import PySide6.QtWidgets, sqlcipher3, babel")


@pytest.mark.parametrize(
    ("command", "times"),
    [
        # The terminal needs no Qt, so it starts in less than Qt alone takes to load, or about that.
        ((BIN / "memory-cli", "--help"), 2.0),
        ((sys.executable, "-I", "-c", "import memory_gui.ui.run"), 3.0),
    ],
    ids=["terminal", "window"],
)
def test_a_start_costs_little_more_than_what_it_loads(qt: float, command: Sequence[object], times):
    assert fastest(*command) < qt * times
