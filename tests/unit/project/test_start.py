# SPDX-License-Identifier: MIT
"""What is loaded when, and that what is installed is used."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HEAVY = {"keyring", "cryptography", "psutil", "numpy"}
# Packages whose module has another name.
MODULES = {"PySide6-Essentials": "PySide6", "Babel": "babel"}
# Found in the environments of agents, where ``memory_gui.agents`` runs.
AGENTS = {"agentao"}


def loaded_by(module: str) -> set[str]:
    code = f"import {module}, sys; print(*(name for name in sys.modules if '.' not in name))"
    result = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split())


@pytest.mark.parametrize("door", ["memory_gui.app", "memory_gui.cli"])
def test_a_front_door_loads_neither_qt_nor_what_is_heavy(door):
    assert not loaded_by(door) & (HEAVY | {"PySide6"})


def test_the_window_loads_nothing_heavy_before_its_first_paint():
    loaded = loaded_by("memory_gui.ui.run")
    assert "PySide6" in loaded
    assert not loaded & HEAVY


def mentioned() -> set[str]:
    """Top-level modules that the package imports, also by name."""
    found: set[str] = set()
    for file in (ROOT / "memory_gui").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    found |= {alias.name.split(".")[0] for alias in names}
                case ast.ImportFrom(module=str(module), level=0):
                    found.add(module.split(".")[0])
                case ast.Call(args=[ast.Constant(value=str(name)), *_]):
                    if getattr(node.func, "id", "") == "import_module":
                        found.add(name.split(".")[0])
    return found


def needed() -> set[str]:
    names = {re.split(r"[^\w-]", text)[0] for text in PROJECT["dependencies"]}
    return {MODULES.get(name, name) for name in names}


def test_every_package_that_is_installed_is_used():
    assert needed() - mentioned() == set()


def test_every_package_that_is_used_is_installed():
    ours = {"memory_gui", "shiboken6"} | AGENTS
    assert mentioned() - needed() - set(sys.stdlib_module_names) - ours == set()
