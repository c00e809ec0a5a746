# SPDX-License-Identifier: MIT
"""A combo box whose arrow can be seen: a style sheet takes Fusion’s away, and tints no other."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from memory_gui.ui.icons import Icon, draw_icon, icon_px
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.tokens import CONTROL_HEIGHT, FOCUS_WIDTH, RADIUS, SPACE_M, SPACE_S
from memory_gui.ui.widgets.buttons import DISABLED_OPACITY


class _Rows(QStyledItemDelegate):
    """Rows as high as a menu’s, whatever script they are written in."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(hint.width(), max(hint.height(), CONTROL_HEIGHT - 2))


class Choice(QComboBox):
    """One of several values."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dressed = False
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        # Qt's own way to follow the contents makes the popup at once, 10 ms for each of them.
        model = self.model()
        for changed in (model.rowsInserted, model.rowsRemoved, model.dataChanged):
            changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        texts = [self.itemText(row) for row in range(self.count())] or [""]
        width = max(metrics.horizontalAdvance(text) for text in texts)
        height = max(CONTROL_HEIGHT, metrics.height() + 2 * SPACE_S - 2)
        return QSize(width + 2 * SPACE_M + icon_px() + SPACE_S, height)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(96, self.sizeHint().width()), self.sizeHint().height())

    def showPopup(self) -> None:  # noqa: N802 - Qt's name
        if not self._dressed:
            self._dressed = True
            self.setItemDelegate(_Rows(self))
        super().showPopup()
        self._show_all_rows()

    def _show_all_rows(self) -> None:
        """Qt counts neither the border nor the higher lines of another script into the list."""
        view = self.view()
        popup, bar = view.parentWidget(), view.verticalScrollBar()
        if self.count() > self.maxVisibleItems() or popup is None:
            return
        wanted = sum(view.sizeHintForRow(row) for row in range(self.count()))
        missing = wanted - view.viewport().height()
        if missing > 0:
            place, screen = popup.geometry(), popup.screen().availableGeometry()
            place.setHeight(place.height() + missing)
            if place.bottom() > screen.bottom():
                place.moveTop(max(screen.top(), screen.bottom() - place.height() + 1))
            popup.setGeometry(place)
        bar.setValue(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = tokens_of(QGuiApplication.palette())
        if not self.isEnabled():
            painter.setOpacity(DISABLED_OPACITY)
        rect = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        pointed = self.underMouse() and self.isEnabled()
        painter.setPen(QPen(QColor(tokens.edge), 1))
        painter.setBrush(QColor(tokens.hover if pointed else tokens.control))
        painter.drawRoundedRect(rect, RADIUS, RADIUS)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(tokens.focus), FOCUS_WIDTH))
            painter.drawRoundedRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5), RADIUS, RADIUS)
        arrow = QRectF(
            rect.right() - SPACE_S - icon_px(),
            (self.height() - icon_px()) / 2,
            icon_px(),
            icon_px(),
        )
        draw_icon(painter, Icon.DOWN, arrow, QColor(tokens.muted))
        area = rect.adjusted(SPACE_M - 2, 0, -(icon_px() + SPACE_M), 0)
        painter.setPen(QColor(tokens.text))
        shown = QFontMetrics(self.font()).elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, int(area.width())
        )
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(area, int(flags), shown)
        painter.end()
