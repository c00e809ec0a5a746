# SPDX-License-Identifier: MIT
"""How long a start takes, as a multiple of what the same interpreter needs for nothing.

Ratios within one run, of seconds of processor: machines differ, and so does what else they do.
"""

import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent
ROUNDS = 5


def fastest(*command: object) -> float:
    """Seconds of processor that the command takes, the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = children()
        subprocess.run([str(part) for part in command], capture_output=True, check=True, timeout=60)
        best = min(best, children() - start)
    return best


def children() -> float:
    """Of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.fixture(scope="module")
def qt() -> float:
    """A process that loads Qt's widgets and our engine's library, and nothing of ours."""
    return fastest(sys.executable, "-I", "-c", "import PySide6.QtWidgets, sqlcipher3, babel")


@pytest.mark.parametrize(
    ("command", "times"),
    [
        # The terminal needs no Qt. It loads all verbs, formats and services: 400 modules.
        ((BIN / "memory-cli", "--help"), 4.5),
        ((sys.executable, "-I", "-c", "import memory_gui.ui.run"), 3.0),
    ],
    ids=["terminal", "window"],
)
def test_a_start_costs_little_more_than_what_it_loads(qt: float, command: Sequence[object], times):
    assert fastest(*command) < qt * times
