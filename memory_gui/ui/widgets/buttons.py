# SPDX-License-Identifier: MIT
"""Buttons in four looks, drawn here: a style sheet cannot see tokens."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QPushButton, QSizePolicy, QWidget

from memory_gui.ui.icons import Icon, draw_icon
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.tokens import (
    CONTROL_HEIGHT,
    FOCUS_WIDTH,
    ICON,
    RADIUS,
    SPACE_M,
    SPACE_S,
    Tokens,
)

DISABLED_OPACITY: Final = 0.55


class Button(QPushButton):
    """A button of the plain look: an outline on the surface."""

    look = "plain"

    def __init__(
        self, text: str = "", icon: Icon | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(text, parent)
        self._icon = icon
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAutoDefault(False)

    def set_icon(self, icon: Icon | None) -> None:
        """Another icon."""
        self._icon = icon
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        width = 2 * SPACE_M + (metrics.horizontalAdvance(self.text()) if self.text() else 0)
        if self._icon:
            width += ICON + (SPACE_S if self.text() else 0)
        return QSize(width + 2, max(CONTROL_HEIGHT, metrics.height() + 2 * SPACE_S - 2))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = tokens_of(QGuiApplication.palette())
        if not self.isEnabled():
            painter.setOpacity(DISABLED_OPACITY)
        fill, edge, ink = _colours(self, self.look, tokens)
        rect = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        painter.setPen(QPen(edge, 1) if edge else Qt.PenStyle.NoPen)
        painter.setBrush(fill or Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, RADIUS, RADIUS)
        draw_focus(painter, self, tokens)
        self._draw_label(painter, ink)
        painter.end()

    def _draw_label(self, painter: QPainter, ink: QColor) -> None:
        metrics = QFontMetrics(self.font())
        text_width = metrics.horizontalAdvance(self.text())
        gap = SPACE_S if self._icon and self.text() else 0
        whole = text_width + gap + (ICON if self._icon else 0)
        x = (self.width() - whole) / 2
        if self._icon:
            draw_icon(painter, self._icon, QRectF(x, (self.height() - ICON) / 2, ICON, ICON), ink)
            x += ICON + gap
        painter.setPen(ink)
        painter.setFont(self.font())
        area = QRectF(x, 0, text_width + 2, self.height())
        flags = (
            Qt.AlignmentFlag.AlignVCenter
            | Qt.AlignmentFlag.AlignLeft
            | Qt.TextFlag.TextShowMnemonic
        )
        painter.drawText(area, int(flags), self.text())


class PrimaryButton(Button):
    """The one act that a page is there for."""

    look = "primary"


class DangerButton(Button):
    """Erase, and nothing else."""

    look = "danger"


class EraseButton(Button):
    """Leads to erasing; the loud button stands where it is done."""

    look = "erase"


class QuietButton(Button):
    """An act that shows no outline until it is pointed at."""

    look = "quiet"


class IconButton(QuietButton):
    """An icon alone. ``spoken`` is its name for those who do not see it, and its tooltip."""

    def __init__(self, icon: Icon, spoken: str = "", parent: QWidget | None = None) -> None:
        super().__init__("", icon, parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_spoken(spoken)

    def set_spoken(self, spoken: str) -> None:
        """The name and tooltip."""
        self.setAccessibleName(spoken)
        self.setToolTip(spoken)

    def sizeHint(self) -> QSize:
        return QSize(CONTROL_HEIGHT + 2, CONTROL_HEIGHT)


def draw_focus(painter: QPainter, widget: QAbstractButton, tokens: Tokens) -> None:
    """A ring around the widget that the keyboard speaks to."""
    if not widget.hasFocus():
        return
    painter.setPen(QPen(QColor(tokens.focus), FOCUS_WIDTH))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    ring = QRectF(widget.rect()).adjusted(1, 1, -1, -1)
    painter.drawRoundedRect(ring, RADIUS, RADIUS)
    if getattr(widget, "look", "") in ("primary", "danger"):  # the ring has the button's own colour
        painter.setPen(QPen(QColor(tokens.surface), 1))
        painter.drawRoundedRect(ring.adjusted(2, 2, -2, -2), RADIUS - 2, RADIUS - 2)


def _colours(
    button: QAbstractButton, look: str, tokens: Tokens
) -> tuple[QColor | None, QColor | None, QColor]:
    pointed = button.underMouse() and button.isEnabled()
    pressed = button.isDown() or button.isChecked()
    if look in ("primary", "danger"):
        loud = QColor(tokens.accent if look == "primary" else tokens.danger)
        ink = QColor(tokens.on_accent if look == "primary" else tokens.on_danger)
        shade = loud.darker(112) if pressed else loud.darker(106) if pointed else loud
        return shade, None, ink
    ink = QColor(tokens.danger if look == "erase" else tokens.text)
    if look == "quiet":
        return (QColor(tokens.hover) if pointed or pressed else None), None, ink
    fill = QColor(tokens.hover if pointed or pressed else tokens.control)
    return fill, QColor(tokens.edge if pointed or tokens.dark else tokens.line).darker(108), ink
