# SPDX-License-Identifier: MIT
"""The page of review's rules: make one, see what it would do, what it did, and take that back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from memory_gui.domain.changes import Verdict
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.patterns import LONGEST
from memory_gui.domain.records import StoreId
from memory_gui.ledger.reviewrules import Rule
from memory_gui.services import BulkResult
from memory_gui.services.reviewing.rules import Decided, RulePlan, RuleRun
from memory_gui.ui.bridge import Asked, Handle
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.frame import Frame, padded
from memory_gui.ui.pages.page import Page
from memory_gui.ui.phrases import store_name
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.review.ruleslists import DecidedList, RuleList
from memory_gui.ui.review.runner import run_text
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import Busy, Button, Choice, Panel, SectionLabel, TextLabel
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import N_
from memory_gui.words.errors import explain
from memory_gui.words.rules import left_because

_SEEN: Final = (2, 3, 5, 10, 20)


@dataclass(frozen=True, slots=True)
class _Found:
    rules: tuple[Rule, ...] = ()
    decided: tuple[Decided, ...] = ()
    kept: bool = True


class RulesPage(Page):
    """One store at a time. GUI thread."""

    icon_name = Icon.REVIEW

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "rules")
        self._plan: RulePlan | None = None
        self._at_it: Handle | None = None
        self._asked: Handle | None = None
        self._kept = True
        self._showing = Showing(self.words, context.privacy)
        self.frame = Frame("rules")
        self.lead = named(TextLabel(tone="muted"), "rules.lead")
        self.store = named(Choice(), "rules.store")
        self.list = RuleList(self.words, self._showing)
        self.decided = DecidedList(self.words, self._showing)
        self._make_adding()
        self._make_trying()
        self.back = named(Button(), "rules.back")
        self._lay_out()
        self._connect()
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        self._fill_stores(argument)
        self._forget_plan()
        self._forget_lists()
        self.pattern.setText("")
        self.frame.to_top()
        self.refresh()

    def refresh(self) -> None:
        if self._chosen is None:
            self.frame.show_state(frame.EMPTY)
            return
        self.frame.show_state(frame.CONTENT)
        if self._asked is not None:
            self._asked.cancel()
        self._asked = self.bridge.call(
            self._find, self._chosen, done=self._on_found, failed=self._on_failed
        )

    def _find(self, store: StoreId) -> _Found:
        """Not in the window's thread."""
        rules = self.services.rules
        if not rules.book.can_be_kept:
            return _Found(kept=False)
        return _Found(rules.book.of(store), rules.decisions.list(store))

    def clear(self) -> None:
        for handle in (self._asked, self._at_it):
            if handle is not None:
                handle.cancel()
        self._asked = self._at_it = None
        self.busy.stop()
        self._forget_plan()
        self.store.clear()
        self.pattern.setText("")
        self._forget_lists()
        self.frame.banner.dismiss()

    def retranslate(self) -> None:
        say = self.words.say
        self.frame.title.setText(say("Rules of review"))
        self.frame.banner.set_close_name(say("Close"))
        self.frame.empty.say(
            say("No store is open that proposals wait for"), say("Open one, then come back.")
        )
        self.lead.setText(
            say(
                "A rule decides without asking you, in this store alone: when the store is opened "
                "here, when something new arrives while it is open, and in the terminal with "
                "“review STORE rules run”. What is odd, is like a saved memory, was rejected "
                "before or was opened again by you is never approved by a rule."
            )
        )
        self.store.setAccessibleName(say("The rules of which store"))
        self._adding_title.setText(say("A new rule"))
        self._approve_label.setText(say("Approve what was seen at least"))
        self.seen.setAccessibleName(say("Approve what was seen at least"))
        for row, times in enumerate(_SEEN):
            self.seen.setItemText(row, self.words.many("{n} time", "{n} times", times))
        self.add_approving.setText(say("Add"))
        self.add_approving.setAccessibleName(say("Add the rule that approves"))
        self._reject_label.setText(say("Reject what has this in it"))
        self.pattern.setAccessibleName(say("Reject what has this in it"))
        self.pattern.setPlaceholderText(say("words; * stands for anything between"))
        self.add_rejecting.setText(say("Add"))
        self.add_rejecting.setAccessibleName(say("Add the rule that rejects"))
        self._trying_title.setText(say("What they would do with what waits now"))
        self.look.setText(say("Look, write nothing"))
        self.run.setText(say("Run them now"))
        self.back.setText(say("Back to review"))
        self.list.retranslate()
        self.decided.retranslate()
        self._say_plan()

    # ---- building

    def _make_adding(self) -> None:
        self._adding_title = named(SectionLabel(), "rules.adding.title")
        self._approve_label = named(TextLabel(wrap=False), "rules.seen.label")
        self.seen = named(Choice(), "rules.seen")
        for times in _SEEN:
            self.seen.addItem("", times)
        self.seen.setCurrentIndex(1)
        self.add_approving = named(Button(icon=Icon.ADD), "rules.add.approving")
        self._reject_label = named(TextLabel(wrap=False), "rules.pattern.label")
        self.pattern = named(QLineEdit(), "rules.pattern")
        self.pattern.setMaxLength(LONGEST)
        self.pattern.setMinimumWidth(300)
        self.add_rejecting = named(Button(icon=Icon.ADD), "rules.add.rejecting")
        self.add_rejecting.setEnabled(False)

    def _make_trying(self) -> None:
        self._trying_title = named(SectionLabel(), "rules.trying.title")
        self.would = named(TextLabel(selectable=True), "rules.would")
        self.busy = named(Busy(), "rules.busy")
        self.look = named(Button(), "rules.look")
        self.run = named(Button(), "rules.run")

    def _lay_out(self) -> None:
        content = self.frame.content
        self.frame.corner.addWidget(self.store)
        content.addWidget(self.lead)
        content.addWidget(self.list)
        adding, trying = named(Panel(), "rules.adding"), named(Panel(), "rules.trying")
        inside = padded(adding)
        inside.addWidget(self._adding_title)
        for widgets in (
            (self._approve_label, self.seen, self.add_approving),
            (self._reject_label, self.pattern, self.add_rejecting),
        ):
            holder = QWidget()
            flow = FlowLayout(holder, spacing=SPACE_S)
            for widget in widgets:
                flow.addWidget(widget)
            inside.addWidget(holder)
        inside = padded(trying)
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_S)
        buttons.addWidget(self.look)
        buttons.addWidget(self.run)
        buttons.addStretch(1)
        for part in (self._trying_title, self.busy, self.would):
            inside.addWidget(part)
        inside.addLayout(buttons)
        for panel in (adding, trying, self.decided):
            content.addWidget(panel)
        content.addStretch(1)
        self.frame.foot.addStretch(1)
        self.frame.foot.addWidget(self.back)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.frame)

    def _connect(self) -> None:
        self.store.activated.connect(self._on_store_chosen)
        self.add_approving.clicked.connect(self._on_add_approving)
        self.add_rejecting.clicked.connect(self._on_add_rejecting)
        self.pattern.returnPressed.connect(self._on_add_rejecting)
        self.pattern.textChanged.connect(self._on_pattern_changed)
        self.list.running_set.connect(self._on_running_set)
        self.list.removed.connect(self._on_removed)
        self.look.clicked.connect(self._on_look)
        self.run.clicked.connect(self._on_run)
        self.busy.cancelled.connect(self._on_stop)
        self.decided.back_wanted.connect(self._on_back_wanted)
        self.back.clicked.connect(self._on_back_clicked)
        self.frame.acted.connect(self.closed)
        self.frame.retried.connect(self.refresh)

    # ---- stores

    @property
    def _chosen(self) -> StoreId | None:
        value = self.store.currentData()
        return None if value is None else StoreId(value)

    def _fill_stores(self, argument: object) -> None:
        kept = argument or self._chosen
        self.store.clear()
        for one in self.services.library.stores():
            self.store.addItem(store_name(self.words, one), str(one.id))
        self.store.setCurrentIndex(max(0, self.store.findData(str(kept))))
        self.store.setVisible(self.store.count() > 1)

    def _on_store_chosen(self, _row: int) -> None:
        self._forget_plan()
        self._forget_lists()
        self.refresh()

    def _forget_lists(self) -> None:
        """Of another store: its numbers mean nothing here."""
        self.list.show_rules(())
        self.decided.show_decided(())

    # ---- making rules

    def _on_pattern_changed(self, text: str) -> None:
        self.add_rejecting.setEnabled(bool(text.strip()))

    def _on_add_approving(self) -> None:
        self._change(self.services.rules.book.add_approving, int(self.seen.currentData()))

    def _on_add_rejecting(self) -> None:
        if self.pattern.text().strip():
            self._change(self.services.rules.book.add_rejecting, self.pattern.text())

    def _on_running_set(self, ident: str, on: bool) -> None:
        self._change(partial(self.services.rules.book.set_running, running=on), ident)

    def _on_removed(self, ident: str) -> None:
        self._change(self.services.rules.book.remove, ident)

    def _change(self, act: Callable[..., Any], *arguments: object) -> None:
        if self._chosen is not None:
            self.frame.banner.dismiss()
            self.bridge.call(
                act,
                self._chosen,
                *arguments,
                done=self._on_changed,
                failed=self._on_failed,
                in_turn=True,
                asked=partial(self.words.say, N_("change your rules")),
            )

    def _on_changed(self, came: object) -> None:
        if isinstance(came, Rule) and came.pattern:
            self.pattern.setText("")
        self._forget_plan()
        self.refresh()

    # ---- trying and running

    def _on_look(self) -> None:
        self._begin(self.services.rules.plan, self._on_plan)

    def _on_run(self) -> None:
        asked = partial(self.words.say, N_("let your rules decide"))
        self._begin(self.services.rules.run, self._on_ran, asked)

    def _begin(
        self,
        act: Callable[..., Any],
        done: Callable[[StoreId, Any], object],
        asked: Asked | None = None,
    ) -> None:
        if self._chosen is None or self._at_it is not None:
            return
        self.frame.banner.dismiss()
        self._forget_plan()
        self.busy.start(self.words.say("Looking at what waits…"), self.words.say("Stop"))
        self._allow(on=False)
        self._at_it = self.bridge.call(
            act,
            (self._chosen,),
            done=partial(done, self._chosen),
            failed=self._on_not_run,
            tick=self._on_tick,
            stopped=self._end,
            broke=self._end,
            cancellable=True,
            in_turn=True,
            asked=asked,
        )

    def _on_tick(self, _step: str, done: int, total: int) -> None:
        told = self.words.say("{done} of {total}", done=done, total=total)
        self.busy.progress(told, done=done, total=total)

    def _on_stop(self) -> None:
        if self._at_it is not None:
            self._at_it.stop()

    def _on_plan(self, store: StoreId, plan: RulePlan) -> None:
        self._end()
        if store == self._chosen:
            self._plan = plan
            self._say_plan()

    def _on_ran(self, _store: StoreId, run: RuleRun) -> None:
        self._end()
        tone = "warn" if run.failed or run.stopped else "ok"
        text = run_text(self.words, run)
        if run.failed:
            why = explain(self.words, run.failed[0][1]).text
            text = self.words.say("{what} {note}", what=text, note=why)
        self.frame.banner.tell(tone, text)
        self.changed.emit(run.changes)
        self.refresh()

    def _end(self) -> None:
        self._at_it = None
        self.busy.stop()
        self._allow(on=True)

    def _allow(self, *, on: bool) -> None:
        for button in (self.look, self.run):
            button.setEnabled(on and self._kept)

    def _forget_plan(self) -> None:
        self._plan = None
        self._say_plan()

    def _say_plan(self) -> None:
        plan, words = self._plan, self.words
        if plan is None:
            self.would.setText("")
            self.would.hide()
            return
        approved, rejected = plan.count(Verdict.APPROVE), plan.count(Verdict.REJECT)
        lines = [
            words.many("{n} proposal waits.", "{n} proposals wait.", plan.looked_at),
            words.many("{n} would be approved.", "{n} would be approved.", approved),
            words.many("{n} would be rejected.", "{n} would be rejected.", rejected),
            *(left_because(words, cause, number) for cause, number in plan.left.items()),
        ]
        self.would.setText("\n".join(lines))
        self.would.show()

    # ---- taking back

    def _on_back_wanted(self, number: int) -> None:
        if self._chosen is not None:
            self.bridge.call(
                self.services.rules.decisions.take_back,
                self._chosen,
                (number,),
                done=self._on_taken_back,
                failed=self._on_failed,
                in_turn=True,
                asked=partial(self.words.say, N_("take a decision of a rule back")),
            )

    def _on_taken_back(self, result: BulkResult) -> None:
        if result.failed:
            self._on_failed(result.failed[0][1])
        else:
            text = self.words.say("It waits again, and no rule decides on it any more.")
            self.frame.banner.tell("ok", text)
        self.changed.emit(result.changes)
        self.refresh()

    # ---- what came

    def _on_found(self, found: _Found) -> None:
        self.list.show_rules(found.rules)
        self.decided.show_decided(found.decided)
        self._kept = found.kept
        self.add_approving.setEnabled(found.kept)
        self._allow(on=self._at_it is None)
        if not found.kept:
            self.frame.say_error(self.words, UserError("rules.nowhere"))

    def _on_not_run(self, error: UserError | IntegrityError) -> None:
        self._end()
        self._on_failed(error)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self.frame.say_error(self.words, error)

    def _on_back_clicked(self) -> None:
        self.go.emit("review", None)
