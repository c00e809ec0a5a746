# SPDX-License-Identifier: MIT
"""The screen's lock, sleep and the session's end, as a logind and a screen saver tell them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import pytest
from PySide6.QtWidgets import QApplication

from memory_gui.ui.privacy.dbus import BusWatch

pytestmark = pytest.mark.rig

FAKE = """
import os, sys, threading
from jeepney import DBusAddress, HeaderFields, MessageType
from jeepney import new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection
LOGIN = "org.freedesktop.login1"
SESSION = "/org/freedesktop/login1/session/c1"
line = open_dbus_connection("SESSION", enable_fds=True)
for name in ("org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver", LOGIN):
    line.send_and_get_reply(message_bus.RequestName(name))
print("ready", flush=True)
def tell(path, interface, member, kind, *body):
    line.send(new_signal(DBusAddress(path, interface=interface), member, kind, body))
def obey():
    for order in sys.stdin:
        what, _, value = order.strip().partition(" ")
        on = value == "1"
        if what in ("sleep", "shutdown"):
            member = {"sleep": "PrepareForSleep", "shutdown": "PrepareForShutdown"}[what]
            tell("/org/freedesktop/login1", LOGIN + ".Manager", member, "b", on)
        elif what == "kde":
            tell("/ScreenSaver", "org.freedesktop.ScreenSaver", "ActiveChanged", "b", on)
        elif what == "gnome":
            tell("/org/gnome/ScreenSaver", "org.gnome.ScreenSaver", "ActiveChanged", "b", on)
        elif what == "lock":
            tell(SESSION, LOGIN + ".Session", "Lock", "")
        elif what == "other":
            tell("/org/freedesktop/login1/session/c2", LOGIN + ".Session", "Lock", "")
        else:
            changed = {what: ("b", on)}
            properties = "org.freedesktop.DBus.Properties"
            kind = "sa{sv}as"
            tell(SESSION, properties, "PropertiesChanged", kind, LOGIN + ".Session", changed, [])
    os._exit(0)
threading.Thread(target=obey, daemon=True).start()
while True:
    call = line.receive()
    if call.header.message_type != MessageType.method_call:
        continue
    member = call.header.fields.get(HeaderFields.member)
    if member == "GetSessionByPID":
        line.send(new_method_return(call, "o", (SESSION,)))
    elif member == "Inhibit":
        ours, theirs = os.pipe()
        line.send(new_method_return(call, "h", (theirs,)))
        os.close(theirs)
        print("held", *call.body, flush=True)
        def wait(end=ours):
            os.read(end, 1)
            print("let go", flush=True)
        threading.Thread(target=wait, daemon=True).start()
    else:
        line.send(new_error(call, "org.freedesktop.DBus.Error.UnknownMethod"))
"""
SPOOF = ("dbus-send", "--session", "--type=signal")


class Login:
    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-c", FAKE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout.readline() == "ready\n"
        self.said = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        self.said.extend(line.strip() for line in self.process.stdout)

    def tell(self, order):
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()


@pytest.fixture
def login(monkeypatch):
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", os.environ["DBUS_SESSION_BUS_ADDRESS"])
    made = Login()
    yield made
    made.process.stdin.close()
    made.process.wait(60)
    made.reader.join(60)
    made.process.stdout.close()


@pytest.fixture
def watch(qapp, login):
    made = BusWatch("memory-gui", "locks first")
    made.told = []
    for name in ("screen_locked", "sleeping", "ending"):
        getattr(made, name).connect(lambda name=name: made.told.append(name))
    joined = []
    made.joined.connect(joined.append)
    made.start()
    until(lambda: len(joined) == 2 and any("held" in line for line in login.said))
    pause(0.3)
    yield made
    made.close()


def until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come true"
        pause(0.01)


def pause(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("kde 1", ["screen_locked"]),
        ("gnome 1", ["screen_locked"]),
        ("lock", ["screen_locked"]),
        ("LockedHint 1", ["screen_locked"]),
        ("Active 0", ["screen_locked"]),
        ("sleep 1", ["sleeping"]),
        ("shutdown 1", ["ending"]),
        ("kde 0", []),
        ("Active 1", []),
        ("LockedHint 0", []),
        ("shutdown 0", []),
        ("other", []),
    ],
)
def test_each_signal_means_what_it_means(watch, login, order, told):
    login.tell(order)
    until(lambda: watch.told) if told else pause(0.5)
    assert watch.told == told


def test_sleep_waits_until_everything_is_locked_and_the_next_one_too(watch, login):
    assert login.said == ["held sleep memory-gui locks first delay"]
    login.tell("sleep 1")
    until(lambda: watch.told == ["sleeping"])
    assert "let go" not in login.said
    watch.slept()
    until(lambda: "let go" in login.said)
    login.tell("sleep 0")
    until(lambda: sum("held" in line for line in login.said) == 2)


def test_closing_lets_the_computer_sleep(watch, login):
    watch.close()
    until(lambda: "let go" in login.said)
    login.tell("lock")
    pause(0.3)
    assert watch.told == []


def test_a_stranger_cannot_lock_the_window(watch):
    path, member = "/org/freedesktop/login1", "org.freedesktop.login1.Manager.PrepareForSleep"
    subprocess.run([*SPOOF, path, member, "boolean:true"], check=True)
    saver = "org.freedesktop.ScreenSaver.ActiveChanged"
    subprocess.run([*SPOOF, "/ScreenSaver", saver, "boolean:true"], check=True)
    pause(0.5)
    assert watch.told == []


def test_a_logind_that_goes_away_does_no_harm(watch, login):
    login.process.kill()
    login.process.wait()
    pause(0.3)
    assert watch.told == []
