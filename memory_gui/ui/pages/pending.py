# SPDX-License-Identifier: MIT
"""Erasures that were begun and not finished: each is finished here, and proved."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.work import Tick
from memory_gui.erasure.plan import ErasePlan, plan_of
from memory_gui.ledger import SETTLED
from memory_gui.services import Services
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import erase_words as say
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.erase_run import Outcome, RunView, outcome_of
from memory_gui.ui.pages.frame import Frame, empty, padded
from memory_gui.ui.pages.page import Page
from memory_gui.ui.tokens import SPACE_M
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import Button, Caption, Panel, PrimaryButton, TextLabel

if TYPE_CHECKING:
    from memory_gui.ledger import PendingErase


def finish(services: Services, entry: PendingErase, *, tick: Tick) -> Outcome:
    """Finish what was begun. Any thread."""
    result = services.erasing.resume(entry, tick=tick)
    plan = ErasePlan((plan_of(entry.store_path, entry.scheme),))
    return outcome_of(result, plan)


def accept(services: Services, entry: PendingErase, outcome: Outcome) -> Outcome:
    """The same erase, whose finds a person accepts. Any thread."""
    plan = ErasePlan((plan_of(entry.store_path, entry.scheme),))
    return outcome_of(services.erasing.accept(outcome.result, plan), plan)


class PendingPage(Page):
    """The list, and the one that is being finished."""

    icon_name = Icon.CLOCK

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "pending")
        self._entries: tuple[PendingErase, ...] = ()
        self._working: PendingErase | None = None
        self._asking = Asking(self.bridge)
        self.frame = Frame("pending")
        self._list = QWidget()
        self._rows = QVBoxLayout(self._list)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(SPACE_M)
        self._lead = named(TextLabel(), "pending.lead")
        self.run_view = RunView(context, "pending")
        self.run_view.hide()
        self.result_view = self.run_view.result_view
        self.back = named(Button(), "pending.back")
        for widget in (self._lead, self._list, self.run_view):
            self.frame.content.addWidget(widget)
        self.frame.content.addStretch(1)
        self.frame.foot.addWidget(self.back)
        self.frame.foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
        self.back.clicked.connect(self._on_back_clicked)
        self.result_view.again.connect(self._on_again)
        self.result_view.accepted.connect(self._on_accepted)
        self.run_view.ended.connect(self._on_ended)
        self.run_view.failed.connect(self._on_not_finished)
        self.run_view.broke.connect(self._on_broke)
        self.run_view.ended_unseen.connect(partial(self.go.emit, "erased"))
        self.run_view.not_saved.connect(self._on_not_saved)
        self.frame.retried.connect(self.refresh)
        self.frame.acted.connect(self.closed)
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        if self.run_view.running:
            self._show_run()
        else:
            self._working = None
            self.run_view.hide()
            self.back.setEnabled(True)
            self.frame.show_busy(self.words.say("Looking for unfinished erasures…"))
            self.refresh()

    def refresh(self) -> None:
        if self.run_view.isHidden():
            self._asking.anew(
                self.services.erasing.pending, done=self._on_entries, failed=self._on_failed
            )

    def clear(self) -> None:
        self._asking.drop()
        self._entries, self._working = (), None
        empty(self._rows)
        self.run_view.leave()
        self.run_view.hide()
        self.frame.banner.dismiss()

    def may_leave(self) -> bool:
        running = self.run_view.running
        if running:
            self.frame.banner.tell("info", self.words.say("The erase is still running."))
        return not running

    def retranslate(self) -> None:
        words = self.words
        self.frame.title.setText(words.say("Unfinished erasures"))
        self.frame.banner.set_close_name(words.say("Close"))
        self.back.setText(words.say("Close"))
        self.frame.empty.say(
            words.say("No erasure is unfinished"),
            words.say(
                "An erasure that was stopped by a crash or another program, or that is not "
                "proved, is listed here."
            ),
            words.say("Close"),
        )
        self._lead.setText(
            words.say(
                "These were begun and are not proved. Where one was stopped, what was to go may "
                "still be in the file until it is finished."
            )
        )
        self.run_view.retranslate()
        self._fill()

    # ---- the list

    def _on_entries(self, entries: tuple[PendingErase, ...]) -> None:
        if not self.run_view.isHidden():
            return
        self._entries = entries
        self._fill()
        self._lead.show()
        self._list.show()
        self.frame.show_state(frame.CONTENT if entries else frame.EMPTY)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self._working = None
        self.frame.show_error(self.words, error)

    def _fill(self) -> None:
        empty(self._rows)
        for number, entry in enumerate(self._entries):
            self._rows.addWidget(self._row(number, entry))

    def _row(self, number: int, entry: PendingErase) -> Panel:
        words = self.words
        panel = named(Panel(), f"pending.entry{number}")
        inside = padded(panel)
        row = QHBoxLayout()
        texts = QVBoxLayout()
        name = named(TextLabel(selectable=True), f"pending.path{number}")
        name.setText(visible(entry.store_path))
        counts = entry.scheme.get("counts", {})
        rows = sum(int(n) for n in counts.values()) if isinstance(counts, dict) else 0
        began = named(Caption(), f"pending.began{number}")
        began.setText(
            words.many(
                "{n} row, begun {when}", "{n} rows, begun {when}", rows,
                when=say.moment(words, entry.started_at),
            )
        )  # fmt: skip
        texts.addWidget(name)
        texts.addWidget(began)
        settled = entry.state in SETTLED
        if settled:
            why = named(TextLabel(tone="warn"), f"pending.why{number}")
            why.setText(say.not_proved(words, entry.scheme))
            texts.insertWidget(1, why)
        act = words.say("Look again") if settled else words.say("Finish it now")
        finish = named(PrimaryButton(act, Icon.CHECK), f"pending.go{number}")
        finish.clicked.connect(lambda _checked=False, entry=entry: self._finish(entry))
        row.addLayout(texts, 1)
        row.addWidget(finish, 0, Qt.AlignmentFlag.AlignVCenter)
        inside.addLayout(row)
        return panel

    # ---- finishing

    def _finish(self, entry: PendingErase) -> None:
        self._asking.drop()
        self._working = entry
        self.frame.banner.dismiss()
        self.run_view.run(partial(finish, self.services, entry))
        self._show_run()

    def _show_run(self) -> None:
        self._lead.hide()
        self._list.hide()
        self.run_view.show_steps()
        self.run_view.show()
        self.back.setEnabled(False)
        self.frame.show_state(frame.CONTENT)

    def _on_ended(self, _outcome: Outcome) -> None:
        self.back.setEnabled(True)
        self.back.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit(ChangeSet())

    def _on_not_finished(self, error: UserError | IntegrityError) -> None:
        self._on_broke()
        self.frame.say_error(self.words, error)

    def _on_broke(self) -> None:
        """The entry is still there to be tried again."""
        self._working = None
        self.run_view.hide()
        self.back.setEnabled(True)
        self.refresh()

    def _on_again(self) -> None:
        if self._working is None:
            self.show_for(None)  # the entry was forgotten with the lock
        else:
            self._finish(self._working)

    def _on_accepted(self) -> None:
        outcome = self.run_view.outcome
        if outcome is not None and self._working is not None:
            self.bridge.call(
                accept,
                self.services,
                self._working,
                outcome,
                done=partial(self._on_accept_done, outcome),
                failed=self._on_not_saved,
            )

    def _on_accept_done(self, before: Outcome, outcome: Outcome) -> None:
        self.run_view.show_instead(before, outcome)
        self.changed.emit(ChangeSet())

    def _on_back_clicked(self) -> None:
        shown = not self.run_view.isHidden()
        self.run_view.leave()
        if shown:
            self.show_for(None)
        else:
            self.closed.emit()

    def _on_not_saved(self, error: UserError | IntegrityError) -> None:
        self.frame.say_error(self.words, error)
