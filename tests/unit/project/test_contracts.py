# SPDX-License-Identifier: MIT
"""The layers of the package, as import contracts in pyproject.toml."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# From top to bottom: what may import what, as it was agreed.
AGREED = [
    "app | cli", "(terminal)", "ui", "services", "cases | findings", "erasure | index", "agents",
    "rotation", "stores", "ledger", "engine", "vault", "words", "process", "domain",
]  # fmt: skip
# The same of the rooms of the services, and of what stands beside them.
ROOMS = [
    "build", "copies", "cases", "erasing | reviewing | home | checks", "keys | editing",
    "neighbours", "locking", "erased | activity | agent | converting | exporting | graphs",
    "library | undo", "own", "shapes | values",
]  # fmt: skip
OF_CASES = ["build", "cases", "answering", "running", "book", "finding"]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def contracts() -> list[dict]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return settings["tool"]["importlinter"]["contracts"]


def of(container: str | None, contracts: list[dict]) -> dict:
    layered = [one for one in contracts if one["type"] == "layers"]
    inside = None if container is None else [container]
    (found,) = [one for one in layered if one.get("containers") == inside]
    return found


def test_the_order_of_the_layers_is_the_agreed_one(contracts):
    layers = of(None, contracts)["layers"]
    assert [layer.replace("memory_gui.", "") for layer in layers] == AGREED


@pytest.mark.parametrize(("inside", "agreed"), [("services", ROOMS), ("services.cases", OF_CASES)])
def test_every_module_of_the_services_stands_in_the_agreed_order(contracts, inside, agreed):
    rooms = of(f"memory_gui.{inside}", contracts)
    assert rooms["layers"] == agreed
    assert rooms["exhaustive"] is True


def test_no_contract_excuses_an_import(contracts):
    assert not [contract["name"] for contract in contracts if contract.get("ignore_imports")]


def test_the_contracts_are_kept():
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_wrong_import_is_seen(tmp_path):
    for name in ("memory_gui", "memory_gui/domain", "memory_gui/engine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "memory_gui/domain/records.py").write_text(
        "from memory_gui.engine import connection\n", encoding="utf-8"
    )
    (tmp_path / "memory_gui/engine/connection.py").write_text("", encoding="utf-8")
    (tmp_path / ".importlinter").write_text(
        "[importlinter]\nroot_package = memory_gui\n[importlinter:contract:1]\nname = layers\n"
        "type = layers\nlayers =\n    memory_gui.engine\n    memory_gui.domain\n",
        encoding="utf-8",
    )
    result = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, '.'); {LINT}", "--no-cache"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert "memory_gui.domain is not allowed to import memory_gui.engine" in result.stdout
