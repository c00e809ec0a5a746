# SPDX-License-Identifier: MIT
"""Buttons in four looks, drawn here: a style sheet cannot see tokens."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from memory_gui.ui.icons import Icon, draw_icon, icon_px
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.tokens import (
    CONTROL_HEIGHT,
    FOCUS_WIDTH,
    RADIUS,
    SPACE_M,
    SPACE_S,
    Tokens,
)

DISABLED_OPACITY: Final = 0.55


class Button(QPushButton):
    """A button of the plain look: an outline on the surface."""

    look = "plain"
    icon_after = False
    """Whether the icon stands behind the text."""

    def __init__(
        self, text: str = "", icon: Icon | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(text, parent)
        self._icon = icon
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAutoDefault(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return presses what is focused, as Space does; held down it presses once."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        pad = Qt.KeyboardModifier.KeypadModifier
        if not enter or event.modifiers() not in (Qt.KeyboardModifier.NoModifier, pad):
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.click()

    def set_icon(self, icon: Icon | None) -> None:
        """Another icon."""
        self._icon = icon
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        width = 2 * SPACE_M + (metrics.horizontalAdvance(self.text()) if self.text() else 0)
        if self._icon:
            width += icon_px() + (SPACE_S if self.text() else 0)
        return QSize(width + 2, max(CONTROL_HEIGHT, metrics.height() + 2 * SPACE_S - 2))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        _paint(self, self.look, self._icon)


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
        edge = max(CONTROL_HEIGHT, icon_px() + 2 * SPACE_S - 2)
        return QSize(edge + 2, edge)


class MenuButton(QToolButton):
    """An icon alone that opens a menu; looks like an IconButton.

    Qt shows the entries of a button's menu to screen readers only for this class in this mode.
    """

    look = "quiet"

    def __init__(self, icon: Icon, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.clicked.connect(self._on_clicked)

    def set_spoken(self, spoken: str) -> None:
        """The name and tooltip."""
        self.setAccessibleName(spoken)
        self.setToolTip(spoken)

    def sizeHint(self) -> QSize:
        edge = max(CONTROL_HEIGHT, icon_px() + 2 * SPACE_S - 2)
        return QSize(edge + 2, edge)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # Not QToolButton's own: under its right edge, where no arrow is drawn, it opens the menu.
        QAbstractButton.mousePressEvent(self, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        _paint(self, self.look, self._icon)

    def _on_clicked(self) -> None:
        menu: QMenu | None = self.menu()
        if menu is not None:
            corner = self.mapToGlobal(self.rect().bottomRight())
            corner.setX(corner.x() - menu.sizeHint().width())
            menu.popup(corner)


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


def _paint(button: QAbstractButton, look: str, icon: Icon | None) -> None:
    painter = QPainter(button)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    tokens = tokens_of(QGuiApplication.palette())
    if not button.isEnabled():
        painter.setOpacity(DISABLED_OPACITY)
    fill, edge, ink = _colours(button, look, tokens)
    rect = QRectF(button.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
    painter.setPen(QPen(edge, 1) if edge else Qt.PenStyle.NoPen)
    painter.setBrush(fill or Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect, RADIUS, RADIUS)
    draw_focus(painter, button, tokens)
    _draw_label(painter, button, icon, ink)
    painter.end()


def _draw_label(painter: QPainter, button: QAbstractButton, icon: Icon | None, ink: QColor) -> None:
    metrics = QFontMetrics(button.font())
    text = button.text()
    text_width = metrics.horizontalAdvance(text)
    gap = SPACE_S if icon and text else 0
    x = (button.width() - text_width - gap - (icon_px() if icon else 0)) / 2
    if icon:
        after = text_width + gap if getattr(button, "icon_after", False) else 0
        place = QRectF(x + after, (button.height() - icon_px()) / 2, icon_px(), icon_px())
        draw_icon(painter, icon, place, ink)
        x += 0 if after else icon_px() + gap
    painter.setPen(ink)
    painter.setFont(button.font())
    area = QRectF(x, 0, text_width + 2, button.height())
    flags = (
        Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextShowMnemonic
    )
    painter.drawText(area, int(flags), text)


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
