# SPDX-License-Identifier: MIT
"""Figures of this run: ours beside a baseline of the same run, printed and kept in bench.json.

``build/bench.json`` (or the file that ``MEMORY_GUI_BENCH`` names) holds
``{"rows": [{"name", "ours", "baseline", "unit"}]}``; a row that is measured again takes the place
of the one before.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RECORDS = int(os.environ.get("MEMORY_GUI_RECORDS") or 100_000)
"""Of the large store; ``make bench RECORDS=n``."""

Tell = Callable[[str, float, float, str], None]
_ROWS = pytest.StashKey[dict[str, dict[str, Any]]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_ROWS] = {}


@pytest.fixture(scope="session")
def records() -> int:
    """How many records the large store has."""
    return RECORDS


@pytest.fixture(scope="session")
def tell(pytestconfig: pytest.Config) -> Tell:
    """Tell a figure: its name, ours, the baseline's (0: there is none), the unit."""

    def keep(name: str, ours: float, baseline: float, unit: str) -> None:
        row = {"name": name, "ours": round(ours, 3), "baseline": round(baseline, 3), "unit": unit}
        pytestconfig.stash[_ROWS][name] = row
        root = pytestconfig.rootpath / "build"
        file = Path(os.environ.get("MEMORY_GUI_BENCH") or root / "bench.json")
        before = json.loads(file.read_text())["rows"] if file.exists() else []
        rows = [one for one in before if one["name"] != name] + [row]
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps({"rows": rows}, indent=1) + "\n")

    return keep


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    rows = config.stash[_ROWS].values()
    if not rows:
        return
    terminalreporter.section(f"figures, {RECORDS} records")
    for row in rows:
        ours, baseline = row["ours"], row["baseline"]
        ratio = f"{ours / baseline:6.2f} times" if baseline else ""
        line = f"{row['name']:32} {ours:9.3f} {baseline:9.3f} {row['unit']:20} {ratio}"
        terminalreporter.write_line(line)
