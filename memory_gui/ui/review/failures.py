# SPDX-License-Identifier: MIT
"""What did not go through: each once, with its cause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.domain.records import Ref
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.review.queue import Failure
from memory_gui.ui.tokens import SPACE_M
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import Button, Caption, Panel, SectionLabel, TextLabel
from memory_gui.words import Words
from memory_gui.words.errors import explain

_MOST: Final = 12


class FailureList(Panel):
    """Hidden while there are none."""

    chosen = Signal(object)
    """A Ref: the person wants to see that one again."""

    def __init__(
        self,
        words: Words,
        name: str,
        parent: QWidget | None = None,
        *,
        showing: Showing | None = None,
    ) -> None:
        super().__init__(parent, tone="warn_soft", outline="warn_soft")
        self._words = words
        self._name = name
        self._showing = showing or Showing(words)
        self._showing.when_changed(self.retranslate)
        self._failures: tuple[Failure, ...] = ()
        self._title = named(SectionLabel(), f"{name}.title")
        self._rows = QVBoxLayout()
        self.setObjectName(name)
        inside = padded(self)
        inside.addWidget(self._title)
        inside.addLayout(self._rows)
        self.hide()

    def show_failures(self, failures: Sequence[Failure]) -> None:
        """Replace what is listed."""
        self._failures = tuple(failures)
        empty(self._rows)
        self.setVisible(bool(self._failures))
        words = self._words
        self._title.setText(
            words.many(
                "{n} proposal was not saved and still waits",
                "{n} proposals were not saved and still wait",
                len(self._failures),
            )
            if self._failures
            else ""
        )
        for number, failure in enumerate(self._failures[:_MOST]):
            self._rows.addLayout(self._row(number, failure))
        more = len(self._failures) - _MOST
        if more > 0:
            text = words.many("{n} more like these", "{n} more like these", more)
            self._rows.addWidget(named(Caption(text), f"{self._name}.more"))

    def retranslate(self) -> None:
        """Say all texts again."""
        self.show_failures(self._failures)

    def _row(self, number: int, failure: Failure) -> QHBoxLayout:
        words = self._words
        title = self._showing.line(one_line(failure.title, 60))
        text = named(TextLabel(selectable=True), f"{self._name}.cause{number}")
        cause = explain(words, failure.error).text
        text.show_foreign(words.say("{title}: {cause}", title=title, cause=cause))
        show = named(Button(words.say("Show")), f"{self._name}.show{number}")
        show.setAccessibleName(words.say("Show {title}", title=title))
        show.clicked.connect(lambda _checked=False, ref=failure.ref: self._on_show_clicked(ref))
        row = QHBoxLayout()
        row.setSpacing(SPACE_M)
        row.addWidget(text, 1)
        row.addWidget(show, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _on_show_clicked(self, ref: Ref) -> None:
        self.chosen.emit(ref)
