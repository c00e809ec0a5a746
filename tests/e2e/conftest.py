# SPDX-License-Identifier: MIT
"""Desktops for end-to-end tests. The run is started inside one: ``tests/rig/desktop -- pytest``.

A test that kills, freezes or locks a keychain asks for a desktop of its own by ``own_desktop``.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for what the tests here share
RIG = Path(__file__).parents[1] / "rig"
STAYS = "import json, os, sys; print(json.dumps(dict(os.environ)), flush=True); sys.stdin.read()"


def load_drive() -> ModuleType:
    """``tests/rig/drive.py``: sees and operates programs through the accessibility bus."""
    spec = importlib.util.spec_from_file_location("drive", RIG / "drive.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def desktop(*options: str) -> Iterator[Mapping[str, str]]:
    """A private desktop that lives until the block ends; gives its environment."""
    command = [str(RIG / "desktop"), *options, "--", sys.executable, "-c", STAYS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as rig:
        assert rig.stdin is not None
        assert rig.stdout is not None
        try:
            line = rig.stdout.readline()
            if not line:
                pytest.fail(f"the desktop did not come up (exit {rig.wait()})")
            yield json.loads(line)
        finally:
            rig.stdin.close()
            rig.wait(60)


@pytest.fixture
def own_desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Mapping[str, str]]]:
    """Starts desktops; the last one is also this process's, so that ``drive`` finds it."""
    with contextlib.ExitStack() as stack:

        def start(*options: str) -> Mapping[str, str]:
            environment = stack.enter_context(desktop(*options))
            for name, value in environment.items():
                if os.environ.get(name) != value:
                    monkeypatch.setenv(name, value)
            return environment

        yield start


@pytest.fixture
def screen() -> Iterator[Callable[[], object]]:
    """Looks at the desktop that is this process's now, as ``drive.Desktop`` does."""
    opened = []

    def look() -> object:
        opened.append(load_drive().Desktop())
        return opened[-1]

    yield look
    for desktop in opened:
        desktop._bus._connection.close()
    sys.modules.pop("drive", None)


@pytest.fixture
def keychain_gone() -> Callable[[Mapping[str, str]], None]:
    """Waits until the bus knows that the keychain ended."""
    return lambda environment: wait_for(lambda: not owns_secrets(environment))


BUS = """<busconfig><type>session</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/>{policy}</policy></busconfig>"""


@dataclasses.dataclass(frozen=True)
class BareSession:
    """A bus and a keychain, no display, and nothing that the bus could start."""

    environment: Mapping[str, str]
    bus: subprocess.Popen[bytes]
    keyring: subprocess.Popen[bytes]


@pytest.fixture
def bare_session() -> Iterator[Callable[..., BareSession]]:
    """Starts sessions as over SSH: the keychain cannot ask anybody for its password."""
    with contextlib.ExitStack() as stack:
        yield lambda **options: stack.enter_context(bare(**options))


@contextlib.contextmanager
def bare(*, policy: str = "", password: bytes | None = b"password") -> Iterator[BareSession]:
    """``policy`` is added to the bus's; without a password there is no collection yet."""
    with tempfile.TemporaryDirectory(prefix="bare-") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        (folder / "bus.conf").write_text(BUS.format(folder=folder, policy=policy))
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": name,
            "XDG_RUNTIME_DIR": name,
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/bus",
        }

        def run(*command: str, given: bytes = b"") -> subprocess.Popen[bytes]:
            process = stack.enter_context(
                subprocess.Popen(
                    command,
                    env=environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )
            stack.callback(process.kill)
            assert process.stdin is not None
            process.stdin.write(given)
            process.stdin.close()
            return process

        bus = run("dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--nopidfile")
        wait_for((folder / "bus").exists)
        daemon = ["gnome-keyring-daemon", "--foreground", "--components=secrets"]
        daemon += [f"--control-directory={folder}/keyring", *(["--unlock"] if password else [])]
        keyring = run(*daemon, given=password or b"")
        wait_for(lambda: owns_secrets(environment))
        if password:
            wait_for((folder / ".local/share/keyrings/login.keyring").exists)
        yield BareSession(environment, bus, keyring)


def owns_secrets(environment: Mapping[str, str]) -> bool:
    """Whether a keychain runs on that bus. Asking for the owner of the name starts none."""
    owner = [
        *("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/"),
        *("org.freedesktop.DBus.GetNameOwner", "string:org.freedesktop.secrets"),
    ]
    done = subprocess.run(owner, env=dict(environment), capture_output=True, check=False)
    return done.returncode == 0


def wait_for(true: Callable[[], bool], seconds: float = 10) -> None:
    """Poll until it is true, or fail."""
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit, "it did not come true"
        time.sleep(0.02)
