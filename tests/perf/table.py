# SPDX-License-Identifier: MIT
"""The table of ``build/bench.json`` and ``build/growth.json``: ``table.py [--write]``.

``--write`` puts it into the README, with the picture of growth beside it. Ends 1 when a line does
not hold, or was not measured.

A line is claimed as a ratio, always told. Of a store of at most 10,000 records that holds, too,
where ours is less than anybody notices (``unnoticed``): SQLite looks through 1,000 records in about
a millisecond, in which Python has hardly called anything, and the modules that are loaded weigh
more than the texts. Of larger stores the ratio alone counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

sys.path.insert(0, str(Path(__file__).parent))

from rows import BENCH, ROOT, Row, keep, records, told

HERE = Path(__file__).parent
README = ROOT / "README.md"
GROWTH = BENCH.with_name("growth.json")
PICTURE = "![Time and memory by the number of records](packaging/pictures/growth.png)"
FIRST, LAST = "<!-- bench: made by make bench -->\n", "<!-- end of bench -->"

SMALL: Final = 10_000
"""Of more records no line holds by being unnoticed."""
MS, FRAME, MEGABYTES = 1e-3, 16e-3, 4e6
"""What nobody notices: a millisecond, one frame of a screen, 4 MB."""

How = Literal["faster", "times", "ms"]


@dataclass(frozen=True, slots=True)
class Line:
    """A claim: ours is ``bound`` times as fast, or takes at most ``bound`` times, or so many ms."""

    name: str
    what: str
    against: str
    how: How
    bound: float
    """0: it is only told."""
    most_ms: float = 0
    """At most so many milliseconds besides; 0: no bound."""
    unnoticed: float = 0
    """In seconds or bytes; 0: the ratio holds of small stores, too."""

    def ratio(self, row: Row) -> float:
        """What is claimed, as it was found."""
        ours, baseline = float(row["ours"]), float(row["baseline"])
        if self.how == "ms":
            return milliseconds(row)
        return baseline / ours if self.how == "faster" else ours / baseline

    def holds(self, row: Row, records: int) -> bool:
        """Whether it is so, of a store of so many records."""
        if self.most_ms and milliseconds(row) > self.most_ms:
            return False
        if not self.bound or (records <= SMALL and float(row["ours"]) <= self.unnoticed):
            return True
        found = self.ratio(row)
        return found >= self.bound if self.how == "faster" else found <= self.bound

    def wanted(self, records: int) -> str:
        """The claim in words."""
        if not self.bound:
            return "–"
        said = f"at {'least' if self.how == 'faster' else 'most'} {self.bound:,g} {sign(self.how)}"
        if self.unnoticed and records <= SMALL:
            bytes_ = self.unnoticed >= 1e6
            least = f"{self.unnoticed / 1e6:g} MB" if bytes_ else f"{self.unnoticed * 1e3:g} ms"
            said += f", or at most {least}"
        return said + (f"; at most {self.most_ms:g} ms" if self.most_ms else "")


LINES = (
    Line("search", "a search: selective words, two, one without, one by a field (p95 of 200)",
         "`LIKE` over the same columns (p95 of 12 of them)", "faster", 100, unnoticed=MS),
    Line("search_typed", "each letter of 50 words typed into the search box, until the list has the"
         " first page (p95, on the wall’s clock)", "`LIKE … ORDER BY … LIMIT 200` (p95 of 12 of"
         " them)", "faster", 20, most_ms=30, unnoticed=FRAME),
    Line("search_typed_index", "the same in the index alone (p95)", "the same", "faster", 20,
         unnoticed=MS),
    Line("search_typed_counted", "until the list has all that a letter finds, and their number"
         " (p95, on the wall’s clock)", "", "ms", 1000),
    Line("facets", "all counts beside the list (p95 of 20)", "the `GROUP BY`s of one of them",
         "faster", 50, most_ms=25, unnoticed=MS),
    Line("sort", "all rows by another column, its order being ready (slowest of six)", "`ORDER BY`",
         "faster", 20, unnoticed=MS),
    Line("sort_changed", "the same after 100 records changed", "the same", "faster", 0),
    Line("sort_first", "the same before its order is ready", "the same", "faster", 0),
    Line("first_rows", "the newest 200 listed and painted, from the key",
         "`SELECT … LIMIT 200` and an empty window", "times", 1.3),
    Line("first_rows_1000", "the same of 1,000 records", "the same", "times", 2.5),
    Line("index_load", "the whole store in memory", "a loop that fetches it", "times", 2.0,
         unnoticed=FRAME),
    Line("index_usable", "until the first of it is found", "until all of it is", "times", 0.1,
         unnoticed=FRAME),
    Line("orders_ready", "until all orders are ready, behind the window", "the same", "times", 0),
    Line("index_memory", "what it takes", "its texts in UTF-8", "times", 1.6, unnoticed=MEGABYTES),
    Line("index_memory_peak", "the most while it is read", "the same", "times", 2.0,
         unnoticed=MEGABYTES),
    Line("start", "start to first paint, with a keyboard that works",
         "a bare window, an empty table", "times", 1.8),
    Line("ui_gap", "longest pause of the event loop: load, search, scroll, jump, select all; trash"
         " {many}, take them back and tag them; an erase, another program’s writing"
         " (best of 3 where it is not done once; waits for a processor taken off)", "",
         "ms", 50),
)  # fmt: skip

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
SORTED = ("updated", "created", "title", "type", "scope", "source")


def with_sort(rows: Mapping[str, Row]) -> dict[str, Row]:
    """``sort`` (``_changed``, ``_first``): by the column by which it is least faster than SQL."""
    told = dict(rows)
    for end in ("", "_changed", "_first"):
        found = [rows[name] for one in SORTED if (name := f"sort_{one}{end}") in rows]
        if len(found) == len(SORTED):
            worst = min(found, key=lambda row: float(row["baseline"]) / float(row["ours"]))
            told[f"sort{end}"] = {**worst, "name": f"sort{end}"}
    return told


def bench(rows: Mapping[str, Row], records: int) -> tuple[str, bool]:
    """One line a row: what is claimed, what was found, whether it holds; and whether all do."""
    lines = ["| | ours | beside | wanted | found | |", "|---|---|---|---|---|---|"]
    many = f"{int(rows['bulk']['ours']):,}" if "bulk" in rows else "records"
    all_hold = True
    for line in lines_of(records):
        what, row = line.what.format(many=many), rows.get(line.name)
        wanted = line.wanted(records)
        if row is None:
            lines.append(f"| {what} | – | {line.against or '–'} | {wanted} | not measured | ✗ |")
            all_hold = False
            continue
        holds = line.holds(row, records)
        all_hold &= holds
        unit = str(row["unit"])
        beside = f"{line.against}: {amount(float(row['baseline']), unit)}" if line.against else "–"
        lines.append(
            f"| {what} | {amount(float(row['ours']), unit)} | {beside} | {wanted}"
            f" | {figure(line.ratio(row))} {sign(line.how)} |"
            f" {'' if not line.bound else '✓' if holds else '✗'} |"
        )
    return "\n".join(lines) + "\n", all_hold


def lines_of(records: int) -> Sequence[Line]:
    """The claims on a store of so many records."""
    if records != 1_000:
        return LINES
    thousand = next(line for line in LINES if line.name == "first_rows_1000")
    return [
        replace(line, bound=thousand.bound) if line.name == "first_rows" else line
        for line in LINES
        if line is not thousand
    ]


def milliseconds(row: Row) -> float:
    return float(row["ours"]) if row["unit"] == "ms" else float(row["ours"]) * 1000


def sign(how: How) -> str:
    return "ms" if how == "ms" else "×"


def figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 20 else f"{value:.2f}" if value < 3 else f"{value:.1f}"


def amount(value: float, unit: str) -> str:
    if unit == "bytes":
        return f"{value / 1e6:,.1f} MB" if value < 1e7 else f"{value / 1e6:,.0f} MB"
    if unit == "ms":
        return f"{value:.0f} ms"
    return f"{value:.2f} s" if value >= 0.1 else f"{value * 1000:.2g} ms"


def growth(figures: Mapping[str, Mapping[str, float]]) -> str:
    """One column a size."""
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
    size = records()
    rows = with_sort(told())
    keep(rows.values())
    table, all_hold = bench(rows, size)
    made = (
        f"An encrypted store of {size:,} records in Agentao’s layout, English and Chinese:\n\n"
        f"{table}"
    )
    print(made)
    if GROWTH.exists():
        grown = growth(json.loads(GROWTH.read_text()))
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
