# SPDX-License-Identifier: MIT
"""Two timers: one follows other programs' changes, one locks when nobody is there."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.ui.context import Context

POLL_MS: Final = 1_000
_SIGNS_OF_LIFE: Final = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.MouseMove,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
    }
)


class Watch(QObject):
    """Asks about once a second whether another program wrote; never twice at a time."""

    stores_changed = Signal(object)
    """frozenset of StoreId."""
    lent_changed = Signal(object)
    """StoreId -> UserError: the stores that another copy of the app works on, and which."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._waiting = False
        self._lent: dict[StoreId, UserError] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    def start(self) -> None:
        """Begin to ask."""
        self._timer.start()

    def stop(self) -> None:
        """Ask no more."""
        self._lent = {}
        self._timer.stop()

    def _on_timer_timeout(self) -> None:
        if not self._waiting:
            self._waiting = True
            self._context.bridge.call(
                self._look,
                done=self._on_polled,
                failed=self._on_poll_failed,
            )

    def _look(self) -> tuple[frozenset[StoreId], dict[StoreId, UserError]]:
        """In a thread of the bridge."""
        library = self._context.services.library
        return library.poll(), library.lent()

    def _on_polled(self, found: tuple[frozenset[StoreId], dict[StoreId, UserError]]) -> None:
        self._waiting = False
        changed, lent = found
        if lent.keys() != self._lent.keys():
            self._lent = lent
            self.lent_changed.emit(lent)
        if changed:
            self.stores_changed.emit(changed)

    def _on_poll_failed(self, error: UserError | IntegrityError) -> None:
        """A store that is busy or gone is asked again; using it tells what is wrong."""
        self._waiting = False


class Idle(QObject):
    """Tells when no key or mouse was touched for so many minutes. 0 = never."""

    went_idle = Signal()

    def __init__(self, app: QObject, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.went_idle)
        app.installEventFilter(self)

    def set_minutes(self, minutes: int) -> None:
        """Begin to wait."""
        self._timer.stop()
        if minutes > 0:
            self._timer.setInterval(minutes * 60_000)
            self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _SIGNS_OF_LIFE and self._timer.isActive():
            self._timer.start()
        return False
