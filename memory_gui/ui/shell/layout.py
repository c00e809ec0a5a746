# SPDX-License-Identifier: MIT
"""The window's place and the widths of its panes: worn at the start, read at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from memory_gui.services.own.layout import WindowLayout
from memory_gui.ui.shell.host import PageHost

_SEEN: Final = 80
"""So many pixels of the window's head must lie on a screen, or it could not be moved."""


class Layout(QObject):
    """Of one window. GUI thread; touches no file."""

    def __init__(
        self, window: QWidget, host: PageHost, layout: WindowLayout, screens: Sequence[QRect]
    ) -> None:
        """``screens`` are the free parts of the screens."""
        super().__init__(window)
        self._window = window
        self._panes: Mapping[str, tuple[int, ...]] = dict(layout.panes)
        self._worn: set[str] = set()
        if layout.known:
            place = fitting(QRect(layout.x, layout.y, layout.width, layout.height), screens)
            window.resize(place.size().expandedTo(window.minimumSize()))
            if layout.x or layout.y:
                window.move(place.topLeft())
            if layout.maximized:
                window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)
        host.shown.connect(self._on_page_shown)
        self.wear()

    def wear(self) -> None:
        """Give the panes that are there by now the widths they had."""
        for splitter in self._splitters():
            name = splitter.objectName()
            sizes = self._panes.get(name)
            if name in self._worn:
                continue
            self._worn.add(name)
            if sizes is not None and len(sizes) == splitter.count() and all(sizes):
                splitter.setSizes(list(sizes))

    def now(self) -> WindowLayout:
        """As it lies now; what was never shown keeps what it had."""
        place = self._window.normalGeometry()
        if not place.isValid() or place.isEmpty():
            place = self._window.geometry()
        seen = {s.objectName(): tuple(s.sizes()) for s in self._splitters() if all(s.sizes())}
        return WindowLayout(
            place.x(),
            place.y(),
            place.width(),
            place.height(),
            maximized=self._window.isMaximized(),
            panes={**self._panes, **seen},
        )

    def _splitters(self) -> list[QSplitter]:
        return [one for one in self._window.findChildren(QSplitter) if one.objectName()]

    def _on_page_shown(self, _name: str) -> None:
        self.wear()


def fitting(place: QRect, screens: Sequence[QRect]) -> QRect:
    """The place on a screen that is there: not larger than it, its head within reach."""
    for screen in screens:
        head = QRect(place.x(), place.y(), place.width(), 1).intersected(screen)
        if head.width() >= min(_SEEN, place.width()) and not head.isEmpty():
            size = place.size().boundedTo(screen.size())
            return QRect(place.topLeft(), size)
    if not screens:
        return place
    size = place.size().boundedTo(screens[0].size())
    middle = QRect(screens[0].topLeft(), size)
    middle.moveCenter(screens[0].center())
    return middle
