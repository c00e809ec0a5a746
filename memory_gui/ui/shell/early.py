# SPDX-License-Identifier: MIT
"""What is typed and clicked before the window is whole is done when it is, in its order."""

from __future__ import annotations

from collections import deque
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

_KEYS: Final = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease)
_BUTTONS: Final = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonRelease,
    QEvent.Type.MouseButtonDblClick,
)
_MOVES: Final = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
"""What is there can be gone through at once."""


class Early(QObject):
    """Keeps keys and clicks until ``let_go``. One per window, GUI thread."""

    emptied = Signal()
    """All of it is done."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._kept: deque[tuple[QWidget, QKeyEvent | QMouseEvent]] = deque()
        self._next = QTimer(self)
        self._next.timeout.connect(self._on_next)
        app = QCoreApplication.instance()
        if app is not None:
            app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind not in _KEYS and kind not in _BUTTONS:
            return False
        if not isinstance(watched, QWidget) or not isinstance(event, QKeyEvent | QMouseEvent):
            return False
        moves = isinstance(event, QKeyEvent) and event.key() in _MOVES
        if watched.window() is not self._window or (moves and not self._kept):
            return False
        self._kept.append((watched, event.clone()))
        return True

    def let_go(self) -> None:
        """The window is whole: do what was wanted, one after the other, a turn for each."""
        self._next.start(0)

    def close(self) -> None:
        """Keep nothing any more."""
        self._next.stop()
        app = QCoreApplication.instance()
        if app is not None:
            app.removeEventFilter(self)
        self._kept.clear()

    def _on_next(self) -> None:
        if not self._kept:
            self.close()
            self.emptied.emit()
            return
        widget, event = self._kept.popleft()
        app = QCoreApplication.instance()
        if app is None:
            return
        app.removeEventFilter(self)
        if isinstance(event, QKeyEvent):
            self._press(event)
        elif isValid(widget):
            QCoreApplication.sendEvent(widget, event)
        app.installEventFilter(self)  # what comes meanwhile waits behind it

    def _press(self, event: QKeyEvent) -> None:
        """As Qt would: the window's own keys first, then whatever has the keyboard."""
        if event.type() == QEvent.Type.KeyPress and self._command(event):
            return
        QCoreApplication.sendEvent(QApplication.focusWidget() or self._window, event)

    def _command(self, event: QKeyEvent) -> bool:
        wanted = QKeySequence(event.keyCombination())
        for action in self._window.findChildren(QAction):
            if action.isEnabled() and wanted in action.shortcuts():
                action.trigger()
                return True
        for shortcut in self._window.findChildren(QShortcut):
            if shortcut.isEnabled() and wanted in shortcut.keys():  # noqa: SIM118 - no dictionary
                shortcut.activated.emit()
                return True
        return False
