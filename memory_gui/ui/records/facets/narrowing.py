# SPDX-License-Identifier: MIT
"""Filters as one thing: the panel beside the list, the chips above it, and the counting."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.domain.queries import Facet, Query
from memory_gui.ui.context import Context
from memory_gui.ui.fonts import grown
from memory_gui.ui.names import named
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.records.facets.chips import Chips
from memory_gui.ui.records.facets.counting import Counting
from memory_gui.ui.records.facets.panel import WIDTH, FacetPanel
from memory_gui.ui.records.facets.saved import SavedSearches
from memory_gui.ui.widgets import Rule


class _Side(QWidget):
    """As wide as a value and its count are, at the size of letters that is worn."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(grown(WIDTH))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ApplicationFontChange:  # never comes to changeEvent
            self.setFixedWidth(grown(WIDTH))
        return super().event(event)


class Narrowing(QObject):
    """``side`` stands beside the list, ``chips`` above it. GUI thread."""

    changed = Signal(object)
    """facet -> frozenset of values: what a person narrowed the list to."""

    shown_changed = Signal(bool)
    """The panel came or went."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        showing = Showing(context.words, context.privacy)
        self.panel = named(FacetPanel(context.words, showing=showing), "facets")
        self.chips = named(Chips(context.words, showing=showing), "facets.chips")
        showing.when_changed(self.panel.retranslate)
        showing.when_changed(self.chips.retranslate)
        self._counting = Counting(context, self)
        self.side = _Side()
        row = QHBoxLayout(self.side)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self.saved = SavedSearches(context, self)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.saved.bar)
        column.addWidget(self.panel, 1)
        row.addLayout(column, 1)
        row.addWidget(Rule(upright=True))
        self.side.hide()
        self._counting.counted.connect(self._on_counted)
        self.panel.chosen_changed.connect(self._on_chosen)
        self.chips.removed.connect(self.panel.toggle)
        self.chips.cleared.connect(self._on_cleared)
        self.retranslate()

    @property
    def shown(self) -> bool:
        """Whether the panel is beside the list."""
        return not self.side.isHidden()

    def show(self, *, shown: bool) -> None:
        """Show or hide the panel; what is chosen stays."""
        if shown != self.shown:
            self.side.setVisible(shown)
            self.shown_changed.emit(shown)

    def look(self, query: Query) -> None:
        """Count again, if somebody looks."""
        if self.shown:
            self._counting.ask(query)

    def choose(self, chosen: Mapping[str, frozenset[str]]) -> None:
        """Narrow the list, as if a person had."""
        self.panel.choose(chosen)

    def clear(self) -> None:
        """Forget everything, without telling."""
        self._counting.stop()
        self.panel.clear_all()
        self.chips.show_chosen({})
        self.saved.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        self.panel.retranslate()
        self.chips.retranslate()
        self.saved.retranslate()

    def _on_counted(self, counts: Mapping[str, tuple[Facet, ...]]) -> None:
        self.panel.show_counts(counts)

    def _on_chosen(self, chosen: Mapping[str, frozenset[str]]) -> None:
        self.chips.show_chosen(chosen)
        self.changed.emit(chosen)

    def _on_cleared(self) -> None:
        self.panel.choose({})
