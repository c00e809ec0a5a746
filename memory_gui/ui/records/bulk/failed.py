# SPDX-License-Identifier: MIT
"""What an act over several records could not change: each cause once, with the first titles."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import empty
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.records.bulk.ending import Cause
from memory_gui.ui.tokens import SPACE_M, SPACE_S, SPACE_XS
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import Button, Caption, IconButton, Panel, SectionLabel, TextLabel
from memory_gui.words import Words
from memory_gui.words.errors import explain

_MOST: Final = 4
_TITLE: Final = 60


class Failed(Panel):
    """Hidden while there is nothing. Stays until it is closed or another act begins."""

    select_wanted = Signal(object)
    """A tuple of Refs: a person wants to see these in the list."""

    def __init__(
        self, words: Words, parent: QWidget | None = None, showing: Showing | None = None
    ) -> None:
        super().__init__(parent, tone="warn_soft", outline="warn_soft")
        self._words = words
        self._showing = showing or Showing(words)
        self._showing.when_changed(self.retranslate)
        self._causes: tuple[Cause, ...] = ()
        self._title = named(SectionLabel(), "bulk.failed.title")
        self._close = named(IconButton(Icon.CLOSE), "bulk.failed.close")
        self._rows = QVBoxLayout()
        self._rows.setSpacing(SPACE_S)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._close)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(SPACE_M, SPACE_XS, SPACE_XS, SPACE_S)
        inside.setSpacing(SPACE_XS)
        inside.addLayout(head)
        inside.addLayout(self._rows)
        self._close.clicked.connect(self.clear)
        self.hide()

    def show_causes(self, causes: Sequence[Cause]) -> None:
        """Replace what is listed."""
        self._causes = tuple(causes)
        empty(self._rows)
        self.setVisible(bool(causes))
        words = self._words
        self._close.set_spoken(words.say("Close this message"))
        total = sum(len(cause.refs) for cause in self._causes)
        self._title.setText(
            words.many("{n} record was not changed", "{n} records were not changed", total)
        )
        for number, cause in enumerate(self._causes[:_MOST]):
            self._rows.addLayout(self._row(number, cause))
        if len(causes) > _MOST:
            more = words.many("{n} more cause", "{n} more causes", len(causes) - _MOST)
            self._rows.addWidget(named(Caption(more), "bulk.failed.more"))

    def clear(self) -> None:
        """Forget them."""
        self.show_causes(())
        self._title.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        if self._causes:
            self.show_causes(self._causes)

    def _row(self, number: int, cause: Cause) -> QHBoxLayout:
        words = self._words
        text = named(TextLabel(selectable=True), f"bulk.failed.cause{number}")
        text.show_foreign(self._sentence(cause))
        count = len(cause.refs)
        select = named(
            Button(words.many("Show {n} record", "Show {n} records", count)),
            f"bulk.failed.show{number}",
        )
        select.clicked.connect(partial(self._on_select_clicked, cause))
        row = QHBoxLayout()
        row.setSpacing(SPACE_M)
        row.setContentsMargins(0, 0, SPACE_S, 0)
        row.addWidget(text, 1)
        row.addWidget(select, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _sentence(self, cause: Cause) -> str:
        say, why = self._words.say, explain(self._words, cause.error).text
        line = self._showing.line
        names = " · ".join(dict.fromkeys(line(one_line(one, _TITLE)) for one in cause.titles))
        if not names:
            return why
        if len(cause.refs) > len(cause.titles):
            return say("{why} ({names}, …)", why=why, names=names)
        return say("{why} ({names})", why=why, names=names)

    def _on_select_clicked(self, cause: Cause, _checked: bool = False) -> None:
        self.select_wanted.emit(cause.refs)
