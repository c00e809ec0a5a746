# SPDX-License-Identifier: MIT
"""The form of a request: who asks, under which names, what for, and until when."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from memory_gui.cases.case import Case, Identity, NewCase
from memory_gui.cases.clock import Term, due
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import METHODS, Right, grounds_for
from memory_gui.domain.errors import UserError
from memory_gui.services.locking.drafts import NAME, Fields
from memory_gui.ui.cases.days import today
from memory_gui.ui.cases.fields import Codes, DayField, Form, Lines, put_text, text_in
from memory_gui.ui.cases.words import RIGHTS, TERMS
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.tokens import SPACE_M
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import Panel, SectionLabel, TextLabel
from memory_gui.words import N_, Words
from memory_gui.words import cases as said
from memory_gui.words.errors import explain

_RESULTS: Final = (
    ("pending", N_("still open")),
    ("confirmed", N_("it is this person")),
    ("failed", N_("it could not be confirmed")),
)


class RequestForm(Panel):
    """Writes nothing. What each name is looked for as is said while it is typed. GUI thread."""

    checked = Signal(bool)
    """Something was typed or chosen: whether it is filled in."""
    entered = Signal()
    """Return was pressed behind the name."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "case_new.panel")
        self._words = words
        self._own_due = False
        self.name, self.ground_text, self.by = QLineEdit(), QLineEdit(), QLineEdit()
        self.also, self.others, self.notes = Lines(3), Lines(2), Lines(2)
        self.right, self.ground = Codes(), Codes()
        self.term, self.method, self.result = Codes(), Codes(), Codes()
        self.received, self.due = DayField(), DayField()
        self.read_as = named(TextLabel(tone="muted"), "case_new.read_as")
        self._forms = Form(), Form(), Form()
        self._form_of: dict[str, Form] = {}
        self._titles = [named(SectionLabel(), f"case_new.title{n}") for n in range(3)]
        self._lay_out()
        self._connect()

    @property
    def is_typed(self) -> bool:
        """Whether anything was typed freely."""
        return any(text_in(field).strip() for field in self._texts.values())

    def typed(self) -> dict[str, str]:
        """All of it, as a draft keeps it."""
        typed = {name: text_in(field) for name, field in self._texts.items()}
        typed |= {name: field.code for name, field in self._codes.items()}
        own_due = self.due.text() if self._own_due else ""
        return typed | {"received": self.received.text(), "due": own_due}

    def take_up(self, fields: Fields) -> None:
        """Go on with what a draft has kept."""
        for code, choice in self._codes.items():
            choice.choose(str(fields.get(code, "")))
        for name, field in self._texts.items():
            put_text(field, str(fields.get(name, "")))
        self.received.setText(str(fields.get("received", "")))
        if own_due := str(fields.get("due", "")):
            self.due.setText(own_due)

    def show_case(self, case: Case) -> None:
        """Show a case as it is; one that holds no name any more cannot be shown."""
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

    def given(self, before: Case | None = None) -> NewCase:
        """What is asked for; ``before``: the case that it changes. Raises UserError ``case.*``."""
        identity = Identity(
            method=self.method.code,
            result=self.result.code or "pending",
            by=self.by.text().strip(),
            at=today().isoformat() if self.method.code else "",
        )
        if before is not None and replace(identity, at=before.identity.at) == before.identity:
            identity = before.identity  # it was not checked again
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

    def clear(self) -> None:
        """Forget every text."""
        self._own_due = False
        for line in (self.name, self.ground_text, self.by, self.received, self.due):
            line.clear()
        for lines in (self.also, self.others, self.notes):
            lines.clear()
        for choice in (self.right, self.ground, self.term, self.method, self.result):
            choice.setCurrentIndex(0)
        self.read_as.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        words, say = self._words, self._words.say
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
        self._fill_grounds()
        self._read()

    # ---- inside

    def _say_labels(self) -> None:
        say = self._words.say
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
        first, *others = self._forms
        first.begin_with(*others)

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

    def _fill_grounds(self) -> None:
        words = self._words
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
        words = self._words
        days = not (self.received.is_wrong or self.due.is_wrong)
        try:
            subject = self._subject()
        except UserError as error:
            empty = not self.name.text().strip()
            self.read_as.setText("" if empty else explain(words, error).title)
            self.read_as.set_tone("warn")
            self.checked.emit(False)
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
        self.checked.emit(days)

    def _connect(self) -> None:
        self.right.currentIndexChanged.connect(self._fill_grounds)
        self.term.currentIndexChanged.connect(self._on_time_changed)
        self.received.changed.connect(self._on_time_changed)
        self.due.changed.connect(self._on_due_changed)
        self.name.textChanged.connect(self._read)
        self.also.textChanged.connect(self._read)
        self.others.textChanged.connect(self._read)
        self.name.returnPressed.connect(self.entered)

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
        inside = padded(self, SPACE_M)
        for title, form, rows in zip(self._titles, self._forms, parts, strict=True):
            if rows is not parts[0]:
                title.setContentsMargins(0, SPACE_M, 0, 0)
            inside.addWidget(title)
            inside.addLayout(form)
            for name, field in rows:
                form.row(f"case_new.{name}", field)
                self._form_of[f"case_new.{name}"] = form
            if rows is parts[0]:
                inside.addWidget(self.read_as)
