# SPDX-License-Identifier: MIT
"""Said before saving: another memory has the key that this one would get, and the ways on."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.changes import KeyHolder
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.visible import one_line, plain_button
from memory_gui.ui.widgets import Button, Panel, TextLabel
from memory_gui.words import Words

_SHOWN = 40


class KeyTaken(Panel):
    """Hidden while the key is free. GUI thread."""

    other_key_wanted = Signal(str)
    merge_wanted = Signal(object)
    """The Ref of the memory that has the key."""
    swap_wanted = Signal(object)
    """The same: it is to go to the trash, and what is typed is to be saved."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent, tone="warn_soft", outline="warn_soft")
        self._words = words
        self._holder: KeyHolder | None = None
        self._text = named(TextLabel(selectable=True), "editor.taken.text")
        self.other = named(Button("", Icon.EDIT), "editor.taken.other")
        self.merge = named(Button("", Icon.REPLACES), "editor.taken.merge")
        self.swap = named(Button("", Icon.TRASH), "editor.taken.swap")
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_M)
        column.setSpacing(SPACE_S)
        for widget in (self._text, self.other, self.merge, self.swap):
            column.addWidget(widget)
        self.other.clicked.connect(self._on_other_clicked)
        self.merge.clicked.connect(self._on_merge_clicked)
        self.swap.clicked.connect(self._on_swap_clicked)
        self.hide()

    @property
    def holder(self) -> KeyHolder | None:
        """Which memory has the key."""
        return self._holder

    def show_holder(self, holder: KeyHolder | None) -> None:
        """Say it, or (None) that the key is free."""
        self._holder = holder
        self.setVisible(holder is not None)
        self.retranslate()

    def retranslate(self) -> None:
        """Say all texts again."""
        say, holder = self._words.say, self._holder
        key = one_line(holder.key, _SHOWN) if holder else ""
        free = one_line(holder.free, _SHOWN) if holder else ""
        self._text.show_foreign(
            say("Another memory has the key “{key}”. It would not be saved so.", key=key)
            if holder
            else ""
        )
        self.other.setText(plain_button(say("Use the key “{key}”", key=free)) if holder else "")
        self.merge.setText(say("Edit that one with both texts"))
        self.swap.setText(say("Move that one to the trash and save"))

    def _on_other_clicked(self) -> None:
        if self._holder is not None:
            self.other_key_wanted.emit(self._holder.free)

    def _on_merge_clicked(self) -> None:
        if self._holder is not None:
            self.merge_wanted.emit(self._holder.ref)

    def _on_swap_clicked(self) -> None:
        if self._holder is not None:
            self.swap_wanted.emit(self._holder.ref)
