# SPDX-License-Identifier: MIT
"""The table of the figures: what it claims, and that it says so when a claim does not hold."""

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

LARGE, SMALL = 100_000, 1_000


@pytest.fixture(scope="module")
def table():
    """The script, as a module; its folder is no longer looked in afterwards."""
    folder = str(Path(__file__).parents[2] / "perf")
    sys.path.insert(0, folder)
    try:
        return import_module("table")
    finally:
        sys.path.remove(folder)


@pytest.fixture
def holding(table):
    """A row for each claim on a large store, which it meets by a little."""
    rows = {}
    for line in table.LINES:
        ours, baseline, unit = 0.001, 0.0, "s"
        if line.how == "ms":
            ours, unit = line.bound, "ms"
        elif line.how == "faster":
            baseline = ours * line.bound * 1.01
        else:
            baseline = ours / (line.bound or 1) * 1.01
        rows[line.name] = {"name": line.name, "ours": ours, "baseline": baseline, "unit": unit}
    return rows


def line(table, name):
    return next(one for one in table.LINES if one.name == name)


def row(ours, baseline=0.0, unit="s"):
    return {"name": "", "ours": ours, "baseline": baseline, "unit": unit}


def test_all_lines_hold_where_each_meets_its_bound(table, holding):
    made, all_hold = table.bench(holding, LARGE)
    assert all_hold
    assert "✗" not in made
    told_only = sum(not one.bound for one in table.LINES)
    assert made.count("✓") == len(table.LINES) - told_only


def test_a_line_that_was_not_measured_is_named_and_does_not_hold(table, holding):
    for name in holding:
        made, all_hold = table.bench({n: r for n, r in holding.items() if n != name}, LARGE)
        assert not all_hold
        assert [text.endswith("not measured | ✗ |") for text in made.splitlines()].count(True) == 1


@pytest.mark.parametrize(
    ("name", "found", "holds"),
    [
        ("search", row(0.01, 1.0), True),
        ("search", row(0.01, 0.99), False),
        ("search_typed", row(0.030, 3.0), True),
        ("search_typed", row(0.031, 3.0), False),  # 97 times as fast, and too slow
        ("search_typed", row(0.030, 0.5), False),
        ("search_typed_counted", row(1.0), True),
        ("search_typed_counted", row(1.01), False),
        ("index_memory", row(160e6, 100e6, "bytes"), True),
        ("index_memory", row(161e6, 100e6, "bytes"), False),
        ("index_usable", row(1.0, 10.0), True),
        ("index_usable", row(1.1, 10.0), False),
        ("ui_gap", row(50.0, unit="ms"), True),
        ("ui_gap", row(50.1, unit="ms"), False),
    ],
)
def test_a_bound_is_met_or_not(table, name, found, holds):
    assert line(table, name).holds(found, LARGE) is holds


@pytest.mark.parametrize(
    ("name", "least", "unit"),
    [
        ("search", 0.001, "s"),
        ("search_typed", 0.016, "s"),
        ("sort", 0.001, "s"),
        ("index_memory", 4e6, "bytes"),
    ],
)
def test_only_of_a_small_store_it_is_enough_that_nobody_notices(table, name, least, unit):
    one, found = line(table, name), row(least, least / 9, unit)
    assert one.holds(found, SMALL)
    assert not one.holds(found, LARGE)
    assert not one.holds(row(least * 1.01, least / 9, unit), SMALL)
    assert "or at most" in one.wanted(SMALL)
    assert "or at most" not in one.wanted(LARGE)


def test_the_ratio_that_was_found_is_told_in_any_case(table, holding):
    holding["search"] = row(0.0009, 0.0018)
    made, _ = table.bench(holding, SMALL)
    assert "| 0.9 ms |" in made
    assert "at least 100 ×, or at most 1 ms | 2.00 × | ✓ |" in made


def test_of_the_orders_the_worst_one_counts_and_all_are_needed(table):
    rows = {f"sort_{name}": row(0.001, 1.0) for name in table.SORTED}
    rows["sort_title"] = row(0.002, 0.03)
    assert table.with_sort(rows)["sort"]["baseline"] == 0.03
    del rows["sort_type"]
    assert "sort" not in table.with_sort(rows)


@pytest.mark.parametrize("all_hold", [True, False])
def test_it_ends_1_when_a_line_does_not_hold(table, holding, all_hold, tmp_path, monkeypatch):
    if not all_hold:
        holding["ui_gap"]["ours"] = 51.0
    file = tmp_path / "bench.json"
    for module in (table, sys.modules[table.told.__module__]):
        monkeypatch.setattr(module, "BENCH", file)
    monkeypatch.setattr(table, "GROWTH", tmp_path / "growth.json")
    monkeypatch.setattr(sys, "argv", ["table.py"])
    monkeypatch.delenv("MEMORY_GUI_RECORDS", raising=False)
    file.write_text(json.dumps({"rows": list(holding.values())}))
    assert table.main() == (0 if all_hold else 1)
