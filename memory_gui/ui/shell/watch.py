# SPDX-License-Identifier: MIT
"""Two timers: one follows other programs' changes, one locks when nobody is there."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QDragMoveEvent, QInputEvent, QInputMethodEvent

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context

POLL_MS: Final = 1_000
COUNTDOWN_S: Final = 15
"""Seconds before it locks in which that is told."""
_SIGNS_OF_LIFE: Final = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.MouseMove,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.Wheel,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.TouchBegin,
        QEvent.Type.TouchUpdate,
        QEvent.Type.TabletMove,
        QEvent.Type.TabletPress,
        QEvent.Type.InputMethod,
        QEvent.Type.DragMove,
    }
)


_INPUT: Final = (QInputEvent, QInputMethodEvent, QDragMoveEvent)


def seconds_awake_or_asleep() -> float:
    """A clock that goes on while the computer sleeps, where the system has one."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.clock_gettime(boot) if boot is not None else time.monotonic()


class Watch(QObject):
    """Asks about once a second whether another program wrote; never twice at a time."""

    stores_changed = Signal(object)
    """frozenset of StoreId."""
    lent_changed = Signal(object)
    """StoreId -> UserError: the stores that another copy of the app works on, and which."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._call: Handle | None = None
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
        if self._call is not None:
            self._call.cancel()
        self._timer.stop()

    def _on_timer_timeout(self) -> None:
        waits = self._call is not None and self._call.wanted and not self._call.finished
        if not waits:
            self._call = self._context.bridge.call(
                self._look,
                done=self._on_polled,
                failed=self._on_poll_failed,
            )

    def _look(self) -> tuple[frozenset[StoreId], dict[StoreId, UserError]]:
        """In a thread of the bridge."""
        library = self._context.services.library
        return library.poll(), library.lent()

    def _on_polled(self, found: tuple[frozenset[StoreId], dict[StoreId, UserError]]) -> None:
        changed, lent = found
        if lent.keys() != self._lent.keys():
            self._lent = lent
            self.lent_changed.emit(lent)
        if changed:
            self.stores_changed.emit(changed)

    def _on_poll_failed(self, error: UserError | IntegrityError) -> None:
        """A store that is busy or gone is asked again; using it tells what is wrong."""


class Idle(QObject):
    """Tells when no key, mouse or touch reached the app for so many minutes. 0 = never.

    Time that the computer slept counts. In the last seconds it counts down aloud; any input ends
    that.
    """

    went_idle = Signal()
    counting = Signal(int)
    """So many seconds are left; once a second."""
    stirred = Signal()
    """Somebody is there again: the countdown is over."""

    def __init__(
        self, app: QObject, parent: QObject, clock: Callable[[], float] = seconds_awake_or_asleep
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._wait = 0.0
        self._last = clock()
        self._counts = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)  # a coarse one may take 5 % longer
        self._timer.timeout.connect(self._on_timer_timeout)
        app.installEventFilter(self)

    def set_minutes(self, minutes: int) -> None:
        """Begin to wait."""
        self.set_seconds(minutes * 60)

    def set_seconds(self, seconds: float) -> None:
        """Begin to wait."""
        self._wait = seconds
        self.stir()
        self._timer.stop()
        if seconds > 0:
            self._look_again()

    def stop(self) -> None:
        """Wait no more until ``set_minutes``: it is locked."""
        self.set_seconds(0)

    def stir(self) -> None:
        """Somebody is there."""
        self._last = self._clock()
        if self._counts:
            self._counts = False
            self.stirred.emit()
            self._look_again()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # By class first: of each event of the program the type would be made as an object.
        if isinstance(event, _INPUT) and event.type() in _SIGNS_OF_LIFE and self._wait > 0:
            self.stir()
        return False

    def _left(self) -> float:
        return self._last + self._wait - self._clock()

    def _look_again(self) -> None:
        left = self._left()
        until = left - COUNTDOWN_S if left > COUNTDOWN_S else left % 1.0 or 1.0
        self._timer.start(max(1, math.ceil(until * 1000)))

    def _on_timer_timeout(self) -> None:
        left = self._left()
        if left <= 0:
            self._counts = False
            self._wait = 0.0
            self._timer.stop()
            self.went_idle.emit()
            return
        if left <= COUNTDOWN_S:
            self._counts = True
            self.counting.emit(math.ceil(left))
        self._look_again()
