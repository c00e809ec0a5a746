# SPDX-License-Identifier: MIT
"""A bus that is not there or never answers does no harm; the other systems are played.

What a real bus tells is in ``tests/e2e/test_session_signals.py``.
"""

from __future__ import annotations

import ctypes
import socket
import threading
import time

import pytest
from PySide6.QtCore import QByteArray, QTimer
from PySide6.QtWidgets import QApplication

from memory_gui.ui.privacy import dbus, macsession, windows
from memory_gui.ui.privacy.dbus import BusWatch
from memory_gui.ui.privacy.macsession import MacWatch
from memory_gui.ui.privacy.windows import Message, WindowsWatch, meaning


def told_by(watch):
    told = []
    for name in ("screen_locked", "sleeping", "ending"):
        getattr(watch, name).connect(lambda name=name: told.append(name))
    return told


@pytest.fixture(params=["none", "never answers", "hangs up", "says nonsense"])
def broken_bus(request, tmp_path, monkeypatch):
    """Where both buses should be."""
    path = tmp_path / "bus"
    listening, kept = None, []
    if request.param != "none":
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(path))
        listening.listen(5)
        listening.settimeout(0.1)

        def answer():
            while True:
                try:
                    line, _ = listening.accept()
                except TimeoutError:
                    continue
                except OSError:
                    return
                kept.append(line)
                if request.param == "hangs up":
                    line.close()
                elif request.param == "says nonsense":
                    line.sendall(b"OK 1234\r\nAGREE_UNIX_FD\r\nl\x01" + b"\xff" * 500)

        threading.Thread(target=answer, daemon=True).start()
    for name in ("DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"):
        monkeypatch.setenv(name, f"unix:path={path}")
    monkeypatch.setattr(dbus, "_HELLO_S", 1.5)
    yield request.param
    if listening is not None:
        listening.close()
    for line in kept:
        line.close()


def test_a_broken_bus_never_holds_the_window_up(broken_bus, qapp, stopwatch):
    watch = BusWatch("memory-gui", "locks first")
    told = told_by(watch)
    gaps, last = [0.0], [stopwatch()]

    def beat():
        gaps.append(last[0].seconds)
        last[0] = stopwatch()

    timer = QTimer()
    timer.timeout.connect(beat)
    timer.start(5)
    called = stopwatch()
    watch.start()
    assert called.seconds < 0.1
    end = time.monotonic() + 0.8
    while time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.002)
    timer.stop()
    called = stopwatch()
    watch.close()
    assert called.seconds < 0.1
    assert max(gaps) < 0.2
    assert told == []


class TestWindows:
    @pytest.mark.parametrize(
        ("message", "wparam", "wanted"),
        [
            (0x02B1, 0x7, "locked"),
            (0x02B1, 0x8, None),
            (0x02B1, 0x2, "locked"),
            (0x02B1, 0x6, "ending"),
            (0x0218, 0x4, "sleeping"),
            (0x0218, 0x7, None),
            (0x0011, 0, "ending"),
            (0x0016, 1, "ending"),
            (0x0016, 0, None),
            (0x0100, 0x4, None),
        ],
    )
    def test_what_a_message_means(self, message, wparam, wanted):
        assert meaning(message, wparam) == wanted

    def test_messages_become_signals_until_it_is_closed(self, qapp):
        asked = []
        watch = WindowsWatch(77, signs=lambda handle: asked.append(handle) is None)
        told = told_by(watch)
        watch.start()
        assert asked == [77]
        for message, wparam in ((0x02B1, 7), (0x0218, 4), (0x0011, 0), (0x0113, 4)):
            raw = Message(message=message, wparam=wparam)
            kind = QByteArray(b"windows_generic_MSG")
            watch._filter.nativeEventFilter(kind, ctypes.addressof(raw))
            watch._filter.nativeEventFilter(QByteArray(b"xcb_generic_event_t"), 0)
        assert told == ["screen_locked", "sleeping", "ending"]
        watch.slept()
        watch.close()
        assert watch._filter is None

    def test_elsewhere_nothing_is_registered(self, monkeypatch):
        monkeypatch.setattr(windows.sys, "platform", "linux")
        assert not windows.register(1)


class TestMac:
    class Played:
        """A library that writes down what it is asked."""

        def __init__(self):
            self.calls = []

        def __getattr__(self, name):
            def call(*arguments):
                self.calls.append((name, *arguments))
                return 7

            self.__dict__[name] = call
            return call

        def names(self):
            return [one[0] for one in self.calls]

    @pytest.fixture
    def mac(self, qapp, monkeypatch):
        class InDll:
            @staticmethod
            def in_dll(_lib, _name):
                return None

            def __init__(self, value=None):
                self.value = value

        foundation, kit = self.Played(), self.Played()
        watch = MacWatch(foundation=foundation, kit=kit)
        monkeypatch.setattr(MacWatch, "_watch_power", lambda _self: None)
        watch.start()
        watch._root = 5
        return watch

    def test_both_notifications_are_listened_to(self, mac):
        wanted = [one for one in mac._foundation.calls if one[0] == "CFStringCreateWithCString"]
        assert [one[2] for one in wanted] == list(macsession.NAMES)
        assert mac._foundation.names().count("CFNotificationCenterAddObserver") == 2

    def test_a_locked_screen_is_told(self, mac):
        told = told_by(mac)
        mac._on_told(None, None, None, None, None)
        assert told == ["screen_locked"]

    def test_sleep_waits_until_everything_is_locked(self, mac):
        told = told_by(mac)
        mac._on_power(None, 0, macsession.CAN_SLEEP, 3)
        assert mac._kit.names() == ["IOAllowPowerChange"]
        mac._on_power(None, 0, macsession.WILL_SLEEP, 4)
        assert told == ["sleeping"]
        assert len(mac._kit.calls) == 1
        mac.slept()
        assert mac._kit.calls[-1][0] == "IOAllowPowerChange"
        assert mac._kit.calls[-1][2].value == 4

    def test_closed_it_holds_no_sleep_up(self, mac):
        told = told_by(mac)
        mac.close()
        mac._on_power(None, 0, macsession.WILL_SLEEP, 4)
        mac._on_told(None, None, None, None, None)
        assert told == []
        assert "IOAllowPowerChange" in mac._kit.names()

    def test_without_a_mac_it_is_silent(self, qapp, monkeypatch):
        monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)
        watch = MacWatch()
        watch.start()
        watch.close()
