# SPDX-License-Identifier: MIT
"""One case, step by step: the request, what was found, a copy, the plan and its run, the answer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.cases.case import Case, CaseState
from memory_gui.cases.finds import CaseFind
from memory_gui.cases.rights import DECIDING
from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services.cases.answering.reporting import CaseReport
from memory_gui.services.cases.running.plans import CasePlan, CaseResult
from memory_gui.services.erasing.forgetting import Corrected
from memory_gui.services.locking.drafts import CASE, OWN, Draft, Fields
from memory_gui.ui.bridge import Handle
from memory_gui.ui.cases import acts
from memory_gui.ui.cases import words as say_of
from memory_gui.ui.cases.answering import Answering
from memory_gui.ui.cases.changing import Changing
from memory_gui.ui.cases.copying import Copying
from memory_gui.ui.cases.correcting import Correcting
from memory_gui.ui.cases.finds_view import OF_FINDS
from memory_gui.ui.cases.list_page import case_name
from memory_gui.ui.cases.looking import Looking, can_look
from memory_gui.ui.cases.parts import ANSWER, COPY, FINDS, REQUEST, RUN, Parts
from memory_gui.ui.cases.running import Running
from memory_gui.ui.cases.saving import Saving
from memory_gui.ui.cases.shown import Shown
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.frame import Frame
from memory_gui.ui.pages.page import Page
from memory_gui.ui.visible import visible


class CasePage(Page):
    """Holds names and texts of one person; a lock makes it forget all of them."""

    icon_name = Icon.PERSON_GONE

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "case")
        self.now = Shown()
        self._report: CaseReport | None = None
        self._call: Handle | None = None
        self._typed: Fields = {}
        """What a lock has kept, until the case is there; of finds, until they are."""
        self.frame = Frame("case", width=0, fills=True)
        self.parts = Parts(context, self.frame, self)
        now, parts = self.now, self.parts
        self.saving = Saving(context, parts.answer, now, self)
        self.changing = Changing(context, self.frame, parts.request, now, self)
        self.looking = Looking(context, self.frame, parts.finds, now, self)
        self.answering = Answering(context, self.frame, parts, now, self)
        self.correcting = Correcting(context, self.frame, parts.finds, now, self)
        self.copying = Copying(context, self.frame, parts.copy, now, self)
        self.running = Running(context, self.frame, self.parts, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
        self._connect()
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        if self._is_busy or self._is_at(argument):
            return
        self._forget()
        if isinstance(argument, Draft):
            self._typed, argument = argument.fields, int(str(argument.fields[CASE]))
        if not isinstance(argument, (int, Case)):
            self.frame.show_state(frame.EMPTY)
            return
        self.frame.show_busy(self.words.say("Looking up the case…"))
        self._call = self.bridge.call(
            acts.look,
            self.services,
            argument,
            done=self._on_seen,
            failed=self._on_failed,
            broke=partial(self.frame.show_state, frame.EMPTY),
        )

    def clear(self) -> None:
        if self.copying.call is not None:
            self.copying.call.cancel()
        self._forget()

    def drafts(self) -> tuple[Draft, ...]:
        if (case := self.now.case) is None:
            return ()
        typed = {**self._typed, **self.parts.typed()}
        return (Draft(OWN, {CASE: str(case.number)} | typed),) if typed else ()

    def may_leave(self) -> bool:
        if self._is_busy:
            self.frame.banner.tell("info", self.words.say("The erase is still running."))
        return not self._is_busy

    def retranslate(self) -> None:
        say = self.words.say
        self._say_title()
        self.frame.banner.set_close_name(say("Close this message"))
        self.frame.empty.say(say("No case is chosen"), "", say("All cases"))
        self.parts.retranslate(self.words)
        self.running.say()

    # ---- the case

    @property
    def _has_some(self) -> bool:
        return self.now.finds is not None and bool(self.now.finds.finds)

    @property
    def _is_acting(self) -> bool:
        return self.now.finds is not None and bool(self.now.finds.ticked)

    @property
    def _is_busy(self) -> bool:
        """Whether something is written that goes on although the window locks."""
        return self.running.active or self.correcting.active

    def _is_at(self, argument: object) -> bool:
        """Who comes back from a record to the case finds everything as it was."""
        found = self.now.found
        return isinstance(argument, int) and found is not None and found.case.number == argument

    def _forget(self) -> None:
        if self._call is not None:  # of the case before
            self._call.cancel()
        self.looking.forget()
        self.now.case = self.now.finds = self._report = None
        self.running.forget()
        self._typed = {}
        self.parts.wipe()
        self.frame.banner.dismiss()
        self._say_title()

    def _on_seen(self, seen: acts.Seen) -> None:
        self._take(seen.case, seen.report)
        self.parts.request.held.show_holds(seen.holds)
        typed, self._typed = self._typed, {}
        step = self.parts.take_up(seen.case, typed)
        self._go((ANSWER if seen.case.is_final else REQUEST) if step is None else step)
        if "find.about" in typed:  # of finds: they are looked for first
            self._typed = {name: typed[name] for name in typed if name.startswith(OF_FINDS)}
            self._on_look()
            return
        if seen.earlier and not seen.case.is_final:
            self.frame.banner.tell("info", say_of.earlier(self.words, seen.earlier))

    def _take(self, case: Case, report: CaseReport | None = None) -> None:
        self.now.case = case
        self._report = report or self._report
        self.parts.request.show_case(case)
        if report is not None:
            self.parts.answer.show_report(report)
            for view in self.parts.remains:
                view.show_report(report)
        self._say_title()
        self._enable()

    def _say_title(self) -> None:
        case = self.now.case
        title = self.words.say("Case") if case is None else case_name(self.words, case)
        self.frame.title.setText(visible(title))

    def _enable(self) -> None:
        case, there = self.now.case, self.now.case is not None
        found = case is not None and can_look(case) and self.now.finds is not None
        some = found and self._has_some
        self.parts.allow({REQUEST: there, FINDS: found, COPY: some, RUN: found, ANSWER: there})

    def _go(self, step: int) -> None:
        """Show a step without asking for anything."""
        self.frame.show_state(frame.CONTENT)
        case = self.now.case
        final = case is None or case.is_final
        if final and step == FINDS:
            final = self.now.finds is None
        self.parts.show(
            step,
            final=final,
            acting=self._is_acting,
            some=self._has_some,
            closed=case is not None and case.state is CaseState.CLOSED and bool(case.number),
        )
        self._enable()

    def _on_step(self, step: int) -> None:
        self.frame.banner.dismiss()
        if self.running.active:
            return
        if step == RUN:
            self._make_plan()
        elif step == ANSWER:
            self.answering.tell()
        else:
            self._go(step)

    # ---- changing the request

    def _on_change_wanted(self) -> None:
        if self.now.case is not None:
            self.go.emit("case_new", self.now.case)

    # ---- finding and deciding

    def _on_look(self) -> None:
        if self.now.case is not None and not self.running.active:
            self.running.forget()
            self.looking.look(self.now.case)

    def _on_rerun(self) -> None:
        """Names are asked for; the case is shown with its request meanwhile."""
        if self.now.case is not None:
            self._go(REQUEST)
            self.parts.again.ask(self.now.case)

    def _on_named(self, names: tuple[str, ...]) -> None:
        if self.now.case is not None and not self.running.active:
            self.running.forget()
            self.looking.look_again(self.now.case, names)

    def show_found(self, found: acts.Found) -> None:
        """Show what a search found, and where it looked."""
        self._show_finds(found)
        self._go(FINDS)
        typed, self._typed = self._typed, {}
        if typed and not self.parts.finds.take_up(typed):
            say = self.words.say
            text = say("What you were typing was about finds that are not there any more.")
            self.frame.banner.tell("warn", text)

    def _show_finds(self, found: acts.Found) -> None:
        finds = found.finds
        self.now.finds, self.now.where = finds, found.where
        self.running.forget()
        self._take(found.case)
        self.parts.looked.show_finds(finds)
        self.parts.finds.show_finds(finds, deciding=found.case.right in DECIDING)
        self.parts.copy.show_finds(found.case, finds)
        self._enable()

    def _on_decided(self, found: acts.Found) -> None:
        self._show_finds(found)
        self.parts.foot.show_for(FINDS, final=False, acting=self._is_acting, some=self._has_some)

    def _on_asked(self, form: QWidget) -> None:
        """A form that opens below the list is seen, once it has its place."""
        QTimer.singleShot(0, form, partial(self.frame.reveal, form))

    def _on_corrected(self, find: CaseFind, done: Corrected, found: acts.Found) -> None:
        self._show_finds(found)
        self._go(FINDS)
        self.correcting.say(done)
        self.go.emit("forget", tuple(piece.text for piece in find.pieces))
        self.changed.emit(done.edit.changes)

    # ---- plan and run

    def _make_plan(self) -> None:
        if (found := self.now.found) is not None:
            self.running.make_plan(found)

    def _on_ran(self, plan: CasePlan | None, result: CaseResult, report: CaseReport) -> None:
        if self.now.case is None or plan is None:  # locked: the case itself says how far it came
            return
        case = result.case
        if case.is_final:  # it keeps no name, and may have to be looked for once more
            case = replace(case, subject=self.now.case.subject)
        self._take(case, report)
        self.parts.run.show_result(result)
        refs = tuple(ref for part in plan.parts for ref in part.refs)
        parts = [part.erase for part in plan.parts if part.erase is not None]
        self.go.emit("forget", tuple(text for part in parts for text in part.texts))
        self.changed.emit(ChangeSet(removed=refs))
        # What was found is partly gone: who goes on looks again.
        self.now.finds = None
        self.parts.wipe(self.parts.plan, self.parts.finds, self.parts.looked)
        self._enable()
        self.parts.run.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_stop(self) -> None:
        """What is found until then is kept."""
        for call in (self._call, self.looking.call, self.copying.call):
            if call is not None:
                call.stop()
        self.running.stop()

    # ---- the answer

    def _on_told(self, seen: acts.Seen) -> None:
        self._take(seen.case, seen.report)
        self._go(ANSWER)

    def _on_decide_wanted(self) -> None:
        """To what is undecided; after a run it is looked for again."""
        if self.now.finds is None:
            self._on_look()
        else:
            self._go(FINDS)

    def _on_closed(self, seen: acts.Seen) -> None:
        self.now.finds = None
        self.running.forget()
        parts = self.parts
        parts.wipe(parts.finds, parts.looked, parts.copy, parts.plan, parts.run)
        self._take(seen.case, seen.report)
        parts.request.held.show_holds(seen.holds)
        self._go(ANSWER)
        self.frame.banner.tell("ok", self.words.say("The case is closed."))

    # ---- what went wrong

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        if self.now.case is not None and self.now.case.is_final:  # other names may be the case's
            self._on_refused(error)
        else:
            self.frame.show_error(self.words, error)

    def _on_refused(self, error: UserError | IntegrityError) -> None:
        """An act was refused; what is shown stays."""
        self._go_back()
        self.frame.say_error(self.words, error)

    def _go_back(self) -> None:
        stays = self.now.finds is not None or self._report is not None
        self._go(self.parts.steps.currentIndex() if stays else REQUEST)

    def _on_broke(self, case: Case) -> None:
        """The window tells of the bug; here it must not look as if something still ran."""
        if self.now.still(case):
            self._go_back()

    def _on_retried(self) -> None:
        if self.now.case is None:
            self.go.emit("cases", None)
        self._on_look()

    # ---- putting together

    def _connect(self) -> None:
        self.parts.step_chosen.connect(self._on_step)
        self.changing.changed.connect(self._take)
        self.changing.refused.connect(self._on_refused)
        self.changing.lifted.connect(partial(self._go, REQUEST))
        self.parts.request.change_wanted.connect(self._on_change_wanted)
        self.looking.found.connect(self.show_found)
        self.looking.decided.connect(self._on_decided)
        self.looking.failed.connect(self._on_failed)
        self.looking.refused.connect(self._on_refused)
        for part in (self.looking, self.changing, self.answering, self.copying):
            part.broke.connect(self._on_broke)
        self.answering.told.connect(self._on_told)
        self.answering.closed.connect(self._on_closed)
        self.answering.refused.connect(self._on_refused)
        self.parts.again.wanted.connect(self._on_named)
        self.parts.again.left.connect(partial(self._go, REQUEST))
        for view in self.parts.remains:
            view.asked.connect(self._on_asked)
        self.parts.finds.record_wanted.connect(partial(self.go.emit, "record"))
        self.parts.finds.refused.connect(partial(self.frame.banner.tell, "info"))
        self.parts.finds.asked.connect(self._on_asked)
        self.correcting.corrected.connect(self._on_corrected)
        self.copying.ended.connect(partial(self._go, COPY))
        self.copying.refused.connect(self._on_refused)
        self.running.planned.connect(partial(self._go, RUN))
        self.running.left.connect(partial(self._go, FINDS))
        self.running.refused.connect(self._on_refused)
        self.running.ended.connect(self._on_ran)
        self.parts.run.again.connect(self._on_look)
        self.parts.run.answer_wanted.connect(self.answering.tell)
        self.parts.answer.decide_wanted.connect(self._on_decide_wanted)
        self.saving.began.connect(self.frame.banner.dismiss)
        self.saving.refused.connect(self._on_refused)
        foot = self.parts.foot
        foot.look.clicked.connect(self._on_look)
        foot.again.clicked.connect(self._on_look)
        foot.rerun.clicked.connect(self._on_rerun)
        foot.copy.clicked.connect(partial(self._on_step, COPY))
        foot.plan.clicked.connect(partial(self._on_step, RUN))
        foot.answer.clicked.connect(partial(self._on_step, ANSWER))
        foot.back.clicked.connect(partial(self.go.emit, "cases", None))
        self.frame.stopped.connect(self._on_stop)
        self.frame.retried.connect(self._on_retried)
        self.frame.acted.connect(partial(self.go.emit, "cases", None))
