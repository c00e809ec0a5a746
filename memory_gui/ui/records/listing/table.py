# SPDX-License-Identifier: MIT
"""The list itself: a table with one column, drawn by a delegate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from memory_gui.ui.records.listing.delegate import MemoryDelegate

_TOLD: Final = 1_000
"""Of more rows that are chosen at once screen readers are told by the bar of what is chosen."""


class MemoryTable(QTableView):
    """Selects whole rows, several with Shift and Ctrl. Never list its ``selectedRows()``.

    With a million rows ``selectedRows()`` takes seconds, and so does a header that shares the
    view's selection model: it asks ``isColumnSelected``, which walks every row.
    """

    activated_row = Signal(int)
    menu_wanted = Signal(object)

    def __init__(self, delegate: MemoryDelegate, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setItemDelegate(delegate)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        self._rows_as_delegate(delegate)
        header = self.horizontalHeader()
        header.hide()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)

    def setModel(self, model: QAbstractItemModel | None) -> None:  # noqa: N802 - Qt's name
        super().setModel(model)
        if model is not None:
            header = self.horizontalHeader()
            header.setSelectionModel(QItemSelectionModel(model, header))

    def letters_changed(self) -> None:
        """Rows are as high as their letters."""
        delegate = self.itemDelegate()
        if isinstance(delegate, MemoryDelegate):
            self._rows_as_delegate(delegate)

    def _rows_as_delegate(self, delegate: MemoryDelegate) -> None:
        self.set_row_height(delegate.row_height)

    @property
    def row_height(self) -> int:
        """Of each row, in pixels."""
        return int(self.verticalHeader().defaultSectionSize())

    def set_row_height(self, height: int) -> None:
        """Of each row, in pixels; the topmost one stays."""
        top = self.indexAt(QPoint(1, 1)).row()
        self.verticalHeader().setDefaultSectionSize(height)
        if top > 0:
            self.verticalScrollBar().setValue(top * height)

    def select_ranges(self, ranges: Iterable[tuple[int, int]]) -> None:
        """Select these rows (first, last), and no other."""
        flags, model = QItemSelectionModel.SelectionFlag, self.model()
        selection = QItemSelection()
        for first, last in ranges:
            selection.select(model.index(first, 0), model.index(last, 0))
        self.selectionModel().select(selection, flags.ClearAndSelect | flags.Rows)

    def selectionChanged(  # noqa: N802 - Qt's name
        self, selected: QItemSelection, deselected: QItemSelection
    ) -> None:
        """Of a few rows screen readers are told: Qt makes an index of each one for that."""
        if _rows_of(selected) + _rows_of(deselected) <= _TOLD:
            super().selectionChanged(selected, deselected)
        else:
            self.viewport().update()

    def selected_rows(self) -> Iterator[tuple[int, int]]:
        """The selection as (first, last) ranges."""
        selection = self.selectionModel().selection()
        for number in range(selection.size()):
            part = selection.at(number)
            yield part.top(), part.bottom()

    def selected_count(self) -> int:
        """How many rows are selected."""
        return _rows_of(self.selectionModel().selection())

    def rows_in_sight(self) -> tuple[int, int]:
        """The first and the last one that are seen."""
        first = self.verticalScrollBar().value() // self.row_height
        return first, first + self.viewport().height() // self.row_height + 1

    def go_to(self, row: int) -> None:
        """Make a row the current and only selected one, and scroll it into sight."""
        index = self.model().index(row, 0)
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.scrollTo(index)

    def moveCursor(  # noqa: N802 - Qt's name
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Home and End go to the first and the last row; a table's go along its one row."""
        if action in (self.CursorAction.MoveHome, self.CursorAction.MoveEnd):
            modifiers |= Qt.KeyboardModifier.ControlModifier
        return super().moveCursor(action, modifiers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.activated_row.emit(self.currentIndex().row())
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.indexAt(event.pos()).isValid() or self.selectionModel().hasSelection():
            self.menu_wanted.emit(event.globalPos())


def _rows_of(selection: QItemSelection) -> int:
    """How many rows a selection has."""
    return sum(selection.at(number).height() for number in range(selection.size()))
