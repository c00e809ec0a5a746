# SPDX-License-Identifier: MIT
"""An agent is given its own store and nothing more: no tool, server or plug-in for a model."""

import ast
import tomllib
from pathlib import Path

import memory_gui.agents

ROOT = Path(__file__).parents[3]
SERVERS = frozenset({"mcp", "fastmcp", "acp", "flask", "fastapi", "aiohttp", "http", "xmlrpc"})


def test_what_an_agent_may_import():
    assert set(memory_gui.agents.__all__) == {
        "Connection", "Cursor", "Opener", "Row", "StoreDamaged", "StoreUnavailable",
        "agentao_store", "connect", "propose",
    }  # fmt: skip


def test_the_two_front_doors_are_all_that_is_installed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {**project["scripts"], **project["gui-scripts"]} == {
        "memory-cli": "memory_gui.cli:main",
        "memory-gui": "memory_gui.app:main",
    }
    assert "entry-points" not in project


def test_nothing_serves_a_model():
    imported = {
        (name.name if isinstance(node, ast.Import) else node.module or "").split(".")[0]
        for file in (ROOT / "memory_gui").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in node.names
    }
    assert "sqlcipher3" in imported
    assert not imported & SERVERS
