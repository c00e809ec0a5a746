# SPDX-License-Identifier: MIT
"""The box of Ctrl+K: type a few letters, choose with the arrows, Return does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFocusEvent,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from memory_gui.ui.fonts import small_font
from memory_gui.ui.icons import Icon, draw_icon, icon, icon_px
from memory_gui.ui.names import named
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.shell.quick.entries import Entry
from memory_gui.ui.shell.quick.matching import found
from memory_gui.ui.tokens import CONTROL_HEIGHT, RADIUS, SPACE_M, SPACE_S, SPACE_XL
from memory_gui.ui.widgets import Caption, Panel
from memory_gui.ui.widgets.ownrows import OwnRows
from memory_gui.words import Words

_WIDTH: Final = 560
_ROWS: Final = 10
_STEPS: Final = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: _ROWS,
    Qt.Key.Key_PageUp: -_ROWS,
}
_AT_RIGHT: Final = 0.6
"""Of a row what its keys, or what it is, take at most."""
_ENTRY: Final = Qt.ItemDataRole.UserRole


class _RowLook(QStyledItemDelegate):
    """An icon, the name, at the right its keys or what it is."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        line = QFontMetrics(option.font).height()
        return QSize(0, max(CONTROL_HEIGHT, line + 2 * SPACE_S - 2) + 2)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        entry = index.data(_ENTRY)
        tokens = tokens_of(QGuiApplication.palette())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect).adjusted(SPACE_S, 1, -SPACE_S, -1)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.selected))
            painter.drawRoundedRect(rect, RADIUS, RADIUS)
        mark = QRectF(
            rect.left() + SPACE_S, rect.center().y() - icon_px() / 2, icon_px(), icon_px()
        )
        draw_icon(painter, entry.icon, mark, QColor(tokens.muted))
        small = small_font(option.font)
        at_right = QFontMetrics(small).elidedText(
            entry.keys or entry.group, Qt.TextElideMode.ElideRight, int(rect.width() * _AT_RIGHT)
        )
        width = QFontMetrics(small).horizontalAdvance(at_right) + 2
        middle = Qt.AlignmentFlag.AlignVCenter
        place = rect.adjusted(0, 0, -SPACE_S, 0)
        painter.setFont(small)
        painter.setPen(QColor(tokens.muted))
        painter.drawText(place, int(middle | Qt.AlignmentFlag.AlignRight), at_right)
        place = rect.adjusted(2 * SPACE_S + icon_px(), 0, -width - 2 * SPACE_S, 0)
        painter.setFont(option.font)
        painter.setPen(QColor(tokens.muted if entry.refused else tokens.text))
        text = QFontMetrics(option.font).elidedText(
            entry.text, Qt.TextElideMode.ElideRight, int(place.width())
        )
        painter.drawText(place, int(middle | Qt.AlignmentFlag.AlignLeft), text)
        painter.restore()


class _Line(QLineEdit):
    """Hands on the keys that choose, and tells when the keyboard leaves."""

    stepped = Signal(int)
    done = Signal()
    given_up = Signal()
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.stepped.emit(_STEPS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.done.emit()
        elif key == Qt.Key.Key_Escape:
            self.given_up.emit()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, following: bool) -> bool:
        self.stepped.emit(1 if following else -1)
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        away = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
        if event.reason() not in away:
            self.left.emit()


