# SPDX-License-Identifier: MIT
"""Which stores a sheet carries, and where each stands."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.domain.records import StoreId
from memory_gui.services import OpenedStore
from memory_gui.services.keys.recovery import RecoveryState
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import empty
from memory_gui.ui.pages.settings_rows import INDENT
from memory_gui.ui.phrases import store_name
from memory_gui.ui.tokens import SPACE_S, SPACE_XS
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import SectionLabel, TextLabel
from memory_gui.ui.widgets.checkbox import CheckBox
from memory_gui.words import Words
from memory_gui.words.recovery import say_state


class StoreChoice(QWidget):
    """A box per open encrypted store; with only one there is nothing to choose."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._stores: list[tuple[OpenedStore, RecoveryState]] = []
        self._boxes: list[CheckBox] = []
        self._states: list[TextLabel] = []
        self.setObjectName("recovery.stores")
        self._title = named(SectionLabel(), "recovery.stores.title")
        self._rows = QVBoxLayout()
        self._rows.setSpacing(SPACE_XS)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE_S, 0, SPACE_S)
        layout.setSpacing(SPACE_XS)
        layout.addWidget(self._title)
        layout.addLayout(self._rows)

    @property
    def chosen(self) -> tuple[StoreId, ...]:
        """Those that are wanted, in their order."""
        pairs = zip(self._stores, self._boxes, strict=True)
        return tuple(store.id for (store, _state), box in pairs if box.isChecked())

    def show_stores(
        self, stores: Sequence[tuple[OpenedStore, RecoveryState]], *, chosen: StoreId, keep: bool
    ) -> None:
        """Show these; ``keep`` leaves the boxes as they were."""
        before = self.chosen if keep else (chosen,)
        self.wipe()
        self._stores = list(stores)
        for number, (store, _state) in enumerate(stores):
            box = named(CheckBox(), f"recovery.store{number}")
            box.setChecked(store.id in before)
            if len(stores) < 2:
                box.hide()  # and never shown here: without a parent it would be a window
            state = named(TextLabel(tone="muted"), f"recovery.state{number}")
            self._boxes.append(box)
            self._states.append(state)
            below = QHBoxLayout()  # under the words of its box, where there is one
            below.setContentsMargins(INDENT if len(stores) > 1 else 0, 0, 0, 0)
            below.addWidget(state)
            self._rows.addWidget(box)
            self._rows.addLayout(below)
        self.retranslate()

    def retranslate(self) -> None:
        """Say all texts again."""
        words = self._words
        several = len(self._stores) > 1
        self._title.setText(words.say("On this sheet") if several else "")
        self._title.setVisible(several)
        rows = zip(self._stores, self._boxes, self._states, strict=True)
        for (store, state), box, label in rows:
            box.setText(visible(store_name(words, store)))
            label.setText("\n".join(say_state(words, state)))
            label.set_tone("ok" if state.recoverable else "muted")

    def wipe(self) -> None:
        """Forget the stores."""
        self._stores, self._boxes, self._states = [], [], []
        empty(self._rows)
