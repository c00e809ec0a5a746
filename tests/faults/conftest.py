# SPDX-License-Identifier: MIT
"""``workload`` and ``erase_one.py`` of ``tests/proof``, for the faults of erasing."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "proof"))

from trials import Bench, Case, Model

PROOF = Path(__file__).parents[1] / "proof"
HERE = Path(__file__).parent
MEMORY = Path("/dev/shm")
ROOM = 256 << 20


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in memory, where there is room: what a killed process or a refused call leaves is
    the same there, only nothing waits for a disk. (Power cuts are tried on disks of our own.)
    """
    if not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < ROOM:
        yield tmp_path_factory.mktemp("quick")
        return
    with tempfile.TemporaryDirectory(prefix="memory-gui-", dir=MEMORY) as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def models(quick: Path) -> Iterator[Callable[[Case], Model]]:
    """The store of a case, made once for each module."""
    bench = Bench()
    folder = quick / "models"
    made: dict[Case, Model] = {}

    def model(case: Case) -> Model:
        if case not in made:
            made[case] = Model(bench, case, folder)
        return made[case]

    yield model
    bench.close()


@pytest.fixture
def erase_command() -> Callable[..., list[str]]:
    """The argv that erases a workload's targets as the app does."""

    def make(path: Path, data: Path, key: str | None = None) -> list[str]:
        argv = [sys.executable, "-I", str(PROOF / "erase_one.py"), str(path), str(data)]
        return argv + (["--key", key] if key else [])

    return make


@pytest.fixture
def erase_one(erase_command: Callable[..., list[str]]) -> Callable[..., dict[str, Any]]:
    """Run it to its end; what it printed, or ``{}`` where it printed nothing."""

    def run(*args: Any) -> dict[str, Any]:
        done = subprocess.run(
            erase_command(*args), capture_output=True, check=False, text=True, cwd="/", timeout=120
        )
        return json.loads(done.stdout) if done.stdout.strip() else {"error": done.stderr[-500:]}

    return run
