# SPDX-License-Identifier: MIT
"""All cases: who waits for an answer, until when, and what was answered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.cases.case import Case
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.ledger import LedgerState
from memory_gui.services import Services
from memory_gui.ui.cases.days import today
from memory_gui.ui.cases.list_form import ListForm
from memory_gui.ui.cases.words import due_text
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.frame import Frame
from memory_gui.ui.pages.page import Page
from memory_gui.ui.shell.siderows import (
    COUNT_ROLE,
    ICON_ROLE,
    ROLE,
    SECOND_ROLE,
    TONE_ROLE,
    Rows,
)
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import Button, EmptyState, PrimaryButton, TextLabel
from memory_gui.words import N_, Words
from memory_gui.words import cases as said

SOON: Final = 7
"""Days before the end at which a case is shown in another colour."""
_UNKEPT: Final = N_(
    "There is no keychain, so cases are not kept: one can be worked through, and ends with this "
    "window."
)


@dataclass(frozen=True, slots=True)
class Known:
    """What the page shows, asked for in one go."""

    cases: tuple[Case, ...]
    kept: bool
    unread: LedgerState | None = None
    """There are cases, and why they cannot be read now."""


def look(services: Services) -> Known:
    """Any thread but the window's own."""
    cases = services.cases
    return Known(cases.all(), cases.is_kept, cases.waiting().unread)


def ask_again(services: Services) -> Known:
    """The same, with a keychain that may give the key now. Any thread but the window's own."""
    services.keychain.ask_again()
    services.keeper.ask_again()
    return look(services)


def tone_of(case: Case, now: date) -> str:
    """How a case is coloured, by what is left of its time."""
    left = case.clock.days_left(now)
    if left is None:
        return "muted"
    return "warn" if left <= SOON else "accent"


def case_name(words: Words, case: Case) -> str:
    """What a case is called: by its person, or by its number once it holds no name."""
    if case.title:
        return one_line(case.title, 80)
    return words.say("Case {number}", number=str(case.number))


class CasesPage(Page):
    """Choosing one opens it."""

    icon_name = Icon.PERSON_GONE

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "cases")
        self._known: Known | None = None
        self._asking = Asking(self.bridge)
        self.frame = Frame("cases", width=760)
        self.lead = named(TextLabel(tone="muted"), "cases.lead")
        self.rows = named(Rows(), "cases.list")
        self.nobody = named(EmptyState(Icon.OK), "cases.nobody")
        self.unkept = named(TextLabel(tone="warn"), "cases.unkept")
        self.again = named(Button(icon=Icon.REFRESH), "cases.again")
        self.new = named(PrimaryButton(icon=Icon.ADD), "cases.new")
        self.from_list = named(Button(icon=Icon.FILE), "cases.list_wanted")
        self.leave = named(Button(), "cases.close")
        self.form = ListForm(context)
        content = self.frame.content
        for widget in (self.lead, self.unkept):
            content.addWidget(widget)
        content.addWidget(self.again, 0, Qt.AlignmentFlag.AlignLeft)
        content.addWidget(self.form)
        content.addWidget(self.rows)
        content.addWidget(self.nobody)
        content.addStretch(1)
        self.frame.foot.addWidget(self.new)
        self.frame.foot.addWidget(self.from_list)
        self.frame.foot.addWidget(self.leave)
        self.frame.foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
        self.rows.clicked.connect(self._on_chosen)
        self.rows.activated.connect(self._on_chosen)
        self.new.clicked.connect(self._on_new)
        self.frame.retried.connect(self.refresh)
        self.leave.clicked.connect(self.closed)
        self.again.clicked.connect(self._on_again)
        self.from_list.clicked.connect(self._on_from_list)
        self.form.made.connect(self._on_made)
        self.form.left.connect(self.refresh)
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        self.frame.banner.dismiss()
        self.frame.show_busy(self.words.say("Asking the keychain for the list of cases…"))
        self.refresh()

    def refresh(self) -> None:
        self._asking.anew(look, self.services, done=self._on_known, failed=self._on_failed)

    def clear(self) -> None:
        self._asking.drop()
        self._known = None
        self.rows.empty()
        self.form.wipe()
        self.frame.banner.dismiss()

    def retranslate(self) -> None:
        say = self.words.say
        self.frame.title.setText(say("Forget someone"))
        self.frame.banner.set_close_name(say("Close this message"))
        self.lead.setText(
            say(
                "Someone asks to be forgotten, or what is kept about them. A case leads from the "
                "request to the signed receipt, over every store on this computer."
            )
        )
        self.again.setText(say("Ask again"))
        self.rows.setAccessibleName(say("Cases"))
        self.new.setText(say("New case…"))
        self.from_list.setText(say("From a list…"))
        self.form.retranslate()
        self.leave.setText(say("Close"))
        self.nobody.say(
            say("Nobody has asked yet"),
            say("Begin a case when someone asks to be forgotten, or to see what is kept."),
        )
        if self._known is not None:
            self._on_known(self._known)

    # ---- what came back

    def _on_known(self, known: Known) -> None:
        self._known = known
        why = known.unread
        text = self.words.say(_UNKEPT)
        self.unkept.setText(text if why is None else said.unread(self.words, why.code, why.result))
        self.unkept.setVisible(not known.kept or why is not None)
        self.again.setVisible(why is not None)
        self.from_list.setVisible(known.kept)
        self.nobody.setVisible(not known.cases and known.kept and why is None)
        current = self.rows.currentRow()
        self.rows.empty()
        now = today()
        for case in sorted(known.cases, key=lambda one: (one.is_final, one.clock.ends)):
            self._add(case, now)
        self.rows.setCurrentRow(max(0, min(current, self.rows.count() - 1)))
        self.rows.updateGeometry()
        had_state = self.frame.state
        self.frame.show_state(frame.CONTENT)
        if had_state != frame.CONTENT and self.form.isHidden():
            target = self.rows if self.rows.count() else self.new
            target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add(self, case: Case, now: date) -> None:
        words = self.words
        name, due = case_name(words, case), due_text(words, case, now)
        second = words.row(
            (said.said(words, said.RIGHTS, case.right), said.said(words, said.STATES, case.state))
        )
        self.rows.add(
            {
                Qt.ItemDataRole.DisplayRole: name,
                ROLE: case.number,
                ICON_ROLE: Icon.OK if case.is_final else Icon.CLOCK,
                TONE_ROLE: tone_of(case, now),
                SECOND_ROLE: second,
                COUNT_ROLE: due,
                Qt.ItemDataRole.AccessibleTextRole: words.row((name, second, due)),
            }
        )

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self.frame.show_error(self.words, error)

    def _on_chosen(self) -> None:
        number = self.rows.currentIndex().data(ROLE)
        if number:
            self.go.emit("case", int(number))

    def _on_from_list(self) -> None:
        self.frame.show_state(frame.CONTENT)
        self.form.ask()

    def _on_made(self, count: int) -> None:
        text = self.words.many("{n} case was made.", "{n} cases were made.", count)
        self.frame.banner.tell("ok", text)
        self.refresh()

    def _on_again(self) -> None:
        self.frame.show_busy(self.words.say("Asking the keychain for the list of cases…"))
        self._asking.anew(
            ask_again, self.services, done=self._on_known, failed=self._on_failed, in_turn=True
        )

    def _on_new(self) -> None:
        self.go.emit("case_new", None)
