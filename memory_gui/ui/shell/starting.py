# SPDX-License-Identifier: MIT
"""From the first paint to the whole window: the services in a thread, the rest turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from memory_gui.ui.context import Context
from memory_gui.ui.window import MainWindow

if TYPE_CHECKING:  # the window is painted before these are loaded
    from memory_gui.services import Services

STEPS: Final = (
    "memory_gui.ui.home.discovery",
    "memory_gui.ui.home.body",
    "memory_gui.ui.shell.sidebar",
    "memory_gui.ui.records.listing.table",
    "memory_gui.ui.records.listing.pane",
    "memory_gui.ui.records.editing.pane",
    "memory_gui.ui.records.page",
    "memory_gui.ui.shell.commands",
    "memory_gui.ui.shell.quick.quick",
    "memory_gui.ui.shell.whole",
)
"""Modules in the order in which they are loaded: each brings so few others that it takes no longer
than the event loop may stand still."""


class Starting(QObject):
    """Begins after the window's first paint, once. GUI thread."""

    began = Signal()
    """The window is painted."""
    done = Signal()
    """The window is whole."""

    def __init__(self, window: MainWindow, context: Context, make: Callable[[], Services]) -> None:
        """``make`` is called in a thread: it loads what services need, and opens files."""
        super().__init__(window)
        self._window = window
        self._context = context
        self._make = make
        self.problem: Exception | None = None
        """Why there are no services; the window is closed then."""
        self._steps: Iterator[None] = iter(())
        self._turns = QTimer(self)
        self._turns.timeout.connect(self._on_turn)
        window.painted.connect(self._on_painted, Qt.ConnectionType.QueuedConnection)

    def _on_painted(self) -> None:
        self.began.emit()
        bridge = self._context.bridge
        bridge.bug.connect(self._on_failed)
        bridge.call(self._make, done=self._on_made, failed=self._on_failed, apart=True)

    def _on_made(self, services: Services) -> None:
        self._context.bridge.bug.disconnect(self._on_failed)
        self._context.bring(services)
        self._steps = self._all()
        self._turns.start(0)

    def _all(self) -> Iterator[None]:
        for name in STEPS:
            import_module(name)
            yield
        yield from self._window.furnish()

    def _on_turn(self) -> None:
        if not self._window.isVisible():  # closed by now
            self._turns.stop()
        elif next(self._steps, self) is self:
            self._turns.stop()
            self.done.emit()

    def _on_failed(self, problem: Exception) -> None:
        self.problem = problem
        self._window.close()
