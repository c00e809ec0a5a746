# SPDX-License-Identifier: MIT
"""The rows of ``build/bench.json``: what was measured, and its baseline in the same run.

``{"rows": [{"name": …, "ours": …, "baseline": …, "unit": …}]}``; a row that is measured again takes
the place of the old one. Ratios are what is claimed, so nothing here fails for being slow.
"""

from __future__ import annotations

import json
from pathlib import Path

BENCH = Path(__file__).parents[2] / "build" / "bench.json"


def tell(name: str, ours: float, baseline: float, unit: str = "s") -> None:
    """Print a row and write it down."""
    rows = json.loads(BENCH.read_text())["rows"] if BENCH.exists() else []
    rows = [row for row in rows if row["name"] != name]
    rows.append({"name": name, "ours": ours, "baseline": baseline, "unit": unit})
    BENCH.parent.mkdir(exist_ok=True)
    BENCH.write_text(json.dumps({"rows": sorted(rows, key=lambda row: row["name"])}, indent=1))
    ratio = f"{ours / baseline:.2f} ×" if baseline else "no baseline"
    print(f"{name}: {ours:.4g} {unit}, baseline {baseline:.4g} {unit}, {ratio}")
