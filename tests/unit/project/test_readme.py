# SPDX-License-Identifier: MIT
"""The README keeps its word: promises name tests that exist, commands and pictures are there."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def promises(text: str) -> list[list[str]]:
    """The rows of the table of promises: promise, tests, limit."""
    table = text.split("<!-- promises -->")[1].split("<!-- end of promises -->", maxsplit=1)[0]
    rows = [line for line in table.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def exists(test: str) -> bool:
    """Whether ``tests/x.py::name`` or ``tests/x.py::Class::name`` is written."""
    file, *names = test.split("::")
    if not (ROOT / file).is_file():
        return False
    node: ast.AST = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    for name in names:
        found = [n for n in ast.iter_child_nodes(node) if getattr(n, "name", None) == name]
        if not found:
            return False
        node = found[0]
    return bool(names)


def test_there_are_promises():
    assert len(promises(README)) >= 10


@pytest.mark.parametrize("row", promises(README), ids=lambda row: row[0][:40])
def test_a_promise_names_its_tests_and_its_limit(row):
    promise, tests, limit = row
    named = re.findall(r"`(tests/[^`]+)`", tests)
    assert named, promise
    assert not [test for test in named if not exists(test)]
    assert limit


def test_a_test_that_is_not_there_is_seen():
    here = "tests/unit/project/test_readme.py"
    assert exists(f"{here}::test_there_are_promises")
    assert not exists(f"{here}::test_nothing_of_the_kind")
    assert not exists("tests/unit/project/test_nothing.py::test_there_are_promises")
    assert not exists(here)


def test_every_make_target_is_in_the_makefile():
    targets = set(
        re.findall(r"^([a-z ]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    known = {name for target in targets for name in target.split()}
    assert set(re.findall(r"^make ([a-z]+)", README, re.MULTILINE)) <= known


def test_every_key_of_the_window_is_in_the_table():
    tree = ast.parse((ROOT / "memory_gui/ui/shell/actions.py").read_text(encoding="utf-8"))
    calls = [n for n in ast.walk(tree) if getattr(getattr(n, "func", None), "id", "") == "Act"]
    keys = {key.value for call in calls for key in getattr(call.args[2], "elts", [])}
    table = README.split("## Keys")[1].split("## ", maxsplit=1)[0]
    named = {
        key
        for cell in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)
        for key in cell.split(", ")
    }
    named |= {"Ctrl+,"} if "Ctrl+, |" in table else set()
    assert len(keys) > 8
    assert keys <= named


def test_every_verb_of_the_terminal_exists():
    trees = [
        ast.parse(file.read_text(encoding="utf-8"))
        for file in (ROOT / "memory_gui" / "terminal").glob("*.py")
    ]
    known = {n.value for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Constant)}
    verbs = set(re.findall(r"memory-cli ([a-z-]+)", README))
    assert len(verbs) > 8
    assert verbs <= known


def test_every_picture_and_page_is_there():
    linked = re.findall(r"\]\(([^)#]+)\)", README)
    assert linked
    assert not [link for link in linked if not (ROOT / link).exists()]


def test_it_names_every_supported_python():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11,<3.15"
    for version in ("3.11", "3.12", "3.13", "3.14"):
        assert version in README


def test_it_speaks_chinese_too():
    section = README.split("## 中文说明")[-1]
    assert "make run" in section
    assert "make test" in section
