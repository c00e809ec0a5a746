# SPDX-License-Identifier: MIT
"""The list's model: an array of ids, and a window of records around what is on screen."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Record
from memory_gui.services.library.library import Library
from memory_gui.ui.context import Context
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.phrases import heading
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.records.listing.rows import BLOCK, fetch_rows
from memory_gui.ui.visible import one_line

BLOCKS_KEPT: Final = 64
RECORD_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The Record of a row, or None while it is on its way or when it is gone."""
SAID_ROLE: Final = Qt.ItemDataRole.UserRole + 2
"""Where a row cannot be shown (whole) now: what it says instead, in one or two lines."""

Index = QModelIndex | QPersistentModelIndex


class MemoryTableModel(QAbstractTableModel):
    """Rows are listing ids; a record that is not here yet is asked for, never waited for.

    GUI thread only. No proxy, no paging by offset: order and filter come with the ids.
    """

    failed = Signal(object)
    """A UserError or IntegrityError of rows that could not be read."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._asking = Asking(context.bridge)
        self._showing = Showing(context.words, context.privacy)
        self._ids: array[int] = array("q")
        self._blocks: OrderedDict[int, list[Record | None]] = OrderedDict()
        self._asked: set[int] = set()
        self._lacking: set[int] = set()
        """Blocks that could not be read, or not all of them: only ``ask_again`` tries once more."""
        self._wanted: set[int] = set()
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
        if role == SAID_ROLE:
            return self._said(index.row())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._title(index.row())
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return self._text(index.row())
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

    def _title(self, row: int) -> str:
        record = self.record(row)
        if record is None:
            return "".join(self._said(row)[:1])
        return self._showing.line(heading(self._context.words, record))

    def _text(self, row: int) -> str:
        record, said = self.record(row), self._said(row)
        if said or record is None:
            return "".join(said[-1:])
        return one_line(self._showing.line(record.text), 200)

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

    def ask_again(self, first: int, last: int) -> None:
        """Somebody looks at these rows: try once more what of them could not be read."""
        seen = range(first // BLOCK, last // BLOCK + 1)
        if wanted := self._lacking.intersection(seen) - self._asked:
            self._wanted |= wanted
            self._soon.start()

    def _said(self, row: int) -> tuple[str, ...]:
        """What a row says that could not be read (whole); nothing of any other."""
        block = row // BLOCK
        if block not in self._lacking:
            return ()
        say, records = self._context.words.say, self._blocks.get(block)
        if records is None:
            again = say("It is tried again when you scroll or search.")
            return (say("This could not be read"), again)
        record = records[row % BLOCK] if row % BLOCK < len(records) else None
        return (say("Waiting for its store…"),) if record is not None and record.pale else ()

    def show(self, ids: array[int], blocks: Mapping[int, Sequence[Record | None]]) -> bool:
        """Show another list, of which some blocks are here already; True when rows moved."""
        self._forget_requests()
        if ids == self._ids:
            self._take_blocks(blocks)
            if len(ids):
                self.dataChanged.emit(self.index(0, 0), self.index(len(ids) - 1, 0))
            return False
        self.beginResetModel()
        self._ids = ids
        self._take_blocks(blocks)
        self.endResetModel()
        return True

    def _take_blocks(self, blocks: Mapping[int, Sequence[Record | None]]) -> None:
        self._blocks = OrderedDict((n, list(rows)) for n, rows in blocks.items())
        self._lacking = {n for n, rows in blocks.items() if _any_pale(rows)}

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
            known = near in self._blocks or near in self._asked or near in self._lacking
            if 0 <= near <= last and not known:
                self._wanted.add(near)
        if self._wanted:
            self._soon.start()

    def _on_soon_timeout(self) -> None:
        wanted, self._wanted = sorted(self._wanted), set()
        if not wanted:
            return
        self._asked.update(wanted)
        ids = [list(self._ids[n * BLOCK : (n + 1) * BLOCK]) for n in wanted]
        self._asking.ask(
            _fetch_all,
            self._context.services.library,
            ids,
            done=partial(self._take, wanted),
            failed=partial(self._on_failed, wanted),
            broke=partial(self._lose, wanted),
        )

    def _take(self, blocks: Sequence[int], rows: list[list[Record | None]]) -> None:
        for block, records in zip(blocks, rows, strict=True):
            self._asked.discard(block)
            self._blocks[block] = records
            (self._lacking.add if _any_pale(records) else self._lacking.discard)(block)
            self._tell_changed(block)
        while len(self._blocks) > BLOCKS_KEPT:
            gone, _ = self._blocks.popitem(last=False)
            self._lacking.discard(gone)

    def _on_failed(self, blocks: Sequence[int], error: UserError | IntegrityError) -> None:
        """The rows say that they were not read; the window says why."""
        self._lose(blocks)
        self.failed.emit(error)

    def _lose(self, blocks: Sequence[int]) -> None:
        self._asked.difference_update(blocks)
        self._lacking.update(blocks)
        for block in blocks:
            self._tell_changed(block)

    def _tell_changed(self, block: int) -> None:
        first = block * BLOCK
        last = min(first + BLOCK, len(self._ids)) - 1
        if first <= last:
            self.dataChanged.emit(self.index(first, 0), self.index(last, 0))

    def _forget_requests(self) -> None:
        self._asking.drop()
        self._asked.clear()
        self._wanted.clear()


def _fetch_all(library: Library, ids: list[list[int]]) -> list[list[Record | None]]:
    return [fetch_rows(library, block) for block in ids]


def _any_pale(rows: Sequence[Record | None]) -> bool:
    return any(row is not None and row.pale for row in rows)
