# SPDX-License-Identifier: MIT
"""How Python runs while there is a window: its collector and its lock must not be felt.

The cycle collector, left to itself, runs in whatever thread allocates, holds the interpreter for
100 ms and more while a store is read (measured with 5,000 records), and may destroy a widget
outside the GUI thread. And a busy worker keeps the interpreter's lock for 5 ms each time the GUI
thread has been inside Qt, which makes a row of such calls slow.
"""

from __future__ import annotations

import gc
import sys
from typing import Final

from PySide6.QtCore import QObject, QTimer

_EVERY_MS: Final = 2_000
_BURST: Final = 20_000
"""So many new objects between two looks are a store's records, which make no cycles."""
_HAND_OVER_S: Final = 0.0003


class Interpreter(QObject):
    """Collects young objects from the GUI thread only; lets threads hand over sooner.

    One per process. ``close`` puts everything back.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._interval = sys.getswitchinterval()
        sys.setswitchinterval(_HAND_OVER_S)
        gc.disable()
        gc.freeze()  # modules, classes and the window itself: they stay as long as the app
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._timer.start()

    def close(self) -> None:
        """As it was."""
        self._timer.stop()
        sys.setswitchinterval(self._interval)
        gc.unfreeze()
        gc.enable()

    def _on_timer_timeout(self) -> None:
        if gc.get_count()[0] > _BURST:
            gc.freeze()
        else:
            gc.collect(0)
