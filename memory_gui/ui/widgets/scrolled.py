# SPDX-License-Identifier: MIT
"""What scrolls up and down in a pane or a page."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class Inside(QWidget):
    """What scrolls: as high as its content is at its width, and no higher.

    Its layout alone would ask for the height that wrapped lines need at their narrowest, and there
    would be something to scroll with nothing below.
    """

    def minimumSizeHint(self) -> QSize:
        least, layout = super().minimumSizeHint(), self.layout()
        # Without lines that wrap no height follows from the width, and this is all that it needs.
        wraps = layout is not None and layout.hasHeightForWidth()
        return QSize(least.width(), 0 if wraps else least.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A form inside that was asked for its height at other widths meanwhile (with and without
        # the scroll bar) lays its lines out by the last answer: once more, by this width.
        layout = self.layout()
        if layout is not None:
            layout.update()


class Scrolled(QScrollArea):
    """Up and down only, without a frame; the keyboard stays with what is inside."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def carry(self, inside: Inside) -> None:
        """Scroll this, with the pane's own ground behind it."""
        self.setWidget(inside)
        self.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
