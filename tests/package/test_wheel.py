# SPDX-License-Identifier: MIT
"""What people install: the wheel works in an environment of its own, far from the checkout."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("memory_gui", "resources", "tests", "packaging")
PAGES = ("pyproject.toml", "Makefile", "README.md", "LICENSE", "CHANGELOG.md", "ARCHITECTURE.md")
JUNK = shutil.ignore_patterns("__pycache__", "*.pyc", "failures", ".hypothesis")


def run(*command: object, folder: Path, **environment: str) -> str:
    """Run a program with nothing of ours in its environment; its output, or a failure with both."""
    result = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={"PATH": os.defpath, "LANG": "C.UTF-8", **environment},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert result.returncode == 0, f"{command}: {result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive, built from a copy of the checkout."""
    copy = tmp_path_factory.mktemp("copy") / "project"
    copy.mkdir()
    for name in PARTS:
        shutil.copytree(ROOT / name, copy / name, ignore=JUNK)
    for name in PAGES:
        shutil.copy(ROOT / name, copy / name)
    out = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "hatchling", "build", "-d", out, folder=copy)
    return out


def wheel_of(folder: Path) -> Path:
    (wheel,) = folder.glob("*.whl")
    return wheel


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel, and sees the packages it needs but not the checkout.

    The packages are those of this environment, by a path file: an editable install in it is not
    followed from there.
    """
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    here = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site / "needed.pth").write_text("".join(f"{path}\n" for path in here), encoding="utf-8")
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    target = ("--python", home / "bin" / "python")
    run(*pip, *target, "install", "--no-deps", "--no-index", wheel_of(built), folder=home)
    return home


@pytest.fixture
def nobody_home(tmp_path: Path) -> dict[str, str]:
    run_folder = tmp_path / "run"
    run_folder.mkdir(mode=0o700)
    return {
        "HOME": str(tmp_path),
        "XDG_RUNTIME_DIR": str(run_folder),
        "QT_QPA_PLATFORM": "offscreen",
    }


def test_every_data_file_is_in_the_wheel(built):
    inside = {
        name for name in names_in(wheel_of(built)) if name.startswith("memory_gui/_resources/")
    }
    here = {
        f"memory_gui/_resources/{file.relative_to(ROOT / 'resources')}"
        for file in (ROOT / "resources").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert here
    assert inside == here


def test_nothing_else_is_in_the_wheel(built):
    tops = {name.split("/")[0] for name in names_in(wheel_of(built))}
    assert tops == {"memory_gui", wheel_of(built).name.rsplit("-", 3)[0] + ".dist-info"}


def test_the_licences_travel_with_it(built):
    names = {name.rsplit("/", 1)[-1] for name in names_in(wheel_of(built)) if "/licenses/" in name}
    assert {"LICENSE", "LICENSE-Inter.txt", "LICENSE-NotoSansSC.txt"} <= names


def test_the_source_archive_builds_the_same_wheel(built, tmp_path):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        # The filter came with 3.11.4; the archive is our own.
        opened.extractall(
            tmp_path, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {})
        )
    (source,) = (folder for folder in tmp_path.iterdir() if folder.is_dir())
    out = tmp_path / "again"
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out, folder=source)
    assert names_in(wheel_of(out)) == names_in(wheel_of(built))


def test_it_is_loaded_from_the_wheel(installed, nobody_home):
    code = "import memory_gui; print(memory_gui.__file__)"
    where = run(installed / "bin" / "python", "-I", "-c", code, folder=Path("/"), **nobody_home)
    assert where.startswith(str(installed))


def test_the_terminal_tells_its_version(installed, nobody_home):
    said = run(installed / "bin" / "memory-cli", "--version", folder=Path("/"), **nobody_home)
    assert "0.1.0" in said


def test_the_window_finds_all_it_needs(installed, nobody_home):
    run(installed / "bin" / "memory-gui", "--selftest", folder=Path("/"), **nobody_home)


def test_the_tour_ends_well(installed, nobody_home):
    run(installed / "bin" / "memory-cli", "tour", folder=Path("/"), **nobody_home)
