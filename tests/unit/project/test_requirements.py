# SPDX-License-Identifier: MIT
"""The pinned packages: complete, hashed, the same everywhere, and what pyproject.toml asks for."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "packaging" / "requirements"
FILES = sorted(FOLDER.glob("*.txt"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]


def pins(file: Path) -> dict[str, tuple[Requirement, list[str]]]:
    """The packages of a file by name: what is pinned, and the hashes of its files."""
    found = {}
    for block in re.split(r"\n(?=\S)", file.read_text(encoding="utf-8").strip()):
        if block.startswith("#"):
            continue
        pinned = Requirement(block.split("\\")[0].strip())
        found[canonicalize_name(pinned.name)] = (pinned, re.findall(r"--hash=(\S+)", block))
    return found


def declared(file: Path) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def names(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(text).name) for text in requirements}


def test_the_four_files_are_there():
    assert [f.stem for f in FILES if not f.stem.startswith("peer")] == [
        "build",
        "lint",
        "runtime",
        "test",
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_every_package_has_one_version_and_its_hashes(file):
    found = pins(file)
    assert found
    for name, (pinned, hashes) in found.items():
        assert re.fullmatch(r"==[\w.]+", str(pinned.specifier)), name
        assert hashes, name
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", text) for text in hashes), name


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_no_file_says_where_packages_come_from(file):
    text = file.read_text(encoding="utf-8")
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host", text)


def test_no_package_has_two_versions():
    seen: dict[str, set[str]] = {}
    for name in ("runtime", "build", "test", "lint"):
        for package, (pinned, _) in pins(FOLDER / f"{name}.txt").items():
            seen.setdefault(package, set()).add(str(pinned.specifier))
    assert {package: v for package, v in seen.items() if len(v) > 1} == {}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("runtime", PROJECT["project"]["dependencies"]),
        ("test", PROJECT["project"]["dependencies"] + EXTRAS["test"]),
        ("lint", EXTRAS["lint"]),
        ("build", PROJECT["build-system"]["requires"]),
    ],
)
def test_what_is_declared_is_pinned_within_its_range(name, wanted):
    found = pins(FOLDER / f"{name}.txt")
    for text in wanted:
        requirement = Requirement(text)
        pinned, _ = found[canonicalize_name(requirement.name)]
        (version,) = [specifier.version for specifier in pinned.specifier]
        assert requirement.specifier.contains(version), text


def test_the_inputs_repeat_pyproject():
    assert declared(FOLDER / "lint.in") == EXTRAS["lint"]
    assert set(PROJECT["build-system"]["requires"]) <= set(declared(FOLDER / "build.in"))
    assert names(declared(FOLDER / "build.in")) <= names(EXTRAS["test"])


def test_wheels_for_every_python_and_system_were_hashed():
    # One file of each kind at least: sqlcipher3 has a wheel for each Python and system.
    _, hashes = pins(FOLDER / "runtime.txt")["sqlcipher3"]
    assert len(hashes) >= 4 * 5


def test_qt_stays_below_the_release_that_aborts():
    pinned, _ = pins(FOLDER / "runtime.txt")["pyside6-essentials"]
    assert str(pinned.specifier).startswith("==6.11.")
