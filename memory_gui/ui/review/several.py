# SPDX-License-Identifier: MIT
"""Deciding on several proposals at once: a filter, what would become of them, then the act."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from memory_gui.domain.changes import Verdict
from memory_gui.services.reviewbulk import BulkPlan
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import Button, Choice, Panel, SectionLabel, TextLabel
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import Words

_SOON_MS = 300
EVERY, AGAIN = "every", "again"


class Several(Panel):
    """Asks nobody anything: the page looks, and acts. GUI thread."""

    look_wanted = Signal(str, str)
    """(query text, EVERY or AGAIN): which are meant."""
    act_wanted = Signal(object)
    """A BulkPlan: do that."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "review.several")
        self._words = words
        self._plans: tuple[BulkPlan, ...] = ()
        self._title = named(SectionLabel(), "review.several.title")
        self.query = named(QLineEdit(), "review.several.query")
        self.which = named(Choice(), "review.several.which")
        for name in (EVERY, AGAIN):
            self.which.addItem("", name)
        self.told = named(TextLabel(selectable=True), "review.several.told")
        self.approve = named(Button(), "review.several.approve")
        self.reject = named(Button(), "review.several.reject")
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self.look)
        self.query.textChanged.connect(self._on_changed)
        self.which.currentIndexChanged.connect(self._on_changed)
        self.approve.clicked.connect(lambda: self._act(Verdict.APPROVE))
        self.reject.clicked.connect(lambda: self._act(Verdict.REJECT))
        inside = padded(self)
        row, acts = QWidget(), QWidget()
        for holder, widgets in (
            (row, (self.query, self.which)),
            (acts, (self.approve, self.reject)),
        ):
            flow = FlowLayout(holder, spacing=SPACE_S)
            for widget in widgets:
                flow.addWidget(widget)
        self.query.setMinimumWidth(260)
        for part in (self._title, row, self.told, acts):
            inside.addWidget(part)
        self.retranslate()
        self.hide()

    def look(self) -> None:
        """Ask what would become of those that are meant."""
        self._soon.stop()
        self._plans = ()
        self._say()
        self.look_wanted.emit(self.query.text(), self.which.currentData())

    def show_plans(self, plans: tuple[BulkPlan, ...]) -> None:
        """What approving, and what rejecting, would do."""
        self._plans = plans
        self._say()

    def clear(self) -> None:
        """Forget what was typed, and go away."""
        self._soon.stop()
        self._plans = ()
        self.query.blockSignals(True)
        self.query.setText("")
        self.query.blockSignals(False)
        self._soon.stop()
        self.hide()

    def retranslate(self) -> None:
        """Say all texts again."""
        words = self._words
        self._title.setText(words.say("Decide on several"))
        self.query.setPlaceholderText(words.say("Only those with these words (empty: all)"))
        self.query.setAccessibleName(words.say("Which proposals are meant"))
        self.which.setItemText(0, words.say("All that wait"))
        self.which.setItemText(1, words.say("Rejected before"))
        self.which.setAccessibleName(words.say("Which of them"))
        self._say()

    # ---- inside

    def _plan(self, verdict: Verdict) -> BulkPlan | None:
        return next((plan for plan in self._plans if plan.verdict is verdict), None)

    def _on_changed(self) -> None:
        self._plans = ()
        self._say()
        self._soon.start()

    def _act(self, verdict: Verdict) -> None:
        plan, self._plans = self._plan(verdict), ()
        self._say()
        if plan is not None and plan.decisions:
            self.act_wanted.emit(plan)

    def _say(self) -> None:
        words = self._words
        approve, reject = self._plan(Verdict.APPROVE), self._plan(Verdict.REJECT)
        number = len(approve.decisions) if approve else 0
        rejected = len(reject.decisions) if reject else 0
        self.approve.setText(words.many("Approve {n} proposal", "Approve {n} proposals", number))
        self.reject.setText(words.many("Reject {n} proposal", "Reject {n} proposals", rejected))
        self.approve.setEnabled(number > 0)
        self.reject.setEnabled(rejected > 0)
        self.told.setText(_told(words, approve) if approve else words.say("Looking…"))


def _told(words: Words, plan: BulkPlan) -> str:
    """Counts by outcome, one a line."""
    count = plan.outcomes.get
    lines = [
        words.many("{n} adds a memory", "{n} add a memory", count("new", 0)),
        words.many("{n} is saved already", "{n} are saved already", count("identical", 0)),
        words.many(
            "{n} is left for you to look at, one by one",
            "{n} are left for you to look at, one by one",
            len(plan.left),
        ),
    ]
    return "\n".join(lines)
