# SPDX-License-Identifier: MIT
"""Tells the figures of this run at its end (``rows.py``)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from measuring import RECORDS
from rows import line_of, told

_BEFORE = pytest.StashKey[dict[str, Any]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_BEFORE] = told()


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    before = config.stash[_BEFORE]
    found = [row for name, row in told().items() if before.get(name) != row]
    if found:
        terminalreporter.section(f"figures, {RECORDS:,} records")
    for row in found:
        terminalreporter.write_line(line_of(row))
