# SPDX-License-Identifier: MIT
"""Two buttons: one hides all texts and says so, one shows secrets as long as it is held."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QGuiApplication,
    QHideEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QWidget

from memory_gui.ui.icons import Icon, draw_icon, icon_px
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.privacy.hiding import Hiding
from memory_gui.ui.tokens import CONTROL_HEIGHT, RADIUS, SPACE_M, SPACE_S
from memory_gui.ui.widgets.buttons import Button, IconButton, draw_focus
from memory_gui.words import Words

HIDE_KEYS: Final = "Ctrl+Shift+H"


class HideButton(IconButton):
    """An eye in the top bar; while texts are hidden a loud plate that says so."""

    def __init__(self, words: Words, hiding: Hiding, parent: QWidget | None = None) -> None:
        super().__init__(Icon.SHOWN, "", parent)
        self._words = words
        self._hiding = hiding
        self.setCheckable(True)
        self.clicked.connect(hiding.toggle)
        hiding.changed.connect(self.retranslate)
        self.retranslate()

    def retranslate(self) -> None:
        """Say what it does, and what is the case."""
        say, hidden = self._words.say, self._hiding.hidden
        self.setChecked(hidden)
        self.set_icon(Icon.HIDDEN if hidden else Icon.SHOWN)
        self._sign = say("Texts hidden") if hidden else ""
        name = say("Show the texts again") if hidden else say("Hide all texts")
        self.set_spoken(name)
        keys = say("{act} ({keys})", act=name, keys=HIDE_KEYS)
        self.setToolTip(keys)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        if not self._sign:
            return hint
        wide = QFontMetrics(self.font()).horizontalAdvance(self._sign)
        return QSize(icon_px() + SPACE_S + wide + 2 * SPACE_M, CONTROL_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._sign:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = tokens_of(QGuiApplication.palette())
        ink = QColor(tokens.warn)
        painter.setPen(ink)
        painter.setBrush(QColor(tokens.warn_soft))
        plate = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        painter.drawRoundedRect(plate, RADIUS, RADIUS)
        top = (self.height() - icon_px()) / 2
        draw_icon(painter, Icon.HIDDEN, QRectF(SPACE_M, top, icon_px(), icon_px()), ink)
        painter.setFont(self.font())
        painter.setPen(ink)
        left = SPACE_M + icon_px() + SPACE_S
        area = QRectF(left, 0, self.width() - left, self.height())
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(area, int(flags), self._sign)
        draw_focus(painter, self, tokens)
        painter.end()


class HoldButton(Button):
    """Says True when it is held down (mouse, or Space), False as soon as it is not any more.

    Losing the focus, the window or its place ends it too.
    """

    held = Signal(bool)

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, Icon.SHOWN, parent)
        self._on = False
        self.pressed.connect(self._begin)
        self.released.connect(self.end)

    def _begin(self) -> None:
        if not self._on:
            self._on = True
            self.held.emit(True)

    def end(self) -> None:
        """It is not held any more."""
        if self._on:
            self._on = False
            self.setDown(False)
            self.held.emit(False)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.end()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.ActivationChange, QEvent.Type.EnabledChange):
            self.end()
