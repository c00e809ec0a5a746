# SPDX-License-Identifier: MIT
"""Two ways to lay things out that follow the width: words in a line, and cards in columns."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLayout, QLayoutItem, QSizePolicy, QWidget

from memory_gui.ui.tokens import SPACE_M, SPACE_S


class FlowLayout(QLayout):
    """One after the other, and on into the next line where there is no room."""

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        spacing: int = SPACE_S,
        last_at_right: bool = False,
    ) -> None:
        """``last_at_right``: the last one stands at the end of its line, away from the others."""
        super().__init__(parent)
        self._last_at_right = last_at_right
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._lay_out(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._lay_out(rect, move=True)

    def sizeHint(self) -> QSize:
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in shown) + self.spacing() * max(0, len(shown) - 1)
        return QSize(wide, max((size.height() for size in shown), default=0))

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        """The height that it takes at that width; those of a line stand at its middle."""
        y = rect.y()
        lines = self._lines(rect.width())
        last = lines[-1][-1] if lines and self._last_at_right else None
        for line in lines:
            high = max(item.sizeHint().height() for item in line)
            x = rect.x()
            for item in line:
                size = item.sizeHint()
                wide = min(size.width(), rect.width())
                if item is last:
                    x = rect.x() + rect.width() - wide
                if move:
                    top = y + (high - size.height()) // 2
                    item.setGeometry(QRect(x, top, wide, size.height()))
                x += wide + self.spacing()
            y += high + self.spacing()
        return max(0, y - self.spacing() - rect.y())

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        room = 0
        for item in self._items:
            if item.isEmpty():
                continue
            wide = item.sizeHint().width()
            if not lines or wide > room:
                lines.append([])
                room = width
            lines[-1].append(item)
            room -= wide + self.spacing()
        return lines


class Columns(QWidget):
    """Cards side by side, as many as fit; all of a row are as high as the highest."""

    def __init__(self, width: int, parent: QWidget | None = None) -> None:
        """``width`` is the least of a card, in pixels."""
        super().__init__(parent)
        self._least = width
        self._cards: list[QWidget] = []
        self._across = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACE_M)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)

    def set_least(self, width: int) -> None:
        """Another least width of a card: the letters grew."""
        if width != self._least:
            self._least = width
            self._arrange()

    def show_cards(self, cards: Sequence[QWidget]) -> None:
        """Other cards; the ones before are the caller's to delete."""
        self._cards = list(cards)
        self._across = 0
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        # One column must be enough, however many there are now.
        least = min(self._least, max((c.minimumSizeHint().width() for c in self._cards), default=0))
        return QSize(least, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        across = max(1, (self.width() + SPACE_M) // (self._least + SPACE_M))
        if across == self._across:
            return
        for column in range(self._across):
            self._grid.setColumnStretch(column, 0)
        self._across = across
        while self._grid.takeAt(0) is not None:
            pass
        for number, card in enumerate(self._cards):
            self._grid.addWidget(card, number // across, number % across)
        for column in range(across):
            self._grid.setColumnStretch(column, 1)
