# SPDX-License-Identifier: MIT
"""The list and the record side by side."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from memory_gui.ui.records.facets.panel import WIDTH
from memory_gui.ui.tokens import DETAIL_WIDTH

ROOMY: Final = 680
"""In so much room, filters and list need none of the record's."""
LEAST_DETAIL: Final = 320


class Halves(QSplitter):
    """Gives the list what the record does not need. GUI thread."""

    def __init__(self, listed: QWidget, read: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.addWidget(listed)
        self.addWidget(read)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 0)
        self.setSizes([600, DETAIL_WIDTH])
        self._taken = 0

    def make_room(self, shown: bool) -> None:
        """The filters take their room from the record, as far as that can still be read.

        When they go, the record has back what they took.
        """
        listed, read = self.sizes()
        if shown:
            room = min(read - LEAST_DETAIL, WIDTH) if listed < ROOMY else 0
            self._taken = max(0, room)
            self.setSizes([listed + self._taken, read - self._taken])
        elif read < DETAIL_WIDTH:
            back = self._taken or DETAIL_WIDTH - read
            self.setSizes([listed - back, read + back])
