# SPDX-License-Identifier: MIT
"""Workers of unit tests are forks of a process that is ready; but where starting them is tested."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from workers import Workers

from memory_gui.process import child

REAL = Path(__file__).parent / "process"


def can_wait_for_others() -> bool:
    """Whether the system lets us wait for a process that is not our child."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


@pytest.fixture(scope="session")
def ready_workers() -> Iterator[Workers | None]:
    workers = Workers() if can_wait_for_others() else None
    yield workers
    if workers is not None:
        workers.close()


@pytest.fixture(autouse=True)
def quick_workers(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    ready_workers: Workers | None,
) -> None:
    """They are ready at once."""
    if ready_workers is not None and REAL not in request.path.parents:
        monkeypatch.setattr(child, "subprocess", ready_workers.subprocess())
