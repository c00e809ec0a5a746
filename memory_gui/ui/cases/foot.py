# SPDX-License-Identifier: MIT
"""The buttons below a case: those of the step that is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memory_gui.ui.cases.plan_view import CasePlanView
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.widgets import Button, DangerButton, PrimaryButton
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import Words

_REQUEST, _FINDS, _COPY, _RUN, _ANSWER = range(5)


class Foot:
    """``word`` and its label belong to the plan, and stand beside the button. GUI thread."""

    def __init__(self, row: QHBoxLayout, plan: CasePlanView) -> None:
        self.look = named(PrimaryButton(icon=Icon.SEARCH), "case.look")
        self.copy = named(PrimaryButton(icon=Icon.EXPORT), "case.to_copy")
        self.plan = named(Button(icon=Icon.NEXT), "case.to_plan")
        self.again = named(Button(icon=Icon.REFRESH), "case.look_again")
        self.answer = named(Button(icon=Icon.NEXT), "case.to_answer")
        self.rerun = named(Button(icon=Icon.REFRESH), "case.rerun")
        self.run = named(DangerButton(icon=Icon.ERASE), "case.run.button")
        self.stop = named(Button(), "case.stop")
        self.back = named(Button(icon=Icon.BACK), "case.back")
        self._asked: tuple[QWidget, ...] = (plan.ask, plan.word)
        before = (self.look, self.copy, self.plan, self.answer, self.again, self.rerun)
        self._place = QWidget()  # with large letters they take two lines
        flow = FlowLayout(self._place)
        for widget in (*before, *self._asked, self.run, self.stop):
            flow.addWidget(widget)
        row.addWidget(self._place, 1)
        row.addWidget(self.back, 0, Qt.AlignmentFlag.AlignTop)

    def show_for(
        self, step: int, *, final: bool, acting: bool, some: bool, closed: bool = False
    ) -> None:
        """Those of a step. ``some`` was found; ``acting``: something is to become of it.

        ``closed``: it is answered, and its person can be looked for once more.
        """
        self.look.setVisible(step == _REQUEST and not final)
        self.rerun.setVisible(step in (_REQUEST, _ANSWER) and closed)
        self.again.setVisible(step == _FINDS and not final)
        self.copy.setVisible(step == _FINDS and some)
        self.plan.setVisible(step in (_FINDS, _COPY) and acting)
        self.answer.setVisible(step in (_FINDS, _COPY) and not acting)
        if step != _RUN:
            self.show_plan(planning=False, running=False)

    def show_plan(self, *, planning: bool, running: bool, some: bool = True) -> None:
        """While the plan is shown, or runs. ``some``: it changes something."""
        for widget in (*self._asked, self.run):
            widget.setVisible(planning and some)
        if planning:
            self.answer.setVisible(not some)
        self.stop.setVisible(running)
        self.stop.setEnabled(True)
        self.back.setEnabled(not running)

    def retranslate(self, words: Words) -> None:
        """Say all texts again."""
        say = words.say
        self.look.setText(say("Look for this person"))
        self.again.setText(say("Look again"))
        self.rerun.setText(say("Look for this person again…"))
        self.copy.setText(say("A copy first…"))
        self.plan.setText(say("Plan what goes…"))
        self.answer.setText(say("Answer the person"))
        self.stop.setText(say("Stop after this store"))
        self.back.setText(say("All cases"))
