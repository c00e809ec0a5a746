# SPDX-License-Identifier: MIT
"""Home's lines about cases that wait for an answer. Nobody is asked where there never was one."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memory_gui.cases.case import DueLine
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.ledger import LedgerState
from memory_gui.services import Services
from memory_gui.services.cases.book.book import Waiting
from memory_gui.ui.cases.list_page import SOON
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.pages.mark import MarkIcon
from memory_gui.ui.tokens import SPACE_S, SPACE_XS
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import Button, Panel, TextLabel
from memory_gui.words import cases as said

_MOST: Final = 5
"""Lines; more are counted."""


def look(services: Services) -> Waiting:
    """What is due. Any thread but the window's own."""
    return services.cases.waiting()


def ask_again(services: Services) -> Waiting:
    """The same, with a keychain that may give the key now. Any thread but the window's own."""
    services.keychain.ask_again()
    services.keeper.ask_again()
    return look(services)


class DuePanel(Panel):
    """Hidden while nothing is due. GUI thread."""

    case_wanted = Signal(int)
    all_wanted = Signal()
    shown_changed = Signal(bool)
    """Whether something is due."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start.due")
        self._words = context.words
        self._services = context.services
        self._due = Waiting()
        self._asking = Asking(context.bridge)
        self._rows = padded(self, SPACE_XS)
        self.hide()

    def look(self) -> None:
        """Ask again, never twice at a time."""
        if not self._asking.busy:
            self._asking.ask(look, self._services, done=self._on_due, failed=self._on_failed)

    def clear(self) -> None:
        """Forget the names."""
        self._asking.drop()
        self._show(Waiting())

    def retranslate(self) -> None:
        """Say all texts again."""
        due, self._due = self._due, Waiting()
        self._show(due)

    def _ask_again(self) -> None:
        if not self._asking.busy:
            self._asking.ask(ask_again, self._services, done=self._on_due, failed=self._on_failed)

    def _on_due(self, due: Waiting) -> None:
        self._show(due)

    def _on_failed(self, _error: UserError | IntegrityError) -> None:
        """Home tells by itself what is wrong with the app's own file; here that cases are in it."""
        self._on_due(Waiting(unread=LedgerState("unreadable")))

    def _show(self, due: Waiting) -> None:
        shown = bool(due.lines) or due.unread is not None
        if due == self._due and shown:
            return
        self._due = due
        empty(self._rows)
        for number, line in enumerate(due.lines[:_MOST]):
            self._add(number, line)
        if due.unread is not None:
            self._add_unread(due.unread)
        elif len(due.lines) > _MOST:
            self._add_more(len(due.lines) - _MOST)
        self.setVisible(shown)
        self.shown_changed.emit(shown)

    def _add_unread(self, why: LedgerState) -> None:
        """No line would look as if nothing were due."""
        say = self._words.say
        again = named(Button(say("Ask again")), "start.due.again")
        again.setAccessibleName(say("Ask the keychain for the cases again"))
        again.clicked.connect(self._ask_again)
        text = said.unread(self._words, why.code, why.result)
        self._row("start.due.unread", text, "warn", again)

    def _add_more(self, count: int) -> None:
        words = self._words
        show = named(Button(words.say("All cases")), "start.due.all")
        show.clicked.connect(self.all_wanted)
        text = words.many("{n} more case waits", "{n} more cases wait", count)
        self._row("start.due.more", text, "accent", show)

    def _add(self, number: int, line: DueLine) -> None:
        words = self._words
        name = one_line(line.title, 60)
        text = words.say(
            "{name}: {right}, {due}",
            name=name,
            right=said.said(words, said.RIGHTS, line.right),
            due=said.due(words, line.due, line.days_left),
        )
        show = named(Button(words.say("Show")), f"start.due{number}.show")
        show.setAccessibleName(words.say("Show the case of {name}", name=name))
        show.clicked.connect(partial(self.case_wanted.emit, line.number))
        tone = "warn" if line.days_left <= SOON else "accent"
        self._row(f"start.due{number}", text, tone, show)

    def _row(self, name: str, text: str, tone: str, button: Button) -> None:
        label = named(TextLabel(), name)
        label.setText(text)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(MarkIcon(Icon.CLOCK, tone), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(label, 1)
        row.addWidget(button)
        self._rows.addLayout(row)
