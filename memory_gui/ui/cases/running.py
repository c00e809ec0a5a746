# SPDX-License-Identifier: MIT
"""Planning what goes, and carrying that very plan out, store by store."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services.cases.answering.reporting import CaseReport
from memory_gui.services.cases.running.plans import CasePlan, CaseResult
from memory_gui.ui.bridge import Handle
from memory_gui.ui.cases import acts
from memory_gui.ui.cases.parts import Parts
from memory_gui.ui.cases.plan_words import run_button
from memory_gui.ui.context import Context
from memory_gui.ui.pages.frame import Frame


class Running(QObject):
    """Holds the plan; a run that was begun goes on although the window locks. GUI thread."""

    planned = Signal()
    left = Signal()
    """Planning was stopped, or ended by a bug of ours."""
    refused = Signal(object)
    """A UserError or IntegrityError: nothing was done."""
    ended = Signal(object, object, object)
    """The CasePlan or None (locked meanwhile), its CaseResult, the CaseReport."""

    def __init__(self, context: Context, frame: Frame, parts: Parts, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._frame = frame
        self._parts = parts
        self.plan: CasePlan | None = None
        self.call: Handle | None = None
        self.active = False
        parts.plan.typed.connect(self.say)
        parts.plan.word.returnPressed.connect(self.run)
        parts.foot.run.clicked.connect(self.run)
        parts.foot.stop.clicked.connect(self.stop)

    def make_plan(self, found: acts.Found) -> None:
        """Look for every copy of what is to go. Writes nothing."""
        words = self._context.words
        if self.active:
            return
        self.forget()
        self._parts.plan.wipe()
        self._parts.run.wipe()
        self._frame.show_busy(words.say("Looking for every copy…"), words.say("Cancel"))
        self.call = self._context.bridge.call(
            self._context.services.cases.plan,
            found.case,
            found.finds,
            found.where,
            done=self._on_planned,
            failed=self.refused.emit,
            stopped=self.left.emit,
            broke=self.left.emit,
            cancellable=True,
        )

    def run(self) -> None:
        """Do it, once its number is typed."""
        if self.plan is None or not self._parts.plan.confirmed or self.active:
            return
        self.active = True
        self._frame.banner.dismiss()
        self._parts.run.begin(self.plan)
        self._show(planning=False)
        self.call = self._context.bridge.call(
            acts.run,
            self._context.services,
            self.plan,
            self._parts.plan.answer,
            done=self._on_ran,
            failed=self._on_failed,
            stopped=self._on_stopped,
            broke=self._end,
            tick=self._parts.run.tick,
            cancellable=True,
            outlives=True,
        )

    def stop(self) -> None:
        """Between two stores; what is done until then is kept."""
        if self.call is not None:
            self.call.stop()
        self._parts.foot.stop.setEnabled(False)

    def forget(self) -> None:
        """Hold no plan any more; what runs is not stopped by that."""
        if self.call is not None and not self.active:
            self.call.cancel()
        self.plan = None

    def say(self) -> None:
        """What the button says, and whether it may be pressed."""
        button = self._parts.foot.run
        if self.plan is not None:
            button.setText(run_button(self._context.words, self.plan))
        button.setEnabled(self._parts.plan.confirmed)

    # ---- inside

    def _show(self, *, planning: bool) -> None:
        self._parts.show_run(planning=planning, running=self.active)
        self.say()

    def _on_planned(self, plan: CasePlan) -> None:
        self.plan = plan
        self._parts.plan.show_plan(plan)
        self.planned.emit()
        self._show(planning=True)

    def _on_ran(self, ended: tuple[CaseResult, CaseReport]) -> None:
        result, report = ended
        plan, self.plan, self.active = self.plan, None, False
        self.ended.emit(plan, result, report)
        if plan is not None:
            self._show(planning=False)

    def _end(self) -> bool:
        """It must not look as if something still ran; whether there is a plan: else it locked."""
        self.active = False
        if self.plan is not None:
            self._show(planning=True)
        return self.plan is not None

    def _on_stopped(self) -> None:
        if self._end():
            text = self._context.words.say("Stopped. Nothing was changed.")
            self._frame.banner.tell("info", text)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        if self._end():
            self._frame.say_error(self._context.words, error)
