# SPDX-License-Identifier: MIT
"""Where a person is in the list: selection and scroll, found again in a new list."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QItemSelectionModel, QPoint

from memory_gui.ui.records.listing.table import MemoryTable


@dataclass(frozen=True, slots=True)
class Place:
    """By listing ids, which stay the same while a store is open."""

    current: int | None
    row: int
    top: int | None
    offset: int
    """Pixels of the topmost row that are scrolled out of sight."""

    @classmethod
    def of(cls, table: MemoryTable, ids: array[int]) -> Place:
        """As it is now."""
        index, top = table.currentIndex(), table.indexAt(QPoint(1, 1))
        value = table.verticalScrollBar().value()
        return cls(
            current=ids[index.row()] if index.isValid() else None,
            row=index.row(),
            top=ids[top.row()] if top.isValid() else None,
            offset=value - top.row() * table.row_height if top.isValid() else 0,
        )

    @property
    def anchors(self) -> tuple[int, ...]:
        """The ids whose new rows must be known."""
        named = (self.current, self.top)
        return tuple(dict.fromkeys(number for number in named if number is not None))

    def restore(
        self,
        table: MemoryTable,
        places: Mapping[int, int],
        chosen: Sequence[tuple[int, int]],
        *,
        stay: bool,
    ) -> None:
        """Select and scroll as before. ``stay``: when the current one left, take its neighbour."""
        count = table.model().rowCount()
        current = places.get(self.current) if self.current is not None else None
        if not chosen and current is None and stay and self.current is not None and count:
            current = min(self.row, count - 1)
            chosen = [(current, current)]
        if chosen:
            table.select_ranges(chosen)
        if current is not None:
            flags = QItemSelectionModel.SelectionFlag
            table.selectionModel().setCurrentIndex(table.model().index(current, 0), flags.NoUpdate)
        if self.top is not None and self.top in places:
            table.verticalScrollBar().setValue(places[self.top] * table.row_height + self.offset)
        elif current is not None:
            table.scrollTo(table.model().index(current, 0))
