# SPDX-License-Identifier: MIT
"""The line above the list: how many, in which order, and New."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.tokens import SPACE_L, SPACE_M, SPACE_S
from memory_gui.ui.widgets import Button, Caption, Choice
from memory_gui.words import N_, Words

SORTS: Final = (
    ("-updated", N_("Recently changed first")),
    ("-created", N_("Newest first")),
    ("created", N_("Oldest first")),
    ("title", N_("By title")),
    ("type", N_("By type")),
)


class ListHead(QWidget):
    """Shows the count and how long it took; offers the order."""

    sort_changed = Signal()
    new_wanted = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._total: tuple[int, float, bool] | None = None
        self._count = named(Caption(wrap=False), "memories.count")
        self._sort = named(Choice(), "memories.sort")
        self._new = named(Button("", Icon.ADD), "memories.new")
        for value, _ in SORTS:
            self._sort.addItem("", value)
        self._sort.currentIndexChanged.connect(self.sort_changed)
        self._new.clicked.connect(self.new_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_L, SPACE_S, SPACE_M, SPACE_S)
        row.setSpacing(SPACE_S)
        row.addWidget(self._count)
        row.addStretch(1)
        row.addWidget(self._sort)
        row.addWidget(self._new)
        self.retranslate()

    @property
    def sort(self) -> str:
        """The order as the services take it."""
        return str(self._sort.currentData())

    def offer_new(self, *, offered: bool) -> None:
        """Whether a new record can be written in this view."""
        self._new.setVisible(offered)

    def say_total(self, total: int, ms: float, *, searched: bool) -> None:
        """How many, and how long it took to find them."""
        self._total = (total, ms, searched)
        many = self._words.many
        if searched:
            text = many("{n} match · {ms} ms", "{n} matches · {ms} ms", total, ms=max(1, round(ms)))
        else:
            text = many("{n} record", "{n} records", total)
        self._count.setText(text)

    def clear(self) -> None:
        """Say nothing."""
        self._total = None
        self._count.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._sort.setAccessibleName(say("Order"))
        self._sort.setToolTip(say("Order"))
        self._new.setText(say("New"))
        self._new.setToolTip(say("New memory (Ctrl+N)"))
        for row, (_, text) in enumerate(SORTS):
            self._sort.setItemText(row, say(text))
        if self._total is not None:
            total, ms, searched = self._total
            self.say_total(total, ms, searched=searched)
