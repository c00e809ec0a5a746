# SPDX-License-Identifier: MIT
"""Looks from time to time whether what stands in the way is gone, and says so once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context

EVERY_MS: Final = 3_000


class Waiting(QObject):
    """Asks ``look`` on a thread of the bridge until it says yes or ``stop`` is called."""

    free = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = context.bridge
        self._look: Callable[[], bool] | None = None
        self._call: Handle | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._ask)

    @property
    def active(self) -> bool:
        """Whether it looks."""
        return self._look is not None

    def start(self, look: Callable[[], bool]) -> None:
        """Begin, or go on with another look."""
        self.stop()
        self._look = look
        self._timer.start(EVERY_MS)

    def stop(self) -> None:
        """Look no more."""
        self._look = None
        self._timer.stop()
        if self._call is not None:
            self._call.cancel()
            self._call = None

    def _ask(self) -> None:
        if self._look is not None:
            self._call = self._bridge.call(
                self._look, done=self._on_answer, failed=lambda _error: self._on_answer(False)
            )

    def _on_answer(self, free: bool) -> None:
        self._call = None
        if self._look is None:
            return
        if free:
            self._look = None
            self.free.emit()
        else:
            self._timer.start(EVERY_MS)
