# SPDX-License-Identifier: MIT
"""What scrolls in a pane: as high as its content is at its width, and no higher."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget


class Inside(QWidget):
    """Its layout alone would ask for the height that wrapped lines need at their narrowest."""

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), 0)
