# SPDX-License-Identifier: MIT
"""The list's model: an array of ids, and a window of records around what is on screen."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
)

from memory_gui.domain.records import Record
from memory_gui.services.library import Library
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.phrases import heading
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.records.listing.rows import BLOCK, fetch_rows
from memory_gui.ui.visible import one_line

BLOCKS_KEPT: Final = 64
RECORD_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The Record of a row, or None while it is on its way or when it is gone."""

Index = QModelIndex | QPersistentModelIndex


class MemoryTableModel(QAbstractTableModel):
    """Rows are listing ids; a record that is not here yet is asked for, never waited for.

    GUI thread only. No proxy, no paging by offset: order and filter come with the ids.
    """

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._showing = Showing(context.words, context.privacy)
        self._ids: array[int] = array("q")
        self._blocks: OrderedDict[int, list[Record | None]] = OrderedDict()
        self._asked: set[int] = set()
        self._wanted: set[int] = set()
        self._handles: list[Handle] = []
        self._generation = 0
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._on_soon_timeout)

    # ---- what the view asks

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == RECORD_ROLE:
            return self.record(index.row())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            record = self.record(index.row())
            words = self._context.words
            return "" if record is None else self._showing.line(heading(words, record))
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            record = self.record(index.row())
            return "" if record is None else one_line(self._showing.line(record.text), 200)
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return self._context.words.say("Memory")
        return None

    # ---- what the page does

    @property
    def ids(self) -> array[int]:
        """The ids in the order of the rows; not to be changed."""
        return self._ids

    def record(self, row: int) -> Record | None:
        """The record of a row if it is here; else it is asked for."""
        block = row // BLOCK
        records = self._blocks.get(block)
        if records is None:
            self._want(block)
            return None
        self._blocks.move_to_end(block)
        place = row % BLOCK
        return records[place] if place < len(records) else None

    def show(self, ids: array[int], blocks: Mapping[int, Sequence[Record | None]]) -> bool:
        """Show another list, of which some blocks are here already; True when rows moved."""
        self._forget_requests()
        if ids == self._ids:
            self._blocks = OrderedDict((n, list(rows)) for n, rows in blocks.items())
            if len(ids):
                self.dataChanged.emit(self.index(0, 0), self.index(len(ids) - 1, 0))
            return False
        self.beginResetModel()
        self._ids = ids
        self._blocks = OrderedDict((n, list(rows)) for n, rows in blocks.items())
        self.endResetModel()
        return True

    def clear(self) -> None:
        """Forget every id and record."""
        self.show(array("q"), {})
        self._blocks.clear()

    def blocks_in_use(self) -> tuple[int, ...]:
        """The blocks that were looked at last, to be fetched again with the next list."""
        return tuple(self._blocks)[-3:]

    # ---- fetching

    def _want(self, block: int) -> None:
        last = max(0, (len(self._ids) - 1) // BLOCK)
        for near in (block, block - 1, block + 1):
            if 0 <= near <= last and near not in self._blocks and near not in self._asked:
                self._wanted.add(near)
        if self._wanted:
            self._soon.start()

    def _on_soon_timeout(self) -> None:
        wanted, self._wanted = sorted(self._wanted), set()
        if not wanted:
            return
        self._asked.update(wanted)
        fetch = _Fetch(self, self._generation, wanted)
        ids = [list(self._ids[n * BLOCK : (n + 1) * BLOCK]) for n in wanted]
        library = self._context.services.library
        self._handles.append(
            self._context.bridge.call(_fetch_all, library, ids, done=fetch.arrived)
        )

    def take(self, generation: int, blocks: Sequence[int], rows: list[list[Record | None]]) -> None:
        """Blocks have come; those of an older list are dropped."""
        if generation != self._generation:
            return
        self._handles = [handle for handle in self._handles if not handle.finished]
        for block, records in zip(blocks, rows, strict=True):
            self._asked.discard(block)
            self._blocks[block] = records
            first = block * BLOCK
            last = min(first + BLOCK, len(self._ids)) - 1
            if first <= last:
                self.dataChanged.emit(self.index(first, 0), self.index(last, 0))
        while len(self._blocks) > BLOCKS_KEPT:
            self._blocks.popitem(last=False)

    def _forget_requests(self) -> None:
        self._generation += 1
        for handle in self._handles:
            handle.cancel()
        self._handles.clear()
        self._asked.clear()
        self._wanted.clear()


class _Fetch:
    """Remembers which blocks of which list were asked for."""

    def __init__(self, model: MemoryTableModel, generation: int, blocks: Sequence[int]) -> None:
        self._model = model
        self._generation = generation
        self._blocks = tuple(blocks)

    def arrived(self, rows: list[list[Record | None]]) -> None:
        """In the GUI thread."""
        self._model.take(self._generation, self._blocks, rows)


def _fetch_all(library: Library, ids: list[list[int]]) -> list[list[Record | None]]:
    return [fetch_rows(library, block) for block in ids]
