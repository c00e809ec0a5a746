# SPDX-License-Identifier: MIT
"""What logind and the desktop's screen saver tell over D-Bus.

Each bus has a thread of its own that waits for it. Not QtDBus: its calls keep the interpreter to
themselves, so that a bus that accepts and never answers froze the whole window for 25 s and more
(measured, PySide6 6.11.3), in whatever thread they were made. Signals are taken only from the owner
of the name they belong to. Sources: ``org.freedesktop.login1(5)``, the desktops' own ScreenSaver
interfaces.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from memory_gui import lazy

_SAVERS: Final = (
    "org.freedesktop.ScreenSaver",
    "org.gnome.ScreenSaver",
    "org.cinnamon.ScreenSaver",
    "org.mate.ScreenSaver",
    "org.xfce.ScreenSaver",
)
_LOGIN: Final = "org.freedesktop.login1"
_LOGIN_PATH: Final = "/org/freedesktop/login1"
_MANAGER: Final = "org.freedesktop.login1.Manager"
_SESSION: Final = "org.freedesktop.login1.Session"
_PROPERTIES: Final = "org.freedesktop.DBus.Properties"
_HELLO_S: Final = 5.0
"""How long a bus is waited for; nobody but its own thread waits."""


class BusWatch(QObject):
    """Tells of the screen's lock, sleep and the session's end. GUI thread.

    A delay lock is held at logind, so that the computer sleeps only after ``slept`` was called,
    or logind's own limit (5 s) is over.
    """

    screen_locked = Signal()
    sleeping = Signal()
    ending = Signal()
    joined = Signal(str)
    """A bus listens to us now (``SESSION`` or ``SYSTEM``), or is not there: for tests."""

    def __init__(self, who: str, why: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._who = who
        self._why = why
        self._guard = threading.Lock()
        self._lines: list[_Line] = []
        self._delay = -1
        self._closed = False

    def start(self) -> None:
        """Begin, in threads that may take their time."""
        for bus, work in (("SESSION", self._session), ("SYSTEM", self._system)):
            thread = threading.Thread(target=self._serve, args=(bus, work), daemon=True)
            thread.start()

    def close(self) -> None:
        """Listen no more; waits for nobody."""
        with self._guard:
            self._closed = True
            lines, self._lines = self._lines, []
        for line in lines:
            line.hang_up()
        self.slept()

    def slept(self) -> None:
        """Everything is locked: the computer may sleep."""
        with self._guard:
            delay, self._delay = self._delay, -1
        if delay >= 0:
            os.close(delay)

    # ---- in the buses' threads

    def _serve(self, bus: str, work: Callable[[_Line], None]) -> None:
        """A bus that is not there, goes away or says nonsense is no bus: nothing more is heard."""
        line = None
        try:
            line = _Line(bus)
            with self._guard:
                self._lines.append(line)
            if not self._closed:
                work(line)
                self._tell(self.joined, bus)
                line.listen(self._on_signal)
        except Exception:  # noqa: BLE001 - whatever a bus does, the window does not mind
            self._tell(self.joined, bus)
        finally:
            if line is not None:
                line.close()

    def _session(self, line: _Line) -> None:
        for saver in _SAVERS:
            line.match(saver, saver, "ActiveChanged")

    def _system(self, line: _Line) -> None:
        for member in ("PrepareForSleep", "PrepareForShutdown"):
            line.match(_LOGIN, _MANAGER, member, _LOGIN_PATH)
        line.ask(self._on_session_found, "GetSessionByPID", "u", os.getpid())
        self._hold(line)

    def _hold(self, line: _Line) -> None:
        """Ask that sleep waits for us."""
        line.ask(self._on_delay_given, "Inhibit", "ssss", "sleep", self._who, self._why, "delay")

    def _on_session_found(self, line: _Line, body: tuple[Any, ...]) -> None:
        line.match(_LOGIN, _SESSION, "Lock", body[0])
        line.match(_LOGIN, _PROPERTIES, "PropertiesChanged", body[0])

    def _on_delay_given(self, _line: _Line, body: tuple[Any, ...]) -> None:
        with self._guard:
            if self._delay < 0 and not self._closed:
                self._delay = body[0].to_raw_fd()

    def _on_signal(self, line: _Line, member: str, body: tuple[Any, ...]) -> None:
        on = body[:1] == (True,)
        if member == "PrepareForSleep":
            if on:
                self._tell(self.sleeping)
            else:
                self._hold(line)  # awake: hold the next sleep up as well
        elif member == "PrepareForShutdown":
            if on:
                self._tell(self.ending)
        elif member == "PropertiesChanged":
            changed = body[1]
            # Locked, or another user's session came to the front.
            if changed.get("LockedHint") == ("b", True) or changed.get("Active") == ("b", False):
                self._tell(self.screen_locked)
        elif member == "Lock" or on:
            self._tell(self.screen_locked)

    def _tell(self, signal: Any, *values: object) -> None:
        if not self._closed:
            with suppress(RuntimeError):  # the window is gone meanwhile
                signal.emit(*values)


class _Line:
    """One connection to a bus, used by one thread; ``hang_up`` may come from another."""

    def __init__(self, bus: str) -> None:
        """Raises whatever jeepney does where there is no bus, or it does not answer in time."""
        self._jeepney = lazy.jeepney()
        opening = lazy.jeepney_blocking().open_dbus_connection
        self._line = opening(bus, enable_fds=True, auth_timeout=_HELLO_S)
        self._asked: dict[int, Callable[[_Line, tuple[Any, ...]], None]] = {}

    def match(self, sender: str, interface: str, member: str, path: str | None = None) -> None:
        """Listen to one signal, of the owner of a name only."""
        rule = self._jeepney.MatchRule(
            type="signal", sender=sender, interface=interface, member=member, path=path
        )
        bus = self._jeepney.bus_messages.message_bus
        self._send(bus.AddMatch(rule))

    def ask(
        self,
        done: Callable[[_Line, tuple[Any, ...]], None],
        method: str,
        signature: str,
        *arguments: Any,
    ) -> None:
        """Call logind; ``done`` is called when, and if, it answers."""
        manager = self._jeepney.DBusAddress(_LOGIN_PATH, bus_name=_LOGIN, interface=_MANAGER)
        call = self._jeepney.new_method_call(manager, method, signature, arguments)
        self._asked[self._send(call)] = done

    def listen(self, told: Callable[[_Line, str, tuple[Any, ...]], None]) -> None:
        """Until the bus hangs up, or we do."""
        names, kinds = self._jeepney.HeaderFields, self._jeepney.MessageType
        while True:
            message = self._line.receive()
            fields = message.header.fields
            if message.header.message_type == kinds.signal:
                told(self, fields[names.member], message.body)
                continue
            done = self._asked.pop(fields.get(names.reply_serial, 0), None)
            if done is not None and message.header.message_type == kinds.method_return:
                done(self, message.body)

    def hang_up(self) -> None:
        """From any thread: whoever waits at the line wakes up, and closes it."""
        with suppress(OSError):
            self._line.sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """In the line's own thread."""
        with suppress(OSError):
            self._line.close()

    def _send(self, message: Any) -> int:
        serial = int(next(self._line.outgoing_serial))
        self._line.send(message, serial=serial)
        return serial
