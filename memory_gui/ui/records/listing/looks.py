# SPDX-License-Identifier: MIT
"""How the list looks: its order, one or two lines a row, the filters beside it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from memory_gui.ui.records.facets.narrowing import Narrowing
from memory_gui.ui.records.listing.delegate import MemoryDelegate
from memory_gui.ui.records.listing.head import ListHead
from memory_gui.ui.records.listing.searching import Searching
from memory_gui.ui.records.listing.table import MemoryTable


class ListLooks(QObject):
    """Wears what the settings say, and tells what a person chose instead. GUI thread."""

    changed = Signal(str, object)
    """What a person chose, by the name of its setting."""
    order_changed = Signal()
    """It is to be listed anew."""

    def __init__(
        self,
        head: ListHead,
        table: MemoryTable,
        delegate: MemoryDelegate,
        narrowing: Narrowing,
        searching: Searching,
    ) -> None:
        super().__init__(head)
        self._head = head
        self._table = table
        self._delegate = delegate
        self._narrowing = narrowing
        self._searching = searching
        head.order_changed.connect(self._on_order_changed)
        head.filters_toggled.connect(self._on_filters_toggled)
        head.density_toggled.connect(self._on_density_toggled)

    def wear(self, order: str, *, compact: bool, filters: bool) -> None:
        """As the settings say."""
        changed = order != self._head.sort
        self._head.show_order(order)
        self.show_density(compact=compact)
        self._head.show_filters(shown=filters)
        if changed:
            self.order_changed.emit()

    def toggle_filters(self) -> None:
        """Show the filters and give them the keyboard, or hide them."""
        shown = not self._narrowing.shown
        self._head.show_filters(shown=shown)
        (self._narrowing.panel if shown else self._table).setFocus()

    def show_density(self, *, compact: bool) -> None:
        """One line a row, or two."""
        self._delegate.compact = compact
        self._head.show_density(compact=compact)
        self._table.set_row_height(self._delegate.row_height)
        self._table.viewport().update()

    def _on_order_changed(self, order: str) -> None:
        self.changed.emit("list_order", order)
        self.order_changed.emit()

    def _on_filters_toggled(self, shown: bool) -> None:
        self._narrowing.show(shown=shown)
        self.changed.emit("filters_shown", shown)
        if shown:
            self._narrowing.look(self._searching.query)

    def _on_density_toggled(self) -> None:
        self.show_density(compact=not self._delegate.compact)
        self.changed.emit("density", "compact" if self._delegate.compact else "comfortable")
