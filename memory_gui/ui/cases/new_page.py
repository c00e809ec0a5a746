# SPDX-License-Identifier: MIT
"""A request is written down: a new case, or one that is changed."""

from __future__ import annotations

from dataclasses import fields
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.cases.case import Case, NewCase
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services import Services
from memory_gui.services.locking.drafts import EDITED, OWN, Draft, Fields
from memory_gui.ui.bridge import Handle
from memory_gui.ui.cases.days import today
from memory_gui.ui.cases.request_form import RequestForm
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.frame import Frame
from memory_gui.ui.pages.page import Page
from memory_gui.ui.widgets import Button, PrimaryButton
from memory_gui.words import N_


def write_down(services: Services, new: NewCase, before: Case | None = None) -> Case:
    """Write the case down; without a keychain it lives in this window only. Any thread.

    ``before`` is one that is there already, and gets these values.
    """
    cases = services.cases
    if before is None:
        return cases.new(new) if cases.is_kept else cases.draft(new)
    values = {one.name: getattr(new, one.name) for one in fields(new)}
    return cases.edit(before, **values)


def _open_own_file(services: Services) -> bool:
    return services.cases.is_kept


class NewCasePage(Page):
    """A form in three parts. Nothing is looked for before it is filled in."""

    icon_name = Icon.PERSON_GONE

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "case_new")
        self._asking = Asking(self.bridge)
        self._making: Handle | None = None
        self._case: Case | None = None
        """What is changed; None while it is a new one."""
        self._before: dict[str, str] = {}
        self.frame = Frame("case_new")
        self.form = RequestForm(self.words)
        self.cancel = named(Button(), "case_new.cancel")
        self.begin = named(PrimaryButton(icon=Icon.CHECK), "case_new.begin")
        self._lay_out()
        self.form.checked.connect(self.begin.setEnabled)
        self.form.entered.connect(self._on_create)
        self.begin.clicked.connect(self._on_create)
        self.cancel.clicked.connect(self._on_cancel)
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        if isinstance(argument, Case):
            self._begin_edit(argument)
        elif isinstance(argument, Draft):
            self._take_up(argument.fields)
        elif isinstance(argument, str) or self._case is not None or not self.form.is_typed:
            self.clear()
            self.form.name.setText(argument if isinstance(argument, str) else "")
            self.form.received.set_day(today())
        # What was typed is sealed by a lock with a key of our own file: that has to be open then.
        self.bridge.call(_open_own_file, self.services)
        self.frame.show_state(frame.CONTENT)
        self.frame.to_top()
        self.form.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def drafts(self) -> tuple[Draft, ...]:
        typed = self.form.typed() if self.form.is_typed else {}
        if self._case is None:
            return (Draft(OWN, typed),) if typed else ()
        changed = typed and typed != self._before
        return (Draft(OWN, typed | {EDITED: str(self._case.number)}),) if changed else ()

    def clear(self) -> None:
        self._asking.drop()
        self._making = None
        self._case, self._before = None, {}
        self._say_what()
        self.frame.banner.dismiss()
        self.form.clear()

    def retranslate(self) -> None:
        self._say_what()
        self.frame.banner.set_close_name(self.words.say("Close this message"))
        self.cancel.setText(self.words.say("Cancel"))
        self.form.retranslate()

    # ---- a case that is there already

    def _begin_edit(self, case: Case) -> None:
        """Show it as it is. Nothing is changed before that is saved."""
        self.clear()
        if case.subject is None:
            return
        self.form.show_case(case)
        self._case, self._before = case, self.form.typed()
        self._say_what()

    def _say_what(self) -> None:
        """Of a new case or of one that is changed."""
        say, new = self.words.say, self._case is None
        self.frame.title.setText(say("New case") if new else say("Change the request"))
        self.begin.setText(say("Begin the case") if new else say("Save"))

    def _on_draft_found(self, fields: Fields, case: Case) -> None:
        """What was being changed when it locked, over the case as it is now."""
        self._begin_edit(case)
        self._take_up({name: text for name, text in fields.items() if name != EDITED})
        self._case, self._before = case, {}
        self._say_what()

    def _take_up(self, fields: Fields) -> None:
        """Go on with what was being typed when it locked."""
        self.clear()
        if number := str(fields.get(EDITED, "")):
            self._asking.anew(
                self.services.cases.case,
                int(number),
                done=partial(self._on_draft_found, fields),
                failed=self._on_failed,
            )
        self.form.take_up(fields)

    # ---- writing it down

    def _on_create(self) -> None:
        making = self._making is not None and not self._making.finished
        if making or not self.begin.isEnabled():  # pressed twice, it is one case all the same
            return
        try:
            new = self.form.given(self._case)
        except UserError as error:
            self.frame.say_error(self.words, error)
            return
        self.frame.show_busy(self.words.say("Writing the case down…"))
        number = "" if self._case is None else str(self._case.number)
        asked = N_("change case {case}") if number else N_("write a case down")
        self._making = self.bridge.call(
            write_down,
            self.services,
            new,
            self._case,
            done=self._on_begun,
            failed=self._on_failed,
            broke=partial(self.frame.show_state, frame.CONTENT),
            asked=partial(self.words.say, asked, case=number),
        )

    def _on_begun(self, case: Case) -> None:
        if self._making is None or not self._making.finished:
            return  # the form is about another one by now
        self.clear()
        self.go.emit("case", case)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self.frame.show_state(frame.CONTENT)
        self.frame.say_error(self.words, error)

    def _on_cancel(self) -> None:
        case = self._case
        self.clear()
        if case is None:
            self.go.emit("cases", None)
        else:
            self.go.emit("case", case)

    # ---- putting together

    def _lay_out(self) -> None:
        self.frame.content.addWidget(self.form)
        self.frame.content.addStretch(1)
        for button in (self.begin, self.cancel):
            self.frame.foot.addWidget(button)
        self.frame.foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
