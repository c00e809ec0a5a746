# SPDX-License-Identifier: MIT
"""The proposals that a bulk act is about, each with what would become of it, to be ticked off."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from memory_gui.domain.records import Ref
from memory_gui.services.reviewing.bulk import Looked
from memory_gui.ui.fonts import grown
from memory_gui.ui.icons import Icon, draw_icon
from memory_gui.ui.names import named
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.review import words as say
from memory_gui.ui.tokens import SPACE_M, SPACE_S, SPACE_XS
from memory_gui.ui.visible import one_line, visible
from memory_gui.ui.widgets import QuietButton, TextLabel
from memory_gui.words import Words

_HEIGHT: Final = 176
_BOX: Final = 16
_TITLE: Final = 80
_ROLES: Final = Qt.ItemDataRole
_Index = QModelIndex | QPersistentModelIndex


class ChoiceModel(QAbstractListModel):
    """One row for each; a tick says that it is meant. GUI thread."""

    ticked = Signal()

    def __init__(self, words: Words, showing: Showing, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = words
        self._showing = showing
        self._rows: tuple[Looked, ...] = ()
        self._off: set[Ref] = set()

    def show_rows(self, rows: tuple[Looked, ...]) -> None:
        """Other proposals; all of them are meant."""
        self.beginResetModel()
        self._rows, self._off = rows, set()
        self.endResetModel()

    @property
    def chosen(self) -> frozenset[Ref]:
        """Those that are meant."""
        return frozenset(one.target.ref for one in self._rows if one.target.ref not in self._off)

    @property
    def off(self) -> frozenset[Ref]:
        """Those that are not."""
        return frozenset(self._off)

    @property
    def numbers(self) -> tuple[int, int]:
        """(meant, all)."""
        return len(self._rows) - len(self._off), len(self._rows)

    def tick_all(self, *, on: bool) -> None:
        """All of them, or none."""
        self._off = set() if on else {one.target.ref for one in self._rows}
        self.say_again()
        self.ticked.emit()

    def say_again(self) -> None:
        """The texts are others: another language, covered, hidden."""
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, 0))

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag
        return flags.ItemIsEnabled | flags.ItemIsSelectable | flags.ItemIsUserCheckable

    def data(self, index: _Index, role: int = _ROLES.DisplayRole) -> Any:
        if not 0 <= index.row() < len(self._rows):
            return None
        one = self._rows[index.row()]
        if role == _ROLES.CheckStateRole:
            states = Qt.CheckState
            return states.Unchecked if one.target.ref in self._off else states.Checked
        if role in {_ROLES.DisplayRole, _ROLES.AccessibleTextRole, _ROLES.ToolTipRole}:
            title = visible(self._showing.line(one_line(one.title, _TITLE)))
            return say.looked(self._words, one, title)
        return None

    def setData(self, index: _Index, value: Any, role: int = _ROLES.EditRole) -> bool:
        if role != _ROLES.CheckStateRole or not 0 <= index.row() < len(self._rows):
            return False
        ref = self._rows[index.row()].target.ref
        if Qt.CheckState(value) == Qt.CheckState.Checked:
            self._off.discard(ref)
        else:
            self._off.add(ref)
        self.dataChanged.emit(index, index, [role])
        self.ticked.emit()
        return True


class _Rows(QStyledItemDelegate):
    """Draws the tick's box as ``CheckBox`` does: Fusion's cannot be seen in the dark."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        width = super().sizeHint(option, index).width()
        return QSize(width, option.fontMetrics.height() + SPACE_S)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        tokens, row = tokens_of(QGuiApplication.palette()), option.rect
        on = Qt.CheckState(index.data(_ROLES.CheckStateRole)) == Qt.CheckState.Checked
        states = QStyle.StateFlag
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & states.State_Selected:
            painter.fillRect(row, QColor(tokens.selected))
        size = min(_BOX, row.height() - 4)
        box = QRectF(row.left() + SPACE_XS, row.center().y() - size / 2 + 0.5, size, size)
        painter.setPen(QPen(QColor(tokens.accent if on else tokens.edge), 1))
        painter.setBrush(QColor(tokens.accent if on else tokens.surface))
        painter.drawRoundedRect(box, 3, 3)
        if on:
            draw_icon(painter, Icon.CHECK, box.adjusted(1, 1, -1, -1), QColor(tokens.on_accent))
        painter.setPen(QColor(tokens.text))
        area = row.adjusted(round(size) + SPACE_M, 0, -SPACE_XS, 0)
        text = option.fontMetrics.elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, area.width()
        )
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), text)
        painter.restore()

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: _Index,
    ) -> bool:
        """Anywhere in the line a click ticks it, and Space does."""
        types, wanted = QEvent.Type, event.type() == QEvent.Type.MouseButtonRelease
        if isinstance(event, QKeyEvent) and event.type() == types.KeyPress:
            wanted = event.key() == Qt.Key.Key_Space
        if not wanted:
            return False
        states = Qt.CheckState
        on = Qt.CheckState(index.data(_ROLES.CheckStateRole)) == states.Checked
        after = states.Unchecked if on else states.Checked
        return model.setData(model.index(index.row(), 0), after, _ROLES.CheckStateRole)


class ChoiceList(QWidget):
    """The list, and over it how many are meant. Space ticks the row that the keyboard is at."""

    changed = Signal()

    def __init__(self, words: Words, showing: Showing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.model = ChoiceModel(words, showing, self)
        self.view = named(QListView(), "review.several.list")
        self.view.setModel(self.model)
        self.view.setItemDelegate(_Rows(self.view))
        self.view.setUniformItemSizes(True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setFixedHeight(grown(_HEIGHT))
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.count = named(TextLabel(tone="muted", wrap=False), "review.several.count")
        self.every = named(QuietButton(), "review.several.all")
        self.none = named(QuietButton(), "review.several.none")
        self.every.clicked.connect(lambda: self.model.tick_all(on=True))
        self.none.clicked.connect(lambda: self.model.tick_all(on=False))
        self.model.ticked.connect(self._on_ticked)
        showing.when_changed(self.model.say_again)
        head = QHBoxLayout()
        head.setSpacing(SPACE_S)
        head.addWidget(self.count)
        head.addStretch(1)
        head.addWidget(self.every)
        head.addWidget(self.none)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_S)
        column.addLayout(head)
        column.addWidget(self.view)
        self.hide()

    @property
    def chosen(self) -> Collection[Ref]:
        """Those that are meant."""
        return self.model.chosen

    @property
    def off(self) -> Collection[Ref]:
        """Those that are not."""
        return self.model.off

    def show_rows(self, rows: tuple[Looked, ...]) -> None:
        """Replace what is listed; hidden while there is nothing."""
        self.model.show_rows(rows)
        self.setVisible(bool(rows))
        self._say_count()

    def retranslate(self) -> None:
        """Say all texts again."""
        words = self._words
        self.every.setText(words.say("All"))
        self.none.setText(words.say("None"))
        self.view.setAccessibleName(words.say("What is meant: space ticks a line"))
        self._say_count()
        self.model.say_again()

    def _on_ticked(self) -> None:
        self._say_count()
        self.changed.emit()

    def _say_count(self) -> None:
        meant, total = self.model.numbers
        self.count.setText(self._words.say("{n} of {total} are meant", n=meant, total=total))
