# SPDX-License-Identifier: MIT
"""The table of ``build/bench.json`` and ``build/growth.json``: ``table.py [--write]``.

``--write`` puts it into the README, with the picture of growth beside it. Ends 1 when a line does
not hold, or was not measured.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
README = ROOT / "README.md"
BENCH, GROWTH = ROOT / "build" / "bench.json", ROOT / "build" / "growth.json"
PICTURE = "![Time and memory by the number of records](packaging/pictures/growth.png)"
FIRST, LAST = "<!-- bench: made by make bench -->\n", "<!-- end of bench -->"

FASTER, SLOWER, MOST = "times as fast", "times", "ms"
ROWS = (
    ("search", "a search: selective words, two, one without, one by a field (p95)",
     "`LIKE` over the same columns", FASTER, 100, 0),
    ("search_typed", "each letter of 50 typed words, to the first page (p95)",
     "`LIKE … ORDER BY … LIMIT 200`", FASTER, 20, 30),
    ("search_typed_counted", "until all hits of it are counted (p95)", "", MOST, 1000, 0),
    ("facets", "all counts beside the list (p95)", "their `GROUP BY`s", FASTER, 50, 25),
    ("sort", "all rows by another column (the slowest)", "`ORDER BY`", FASTER, 20, 0),
    ("sort_changed", "the same after 100 records changed", "the same", FASTER, 0, 0),
    ("sort_first", "the same before an order is ready", "the same", FASTER, 0, 0),
    ("first_rows", "the newest 200 listed and painted, from the key",
     "`SELECT … LIMIT 200` and an empty window", SLOWER, 1.3, 0),
    ("first_rows_1000", "the same of 1,000 records", "the same", SLOWER, 2.5, 0),
    ("index_load", "the whole store in memory", "a loop that fetches it", SLOWER, 2.0, 0),
    ("index_memory", "what that takes", "its texts in UTF-8", SLOWER, 1.6, 0),
    ("start", "start to first paint, with a keyboard that works", "a bare window, an empty table",
     SLOWER, 1.8, 0),
    ("ui_gap", "longest pause of the event loop: load, search, scroll, bulk, select all", "",
     MOST, 50, 0),
)  # fmt: skip
"""Name, what, its baseline, how it is claimed, by how much (0: it is only told), at most so many ms
(0: no bound)."""
GROWN = (
    ("first_rows", "newest 200 listed", 1, "s"),
    ("first_rows_sql", "*`SELECT … LIMIT 200`, empty window*", 1, "s"),
    ("load", "store in memory", 1, "s"),
    ("load_sql", "*a loop that fetches it*", 1, "s"),
    ("search", "a search (p95)", 1e-3, "ms"),
    ("search_sql", "*`LIKE`*", 1e-3, "ms"),
    ("memory", "the index", 1e6, "MB"),
    ("text", "*its texts in UTF-8*", 1e6, "MB"),
)
"""Name, what, unit in seconds or bytes, its sign."""


def with_sort(rows: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """``sort`` (``_changed``, ``_first``): by the column by which it is least faster than SQL."""
    columns = ("updated", "created", "title", "type", "scope", "source")
    for end in ("", "_changed", "_first"):
        found = [rows[name] for one in columns if (name := f"sort_{one}{end}") in rows]
        if found:
            worst = min(found, key=lambda row: row["baseline"] / row["ours"])
            rows[f"sort{end}"] = {**worst, "name": f"sort{end}"}
    BENCH.write_text(json.dumps({"rows": sorted(rows.values(), key=named)}, indent=1) + "\n")
    return rows


def named(row: dict[str, str]) -> str:
    return row["name"]


def bench(records: int) -> tuple[str, bool]:
    """One line a row: what is claimed, what was found, whether it holds; and whether all do."""
    all_hold = True
    found = json.loads(BENCH.read_text())["rows"] if BENCH.exists() else []
    rows = with_sort({row["name"]: row for row in found})
    lines = [
        "| | ours | beside | wanted | found | |",
        "|---|---|---|---|---|---|",
    ]
    for name, what, against, how, bound, most in ROWS:
        if name not in rows:
            if bound and name != f"first_rows_{records}":  # that is ``first_rows`` itself then
                lines.append(f"| {what} | – | {against or '–'} | | not measured | ✗ |")
                all_hold = False
            continue
        ours, baseline = rows[name]["ours"], rows[name]["baseline"]
        unit = rows[name]["unit"]
        ms = ours if unit == "ms" else ours * 1000
        times = ms if how == MOST else baseline / ours if how == FASTER else ours / baseline
        holds = times >= bound if how == FASTER else times <= bound
        holds &= not most or ours * 1000 <= most
        all_hold &= holds
        wanted = f"{'at least' if how == FASTER else 'at most'} {bound:,g} {sign(how)}"
        wanted += f", at most {most} ms" if most else ""
        wanted = wanted if bound else "–"
        beside = f"{against}: {amount(baseline, unit)}" if against else "–"
        lines.append(
            f"| {what} | {amount(ours, unit)} | {beside} | {wanted}"
            f" | {figure(times)} {sign(how)} |"
            f" {'' if not bound else '✓' if holds else '✗'} |"
        )
    return "\n".join(lines) + "\n", all_hold


def sign(how: str) -> str:
    return "ms" if how == MOST else "×"


def figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 20 else f"{value:.2f}" if value < 3 else f"{value:.1f}"


def amount(value: float, unit: str) -> str:
    if unit == "bytes":
        return f"{value / 1e6:,.0f} MB"
    if unit == "ms":
        return f"{value:.0f} ms"
    return f"{value:.2f} s" if value >= 0.1 else f"{value * 1000:.2g} ms"


def growth() -> str:
    """One column a size."""
    figures = json.loads(GROWTH.read_text())
    sizes = sorted(figures, key=int)
    lines = [
        "| records | " + " | ".join(f"{int(size):,}" for size in sizes) + " |",
        "|---|" + "---|" * len(sizes),
    ]
    for name, what, unit, said in GROWN:
        cells = [f"{short(figures[size][name] / unit)} {said}" for size in sizes]
        lines.append(f"| {what} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main() -> int:
    records = int(os.environ.get("MEMORY_GUI_RECORDS") or 100_000)
    made = (
        f"An encrypted store of {records:,} records in Agentao’s layout, English and Chinese:\n\n"
    )
    table, all_hold = bench(records)
    made += table
    print(made)
    if GROWTH.exists():
        grown = growth()
        print(grown)
        made += f"\n{grown}\n{PICTURE}\n"
    if "--write" in sys.argv:
        if GROWTH.exists():
            subprocess.run([sys.executable, HERE / "growth_picture.py"], check=True)
        page = README.read_text("utf-8")
        start, end = page.index(FIRST) + len(FIRST), page.index(LAST)
        README.write_text(page[:start] + made + page[end:], encoding="utf-8")
    return 0 if all_hold else 1


if __name__ == "__main__":
    sys.exit(main())
