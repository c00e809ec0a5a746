# SPDX-License-Identifier: MIT
"""A run from store to store, and what became of each."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.running.plans import CasePlan, CaseResult
from memory_gui.ui.cases.plan_words import part_line, result_heading
from memory_gui.ui.cases.remains_view import RemainsView
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import erase_words
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.pages.listed import Listed
from memory_gui.ui.pages.mark import MarkIcon
from memory_gui.ui.tokens import SPACE_L, SPACE_M, SPACE_S
from memory_gui.ui.widgets import Panel, PrimaryButton, TextLabel, TitleLabel
from memory_gui.ui.widgets.empty import Picture
from memory_gui.words import Words
from memory_gui.words.cases import left_out
from memory_gui.words.erasure import limit

_STORE: str = "case-store"
_ICONS = {
    EraseState.PROVED: (Icon.PROVED, "ok"),
    EraseState.NOT_FINISHED: (Icon.CLOCK, "warn"),
    EraseState.NOT_PROVED: (Icon.UNPROVED, "warn"),
    EraseState.PLANNED: (Icon.INFO, "muted"),
}


def _is_all(result: CaseResult) -> bool:
    """Whether everything is gone: nothing is held, kept or restricted, and nothing was accepted."""
    stays = any(result.case.outcome.get(name) for name in ("held", "kept"))
    return not (stays or result.accepted or any(part.restricted for part in result.parts))


class CaseRunView(QWidget):
    """Progress while it runs, then store by store how it ended. GUI thread."""

    again = Signal()
    """Look and go on: some stores are still to come."""
    answer_wanted = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._result: CaseResult | None = None
        self._told = ""
        self.progress = named(Panel(), "case.run")
        self.where = named(TextLabel(), "case.run.where")
        self.step = named(TextLabel(tone="muted"), "case.run.step")
        self.bar = named(QProgressBar(), "case.run.bar")
        self.bar.setTextVisible(False)
        inside = padded(self.progress, SPACE_M)
        for widget in (self.where, self.bar, self.step):
            inside.addWidget(widget)
        self._ended = QWidget()
        self._picture = Picture(Icon.PROVED)
        self.heading = named(TitleLabel(), "case.result")
        self.lead = named(TextLabel(selectable=True), "case.result.lead")
        self._panel = named(Panel(), "case.result.parts")
        self._parts = padded(self._panel)
        self.not_covered = Listed("case.result.not_covered")
        self.remains = RemainsView(words, "case.result.remains")
        self.answer = named(PrimaryButton(icon=Icon.NEXT), "case.result.answer")
        self.try_again = named(PrimaryButton(icon=Icon.REFRESH), "case.result.again")
        self._lay_out()
        self.try_again.clicked.connect(self.again)
        self.answer.clicked.connect(self.answer_wanted)
        self.retranslate()

    def begin(self, plan: CasePlan) -> None:
        """It starts now."""
        self._result = None
        self._ended.hide()
        self.progress.show()
        self.bar.setRange(0, 0)
        total = len(plan.parts) + len(plan.files)
        self.where.setText(self._words.many("{n} store or file", "{n} stores and files", total))
        self.step.clear()

    def tick(self, step: str, done: int, total: int) -> None:
        """A store begins, or a step of one is reported."""
        words = self._words
        if step == _STORE:
            self.bar.setRange(0, max(1, total))
            self.bar.setValue(done)
            now = min(done + 1, total)
            self.where.setText(words.say("Store {n} of {total}", n=now, total=total))
            self.bar.setAccessibleName(self.where.text())
        elif step != self._told:
            self._told = step
            self.step.setText(erase_words.step(words, step))

    def show_result(self, result: CaseResult) -> None:
        """How it ended."""
        words, self._result = self._words, result
        self.progress.hide()
        whole = not (result.accepted or left_out(words, result.case.outcome))
        icon, tone = _ICONS[result.state]
        if result.state is EraseState.PROVED and not whole:
            icon, tone = Icon.INFO, "warn"
        self._picture.set_icon(icon, tone)
        self.heading.setText(result_heading(words, result))
        self.heading.set_tone("text" if tone == "muted" else tone)
        self.lead.setText(self._lead(result))
        empty(self._parts)
        for number, part in enumerate(result.parts):
            row = QHBoxLayout()
            row.setSpacing(SPACE_S)
            mark, colour = _ICONS[part.state]
            text = named(TextLabel(selectable=True), f"case.result.part{number}")
            text.show_foreign(part_line(words, part))
            row.addWidget(MarkIcon(mark, colour), 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(text, 1)
            self._parts.addLayout(row)
        self._panel.setVisible(bool(result.parts))
        limits = [one for part in result.parts if part.result for one in part.result.not_covered]
        lines = dict.fromkeys(limit(words, one.code, one.params) for one in limits)
        self.not_covered.show_lines(words.say("Not covered"), list(lines))
        self.remains.show()
        done = result.state is EraseState.PROVED
        self.try_again.setVisible(not done)
        self.answer.setVisible(done)  # else a person gets there by the step's own name
        self._ended.show()

    @property
    def next(self) -> QWidget:
        """What comes next: the keyboard goes there."""
        return self.try_again if self.answer.isHidden() else self.answer

    def wipe(self) -> None:
        """Forget the result."""
        self._result = None
        self._ended.hide()
        empty(self._parts)
        self.not_covered.wipe()
        self.remains.wipe()
        for label in (self.heading, self.lead, self.where, self.step):
            label.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        self.try_again.setText(self._words.say("Look again and go on"))
        self.answer.setText(self._words.say("Answer the person"))
        self.remains.retranslate()
        if self._result is not None:
            self.show_result(self._result)

    def _lead(self, result: CaseResult) -> str:
        words = self._words
        left = left_out(words, result.case.outcome)
        if result.state is EraseState.PROVED and not left and _is_all(result):
            return words.say("Nothing of it is left in the files that were looked into.")
        if result.state is EraseState.PROVED:
            return "\n".join([words.say("What was chosen is done."), *left])
        return words.say(
            "The case stays open at the stores that are named below; the others are done. "
            "Its time runs on."
        )

    def _lay_out(self) -> None:
        head, texts, ways = QHBoxLayout(), QVBoxLayout(), QHBoxLayout()
        head.setSpacing(SPACE_L)
        texts.setSpacing(SPACE_S)
        ways.setSpacing(SPACE_S)
        texts.addWidget(self.heading)
        texts.addWidget(self.lead)
        head.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(texts, 1)
        for button in (self.answer, self.try_again):
            ways.addWidget(button)
        ways.addStretch(1)
        column = QVBoxLayout(self._ended)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_M)
        column.addLayout(head)
        column.addLayout(ways)
        column.addWidget(self._panel)
        column.addWidget(self.remains)
        column.addWidget(self.not_covered)
        self._ended.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.progress)
        layout.addWidget(self._ended)
