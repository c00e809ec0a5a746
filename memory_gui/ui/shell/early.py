# SPDX-License-Identifier: MIT
"""What is typed and clicked before the window is whole is done when it is, in its order."""

from __future__ import annotations

from collections import deque
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent, QWindow
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


class _Click:
    """What a mouse button did to a widget."""

    def __init__(self, event: QMouseEvent, widget: QWidget, place: QPoint) -> None:
        self._event = event
        self._widget = widget
        self._place = place

    def do(self) -> None:
        """Do it where the widget is now, if it is there still."""
        if not isValid(self._widget):
            return
        event, place = self._event, self._place
        everywhere = self._widget.mapToGlobal(place)
        again = QMouseEvent(
            event.type(),
            place.toPointF(),
            everywhere.toPointF(),
            event.button(),
            event.buttons(),
            event.modifiers(),
        )
        QCoreApplication.sendEvent(self._widget, again)


class Early(QObject):
    """Keeps the keys and clicks of a window that is shown, until ``let_go``. GUI thread.

    It listens to the native window and to what has the keyboard only: a filter on the application
    would see every event of every object, which takes longer than to paint the window.
    """

    emptied = Signal()
    """All of it is done."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._kept: deque[QKeyEvent | _Click] = deque()
        self._next = QTimer(self)
        self._next.timeout.connect(self._on_next)
        self._native = window.windowHandle()
        self._focus: QObject | None = None
        self._closed = False
        self._native.installEventFilter(self)
        app = QCoreApplication.instance()
        assert isinstance(app, QGuiApplication)  # noqa: S101 - a window is shown
        self._app = app
        app.focusObjectChanged.connect(self._on_focus_changed)
        self._on_focus_changed(app.focusObject())

    def let_go(self) -> None:
        """The window is whole: do what was wanted, one after the other, a turn for each."""
        self._next.start(0)

    def close(self) -> None:
        """Keep nothing any more. May be called twice."""
        if self._closed:
            return
        self._closed = True
        self._next.stop()
        self._kept.clear()
        if isValid(self._native):
            self._native.removeEventFilter(self)
        self._app.focusObjectChanged.disconnect(self._on_focus_changed)
        self._on_focus_changed(None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._focus:
            if event.type() != QEvent.Type.ShortcutOverride:
                return False
            event.accept()  # it comes to the window as a key, and is kept
            return True
        return self._keeps(event)

    def _keeps(self, event: QEvent) -> bool:
        kind = event.type()
        if kind in _KEYS and isinstance(event, QKeyEvent):
            if event.key() in _MOVES and not self._kept:
                return False
            self._kept.append(event.clone())
        elif kind in _BUTTONS and isinstance(event, QMouseEvent):
            self._kept.append(self._click(event))
        else:
            return False
        return True

    def _click(self, event: QMouseEvent) -> _Click:
        """On the widget that was meant: by the time it is done it may stand elsewhere."""
        place = event.position().toPoint()
        widget = self._window.childAt(place) or self._window
        return _Click(event.clone(), widget, widget.mapFrom(self._window, place))

    def _on_focus_changed(self, focus: QObject | None) -> None:
        if self._focus is not None and isValid(self._focus):
            self._focus.removeEventFilter(self)
        self._focus = None if isinstance(focus, QWindow) else focus
        if self._focus is not None:
            self._focus.installEventFilter(self)

    def _on_next(self) -> None:
        if not self._kept:
            self.close()
            self.emptied.emit()
            return
        event = self._kept.popleft()
        self._native.removeEventFilter(self)
        if isinstance(event, QKeyEvent):
            self._press(event)
        else:
            event.do()
        self._native.installEventFilter(self)  # what comes meanwhile waits behind it

    def _press(self, event: QKeyEvent) -> None:
        """As Qt would: the window's own keys first, then whatever has the keyboard."""
        if event.type() == QEvent.Type.KeyPress and self._command(event):
            return
        QCoreApplication.sendEvent(QApplication.focusWidget() or self._window, event)

    def _command(self, event: QKeyEvent) -> bool:
        wanted = QtGui.QKeySequence(event.keyCombination())
        for action in self._window.findChildren(QtGui.QAction):
            if action.isEnabled() and wanted in action.shortcuts():
                action.trigger()
                return True
        for shortcut in self._window.findChildren(QtGui.QShortcut):
            if shortcut.isEnabled() and wanted in shortcut.keys():  # noqa: SIM118 - no dictionary
                shortcut.activated.emit()
                return True
        return False
