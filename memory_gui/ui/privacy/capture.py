# SPDX-License-Identifier: MIT
"""Keeps windows out of screenshots and shared screens where the system can do that.

Windows: ``SetWindowDisplayAffinity`` (``WDA_EXCLUDEFROMCAPTURE`` from Windows 10 2004 on, before it
``WDA_MONITOR``, which shows a black window). macOS: ``NSWindow.sharingType``. Linux has neither
on X11 nor on Wayland anything a program could ask for; Settings says so.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from memory_gui.ui import lazy

WDA_NONE: Final = 0x00
WDA_MONITOR: Final = 0x01
WDA_EXCLUDEFROMCAPTURE: Final = 0x11

Blocker = Callable[[int, bool], bool]
"""(native window handle, blocked) -> whether the system took it."""
Affinity = Callable[[int, int], int]


def _set_affinity(handle: int, affinity: int) -> int:
    if sys.platform != "win32":
        return 0
    function = ctypes.windll.user32.SetWindowDisplayAffinity
    function.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    function.restype = ctypes.c_int
    return int(function(handle, affinity))


def block_on_windows(handle: int, blocked: bool, call: Affinity = _set_affinity) -> bool:
    """By ``user32``; the older affinity where the newer one is refused."""
    if not blocked:
        return bool(call(handle, WDA_NONE))
    return bool(call(handle, WDA_EXCLUDEFROMCAPTURE) or call(handle, WDA_MONITOR))


def block_on_macos(handle: int, blocked: bool) -> bool:
    """By AppKit."""
    return bool(lazy.macos().share_window(handle, shared=not blocked))


BLOCKERS: Final[Mapping[str, Blocker]] = MappingProxyType(
    {"win32": block_on_windows, "darwin": block_on_macos}
)


class Capture(QObject):
    """Blocks every top-level window of the app, also those that come later. GUI thread."""

    def __init__(self, parent: QObject | None = None, blocker: Blocker | None = None) -> None:
        super().__init__(parent)
        self._blocker = blocker or BLOCKERS.get(sys.platform)
        self._blocked = False
        self._app: QApplication | None = None

    @property
    def possible(self) -> bool:
        """Whether this system can do it at all."""
        return self._blocker is not None

    @property
    def blocked(self) -> bool:
        """Whether windows are kept out of captures now."""
        return self._blocked

    def watch(self, app: QApplication) -> None:
        """Begin to look for new windows."""
        if self.possible and self._app is None:
            self._app = app
            app.installEventFilter(self)

    def block(self, *, blocked: bool) -> None:
        """Keep windows out, or let them be captured."""
        if blocked == self._blocked:
            return
        self._blocked = blocked
        for widget in QApplication.topLevelWidgets():
            if widget.isVisible():
                self._treat(widget)

    def close(self) -> None:
        """Look no more."""
        if self._app is not None:
            self._app.removeEventFilter(self)
            self._app = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The native window is another one after each of these.
        if (
            event.type() in (QEvent.Type.Show, QEvent.Type.WinIdChange)
            and self._blocked
            and isinstance(watched, QWidget)
            and watched.isWindow()
        ):
            self._treat(watched)
        return False

    def _treat(self, window: QWidget) -> None:
        if self._blocker is not None and (handle := int(window.effectiveWinId())):
            self._blocker(handle, self._blocked)
