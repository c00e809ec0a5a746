# SPDX-License-Identifier: MIT
"""Nothing above the formats knows one by name: what differs is declared, and asked for by contract.

Looked at are imports, texts that name a format or its agent's files, and comparisons of a format's
name. Docstrings and comments may tell of agents.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_gui.stores.registry import formats

ROOT = Path(__file__).parents[3] / "memory_gui"
ABOVE = (
    "app.py", "cli.py", "cases", "erasure", "findings", "index", "rotation", "services", "terminal",
    "ui",
)  # fmt: skip
FORMATS = "memory_gui.stores.formats"
WHY = {
    "terminal/agent.py": "starts Agentao's own program over its encrypted stores",
    "terminal/agent_python.py": "looks whether that program can be started so",
    "terminal/agent_above.py": "knows programs, not formats: which of them called the terminal",
    "ui/pictures.py": "draws the sample, for whoever builds the app; no part of what it does",
}
ORDINARY = {"facts", "notes", "sqlite"}
"""Names of formats that are words as well: only comparisons with them are looked for."""


def names() -> set[str]:
    known = {one.name for one in formats(None)} - ORDINARY
    return known | {"agentao", ".agentao", "server-memory", "agent-harness", "factmemory"}


def files() -> Iterator[Path]:
    for name in ABOVE:
        path = ROOT / name
        yield from sorted(path.rglob("*.py")) if path.is_dir() else (path,)


def docstrings(tree: ast.AST) -> set[int]:
    found = set()
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                found.add(id(child.value))
    return found


def offences(source: str) -> list[str]:
    """What in a module's source names a format."""
    tree = ast.parse(source)
    free, found = docstrings(tree), []
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module)) if module.startswith(FORMATS):
                found.append(f"{node.lineno}: imports {module}")
            case ast.Constant(value=str(text)) if id(node) not in free:
                found += [f"{node.lineno}: says {n}" for n in names() if n in text.lower()]
            case ast.Compare(left=ast.Attribute(attr="format" | "format_"), comparators=others):
                inner = [one for other in others for one in ast.walk(other)]
                if any(isinstance(one, ast.Constant) and one.value for one in inner):
                    found.append(f"{node.lineno}: compares a format")
    return found


def test_no_module_above_the_formats_knows_one():
    named = {str(path.relative_to(ROOT)): offences(path.read_text("utf-8")) for path in files()}
    told = {name: found for name, found in named.items() if found}
    assert {name: found for name, found in told.items() if name not in WHY} == {}
    assert set(WHY) == set(told), "one that has an excuse and needs none"


@pytest.mark.parametrize(
    "source",
    [
        "from memory_gui.stores.formats.facts.rules import NEWEST",
        "if info.format == 'notes':\n    pass",
        "shown = one.info.format in {'facts'}",
        "path = folder / '.agentao' / 'memory.db'",
        "say('No store of Agentao is open')",
    ],
)
def test_one_that_does_is_seen(source):
    assert offences(source)


def test_what_tells_of_an_agent_without_knowing_it_may_stay():
    assert offences('"""As Agentao does."""\n# Agentao\nx = info.format == other.format\n') == []
