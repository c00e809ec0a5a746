# SPDX-License-Identifier: MIT
"""The project's own commands: a part that takes too long fails, a second set-up does nothing."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SUITE = ROOT / "packaging" / "suite"


def check(tmp_path: Path, durations: str) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "durations.txt"
    file.write_text(durations, encoding="utf-8")
    return subprocess.run(
        [SUITE, "--check", file], capture_output=True, text=True, timeout=20, check=False
    )


def test_a_part_within_its_minutes_passes(tmp_path):
    assert check(tmp_path, "setup 300 5 0\nunit 12 6 0\n").returncode == 0


def test_a_part_that_took_longer_is_named(tmp_path):
    result = check(tmp_path, "setup 301 5 0\nunit 12 6 0\n")
    assert result.returncode == 1
    assert result.stdout == "setup took 301 s, and may take 5 min\n"


def test_the_parts_together_stay_under_an_hour():
    limits = SUITE.read_text(encoding="utf-8").split("limit_of()")[1].split("esac")[0]
    minutes = {}
    for names, number in re.findall(r"^\s*([a-z |]+)\) echo (\d+)", limits, re.MULTILINE):
        minutes.update(dict.fromkeys(names.split(" | "), int(number)))
    (parts,) = re.findall(r"^parts=\(([a-z ]+)\)", SUITE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sum(minutes[part] for part in [*parts.split(), "lint"]) <= 60


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small checkout whose set-up was done, as far as set-up can tell."""
    for name in (
        "packaging/setup",
        "packaging/requirements",
        "tests/rig/desktop",
        "pyproject.toml",
    ):
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, target)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to("/bin/true")
    (tmp_path / ".setup").mkdir()
    key = set_up(tmp_path, "--key", "test").stdout
    (tmp_path / ".setup" / "test").write_text(key, encoding="utf-8")
    return tmp_path


def set_up(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [checkout / "packaging" / "setup", *arguments],
        # Nothing to install with: a set-up that does anything at all ends badly.
        env={"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "PIP_NO_INDEX": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("level", ["run", "test"])
def test_a_second_set_up_costs_less_than_half_a_second(checkout, level):
    before = os.times()
    result = set_up(checkout, level)
    after = os.times()
    spent = after.children_user + after.children_system
    assert spent - before.children_user - before.children_system < 0.5
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "name",
    ["packaging/requirements/runtime.txt", "packaging/requirements/test.txt", "pyproject.toml"],
)
def test_a_change_is_set_up_again(checkout, name):
    assert set_up(checkout, "--ready", "test").returncode == 0
    file = checkout / name
    file.write_text(file.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    assert set_up(checkout, "--ready", "test").returncode == 1


def test_a_lost_environment_is_set_up_again(checkout):
    (checkout / ".venv" / "bin" / "python").unlink()
    assert set_up(checkout, "--ready", "run").returncode == 1


def test_shell_scripts_say_how_they_end():
    for name in ("setup", "suite", "lint", "start", "peer", "requirements/compile"):
        text = (ROOT / "packaging" / name).read_text(encoding="utf-8")
        assert re.search(r"^set -e?uo pipefail$", text, re.MULTILINE), name
