# SPDX-License-Identifier: MIT
"""Listeners over a folder of the test's own, a desk that notes what it is asked, real copies."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory_gui.services import Services, build_services
from memory_gui.services.library.lending import Refused
from memory_gui.services.neighbours import Asker, Listener, Neighbours
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

CLI = Path(sys.executable).with_name("memory-cli")


class NotingDesk:
    """Answers as it is told; ``given`` are the stores that are away now."""

    def __init__(self) -> None:
        self.given: list[tuple[str, ...]] = []
        self.askers: list[Asker] = []
        self.opened: list[str] = []
        self.claimed: list[str] = []
        self.refuse: str | None = None
        self.window = False
        self.locked = 0
        self.wait = threading.Event()
        self.wait.set()
        self.back = threading.Event()

    def holds(self, paths):
        return list(paths)

    def claims(self, paths):
        return self.claimed

    def let_go(self, paths, asker):
        if self.refuse:
            raise Refused(self.refuse)
        self.wait.wait(60)
        self.askers.append(asker)
        self.given.append(tuple(paths))
        self.back.clear()
        return tuple(paths)

    def take_back(self, given):
        self.given.remove(given)
        self.back.set()

    def lock(self):
        self.locked += self.window
        return self.window

    def open(self, paths):
        self.opened += paths if self.window else []
        return self.window


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "run/memory-gui"
    made.parent.mkdir(mode=0o700)
    made.mkdir(mode=0o700)
    return made


@pytest.fixture
def desk() -> NotingDesk:
    return NotingDesk()


@pytest.fixture
def listener(folder: Path, desk: NotingDesk) -> Iterator[Listener]:
    made = Listener(folder, desk, front="window", home="/data")
    yield made
    desk.wait.set()
    made.close()


@pytest.fixture
def asking(folder: Path) -> Neighbours:
    """Another copy, a terminal's."""
    return Neighbours([folder], front="terminal", home="/data")


@pytest.fixture
def copy_of_the_app(folder: Path, tmp_path: Path) -> Iterator[Callable[[str], Services]]:
    """Makes services that listen, as a ``window`` or a ``terminal``, with data of their own."""
    made: list[Services] = []

    def build(front: str) -> Services:
        services = build_services(
            words=Words(),
            home=tmp_path / "home",
            data_dir=tmp_path / f"data{len(made)}",
            keychain=NoKeychain(),
            neighbours=Neighbours([folder], front=front, home="/data"),
        )
        services.listen()
        made.append(services)
        return services

    yield build
    for services in made:
        services.close()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    place = tmp_path / "atlas/.agentao"
    place.mkdir(parents=True)
    create_store(place / "memory.db", None)
    return (place / "memory.db").resolve()


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts Python programs that live in the folder's neighbourhood; ends them."""
    started: list[subprocess.Popen[str]] = []

    def start(code: str, *arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path / "run")},
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate(timeout=60)


@pytest.fixture
def cli(tmp_path):
    """Runs a verb to its end."""

    def run(*arguments: str, give: str | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(CLI), *arguments, "--no-keychain", "--json"],
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
            input=give,
            start_new_session=True,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(tmp_path / "home"),
                "XDG_DATA_HOME": str(tmp_path / "data-cli"),
                "XDG_RUNTIME_DIR": str(tmp_path / "run"),
            },
        )

    return run
