# SPDX-License-Identifier: MIT
"""Where a person is in the list: selection and scroll, found again in a new list."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint

from memory_gui.ui.records.listing.delegate import ROW_HEIGHT
from memory_gui.ui.records.listing.table import MemoryTable

MOST_SELECTED: Final = 500
"""Up to so many selected rows are found again."""


@dataclass(frozen=True, slots=True)
class Place:
    """By listing ids, which stay the same while a store is open."""

    current: int | None
    row: int
    selected: tuple[int, ...]
    top: int | None
    offset: int
    """Pixels of the topmost row that are scrolled out of sight."""

    @classmethod
    def of(cls, table: MemoryTable, ids: array[int]) -> Place:
        """As it is now."""
        index, top = table.currentIndex(), table.indexAt(QPoint(1, 1))
        few = table.selected_count() <= MOST_SELECTED
        selected = [n for a, b in table.selected_rows() for n in ids[a : b + 1]] if few else []
        value = table.verticalScrollBar().value()
        return cls(
            current=ids[index.row()] if index.isValid() else None,
            row=index.row(),
            selected=tuple(selected),
            top=ids[top.row()] if top.isValid() else None,
            offset=value - top.row() * ROW_HEIGHT if top.isValid() else 0,
        )

    @property
    def anchors(self) -> tuple[int, ...]:
        """The ids whose new rows must be known."""
        named = (self.current, self.top, *self.selected)
        return tuple(dict.fromkeys(number for number in named if number is not None))

    def restore(self, table: MemoryTable, places: Mapping[int, int], *, stay: bool) -> None:
        """Select and scroll as before. ``stay``: when the current one left, take its neighbour."""
        rows = [places[number] for number in self.selected if number in places]
        count = table.model().rowCount()
        current = places.get(self.current) if self.current is not None else None
        if not rows and current is None and stay and self.current is not None and count:
            current = min(self.row, count - 1)
            rows = [current]
        flags = QItemSelectionModel.SelectionFlag
        if rows:
            selection = QItemSelection()
            for row in rows:
                index = table.model().index(row, 0)
                selection.select(index, index)
            table.selectionModel().select(selection, flags.ClearAndSelect | flags.Rows)
        if current is not None:
            table.selectionModel().setCurrentIndex(table.model().index(current, 0), flags.NoUpdate)
        if self.top is not None and self.top in places:
            table.verticalScrollBar().setValue(places[self.top] * ROW_HEIGHT + self.offset)
        elif current is not None:
            table.scrollTo(table.model().index(current, 0))
