# SPDX-License-Identifier: MIT
"""What Windows tells a window: the session is locked, the computer sleeps, the session ends.

Sources: ``WM_WTSSESSION_CHANGE``, ``WM_POWERBROADCAST``, ``WM_QUERYENDSESSION``. Held by tests
against messages that are played; not yet run on Windows.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray, QCoreApplication, QObject, Signal

WM_QUERYENDSESSION: Final = 0x0011
WM_ENDSESSION: Final = 0x0016
WM_POWERBROADCAST: Final = 0x0218
WM_WTSSESSION_CHANGE: Final = 0x02B1
LOCKED, SLEEPING, ENDING = "locked", "sleeping", "ending"
_MEANINGS: Final[Mapping[tuple[int, int], str]] = MappingProxyType(
    {
        (WM_WTSSESSION_CHANGE, 0x7): LOCKED,  # WTS_SESSION_LOCK
        (WM_WTSSESSION_CHANGE, 0x2): LOCKED,  # WTS_CONSOLE_DISCONNECT: another user's turn
        (WM_WTSSESSION_CHANGE, 0x4): LOCKED,  # WTS_REMOTE_DISCONNECT
        (WM_WTSSESSION_CHANGE, 0x6): ENDING,  # WTS_SESSION_LOGOFF
        (WM_POWERBROADCAST, 0x4): SLEEPING,  # PBT_APMSUSPEND
    }
)


class Message(ctypes.Structure):
    """``MSG`` of winuser.h."""

    _fields_ = (
        ("hwnd", ctypes.c_void_p),
        ("message", ctypes.c_uint32),
        ("wparam", ctypes.c_size_t),
        ("lparam", ctypes.c_ssize_t),
        ("time", ctypes.c_uint32),
        ("x", ctypes.c_int32),
        ("y", ctypes.c_int32),
    )


def meaning(message: int, wparam: int) -> str | None:
    """What a window message tells; None for all others."""
    if message == WM_QUERYENDSESSION or (message == WM_ENDSESSION and wparam):
        return ENDING
    return _MEANINGS.get((message, wparam))


def register(handle: int) -> bool:
    """Have the session's changes told to a window."""
    if sys.platform != "win32":
        return False
    call = ctypes.windll.wtsapi32.WTSRegisterSessionNotification
    call.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    return bool(call(handle, 0))


class _Filter(QAbstractNativeEventFilter):
    def __init__(self, told: Callable[[str], object]) -> None:
        super().__init__()
        self._told = told

    def nativeEventFilter(  # noqa: N802 - Qt's name
        self, event_type: QByteArray | bytes | bytearray | memoryview[int], message: int
    ) -> tuple[bool, int]:
        kind = event_type.data() if isinstance(event_type, QByteArray) else event_type
        if bytes(kind) in (
            b"windows_generic_MSG",
            b"windows_dispatcher_MSG",
        ):
            seen = Message.from_address(int(message))
            if what := meaning(seen.message, seen.wparam):
                self._told(what)
        return False, 0


class WindowsWatch(QObject):
    """The same signals as ``BusWatch``. GUI thread."""

    screen_locked = Signal()
    sleeping = Signal()
    ending = Signal()

    def __init__(
        self, handle: int, parent: QObject | None = None, signs: Callable[[int], bool] = register
    ) -> None:
        super().__init__(parent)
        self._handle = handle
        self._signs = signs
        self._filter: _Filter | None = None

    def start(self) -> None:
        """Begin to listen."""
        app = QCoreApplication.instance()
        if app is not None and self._filter is None:
            self._signs(self._handle)
            self._filter = _Filter(self._on_told)
            app.installNativeEventFilter(self._filter)

    def close(self) -> None:
        """Listen no more."""
        app = QCoreApplication.instance()
        if app is not None and self._filter is not None:
            app.removeNativeEventFilter(self._filter)
        self._filter = None

    def slept(self) -> None:
        """Windows waits for nobody."""

    def _on_told(self, what: str) -> None:
        {LOCKED: self.screen_locked, SLEEPING: self.sleeping, ENDING: self.ending}[what].emit()
