# SPDX-License-Identifier: MIT
"""Erase: see what goes, agree to that very plan, watch it go, read what was proved."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Ref
from memory_gui.domain.work import CancelToken
from memory_gui.erasure.joining import together
from memory_gui.erasure.plan import ErasePlan
from memory_gui.erasure.result import EraseState
from memory_gui.services.erasing.keys import keeping_keys
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import erase_words as say
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.erase_acts import Prepared, accept, prepare, run
from memory_gui.ui.pages.erase_plan_view import PlanView
from memory_gui.ui.pages.erase_run import Outcome, RunView
from memory_gui.ui.pages.frame import Frame
from memory_gui.ui.pages.page import Page
from memory_gui.ui.pages.waiting import Waiting
from memory_gui.ui.pages.whole import Whole, part_lines
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.widgets import Button, DangerButton
from memory_gui.words.erasure import held_lines


class ErasePage(Page):
    """Planning, confirming, running, result: one after the other, never back into the past."""

    icon_name = Icon.ERASE

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "erase")
        self._refs: tuple[Ref, ...] = ()
        self._whole: Whole | None = None
        self._prepared: Prepared | None = None
        self._made: ErasePlan | None = None
        """The plan before a person had a say about the key."""
        self._before: ErasePlan | None = None
        """Carried out and not proved; the plan that is shown takes what still repeats it."""
        self._carried: ErasePlan | None = None
        self._call: Handle | None = None
        self._stop = CancelToken()
        self._waiting = Waiting(context, self)
        self.frame = Frame("erase")
        self.plan_view = PlanView(self.words, showing=Showing(self.words, context.privacy))
        self.run_view = RunView(context, "erase")
        self.steps_view = self.run_view.steps_view
        self.result_view = self.run_view.result_view
        self.cancel = named(Button(), "erase.cancel")
        self.erase = named(DangerButton(icon=Icon.ERASE), "erase.run")
        self.done = named(Button(), "erase.done")
        for part in (self.plan_view, self.run_view):
            self.frame.content.addWidget(part)
        self.frame.content.addStretch(1)
        for widget in (
            self.cancel,
            self.plan_view.ask,
            self.plan_view.number,
            self.erase,
            self.done,
        ):
            self.frame.foot.addWidget(widget)
        self.frame.foot.addStretch(1)
        self.setTabOrder(self.cancel, self.plan_view.number)
        self.setTabOrder(self.plan_view.number, self.erase)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
        self._connect()
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        if self.run_view.running:
            self._show_run()
            return
        self._drop()
        self.run_view.leave()
        self._waiting.stop()
        self._refs, self._prepared, self._made = (), None, None
        self._before = self._carried = self._whole = None
        if isinstance(argument, Outcome):
            self.run_view.show_outcome(argument)
            self._show_part(self.run_view, self.done)
            return
        self._refs = tuple(argument) if isinstance(argument, (tuple, list)) else ()
        self._whole = argument if isinstance(argument, Whole) else None
        if self._refs or self._whole is not None:
            self._plan()
        else:
            self.frame.show_state(frame.EMPTY)

    def clear(self) -> None:
        """The lock: an erase that runs goes on in its own process; the window tells its result."""
        self._drop()
        self._refs, self._prepared, self._made = (), None, None
        self._before = self._carried = self._whole = None
        self._waiting.stop()
        self.plan_view.wipe()
        self.run_view.leave()
        self.frame.banner.dismiss()

    def _drop(self) -> None:
        """The plan that is being made is not the one that is wanted."""
        if self._call is not None:
            self._call.cancel()
            self._call = None

    def may_leave(self) -> bool:
        if self.run_view.running:
            self.frame.banner.tell("info", self.words.say("The erase is still running."))
        return not self.run_view.running

    def retranslate(self) -> None:
        words = self.words
        self.frame.title.setText(words.say("Erase for good"))
        self.frame.banner.set_close_name(words.say("Close"))
        self.frame.empty.say(
            words.say("Nothing is chosen"),
            words.say("Choose records in the list, then erase them."),
            words.say("Close"),
        )
        self.cancel.setText(words.say("Cancel"))
        self.done.setText(words.say("Close"))
        self.run_view.retranslate()
        if self._prepared is not None:
            self._show_plan(self._prepared)

    # ---- planning

    def _connect(self) -> None:
        self.plan_view.typed.connect(self._on_typed)
        self.cancel.clicked.connect(self._on_cancel)
        self.erase.clicked.connect(self._on_erase)
        self.done.clicked.connect(self.closed)
        self.result_view.again.connect(self._on_again)
        self.result_view.accepted.connect(self._on_accepted)
        self.result_view.more_wanted.connect(self._on_more_wanted)
        self.result_view.recovery_wanted.connect(partial(self.go.emit, "recovery"))
        self.plan_view.include_wanted.connect(self._on_include_wanted)
        self.plan_view.keep_wanted.connect(self._on_keep_wanted)
        self.run_view.ended.connect(self._on_ended)
        self.run_view.failed.connect(self._on_run_failed)
        self.run_view.broke.connect(self._on_broke)
        self.run_view.ended_unseen.connect(partial(self.go.emit, "erased"))
        self.run_view.not_saved.connect(self._on_not_saved)
        self.frame.retried.connect(self._plan)
        self._waiting.free.connect(self._on_again)
        self.frame.acted.connect(self.closed)
        self.frame.stopped.connect(self._on_cancel)

    def _plan(self) -> None:
        self._drop()
        self.plan_view.wipe()
        self._prepared = None
        words = self.words
        self.frame.show_busy(words.say("Looking for every copy…"), words.say("Cancel"))
        self._call = self.bridge.call(
            prepare,
            self.services,
            self._refs,
            self._whole,
            done=self._on_prepared,
            failed=self._on_failed,
        )

    def _on_prepared(self, prepared: Prepared) -> None:
        self._prepared, self._made = prepared, prepared.plan
        self._refs = prepared.refs
        self._show_plan(prepared)
        self._show_part(self.plan_view, self.cancel, self.erase)
        # Return and Space must not erase by accident: Cancel has the keyboard.
        target = self.cancel if self.plan_view.confirmed else self.plan_view.number
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_plan(self, prepared: Prepared) -> None:
        words = self.words
        self.plan_view.show_plan(
            prepared.plan,
            self._refs,
            prepared.titles,
            [say.holder(words, who) for who in prepared.open_by],
            held=held_lines(words, prepared.held),
            parts=part_lines(words, prepared.parts),
        )
        self.erase.setText(
            words.many("Erase {n} record", "Erase {n} records", self.plan_view.records)
        )
        self._on_typed()

    def _on_typed(self) -> None:
        self.erase.setEnabled(self.plan_view.confirmed)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self.frame.show_error(self.words, error)

    # ---- running

    def _on_erase(self) -> None:
        if self._prepared is not None and self.plan_view.confirmed:
            self._run()

    def _on_again(self) -> None:
        self._run()

    def _on_accepted(self) -> None:
        outcome = self.run_view.outcome
        if outcome is None or self._carried is None:
            self.go.emit("pending", None)
        else:
            self.bridge.call(
                accept,
                self.services,
                self._carried,
                outcome,
                done=partial(self.run_view.show_instead, outcome),
                failed=self._on_not_saved,
            )

    def _on_keep_wanted(self, keep: bool) -> None:
        """The same plan with the keys kept, or as it was made."""
        if self._prepared is not None and self._made is not None:
            plan = keeping_keys(self._made) if keep else self._made
            self._prepared = replace(self._prepared, plan=plan)
            self._show_plan(self._prepared)

    def _on_include_wanted(self) -> None:
        """Plan once more, for the summaries as well."""
        if self._prepared is not None:
            self._refs += say.still_in(self._prepared.plan, "summary")
            self._plan()

    def _on_more_wanted(self) -> None:
        """A plan for exactly these; carried out, it continues the erase that is shown."""
        if self.run_view.outcome is not None:
            before = self._carried
            self.show_for(self.run_view.outcome.summaries)
            self._before = before

    def _run(self) -> None:
        if self._prepared is None:
            # The plan was forgotten with the lock: what was begun is written down.
            self.go.emit("pending", None)
        elif not self.run_view.running:
            self._waiting.stop()
            self._stop = CancelToken()
            self.frame.banner.dismiss()
            plan = self._prepared.plan
            if self._before is not None:
                plan = together(self._before, plan)
            self._carried = plan
            view, parts = self.plan_view, self._prepared.parts
            act = partial(
                run,
                self.services,
                plan,
                parts,
                stop=self._stop,
                keep_files=view.keep_files.isChecked(),
                whole_files=view.whole_files.isChecked(),
            )
            self.run_view.run(act)
            self._show_run()

    def _show_run(self) -> None:
        self.run_view.show_steps()
        self._show_part(self.run_view, self.cancel)

    def _on_run_failed(self, error: UserError | IntegrityError) -> None:
        self._show_plan_again()
        self.frame.say_error(self.words, error)

    def _on_broke(self) -> None:
        """The window tells of the bug; here it must not look as if something still ran."""
        self._show_plan_again()
        words = self.words
        self.frame.banner.tell(
            "warn",
            words.say("The erase stopped before it was proved. What was begun is written down."),
            (words.say("Look at it"), partial(self.go.emit, "pending", None)),
        )

    def _on_ended(self, outcome: Outcome | None) -> None:
        if outcome is None:
            self._show_plan_again()
            self.frame.banner.tell("info", self.words.say("Stopped. Nothing was changed."))
            return
        self._show_part(self.run_view, self.done)
        self.done.setFocus(Qt.FocusReason.OtherFocusReason)
        self._wait_if_held(outcome)
        self._forget_texts(outcome)
        if outcome.result.state is not EraseState.PLANNED:
            self.changed.emit(ChangeSet(removed=self._refs))

    def _forget_texts(self, outcome: Outcome) -> None:
        """What was erased is in no plan, no search and no clipboard of ours any more."""
        state, plan = outcome.result.state, self._carried
        if plan is None or state in (EraseState.PLANNED, EraseState.NOT_FINISHED):
            return
        self.go.emit("forget", plan.texts)
        if state is EraseState.PROVED:
            self._prepared = self._made = self._before = self._carried = None
            self.plan_view.wipe()

    def _wait_if_held(self, outcome: Outcome) -> None:
        """An erase that another program stands in the way of goes on when that one lets go."""
        result, plan = outcome.result, self._carried
        if result.state is EraseState.NOT_FINISHED and result.open_by and plan is not None:
            paths = [store.path for store in plan.stores]
            self._waiting.start(partial(self.services.erasing.is_free, paths))

    def _show_plan_again(self) -> None:
        if self._prepared is None:  # locked meanwhile
            self.frame.show_state(frame.EMPTY)
        else:
            self._show_part(self.plan_view, self.cancel, self.erase)

    def _on_cancel(self) -> None:
        if not self.run_view.running:
            self._drop()
            self.closed.emit()
            return
        # The answer is still wanted: past its point of no return an erase goes on, and says so.
        self.cancel.setEnabled(False)
        self._stop.cancel()

    def _on_not_saved(self, error: UserError | IntegrityError) -> None:
        self.frame.say_error(self.words, error)

    def _show_part(self, part: QWidget, *buttons: QWidget) -> None:
        for each in (self.plan_view, self.run_view):
            each.setVisible(each is part)
        for button in (self.cancel, self.erase, self.done):
            button.setVisible(button in buttons)
        asks = part is self.plan_view and self.plan_view.asks
        self.plan_view.ask.setVisible(asks)
        self.plan_view.number.setVisible(asks)
        self.cancel.setEnabled(True)
        self.frame.show_state(frame.CONTENT)
        self.frame.to_top()