class QuickBox(Panel):
    """Lies over the window. ``entries`` is asked each time it opens; GUI thread."""

    def __init__(
        self, words: Words, entries: Callable[[], Sequence[Entry]], parent: QWidget
    ) -> None:
        super().__init__(parent, tone="surface", outline="edge")
        named(self, "quick")
        self._words = words
        self._make = entries
        self._entries: Sequence[Entry] = ()
        self._before: QWidget | None = None
        self._line = named(_Line(), "quick.line")
        self._line.addAction(icon(Icon.SEARCH, "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self._list = named(OwnRows(), "quick.list")
        self._list.setItemDelegate(_RowLook(self._list))
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._nothing = named(Caption(), "quick.nothing")
        self._over = parent
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        self._column.setSpacing(SPACE_S)
        for widget in (self._line, self._list, self._nothing):
            self._column.addWidget(widget)
        self._line.textChanged.connect(self._on_text_changed)
        self._line.stepped.connect(self._step)
        self._line.done.connect(self._run)
        self._line.given_up.connect(self.close_box)
        self._line.left.connect(self._on_left)
        self._list.clicked.connect(self._run)
        self._list.currentRowChanged.connect(self._on_current_changed)
        self.hide()

    def toggle(self) -> None:
        """Open it, or close it when it is open."""
        if self.isVisible():
            self.close_box()
            return
        self._before = QApplication.focusWidget()
        self._line.clear()
        self.refresh()
        self.place()
        self.show()
        self.raise_()
        self._line.setFocus(Qt.FocusReason.PopupFocusReason)

    def refresh(self) -> None:
        """Make the list anew; what is typed and chosen stays."""
        chosen = self._chosen()
        self._entries = self._make()
        self._fill(self._line.text(), chosen.text if chosen is not None else "")

    def close_box(self) -> None:
        """Go away, the keyboard back to where it was."""
        if self.isVisible():
            self.hide()
            if self._before is not None:
                self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self.clear()

    def clear(self) -> None:
        """Forget every name."""
        self.hide()
        self._before = None
        self._entries = ()
        self._list.empty()
        self._line.setText("")

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._line.setPlaceholderText(say("Do, go to, open… in English or Chinese"))
        self._line.setAccessibleName(say("Commands"))
        self._list.setAccessibleName(say("Commands"))
        self._nothing.setText(say("Nothing is called that."))
        if self.isVisible():
            self.refresh()

    def place(self) -> None:
        """In the middle above, as large as the window lets it be."""
        area = self._over.rect()
        width = min(_WIDTH, area.width() - 2 * SPACE_XL)
        rows = min(_ROWS, max(1, self._list.count()))
        self._list.setFixedHeight(rows * max(1, self._list.sizeHintForRow(0)) + 2)
        height = min(self._column.sizeHint().height(), area.height() - 2 * SPACE_XL)
        self.setGeometry((area.width() - width) // 2, 2 * SPACE_XL, width, height)

    # ---- choosing

    def _fill(self, typed: str, chosen: str = "") -> None:
        self._list.empty()
        places = found(typed, [entry.found_by for entry in self._entries])
        for place in places:
            entry = self._entries[place]
            spoken = entry.spoken(self._words)
            self._list.add({_ENTRY: entry, Qt.ItemDataRole.AccessibleTextRole: spoken})
        texts = [self._entries[place].text for place in places]
        self._list.setCurrentRow(texts.index(chosen) if chosen in texts else 0)
        self._list.setVisible(bool(places))
        self._nothing.setVisible(not places)
        self.place()

    def _chosen(self) -> Entry | None:
        entry = self._list.currentIndex().data(_ENTRY)
        return entry if isinstance(entry, Entry) else None

    def _run(self) -> None:
        entry = self._chosen()
        if entry is not None:
            self.close_box()
            entry.run()

    def _on_text_changed(self, text: str) -> None:
        self._fill(text)

    def _on_current_changed(self, row: int) -> None:
        """The keyboard stays in the line, so a screen reader is told what is chosen."""
        if row < 0 or not self._line.hasFocus():
            return
        say = self._words.say
        text = say(
            "{name}, {row} of {rows}",
            name=self._list.value(row, Qt.ItemDataRole.AccessibleTextRole),
            row=row + 1,
            rows=self._list.count(),
        )
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._line, text))

    def _on_left(self) -> None:
        if self.isVisible():
            self.clear()

    def _step(self, by: int) -> None:
        count = self._list.count()
        if not count:
            return
        row = self._list.currentRow() + by
        if abs(by) == 1:
            row %= count
        self._list.setCurrentRow(max(0, min(count - 1, row)))
