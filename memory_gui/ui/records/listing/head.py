# SPDX-License-Identifier: MIT
"""The line above the list: filters, how many, in which order, how dense, and New."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.records.listing.orders import AS_STORED, ORDERS, Order
from memory_gui.ui.tokens import SPACE_M, SPACE_S, SPACE_XS
from memory_gui.ui.widgets import Button, Choice, IconButton
from memory_gui.ui.widgets.elided import ElidedLabel
from memory_gui.words import Words

_NARROW: Final = 480
_USUAL: Final = ("updated", "created", "kind")
"""What is worn where a list cannot have the order that a person chose: the first that it can."""


class ListHead(QWidget):
    """Shows the count and how long it took; offers the order. GUI thread."""

    order_changed = Signal(str)
    """The order as the services take it."""
    filters_toggled = Signal(bool)
    density_toggled = Signal()
    new_wanted = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._total: tuple[int, float, bool] | None = None
        self._order = self._wanted = Order()
        """The one that is worn, and what a person chose: not every list can have that."""
        self._compact = False
        self._filters = named(IconButton(Icon.FILTER), "memories.filters")
        self._filters.setCheckable(True)
        self._count = named(ElidedLabel(mode=Qt.TextElideMode.ElideRight), "memories.count")
        self._sort = named(Choice(), "memories.sort")
        self._sort.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._direction = named(IconButton(Icon.DESCENDING), "memories.direction")
        self._density = named(IconButton(Icon.COMPACT), "memories.density")
        self.new = named(Button("", Icon.ADD), "memories.new")
        self._names = tuple(ORDERS)
        for name in self._names:
            self._sort.addItem("", name)
        self._sort.currentIndexChanged.connect(self._on_sort_changed)
        self._direction.clicked.connect(self._on_direction_clicked)
        self._density.clicked.connect(self.density_toggled)
        self._filters.toggled.connect(self.filters_toggled)
        self.new.clicked.connect(self.new_wanted)
        self._arrange()
        self.retranslate()

    @property
    def sort(self) -> str:
        """The order as the services take it."""
        return self._order.text

    def show_order(self, text: str) -> None:
        """Another order, as the services take it; without telling."""
        self._wanted = Order.parse(text)
        self._wear()

    def offer_orders(self, names: tuple[str, ...]) -> None:
        """By what this list can be ordered."""
        if names != self._names:
            self._names = names
            self._sort.blockSignals(True)
            self._sort.clear()
            for name in names:
                self._sort.addItem("", name)
            self._sort.blockSignals(False)
            self._say_orders()
            self._wear()

    def _wear(self) -> None:
        self._order = self._wanted
        if self._wanted.name not in self._names:
            usual = next((name for name in _USUAL if name in self._names), self._names[0])
            self._order = Order.first(usual)
        self._sort.blockSignals(True)
        self._sort.setCurrentIndex(self._sort.findData(self._order.name))
        self._sort.blockSignals(False)
        self._say_direction()

    def show_density(self, *, compact: bool) -> None:
        """Which of the two is worn."""
        self._compact = compact
        self._density.set_icon(Icon.COMFORTABLE if compact else Icon.COMPACT)
        say = self._words.say
        self._density.set_spoken(say("Two lines a row") if compact else say("One line a row"))

    def show_filters(self, *, shown: bool) -> None:
        """Whether the filters beside the list are shown."""
        self._filters.setChecked(shown)

    def offer_new(self, *, offered: bool) -> None:
        """Whether a new record can be written in this view."""
        self.new.setVisible(offered)

    def say_total(self, total: int, ms: float, *, searched: bool) -> None:
        """How many, and how long it took to find them."""
        self._total = (total, ms, searched)
        many = self._words.many
        if searched:
            text = many("{n} match · {ms} ms", "{n} matches · {ms} ms", total, ms=max(1, round(ms)))
        else:
            text = many("{n} record", "{n} records", total)
        self._count.setText(text)

    def say_reading(self, done: int, total: int) -> None:
        """What is listed is not all yet: so much of the stores was read."""
        self._total = None
        self._count.setText(self._words.say("Reading… {done} of {total}", done=done, total=total))

    def say_counting(self) -> None:
        """The first ones are listed, and how many there are is being found out."""
        self._total = None
        self._count.setText(self._words.say("Counting…"))

    def clear(self) -> None:
        """Say nothing."""
        self._total = None
        self._count.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._filters.set_spoken(say("Filters (Ctrl+Shift+F)"))
        self._sort.setAccessibleName(say("Order"))
        self._sort.setToolTip(say("Order"))
        self._say_new()
        self._say_orders()
        self._say_direction()
        self.show_density(compact=self._compact)
        if self._total is not None:
            total, ms, searched = self._total
            self.say_total(total, ms, searched=searched)

    def _say_orders(self) -> None:
        timeless = not {"updated", "created"} & set(self._names)
        for row, name in enumerate(self._names):
            text = AS_STORED if timeless and name == "kind" else ORDERS[name].text
            self._sort.setItemText(row, self._words.say(text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._say_new()

    def _say_new(self) -> None:
        """Where there is little room the count matters more than the word beside the cross."""
        say, narrow = self._words.say, self.width() < _NARROW
        self.new.setText("" if narrow else say("New"))
        self.new.setAccessibleName(say("New memory"))
        self.new.setToolTip(say("New memory (Ctrl+N)"))

    def _say_direction(self) -> None:
        down = self._order.descending
        self._direction.set_icon(Icon.DESCENDING if down else Icon.ASCENDING)
        one = ORDERS[self._order.name]
        self._direction.set_spoken(self._words.say(one.falling if down else one.rising))

    def _on_sort_changed(self) -> None:
        self._order = self._wanted = Order.first(str(self._sort.currentData()))
        self._say_direction()
        self.order_changed.emit(self._order.text)

    def _on_direction_clicked(self) -> None:
        self._order = self._wanted = self._order.turned()
        self._say_direction()
        self.order_changed.emit(self._order.text)

    def _arrange(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        row.setSpacing(SPACE_XS)
        row.addWidget(self._filters)
        row.addSpacing(SPACE_XS)
        row.addWidget(self._count, 1)
        row.addWidget(self._sort)
        row.addWidget(self._direction)
        row.addWidget(self._density)
        row.addSpacing(SPACE_XS)
        row.addWidget(self.new)
