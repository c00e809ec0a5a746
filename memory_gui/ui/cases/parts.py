# SPDX-License-Identifier: MIT
"""The steps of a case and what stands in each, with the buttons below."""

from __future__ import annotations

from typing import Final, Protocol, cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from memory_gui.cases.case import Case
from memory_gui.services.locking.drafts import Fields
from memory_gui.ui.cases.again_view import AgainView
from memory_gui.ui.cases.answer_view import AnswerView
from memory_gui.ui.cases.copy_view import CopyView
from memory_gui.ui.cases.finds_view import FindsView
from memory_gui.ui.cases.foot import Foot
from memory_gui.ui.cases.looked_view import LookedView
from memory_gui.ui.cases.plan_view import CasePlanView
from memory_gui.ui.cases.remains_view import RemainsView
from memory_gui.ui.cases.request_view import RequestView
from memory_gui.ui.cases.run_view import CaseRunView
from memory_gui.ui.cases.tabs import Tabs
from memory_gui.ui.context import Context
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import Frame
from memory_gui.ui.privacy.showing import Showing
from memory_gui.words import N_, Words

REQUEST, FINDS, COPY, RUN, ANSWER = range(5)
STEPS: Final = (N_("Request"), N_("Finds"), N_("The copy"), N_("Erase"), N_("Answer"))


class _Part(Protocol):
    def wipe(self) -> None: ...
    def retranslate(self) -> None: ...
    def setVisible(self, visible: bool, /) -> None: ...  # noqa: N802 - Qt's name


class Parts(QObject):
    """Knows which step shows what; decides nothing. GUI thread."""

    step_chosen = Signal(int)

    def __init__(self, context: Context, frame: Frame, parent: QObject) -> None:
        super().__init__(parent)
        words = context.words
        self._frame = frame
        self.steps = named(Tabs(), "case.steps")
        for _step in STEPS:
            self.steps.addTab("")
        self.left = RemainsView(words, "case.remains")
        """What the runs have left, where no run is shown."""
        self.request = RequestView(words)
        self.again = AgainView(words)
        self.looked = LookedView(words)
        self.finds = FindsView(context)
        self.copy = CopyView(words)
        self.plan = CasePlanView(words, Showing(words, context.privacy))
        self.run = CaseRunView(words)
        self.answer = AnswerView(words)
        self.remains = (self.left, self.run.remains)
        self.foot = Foot(frame.foot, self.plan)
        self._of: dict[int, tuple[QWidget, ...]] = {
            REQUEST: (self.left, self.again, self.request),
            FINDS: (self.looked, self.finds),
            COPY: (self.copy,),
            RUN: (self.plan, self.run),
            ANSWER: (self.left, self.answer),
        }
        frame.content.addWidget(self.steps)
        for part in self._all():
            frame.content.addWidget(part, 1 if part is self.finds else 0)
        frame.content.addStretch(0)
        self.steps.currentChanged.connect(self.step_chosen)

    def show(
        self,
        step: int,
        *,
        final: bool,
        acting: bool = True,
        some: bool = True,
        closed: bool = False,
    ) -> None:
        """Show a step, and the buttons that it has; the keyboard goes where it is needed."""
        self.steps.blockSignals(True)
        self.steps.setCurrentIndex(step)
        self.steps.blockSignals(False)
        for part in self._all():
            part.setVisible(part in self._of[step])
        self.foot.show_for(step, final=final, acting=acting, some=some, closed=closed)
        self._frame.to_top()
        first = {
            REQUEST: self.foot.look if not final else self.foot.rerun if closed else self.steps,
            FINDS: self.finds.list if some else self.foot.answer,
            COPY: self.copy.first,
            ANSWER: self.answer.text,
        }.get(step)
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_run(self, *, planning: bool, running: bool) -> None:
        """Of the step of erasing the plan, or what runs and how it ended."""
        self.plan.setVisible(planning)
        self.run.setVisible(not planning)
        some = self.plan.has_some
        self.foot.show_plan(planning=planning, running=running, some=some)
        if planning and not some:
            self.foot.answer.setFocus(Qt.FocusReason.OtherFocusReason)
        elif planning:
            self.plan.word.setFocus(Qt.FocusReason.OtherFocusReason)

    def allow(self, steps: dict[int, bool]) -> None:
        """Which steps there are now; the one that is shown stays."""
        current = self.steps.currentIndex()
        self.steps.blockSignals(True)
        for step, able in steps.items():
            self.steps.setTabEnabled(step, able or step == current)
        self.steps.setCurrentIndex(current)
        self.steps.blockSignals(False)

    def wipe(self, *parts: QWidget) -> None:
        """Have these (none named: all) forget their texts."""
        for part in parts or self._all():
            cast("_Part", part).wipe()

    def typed(self) -> dict[str, str | tuple[str, ...]]:
        """What a lock would take."""
        own = self.request.typed() | self.answer.typed() | self.again.typed()
        for view in self.remains:
            own |= view.typed()
        return own | self.finds.typed()

    def take_up(self, case: Case, fields: Fields) -> int | None:
        """Go on with what a lock has kept; the step on which it is shown, where that is told.

        What was typed of finds waits until they are found again.
        """
        self.request.take_up(fields)
        if self.again.take_up(case, fields):
            return REQUEST
        wrote = self.answer.take_up(fields)
        return ANSWER if self.left.take_up(fields) or wrote else None

    def retranslate(self, words: Words) -> None:
        """Say all texts again."""
        self.steps.setAccessibleName(words.say("Steps"))
        for number, text in enumerate(STEPS):
            self.steps.setTabText(number, words.say(text))
        self.foot.retranslate(words)
        for part in self._all():
            cast("_Part", part).retranslate()

    def _all(self) -> list[QWidget]:
        return list(dict.fromkeys(part for parts in self._of.values() for part in parts))
