# SPDX-License-Identifier: MIT
"""Agentao's own package as judge: in its own environment (cached below .setup) and process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import babel
import pytest
import sqlcipher3

from memory_gui.services import Services, build_services
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # for what the tests here share
PEER = HERE.parent.parent / "packaging" / "peer"
VERSION = "0.5.17"

EXPORT = """
import sys
import sqlcipher3
source, target, key = sys.argv[1], sys.argv[2], sys.stdin.readline().strip()
raw = sqlcipher3.connect(source, isolation_level=None)
raw.execute(f'PRAGMA key = "x\\'{key}\\'"')
raw.execute("ATTACH ? AS plain KEY ''", (target,))
raw.execute("SELECT sqlcipher_export('plain')")
raw.close()
"""


class JudgeError(Exception):
    """Agentao refused; the text begins with its exception's name."""


class Judge:
    """A running judge: ``judge("do", name=value)``."""

    def __init__(
        self, python: Path, home: Path, script: str = "agentao_judge.py", *arguments: str
    ) -> None:
        # A home of its own: Agentao must not find a person's configuration or databases.
        environment = {"HOME": str(home), "PATH": os.defpath, "TZ": os.environ.get("TZ", "")}
        self._process = subprocess.Popen(
            [python, "-I", HERE / script, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            cwd=home,
            env={name: value for name, value in environment.items() if value},
        )

    def __call__(self, do: str, **values: Any) -> Any:
        """Ask, and wait for the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **values}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the judge has ended"
        answer = json.loads(line)
        if "error" in answer:
            raise JudgeError(answer["error"])
        return answer["answer"]

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()


def peer_python(version: str) -> Path:
    """The Python of an environment with that version of Agentao, made when it is not there."""
    result = subprocess.run(
        [PEER, f"agentao-{version}"], capture_output=True, text=True, check=False, timeout=240
    )
    not_there(result, f"agentao {version}")
    return Path(result.stdout.strip())


def not_there(made: subprocess.CompletedProcess[str], name: str) -> None:
    """Skip by name where an environment cannot be made here; in CI that is a failure."""
    if made.returncode == 3 and "CI" not in os.environ:
        pytest.skip(f"{name} cannot be installed: no package host within reach")
    assert made.returncode == 0, made.stderr


@pytest.fixture(scope="session")
def agentao_python() -> Path:
    """Agentao 0.5.17's environment, or a named skip."""
    return peer_python(VERSION)


@pytest.fixture(scope="session")
def judge(agentao_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """One judge for all tests; each opens its own databases in it."""
    running = Judge(agentao_python, tmp_path_factory.mktemp("judge-home"))
    yield running
    running.close()


def our_places() -> tuple[str, ...]:
    """Where Agentao's Python finds our package and what it needs."""
    libraries = {Path(module.__file__).parents[1] for module in (sqlcipher3, babel)}
    return (str(HERE.parent.parent), *map(str, libraries))


@pytest.fixture(scope="session")
def inside(agentao_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """Agentao over our stores, in its own environment and process."""
    home = tmp_path_factory.mktemp("inside-home")
    running = Judge(agentao_python, home, "agentao_inside.py", *our_places())
    yield running
    running.close()


def readable_copy(source: Path, target: Path, key_hex: str | None) -> Path:
    """A readable copy of a closed database for the judge; decrypted in a process of its own."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    if key_hex is None:
        target.write_bytes(source.read_bytes())
    else:
        subprocess.run(
            [sys.executable, "-I", "-c", EXPORT, str(source), str(target)],
            input=key_hex + "\n",
            text=True,
            check=True,
        )
    return target


@pytest.fixture
def copies() -> Any:
    """``readable_copy``."""
    return readable_copy


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Ours, in folders of the test's own and without a keychain."""
    made = build_services(
        words=Words("en"), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=NoKeychain()
    )
    yield made
    made.close()
