# SPDX-License-Identifier: MIT
"""What a case is about to change: by store, kind and file; what stays; the number to be typed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from memory_gui.services.cases.running.plans import CasePlan
from memory_gui.ui.cases.plan_words import (
    count_line,
    decided_otherwise,
    error_line,
    plan_lead,
    staying,
)
from memory_gui.ui.cases.words import not_looked_lines
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import Facts, padded
from memory_gui.ui.pages.listed import Listed
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.tokens import SPACE_M
from memory_gui.ui.visible import one_line, visible
from memory_gui.ui.widgets import Panel, SectionLabel, TextLabel
from memory_gui.words import Words
from memory_gui.words import cases as said


class CasePlanView(QWidget):
    """The plan that is run is the one that is shown. GUI thread."""

    typed = Signal()

    def __init__(
        self, words: Words, showing: Showing | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._words = words
        self._showing = showing or Showing(words)
        self._plan: CasePlan | None = None
        self.lead = named(TextLabel(), "case.plan.lead")
        self.counts = Facts("case.plan.counts")
        self._title = named(SectionLabel(), "case.plan.title")
        self.sample = Listed("case.plan.sample")
        self.stays = Listed("case.plan.stays")
        self.decided = Listed("case.plan.decided", tone="warn_soft")
        self.unseen = Listed("case.plan.unseen", tone="warn_soft")
        self.cannot = Listed("case.plan.cannot", tone="warn_soft")
        self.foreign = Listed("case.plan.foreign", tone="warn_soft")
        self.reach = Listed("case.plan.reach")
        self.ask = named(TextLabel(wrap=False), "case.plan.ask")
        self.word = named(QLineEdit(), "case.plan.word")
        self.word.setMaximumWidth(110)
        self.ask.setBuddy(self.word)
        self.word.textChanged.connect(self.typed)
        self._showing.when_changed(self._say_sample)
        panel = named(Panel(), "case.plan.panel")
        inside = padded(panel)
        inside.addWidget(self._title)
        inside.addWidget(self.counts)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_M)
        self._parts = (
            *(self.sample, self.decided, self.cannot, self.stays),
            *(self.unseen, self.foreign, self.reach),
        )
        for widget in (self.lead, panel, *self._parts):
            layout.addWidget(widget)

    @property
    def answer(self) -> str:
        """What was typed, without what people put between digits."""
        return "".join(char for char in self.word.text() if char not in " ,.，")

    @property
    def confirmed(self) -> bool:
        """Whether the number is the plan's."""
        return self._plan is not None and bool(self._plan.total) and self.answer == self._plan.word

    @property
    def has_some(self) -> bool:
        """Whether it changes something."""
        return self._plan is not None and bool(self._plan.total)

    def show_plan(self, plan: CasePlan) -> None:
        """Everything about it."""
        words, say = self._words, self._words.say
        self._plan = plan
        self.lead.setText(
            plan_lead(words, plan) if plan.total else say("Nothing is to be changed.")
        )
        self._title.setText(say("What is changed"))
        self.counts.show_rows([count_line(words, one) for one in plan.counts], name_width=200)
        self._say_sample()
        self.decided.show_lines(say("Decided otherwise in a case"), decided_otherwise(words, plan))
        self.stays.show_lines(say("What stays"), staying(words, plan))
        self.unseen.show_lines(say("Not looked into"), not_looked_lines(words, plan))
        self.foreign.show_lines(
            say("Not made by its agent; erasing agrees that this runs when rows go"),
            [visible(one) for one in dict.fromkeys(plan.foreign_sql)],
        )
        self.cannot.show_lines(
            say("What cannot be done"),
            [error_line(words, part) for part in plan.parts if part.error is not None],
        )
        self.reach.show_lines(
            say("What cannot be reached"),
            [said.check(words, one.code, one.params) for one in plan.checklist],
        )
        self.ask.setText(say("Type {n} to go on", n=plan.total))
        self.word.setAccessibleName(self.ask.text())

    def wipe(self) -> None:
        """Forget the plan."""
        self._plan = None
        self.word.clear()
        self.lead.clear()
        self.counts.wipe()
        for part in self._parts:
            part.wipe()

    def retranslate(self) -> None:
        """Say all texts again."""
        if self._plan is not None:
            self.show_plan(self._plan)

    def _say_sample(self) -> None:
        sample = self._plan.sample if self._plan is not None else ()
        lines = [one_line(self._showing.line(title), 100) for title in sample]
        self.sample.show_lines(self._words.say("Among them"), lines)
