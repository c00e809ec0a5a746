# SPDX-License-Identifier: MIT
"""A line that is shortened in its middle where it has no room; whole in its tooltip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memory_gui.ui.visible import plain_tip, visible
from memory_gui.ui.widgets.labels import Caption


class ElidedLabel(Caption):
    """For paths. A screen reader and the tooltip have the whole text."""

    def __init__(
        self,
        text: str = "",
        *,
        tone: str = "muted",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, tone=tone, wrap=False, parent=parent)
        self._mode = mode
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_foreign(self, text: str) -> None:
        """Show text that came from outside: hidden characters are drawn."""
        self.setText(visible(text))
        self.setToolTip(plain_tip(text))

    def minimumSizeHint(self) -> QSize:
        return QSize(QFontMetrics(self.font()).averageCharWidth() * 8, super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.setFont(self.font())
        shown = QFontMetrics(self.font()).elidedText(self.text(), self._mode, self.width())
        painter.drawText(self.rect(), int(self.alignment() | Qt.TextFlag.TextSingleLine), shown)
        painter.end()
