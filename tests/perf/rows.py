# SPDX-License-Identifier: MIT
"""The rows of ``build/bench.json``: what was measured, and its baseline in the same run.

``{"rows": [{"name": …, "ours": …, "baseline": …, "unit": …}]}``, in the file that
``MEMORY_GUI_BENCH`` names, else in ``build``; a row that is measured again takes the place of the
old one. What is claimed of them stands in ``table.py``: nothing here fails for being slow.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
BENCH = Path(os.environ.get("MEMORY_GUI_BENCH") or ROOT / "build" / "bench.json")
LARGE = 300_000
"""Of more records each thing is measured once or twice; only the first bulk act goes to its end."""

Row = dict[str, float | str]


def records() -> int:
    """Of the large store; ``make bench RECORDS=n``."""
    return int(os.environ.get("MEMORY_GUI_RECORDS") or 100_000)


def told() -> dict[str, Row]:
    """Name -> row, of all that was told."""
    rows = json.loads(BENCH.read_text())["rows"] if BENCH.exists() else []
    return {row["name"]: row for row in rows}


def keep(rows: Iterable[Row]) -> None:
    """Write these rows down, and no others."""
    BENCH.parent.mkdir(parents=True, exist_ok=True)
    kept = sorted(rows, key=lambda row: str(row["name"]))
    BENCH.write_text(json.dumps({"rows": kept}, indent=1) + "\n")


def tell(name: str, ours: float, baseline: float, unit: str = "s") -> None:
    """Write a row down; a baseline of 0 is none."""
    row: Row = {"name": name, "ours": ours, "baseline": baseline, "unit": unit}
    keep({**told(), name: row}.values())


def line_of(row: Row) -> str:
    """A row as a line of text."""
    ours, baseline, unit = float(row["ours"]), float(row["baseline"]), row["unit"]
    beside = f"beside {baseline:.4g}: {ours / baseline:.3g} ×" if baseline else ""
    return f"{row['name']:32} {ours:12.4g} {unit:16} {beside}".rstrip()
