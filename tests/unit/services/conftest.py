# SPDX-License-Identifier: MIT
"""A pair of real Agentao stores in a folder of the test's own, and services over them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory_gui.domain.keys import RawKey
from memory_gui.services import Services

sys.path.insert(0, str(Path(__file__).parent))  # for what the tests here share

from pairs import HOLD, MemoryKeychain, Pair, services_for, store_in


@pytest.fixture
def empty_store():
    """Makes an empty store in a new folder."""
    return store_in


@pytest.fixture
def services_in() -> Iterator[Callable[[Path], Services]]:
    """Makes services over a folder."""
    made: list[Services] = []

    def build(folder: Path) -> Services:
        made.append(services_for(folder))
        return made[-1]

    yield build
    for services in made:
        services.close()


@pytest.fixture
def make_pair(tmp_path: Path, services_in):
    """Makes a pair whose halves have keys of their own."""

    def build(project_key: RawKey | None = None, user_key: RawKey | None = None) -> Services:
        store_in(tmp_path / "atlas/.agentao", project_key)
        store_in(tmp_path / "home/.agentao", user_key)
        return services_in(tmp_path)

    return build


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    store_in(tmp_path / "home/.agentao")
    store_in(tmp_path / "atlas/.agentao")
    services = services_for(tmp_path)
    opened = services.library.open(tmp_path / "atlas")
    yield Pair(tmp_path, services, opened[0], opened[1])
    services.close()


@pytest.fixture
def single(tmp_path: Path) -> Iterator[Pair]:
    """The project alone: the person's database is not there."""
    store_in(tmp_path / "atlas/.agentao")
    services = services_for(tmp_path)
    opened = services.library.open(tmp_path / "atlas")
    yield Pair(tmp_path, services, opened[0], None)
    services.close()


@pytest.fixture
def holder() -> Iterator[Callable[[Path], int]]:
    """Starts another program, not of our family, that has a store open; gives its pid."""
    started: list[subprocess.Popen[str]] = []

    def start(path: Path) -> int:
        process = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        started.append(process)
        return int(process.stdout.readline())

    yield start
    for process in started:
        process.communicate(timeout=60)


@pytest.fixture
def holders_of() -> Callable[[Path], list[str]]:
    """The descriptors by which this process has a file or its sidecars open."""

    def look(path: Path) -> list[str]:
        links = (os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd") if n)
        return [link for link in _existing(links) if link.startswith(str(path))]

    return look


def _existing(links: Iterator[str]) -> Iterator[str]:
    while True:
        try:
            yield next(links)
        except StopIteration:
            return
        except OSError:
            continue


@pytest.fixture
def memory_keychain() -> MemoryKeychain:
    return MemoryKeychain()
