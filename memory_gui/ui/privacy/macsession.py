# SPDX-License-Identifier: MIT
"""What macOS tells: the screen is locked, the computer sleeps. By Core Foundation and IOKit in C.

Sources: the distributed notifications ``com.apple.screenIsLocked`` and
``com.apple.screensaver.didstart``, ``IORegisterForSystemPower`` (QA1340). Held by tests against
libraries that are played; not yet run on a Mac.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

NAMES: Final = (b"com.apple.screenIsLocked", b"com.apple.screensaver.didstart")
CAN_SLEEP: Final = 0xE0000270
WILL_SLEEP: Final = 0xE0000280
_UTF8: Final = 0x08000100
_AT_ONCE: Final = 4
"""CFNotificationSuspensionBehaviorDeliverImmediately."""

_Told = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)
_Power = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p)


def load(name: str) -> Any:
    """A framework. Raises OSError where there is none."""
    path = ctypes.util.find_library(name)
    if path is None:
        raise OSError(name)
    return ctypes.CDLL(path)


class MacWatch(QObject):
    """The same signals as ``BusWatch``. GUI thread, which runs the main run loop."""

    screen_locked = Signal()
    sleeping = Signal()
    ending = Signal()
    """By Qt's own commitDataRequest on this system."""

    def __init__(
        self, parent: QObject | None = None, *, foundation: Any = None, kit: Any = None
    ) -> None:
        super().__init__(parent)
        self._foundation = foundation
        self._kit = kit
        self._told = _Told(self._on_told)
        self._power = _Power(self._on_power)
        self._root = 0
        self._center: Any = None
        self._held: tuple[int, ...] = ()
        self._closed = False

    def start(self) -> None:
        """Begin to listen."""
        try:
            self._foundation = self._foundation or load("CoreFoundation")
            self._kit = self._kit or load("IOKit")
        except OSError:
            return
        self._listen()
        self._watch_power()

    def close(self) -> None:
        """Listen no more."""
        self._closed = True
        if self._center is not None:
            self._foundation.CFNotificationCenterRemoveEveryObserver(self._center, self._told)
            self._center = None

    def slept(self) -> None:
        """Everything is locked: the computer may sleep."""
        held, self._held = self._held, ()
        for what in held:
            self._kit.IOAllowPowerChange(self._root, ctypes.c_void_p(what))

    def _listen(self) -> None:
        cf = self._foundation
        cf.CFNotificationCenterGetDistributedCenter.restype = ctypes.c_void_p
        cf.CFStringCreateWithCString.restype = ctypes.c_void_p
        self._center = ctypes.c_void_p(cf.CFNotificationCenterGetDistributedCenter())
        for name in NAMES:
            text = ctypes.c_void_p(cf.CFStringCreateWithCString(None, name, _UTF8))
            cf.CFNotificationCenterAddObserver(
                self._center, self._told, self._told, text, None, ctypes.c_long(_AT_ONCE)
            )

    def _watch_power(self) -> None:
        kit, cf = self._kit, self._foundation
        port, notifier = ctypes.c_void_p(), ctypes.c_uint32()
        self._root = int(
            kit.IORegisterForSystemPower(
                None, ctypes.byref(port), self._power, ctypes.byref(notifier)
            )
        )
        if not self._root:
            return
        kit.IONotificationPortGetRunLoopSource.restype = ctypes.c_void_p
        cf.CFRunLoopGetMain.restype = ctypes.c_void_p
        source = ctypes.c_void_p(kit.IONotificationPortGetRunLoopSource(port))
        mode = ctypes.c_void_p.in_dll(cf, "kCFRunLoopCommonModes")
        cf.CFRunLoopAddSource(ctypes.c_void_p(cf.CFRunLoopGetMain()), source, mode)

    def _on_told(self, *_what: object) -> None:
        if not self._closed:
            self.screen_locked.emit()

    def _on_power(self, _ref: object, _service: int, kind: int, what: int | None) -> None:
        if kind == CAN_SLEEP or (kind == WILL_SLEEP and self._closed):
            self._kit.IOAllowPowerChange(self._root, ctypes.c_void_p(what))
        elif kind == WILL_SLEEP:
            self._held = (*self._held, what or 0)
            self.sleeping.emit()
