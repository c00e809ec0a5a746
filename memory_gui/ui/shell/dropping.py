# SPDX-License-Identifier: MIT
"""Files and folders that are dropped on the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget


class Drops(QObject):
    """Takes local files, unless ``welcome`` says no (a locked window). GUI thread."""

    dropped = Signal(object)
    """A list of paths."""

    def __init__(self, window: QWidget, welcome: Callable[[], bool]) -> None:
        super().__init__(window)
        self._welcome = welcome
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDropEvent) and event.type() is QEvent.Type.Drop:
            event.acceptProposedAction()
            self.dropped.emit(_paths(event))
            return True
        if isinstance(event, QDragEnterEvent) and event.type() is QEvent.Type.DragEnter:
            if self._welcome() and _paths(event):
                event.acceptProposedAction()
            return True
        return super().eventFilter(watched, event)


def _paths(event: QDropEvent) -> list[str]:
    return [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
