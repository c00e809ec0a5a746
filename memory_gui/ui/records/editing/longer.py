# SPDX-License-Identifier: MIT
"""Below the beginning of a long text: how much there is, and the button that shows all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memory_gui.domain.records import Record, Ref
from memory_gui.domain.work import CancelToken
from memory_gui.findings.covering import Found
from memory_gui.services.library.library import Library
from memory_gui.ui.names import named
from memory_gui.ui.pages.longtext import MOST_WHOLE, covered_in
from memory_gui.ui.pages.text_view import MOST_SHOWN
from memory_gui.ui.privacy.masking import Find
from memory_gui.ui.records.listing.rows import below_title
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import Button, Caption
from memory_gui.words import Words


@dataclass(frozen=True, slots=True)
class Whole:
    """A record with all of its text, as it is shown, and what of that is covered."""

    record: Record = field(repr=False)
    text: str = field(repr=False)
    covered: Sequence[Found] = field(repr=False)


def shown_text(record: Record) -> str:
    """The text of a memory as it is stored, also where it begins like its title."""
    return below_title(record) if record.kind == "summary" else record.text


def whole_of(
    library: Library, ref: Ref, find: Find, *, cancel: CancelToken | None = None
) -> Whole | None:
    """A record whole; None when it is gone. In a thread of the bridge.

    Raises:
        UserError: ``store.*``. Cancelled.
    """
    record = library.record(ref)
    if record is None:
        return None
    text = shown_text(record)
    return Whole(record, text, covered_in(text[:MOST_WHOLE], find, cancel))


class MoreRow(QWidget):
    """Hidden where a text is shown to its end at once. GUI thread."""

    all_wanted = Signal()
    beginning_wanted = Signal()

    def __init__(self, words: Words, name: str) -> None:
        super().__init__()
        self._words = words
        self._length = 0
        self._shown = 0
        self._whole = False
        self.text = named(Caption(), f"{name}.more")
        self.button = named(Button(), f"{name}.all")
        self.button.clicked.connect(self._on_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_S)
        row.addWidget(self.button)
        row.addWidget(self.text, 1)
        self.hide()

    def look(self, length: int, *, whole: bool) -> None:
        """A text of so many characters, of which the beginning is shown, or all."""
        self._length, self._whole = length, whole
        self._shown = 0 if whole else MOST_SHOWN
        self.button.setEnabled(True)
        self._say()

    def wait(self) -> None:
        """It is being read."""
        self.button.setEnabled(False)

    def go_on(self, done: int, _total: int) -> None:
        """So many characters stand there."""
        self._shown = done
        self._say()

    def retranslate(self) -> None:
        """Say all texts again."""
        self._say()

    def _on_clicked(self) -> None:
        (self.beginning_wanted if self._whole else self.all_wanted).emit()

    def _say(self) -> None:
        say = self._words.say
        self.setVisible(self._length > MOST_SHOWN)
        self.button.setText(say("Show less") if self._whole else say("Show all"))
        if self._whole and self._shown >= self._length:
            text = say("All {n} characters are shown.", n=self._length)
        elif self._whole and self._shown >= MOST_WHOLE:
            text = say(
                "The first {shown} of {n} characters are shown. An export has all of them.",
                shown=self._shown,
                n=self._length,
            )
        else:
            text = say(
                "The first {shown} of {n} characters are shown.", shown=self._shown, n=self._length
            )
        self.text.setText(text)
