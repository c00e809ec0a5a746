# SPDX-License-Identifier: MIT
"""SECURITY.md: each promise names a test that exists, and every kind of attacker has a row."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[^`]+)`", PAGE)))


def test_there_are_tests_behind_it():
    assert len(NAMED) > 10


@pytest.mark.parametrize("named", NAMED)
def test_a_named_test_exists(named):
    path, *names = named.split("::")
    place = ROOT / path
    assert place.exists(), path
    if names:
        functions = {
            node.name
            for node in ast.walk(ast.parse(place.read_text(encoding="utf-8")))
            if isinstance(node, ast.FunctionDef)
        }
        assert names[-1] in functions


def rows():
    """Each table row of promises: what is promised, the tests."""
    table = PAGE.split("## Promises and the tests behind them")[1].split("## Secrets in texts")[0]
    for line in table.splitlines():
        if line.startswith("| ") and not line.startswith(("| promise", "|--")):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def test_no_promise_stands_without_a_test():
    assert [row[0] for row in rows() if "`tests/" not in row[-1]] == []


@pytest.mark.parametrize(
    "who",
    [
        *("another user", "another program of the same user", "who has the disk"),
        *("who has a backup", "cloud sync", "a hostile repository", "a model with a shell"),
    ],
)
def test_each_attacker_has_a_row(who):
    assert f"| **{who}**" in PAGE


@pytest.mark.parametrize(
    "heading",
    ["Keys", "Changing keys and encryption", "Agents in an encrypted store", "Erasing", "Lock"],
)
def test_the_headings_are_there(heading):
    assert re.search(rf"^### {heading}", PAGE, re.MULTILINE)
