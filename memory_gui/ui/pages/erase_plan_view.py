# SPDX-License-Identifier: MIT
"""What an erase shows before it runs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from memory_gui.erasure.plan import ErasePlan
from memory_gui.ui.names import named
from memory_gui.ui.pages import erase_words as say
from memory_gui.ui.pages.frame import Facts, padded
from memory_gui.ui.pages.listed import Listed
from memory_gui.ui.tokens import SPACE_M
from memory_gui.ui.visible import one_line, visible
from memory_gui.ui.widgets import (
    Panel,
    SectionLabel,
    TextLabel,
)
from memory_gui.words import Words

SAMPLE = 5
"""How many titles stand for all in a plan."""


class PlanView(QWidget):
    """What goes, what else is searched, what cannot be reached, who is in the way."""

    typed = Signal()
    """The number that is asked for was typed, or is no longer there."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._needed = 0
        self._lead = named(TextLabel(), "erase.lead")
        self._goes = named(Panel(), "erase.goes")
        inside = padded(self._goes)
        self._goes_title = named(SectionLabel(), "erase.goes.title")
        self.going = Facts("erase.going")
        inside.addWidget(self._goes_title)
        inside.addWidget(self.going)
        self.titles = Listed("erase.titles")
        self.in_use = Listed("erase.in_use", tone="warn_soft")
        self.foreign = Listed("erase.foreign", tone="warn_soft")
        self.stays = Listed("erase.stays")
        self.limits = Listed("erase.limits")
        self.ask = named(TextLabel(wrap=False), "erase.ask")
        self.number = named(QLineEdit(), "erase.number")
        self.number.setMaximumWidth(96)
        self.number.textChanged.connect(self.typed)
        self.ask.setBuddy(self.number)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_M)
        for widget in (
            self._lead,
            self.in_use,
            self._goes,
            self.titles,
            self.foreign,
            self.stays,
            self.limits,
        ):
            layout.addWidget(widget)

    @property
    def asks(self) -> bool:
        """Whether a number must be typed: ``ask`` and ``number`` belong beside the button then."""
        return bool(self._needed)

    @property
    def confirmed(self) -> bool:
        """Whether nothing more must be typed."""
        typed = "".join(char for char in self.number.text() if char not in " ,.，")
        return not self._needed or typed == str(self._needed)

    def show_plan(
        self, plan: ErasePlan, records: int, titles: Sequence[str], in_use: Sequence[str]
    ) -> None:
        """Everything about a plan for so many chosen records."""
        words = self._words
        self._needed = records if records > say.TYPED_ABOVE else 0
        self._lead.setText(
            words.many(
                "{n} record and every copy of it that is listed here. This cannot be undone.",
                "{n} records and every copy of them that is listed here. This cannot be undone.",
                records,
            )
        )
        self._goes_title.setText(words.say("What goes"))
        self.going.show_rows(say.going(words, plan), name_width=200)
        more = records - len(titles)
        self.titles.show_lines(
            words.say("Among them"),
            [one_line(title, 100) for title in titles],
            words.many("and {n} more", "and {n} more", more) if more > 0 and titles else "",
        )
        self.in_use.show_lines(
            words.say("In use: close these first, or it cannot be finished"), in_use
        )
        self.foreign.show_lines(
            words.say("Not made by its agent; erasing agrees that this runs when rows go"),
            [visible(sql) for sql in plan.foreign_sql],
        )
        self._show_stays(plan)
        self.limits.show_lines(
            words.say("What cannot be reached"),
            [say.limit(words, limit) for limit in plan.not_covered],
        )
        self.ask.setText(words.say("Type {n} to go on", n=self._needed))
        self.number.setAccessibleName(self.ask.text())

    def wipe(self) -> None:
        """Forget the plan."""
        self.number.clear()
        self.going.wipe()
        for part in (self.titles, self.in_use, self.foreign, self.stays, self.limits):
            part.wipe()

    def _show_stays(self, plan: ErasePlan) -> None:
        words = self._words
        lines = [visible(path) for path in say.searched(plan)]
        rows = say.still_in(plan)
        if rows:
            lines.insert(
                0,
                words.many(
                    "{n} session summary that repeats it",
                    "{n} session summaries that repeat it",
                    rows,
                ),
            )
        self.stays.show_lines(words.say("Searched, but not changed"), lines)
