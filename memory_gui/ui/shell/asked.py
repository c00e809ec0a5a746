# SPDX-License-Identifier: MIT
"""What other running copies of the app ask of the window, brought into its own thread."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from memory_gui.services import Services
from memory_gui.ui.window import MainWindow


class Asked(QObject):
    """Listens while the window is there. ``close`` it before the window goes. GUI thread."""

    lock_wanted = Signal()
    open_wanted = Signal(object)
    """A list of paths."""

    def __init__(self, services: Services, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._wishes = services.desk.wishes
        self.lock_wanted.connect(window.lock)
        self.open_wanted.connect(self._on_open_wanted)
        self._wishes.lock = self.lock_wanted.emit
        self._wishes.open = self._take

    def close(self) -> None:
        """Take no more."""
        self._wishes.lock = None
        self._wishes.open = None

    def _take(self, paths: list[str]) -> bool:
        """In the listener's thread."""
        self.open_wanted.emit(paths)
        return True

    def _on_open_wanted(self, paths: list[str]) -> None:
        self._window.open_paths(paths)
        self._window.raise_()
        self._window.activateWindow()
