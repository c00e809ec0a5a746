# SPDX-License-Identifier: MIT
"""Pages are made before they are wanted, one step a turn: the first visit makes nobody wait."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer

from memory_gui.ui.shell.host import PageHost

_NAMES: Final = ("review", "activity", "erase", "protect", "settings", "export", "recovery")
"""Those that a person goes to first, first. Of the rest, small or seldom wanted, the modules."""
_PAUSE_MS: Final = 120


class Warming(QObject):
    """Begins when it is made, and ends by itself. GUI thread."""

    def __init__(self, host: PageHost, parent: QObject) -> None:
        super().__init__(parent)
        self._host = host
        self._left = [name for name in _NAMES if host.has(name)]
        self._seldom = [name for name in host.factories if name not in _NAMES]
        self._turns = QTimer(self)
        self._turns.setInterval(_PAUSE_MS)
        self._turns.timeout.connect(self._on_turn)
        self._turns.start()

    @property
    def done(self) -> bool:
        """Whether there is nothing left to make."""
        return not self._left and not self._seldom

    def _on_turn(self) -> None:
        while self._left and not self._host.prepare(self._left[0]):
            del self._left[0]
        if not self._left and self._seldom:
            self._host.factories[self._seldom.pop(0)].load()
        if self.done:
            self._turns.stop()
