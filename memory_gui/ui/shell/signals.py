# SPDX-License-Identifier: MIT
"""Ends the app tidily when the system asks it to: on logging out, on Ctrl+C in a terminal."""

from __future__ import annotations

import signal
import socket
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, Signal


class EndSignals(QObject):
    """Tells of SIGINT and SIGTERM in the GUI thread. Make it in the main thread, ``close`` it.

    Qt's loop does not come back into Python by itself, so the signal wakes a socket it watches.
    """

    came = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._ours, self._theirs = socket.socketpair()
        for end in (self._ours, self._theirs):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_notifier_activated)
        self._wakeup = signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        self._before = {
            number: signal.signal(number, _nothing) for number in (signal.SIGINT, signal.SIGTERM)
        }

    def close(self) -> None:
        """Give the signals back."""
        self._notifier.setEnabled(False)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup)
        self._ours.close()
        self._theirs.close()

    def _on_notifier_activated(self) -> None:
        if self._ours.recv(64):
            self.came.emit()


def _nothing(number: int, frame: FrameType | None) -> None:
    """The wake-up is what counts."""
