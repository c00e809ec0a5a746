# SPDX-License-Identifier: MIT
"""Which system's signals tell of the screen's lock, sleep and the session's end."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject

from memory_gui.ui.privacy.dbus import BusWatch
from memory_gui.ui.privacy.macsession import MacWatch
from memory_gui.ui.privacy.windows import WindowsWatch

SessionWatch = BusWatch | WindowsWatch | MacWatch
"""Signals ``screen_locked``, ``sleeping``, ``ending``; ``start``, ``slept``, ``close``."""


def session_watch(why: str, handle: int, parent: QObject) -> SessionWatch:
    """The one for this system; ``why`` is what the system may show while sleep waits for us."""
    if sys.platform == "win32":
        return WindowsWatch(handle, parent)
    if sys.platform == "darwin":
        return MacWatch(parent)
    return BusWatch("memory-gui", why, parent)
