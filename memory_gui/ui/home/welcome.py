# SPDX-License-Identifier: MIT
"""What Home says where there is no store yet: what this is for, and how to begin."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.tokens import PAGE_WIDTH, SPACE_L, SPACE_M, SPACE_XL
from memory_gui.ui.widgets import Caption, Panel, TextLabel, TitleLabel
from memory_gui.ui.widgets.empty import Picture
from memory_gui.words import Words


class Welcome(QWidget):
    """A panel in the middle; ``hold`` puts the page's buttons into it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = named(TitleLabel(), "start.title.first")
        self._text = named(TextLabel(tone="muted"), "start.text")
        self._card = card = named(Panel(), "start.welcome")
        card.setMaximumWidth(PAGE_WIDTH)
        self._inside = QVBoxLayout(card)
        edge = SPACE_XL * 2
        self._inside.setContentsMargins(edge, edge, edge, edge)
        self._inside.setSpacing(SPACE_M)
        self._inside.addWidget(Picture(Icon.BRAIN, "accent"), 0, Qt.AlignmentFlag.AlignLeft)
        self._inside.addWidget(self._title)
        self._inside.addWidget(self._text)
        self._inside.addSpacing(SPACE_M)
        self._acts = QVBoxLayout()
        self._inside.addLayout(self._acts)
        self._drop = named(Caption(), "start.first.drop")
        self._inside.addWidget(self._drop)
        middle = QHBoxLayout(self)
        middle.setContentsMargins(0, SPACE_L, 0, SPACE_L)
        middle.addStretch(1)
        middle.addWidget(card, 30)
        middle.addStretch(1)

    def hold(self, acts: QWidget) -> None:
        """Show the page's buttons below the text."""
        self._acts.addWidget(acts)

    def remark(self, drop: str) -> None:
        """What else stands below the buttons."""
        self._drop.setText(drop)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As high as its lines are: a layout inside layouts remembers what they were before."""
        self._inside.invalidate()
        width = min(PAGE_WIDTH, max(self._card.minimumSizeHint().width(), self.width()))
        self._card.setMinimumHeight(self._inside.totalHeightForWidth(width))

    def retranslate(self, words: Words) -> None:
        """Say all texts again."""
        self._title.setText(words.say("What do your agents remember?"))
        self._text.setText(
            words.say(
                "Open the memory of an AI agent to see every record, correct what is wrong, decide "
                "what waits for your approval, and erase for good what must go."
            )
        )
