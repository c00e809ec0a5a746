# SPDX-License-Identifier: MIT
"""A request: who asks, by what names they may be called, what for, and until when.

A new case, or one that is changed.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from memory_gui.cases.case import Case, Identity, NewCase
from memory_gui.cases.clock import Term, due
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import METHODS, Right, grounds_for
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services import Services
from memory_gui.services.locking.drafts import EDITED, NAME, OWN, Draft, Fields
from memory_gui.ui.bridge import Handle
from memory_gui.ui.cases.days import today
from memory_gui.ui.cases.fields import Codes, DayField, Form, Lines, put_text, text_in
from memory_gui.ui.cases.words import RIGHTS, TERMS
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.frame import Frame, padded
from memory_gui.ui.pages.page import Page
from memory_gui.ui.tokens import SPACE_M
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import Button, Panel, PrimaryButton, SectionLabel, TextLabel
from memory_gui.words import N_
from memory_gui.words import cases as said
from memory_gui.words.errors import explain

_RESULTS: Final = (
    ("pending", N_("still open")),
    ("confirmed", N_("it is this person")),
    ("failed", N_("it could not be confirmed")),
)


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
        self._own_due = False
        self._asking = Asking(self.bridge)
        self._making: Handle | None = None
        self._case: Case | None = None
        """What is changed; None while it is a new one."""
        self._before: dict[str, str] = {}
        self.frame = Frame("case_new")
        self.name, self.ground_text, self.by = QLineEdit(), QLineEdit(), QLineEdit()
        self.also, self.others, self.notes = Lines(3), Lines(2), Lines(2)
        self.right, self.ground = Codes(), Codes()
        self.term, self.method, self.result = Codes(), Codes(), Codes()
        self.received, self.due = DayField(), DayField()
        self.read_as = named(TextLabel(tone="muted"), "case_new.read_as")
        self.forms = Form(), Form(), Form()
        self._form_of: dict[str, Form] = {}
        self._titles = [named(SectionLabel(), f"case_new.title{n}") for n in range(3)]
        self.cancel = named(Button(), "case_new.cancel")
        self.begin = named(PrimaryButton(icon=Icon.CHECK), "case_new.begin")
        self._lay_out()
        self._connect()
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        if isinstance(argument, Case):
            self._begin_edit(argument)
        elif isinstance(argument, Draft):
            self._take_up(argument.fields)
        elif isinstance(argument, str) or self._case is not None or not self._is_typed:
            self.clear()
            self.name.setText(argument if isinstance(argument, str) else "")
            self.received.set_day(today())
        # What was typed is sealed by a lock with a key of our own file: that has to be open then.
        self.bridge.call(_open_own_file, self.services)
        self.frame.show_state(frame.CONTENT)
        self.frame.to_top()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def drafts(self) -> tuple[Draft, ...]:
        typed = self._typed() if self._is_typed else {}
        if self._case is None:
            return (Draft(OWN, typed),) if typed else ()
        changed = typed and typed != self._before
        return (Draft(OWN, typed | {EDITED: str(self._case.number)}),) if changed else ()

    def clear(self) -> None:
        self._asking.drop()
        self._making = None
        self._case, self._before, self._own_due = None, {}, False
        self._say_what()
        self.frame.banner.dismiss()
        for line in (self.name, self.ground_text, self.by, self.received, self.due):
            line.clear()
        for lines in (self.also, self.others, self.notes):
            lines.clear()
        for choice in (self.right, self.ground, self.term, self.method, self.result):
            choice.setCurrentIndex(0)
        self.read_as.clear()

    def retranslate(self) -> None:
        words, say = self.words, self.words.say
        self._say_what()
        self.frame.banner.set_close_name(say("Close this message"))
        titles = (say("Who it is about"), say("What is asked for"), say("Who asks"))
        for label, text in zip(self._titles, titles, strict=True):
            label.setText(text)
        self.right.fill((str(one), said.said(words, said.RIGHTS, one)) for one in RIGHTS)
        self.term.fill((str(one), say(text)) for one, text in TERMS)
        methods = ((code, said.said(words, said.METHODS, code)) for code in METHODS)
        self.method.fill((("", say("not checked yet")), *methods))
        self.result.fill((code, say(text)) for code, text in _RESULTS)
        self._say_labels()
        self.also.setPlaceholderText(say("E-mail, telephone, user id, other spellings: one a line"))
        self.others.setPlaceholderText(
            say("Others with a similar name, who must not be mixed up: one a line")
        )
        self.cancel.setText(say("Cancel"))
        self._fill_grounds()
        self._read()

    def _say_labels(self) -> None:
        say = self.words.say
        for name, text in (
            ("case_new.name", say("Name")),
            ("case_new.also", say("Other names")),
            ("case_new.others", say("Keep apart")),
            ("case_new.right", say("Right")),
            ("case_new.ground", say("Ground")),
            ("case_new.ground_text", say("In their words")),
            ("case_new.received", say("Received on")),
            ("case_new.term", say("Time to answer")),
            ("case_new.due", say("Due on")),
            ("case_new.method", say("Identity checked by")),
            ("case_new.result", say("Result")),
            ("case_new.by", say("Checked by whom")),
            ("case_new.notes", say("Notes")),
        ):
            self._form_of[name].say_label(name, text)
        first, *others = self.forms
        first.begin_with(*others)

    # ---- a case that is there already

    def _begin_edit(self, case: Case) -> None:
        """Show it as it is. Nothing is changed before that is saved."""
        self.clear()
        if case.subject is None:
            return
        first, *also = case.subject.named
        put_text(self.name, first.text)
        put_text(self.also, "\n".join(one.text for one in also))
        put_text(self.others, "\n".join(case.subject.others))
        self.right.choose(str(case.right))
        self.ground.choose(case.ground)
        self.term.choose(str(case.clock.term))
        self.method.choose(case.identity.method)
        self.result.choose(case.identity.result)
        self.received.set_day(case.clock.received)
        if case.clock.due != due(case.clock.received, case.clock.term):
            self.due.set_day(case.clock.due)
        put_text(self.ground_text, case.ground_text)
        put_text(self.by, case.identity.by)
        put_text(self.notes, case.notes)
        self._case, self._before = case, self._typed()
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

    # ---- what is typed

    @property
    def _texts(self) -> dict[str, QLineEdit | Lines]:
        """What is typed freely, by the names in a draft."""
        return {
            NAME: self.name,
            "also": self.also,
            "others": self.others,
            "ground_text": self.ground_text,
            "by": self.by,
            "notes": self.notes,
        }

    @property
    def _codes(self) -> dict[str, Codes]:
        """What is chosen, in the order in which it can be chosen again."""
        return {
            "right": self.right,
            "ground": self.ground,
            "term": self.term,
            "method": self.method,
            "result": self.result,
        }

    @property
    def _is_typed(self) -> bool:
        return any(text_in(field).strip() for field in self._texts.values())

    def _typed(self) -> dict[str, str]:
        typed = {name: text_in(field) for name, field in self._texts.items()}
        typed |= {name: field.code for name, field in self._codes.items()}
        own_due = self.due.text() if self._own_due else ""
        return typed | {"received": self.received.text(), "due": own_due}

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
        for code, choice in self._codes.items():
            choice.choose(str(fields.get(code, "")))
        for name, field in self._texts.items():
            put_text(field, str(fields.get(name, "")))
        self.received.setText(str(fields.get("received", "")))
        if own_due := str(fields.get("due", "")):
            self.due.setText(own_due)

    def _fill_grounds(self) -> None:
        words = self.words
        right = Right(self.right.code or Right.ERASE)
        grounds = (
            (one.code, said.said(words, said.GROUNDS, one.code)) for one in grounds_for(right)
        )
        self.ground.fill((("", words.say("none named")), *grounds))

    def _on_time_changed(self) -> None:
        received = self.received.day
        if received is not None and not self._own_due:
            self.due.blockSignals(True)
            self.due.set_day(due(received, Term(self.term.code or Term.MONTH)))
            self.due.blockSignals(False)
        self._read()

    def _on_due_changed(self) -> None:
        self._own_due = bool(self.due.text().strip())
        self._read()

    def _subject(self) -> Subject:
        return Subject.of(self.name.text(), self.also.given, self.others.given)

    def _read(self) -> None:
        """Say as what each name will be looked for, and whether the form is filled in."""
        words = self.words
        days = not (self.received.is_wrong or self.due.is_wrong)
        try:
            subject = self._subject()
        except UserError as error:
            self.begin.setEnabled(False)
            empty = not self.name.text().strip()
            self.read_as.setText("" if empty else explain(words, error).title)
            self.read_as.set_tone("warn")
            return
        forms = [
            words.say(
                "{form}: {text}",
                form=said.said(words, said.FORMS, str(one.form)),
                text=one_line(one.text),
            )
            for one in subject.named
        ]
        self.read_as.setText(words.say("Looked for as {forms}", forms=words.row(forms)))
        self.read_as.set_tone("muted")
        self.begin.setEnabled(days)

    def _on_create(self) -> None:
        making = self._making is not None and not self._making.finished
        if making or not self.begin.isEnabled():  # pressed twice, it is one case all the same
            return
        try:
            new = self._new()
        except UserError as error:
            self.frame.say_error(self.words, error)
            return
        self.frame.show_busy(self.words.say("Writing the case down…"))
        self._making = self.bridge.call(
            write_down, self.services, new, self._case, done=self._on_begun, failed=self._on_failed
        )

    def _new(self) -> NewCase:
        identity = Identity(
            method=self.method.code,
            result=self.result.code or "pending",
            by=self.by.text().strip(),
            at=today().isoformat() if self.method.code else "",
        )
        before = None if self._case is None else self._case.identity
        if before is not None and replace(identity, at=before.at) == before:
            identity = before  # it was not checked again
        return NewCase(
            self._subject(),
            right=Right(self.right.code),
            ground=self.ground.code,
            ground_text=self.ground_text.text().strip(),
            received=self.received.day,
            term=Term(self.term.code),
            due=self.due.day if self._own_due else None,
            identity=identity,
            notes=self.notes.toPlainText().strip(),
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

    def _connect(self) -> None:
        self.right.currentIndexChanged.connect(self._fill_grounds)
        self.term.currentIndexChanged.connect(self._on_time_changed)
        self.received.changed.connect(self._on_time_changed)
        self.due.changed.connect(self._on_due_changed)
        self.name.textChanged.connect(self._read)
        self.also.textChanged.connect(self._read)
        self.others.textChanged.connect(self._read)
        self.name.returnPressed.connect(self._on_create)
        self.begin.clicked.connect(self._on_create)
        self.cancel.clicked.connect(self._on_cancel)

    def _lay_out(self) -> None:
        parts = (
            (("name", self.name), ("also", self.also), ("others", self.others)),
            (
                ("right", self.right),
                ("ground", self.ground),
                ("ground_text", self.ground_text),
                ("received", self.received),
                ("term", self.term),
                ("due", self.due),
            ),
            (
                ("method", self.method),
                ("result", self.result),
                ("by", self.by),
                ("notes", self.notes),
            ),
        )
        panel = named(Panel(), "case_new.panel")
        inside = padded(panel, SPACE_M)
        for title, form, rows in zip(self._titles, self.forms, parts, strict=True):
            if rows is not parts[0]:
                title.setContentsMargins(0, SPACE_M, 0, 0)
            inside.addWidget(title)
            inside.addLayout(form)
            for name, field in rows:
                form.row(f"case_new.{name}", field)
                self._form_of[f"case_new.{name}"] = form
            if rows is parts[0]:
                inside.addWidget(self.read_as)
        self.frame.content.addWidget(panel)
        self.frame.content.addStretch(1)
        for button in (self.begin, self.cancel):
            self.frame.foot.addWidget(button)
        self.frame.foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
