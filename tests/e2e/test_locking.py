# SPDX-License-Identifier: MIT
"""The real window locks when the desktop's screen saver, logind or the terminal says so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from jeepney import DBusAddress, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

pytestmark = pytest.mark.rig

DATA = Path(__file__).parents[1] / "data" / "agentao"
SAVER = "org.gnome.ScreenSaver"
LOGIN = "org.freedesktop.login1"


@pytest.fixture
def bus():
    """A connection that owns the names of a screen saver and of logind."""
    line = open_dbus_connection("SESSION")
    for name in (SAVER, LOGIN):
        line.send_and_get_reply(message_bus.RequestName(name))
    yield line
    line.close()


@pytest.fixture
def window(screen, tmp_path, bus):
    """The program with the sample open, on a system bus that is the session's."""
    environment = {
        **os.environ,
        "MEMORY_GUI_DATA": str(tmp_path / "data"),
        "DBUS_SYSTEM_BUS_ADDRESS": os.environ["DBUS_SESSION_BUS_ADDRESS"],
    }
    command = [sys.executable, "-I", "-m", "memory_gui.app", "--sample", "--no-keychain"]
    with subprocess.Popen(command, env=environment) as program:
        desktop = screen()
        made = desktop.window("Agent Memory", timeout=60)
        table = made.find("table", "Records", timeout=60)
        assert desktop.wait(lambda: table.size[0] > 0, 60)
        made.environment = environment
        made.desktop = desktop
        made.program = program
        yield made
        program.terminate()
        program.wait(60)


def is_locked(window):
    return bool(window.find_all(id="locked.unlock", showing=True))


LOCKED_S = 3.0
"""Seen from outside, on a crowded machine."""


def locks_when_told(window, tell):
    """The bus is joined some time after the first paint: what is said before that is not heard."""
    for _ in range(20):
        tell()
        if window.desktop.wait(lambda: is_locked(window), LOCKED_S):
            return True
    return False


@pytest.mark.parametrize(
    ("path", "interface", "member"),
    [
        ("/org/gnome/ScreenSaver", SAVER, "ActiveChanged"),
        ("/org/freedesktop/login1", f"{LOGIN}.Manager", "PrepareForSleep"),
        ("/org/freedesktop/login1", f"{LOGIN}.Manager", "PrepareForShutdown"),
    ],
    ids=["screen", "sleep", "shutdown"],
)
def test_it_locks_with_the_desktop(window, bus, path, interface, member):
    signal = new_signal(DBusAddress(path, interface=interface), member, "b", (True,))
    assert locks_when_told(window, lambda: bus.send(signal)), window.tree()
    assert not window.find_all("table", "Records", showing=True)


def test_it_locks_when_the_terminal_says_so(window):
    command = [sys.executable, "-I", "-m", "memory_gui.cli", "lock"]

    def tell():
        done = subprocess.run(
            command, env=window.environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr

    assert locks_when_told(window, tell), window.tree()


def test_the_sessions_end_by_a_signal_ends_it_tidily(window):
    window.program.terminate()
    assert window.program.wait(60) == 0


def test_what_is_half_typed_survives_a_lock(screen, tmp_path):
    """Sealed, kept in the ledger, whose key is in the keychain, and offered after the unlock."""
    project = tmp_path / "ginkgo"
    shutil.copytree(DATA / "project-ginkgo", project)
    environment = {**os.environ, "MEMORY_GUI_DATA": str(tmp_path / "data")}
    app = [sys.executable, "-I", "-m", "memory_gui.app", str(project)]
    with subprocess.Popen(app, env=environment) as program:
        desktop = screen()
        window = desktop.window("Agent Memory", timeout=60)
        table = window.find("table", "Records", timeout=60)
        assert desktop.wait(lambda: table.size[0] > 0, 60)
        assert desktop.wait((tmp_path / "data" / "memory-gui.db").exists, 60)
        desktop.key("F2")
        window.find(id="editor.text", timeout=60).type("half a thought")
        desktop.key("ctrl+l")
        assert desktop.wait(lambda: is_locked(window), 60)
        assert "half a thought" not in window.tree(showing=False)
        window.find(id="locked.unlock").press()
        window.find("push button", "Go on with it", timeout=60).press()
        typed = window.find(id="editor.text", timeout=60)
        assert desktop.wait(lambda: "half a thought" in typed.text, 60), window.tree()
        program.terminate()
        assert program.wait(60) == 0
