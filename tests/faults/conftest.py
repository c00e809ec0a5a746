# SPDX-License-Identifier: MIT
"""``workload`` and ``erase_one.py`` of ``tests/proof``, for the faults of erasing."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROOF = Path(__file__).parents[1] / "proof"
HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))
if str(PROOF) not in sys.path:
    sys.path.insert(0, str(PROOF))


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
