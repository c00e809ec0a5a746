# SPDX-License-Identifier: MIT
"""Below a record that has relations: the way to the drawing of them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memory_gui.domain.records import Record
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.widgets import Button
from memory_gui.words import Words


class RelationsButton(QWidget):
    """Hidden where the kind of the record has no relations. GUI thread."""

    wanted = Signal(object)
    """The Ref of the record."""

    def __init__(
        self, words: Words, has_relations: Callable[[Record], bool], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._words = words
        self._has_relations = has_relations
        self._record: Record | None = None
        self.button = named(Button("", Icon.COMMAND), "detail.relations.show")
        self.button.clicked.connect(self._on_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.button)
        row.addStretch(1)
        self.retranslate()
        self.hide()

    def show_for(self, record: Record | None) -> None:
        """For another record; None: for none."""
        self._record = record
        self.setVisible(record is not None and self._has_relations(record))

    def retranslate(self) -> None:
        """Say it again."""
        self.button.setText(self._words.say("Show its relations"))

    def clear(self) -> None:
        """Forget it."""
        self.show_for(None)

    def _on_clicked(self) -> None:
        if self._record is not None:
            self.wanted.emit(self._record.ref)
