# SPDX-License-Identifier: MIT
"""The chosen values above the list, each with a cross that takes it away."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import empty
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.records.facets.phrases import title_of, value_of
from memory_gui.ui.tokens import SPACE_M, SPACE_S, SPACE_XS
from memory_gui.ui.visible import plain_tip
from memory_gui.ui.widgets import Button, EraseButton, QuietButton
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import N_, Words

SUBJECT: Final = "subject"
ERASE_ALL: Final = N_("Erase everything about it…")


class _Chip(Button):
    """A value with a cross behind it."""

    icon_after = True


class Chips(QWidget):
    """Hidden while nothing is chosen. GUI thread."""

    removed = Signal(str, str)
    """A facet and its value."""
    cleared = Signal()
    erase_wanted = Signal(str)
    """All about the one subject that the list is narrowed to."""

    def __init__(
        self, words: Words, parent: QWidget | None = None, showing: Showing | None = None
    ) -> None:
        super().__init__(parent)
        self._words = words
        self._showing = showing or Showing(words)
        self._chosen: Mapping[str, frozenset[str]] = {}
        self._erases = False
        self._flow = FlowLayout(spacing=SPACE_XS)
        around = QVBoxLayout(self)
        around.setContentsMargins(SPACE_M, 0, SPACE_M, SPACE_S)
        around.addLayout(self._flow)
        self.hide()

    def show_chosen(self, chosen: Mapping[str, frozenset[str]]) -> None:
        """Replace them."""
        had_focus = self.isAncestorOf(self.window().focusWidget() or self.window())
        chips: list[Button] = []
        self._chosen = chosen
        empty(self._flow)
        pairs = [(facet, value) for facet in chosen for value in sorted(chosen[facet])]
        for number, (facet, value) in enumerate(pairs):
            chips.append(self._chip(number, facet, value))
            self._flow.addWidget(chips[-1])
        if len(pairs) > 1:
            clear = named(QuietButton(self._words.say("Clear all filters")), "facets.clear")
            clear.clicked.connect(self.cleared)
            self._flow.addWidget(clear)
        subjects = [value for facet, value in pairs if facet == SUBJECT and value]
        if self._erases and len(subjects) == 1:
            self._flow.addWidget(self._eraser(subjects[0]))
        self.setVisible(bool(pairs))
        if had_focus and chips:
            chips[0].setFocus()

    def let_erase(self, *, may: bool) -> None:
        """Whether one of the stores that are listed lets its records be erased."""
        if may != self._erases:
            self._erases = may
            self.show_chosen(self._chosen)

    def retranslate(self) -> None:
        """Say all texts again."""
        self.show_chosen(self._chosen)

    def _chip(self, number: int, facet: str, value: str) -> Button:
        words = self._words
        shown = value_of(words, facet, value)
        if facet == "tag":
            shown = self._showing.line(shown)
        text = words.say("{facet}: {value}", facet=title_of(words, facet), value=shown)
        chip = named(_Chip(text.replace("&", "&&"), Icon.CLOSE), f"facets.chip{number}")
        chip.setAccessibleName(words.say("Remove the filter “{filter}”", filter=text))
        chip.setToolTip(words.say("Remove this filter"))
        chip.clicked.connect(partial(self._on_chip_clicked, facet, value))
        return chip

    def _eraser(self, subject: str) -> Button:
        words = self._words
        button = named(EraseButton(words.say(ERASE_ALL), Icon.ERASE), "facets.erase")
        shown = self._showing.line(value_of(words, SUBJECT, subject))
        told = words.say("Erase everything about {subject}, whatever else is chosen", subject=shown)
        button.setAccessibleName(told)
        button.setToolTip(plain_tip(told))
        button.clicked.connect(lambda: self.erase_wanted.emit(subject))
        return button

    def _on_chip_clicked(self, facet: str, value: str, _checked: bool = False) -> None:
        self.removed.emit(facet, value)
