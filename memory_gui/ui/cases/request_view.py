# SPDX-License-Identifier: MIT
"""The request itself: what is known of it, more time with its reason, who could not be reached."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from memory_gui.cases.case import Case, CheckItem, Identity
from memory_gui.cases.rights import METHODS
from memory_gui.services.locking.drafts import Fields
from memory_gui.ui.cases.days import today
from memory_gui.ui.cases.fields import Codes, DayField, Form
from memory_gui.ui.cases.held_view import HeldView
from memory_gui.ui.cases.words import day, due_text, request_rows
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import Facts, empty, padded
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.widgets import Button, CheckBox, Panel, SectionLabel, TextLabel
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import Words
from memory_gui.words import cases as said

_IDENTITY: Final = ("identity.method", "identity.result", "identity.by")


class RequestView(QWidget):
    """Facts, and the two small forms that a request needs now and then. GUI thread."""

    extended = Signal(str, object)
    """The reason; the day, or None for the longest that the law allows."""
    change_wanted = Signal()
    """The form of the request, with what stands in it."""
    identified = Signal(object)
    """An Identity."""
    checked = Signal(int, object, str)
    """Which item, the day on which it was seen to or None, a note."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._case: Case | None = None
        self.clock = named(TextLabel(), "case.clock")
        self.facts = Facts("case.facts")
        self.change = named(Button(icon=Icon.EDIT), "case.change")
        self.more_time = named(Button(icon=Icon.CLOCK), "case.extend")
        self.identify = named(Button(icon=Icon.CHECK), "case.identify")
        self.extend_form = _Extend(words)
        self.identity_form = _Identify(words)
        self._list_title = named(SectionLabel(), "case.checklist.title")
        self._list_panel = named(Panel(), "case.checklist")
        self._items = padded(self._list_panel)
        self._rows: list[_Item] = []
        self.held = HeldView(words)
        self._lay_out()
        self.change.clicked.connect(self.change_wanted)
        self.more_time.clicked.connect(self._on_more_time)
        self.identify.clicked.connect(self._on_identify)
        self.extend_form.given.connect(self.extended)
        self.identity_form.given.connect(self.identified)
        self.retranslate()

    def show_case(self, case: Case) -> None:
        """Show what is known of it."""
        words, self._case = self._words, case
        now = today()
        self.clock.setText(due_text(words, case, now))
        left = case.clock.days_left(now)
        self.clock.set_tone("muted" if left is None else "warn" if left < 0 else "text")
        self.facts.show_rows(request_rows(words, case), name_width=150)
        open_now = not case.is_final
        self.change.setVisible(open_now)
        self.more_time.setVisible(open_now and case.clock.extended_until is None)
        self.identify.setVisible(open_now)
        if not open_now:
            self.extend_form.wipe()
            self.identity_form.wipe()
        self._show_checklist(case.checklist)

    def typed(self) -> dict[str, str]:
        """What a lock would take: the forms that are open, and notes that are not given yet."""
        notes = {f"note.{one.number}": one.typed for one in self._rows if one.is_typed}
        return self.extend_form.typed() | self.identity_form.typed() | notes

    def take_up(self, fields: Fields) -> None:
        """Go on with it. The case is shown."""
        if self._case is None:
            return
        self.extend_form.take_up(self._case, fields)
        self.identity_form.take_up(self._case, fields)
        for one in self._rows:
            if text := str(fields.get(f"note.{one.number}", "")):
                one.note.setText(text)

    def wipe(self) -> None:
        """Forget every text."""
        self._case = None
        self.clock.clear()
        self.facts.wipe()
        self.extend_form.wipe()
        self.identity_form.wipe()
        self.held.wipe()
        self._show_checklist(())

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self.change.setText(say("Change the request…"))
        self.more_time.setText(say("More time…"))
        self.identify.setText(say("Identity…"))
        self._list_title.setText(say("What cannot be reached from here"))
        self.extend_form.retranslate()
        self.identity_form.retranslate()
        self.held.retranslate()
        if self._case is not None:
            self.show_case(self._case)

    def _show_checklist(self, items: Sequence[CheckItem]) -> None:
        empty(self._items)
        self._rows = [_Item(self._words, number, item) for number, item in enumerate(items)]
        for row in self._rows:
            row.changed.connect(self.checked)
            self._items.addWidget(row)
        for widget in (self._list_title, self._list_panel):
            widget.setVisible(bool(items))

    def _on_more_time(self) -> None:
        if self._case is not None:
            self.extend_form.ask(self._case)

    def _on_identify(self) -> None:
        if self._case is not None:
            self.identity_form.ask(self._case.identity)

    def _lay_out(self) -> None:
        panel = named(Panel(), "case.request")
        inside = padded(panel, SPACE_M)
        inside.addWidget(self.clock)
        inside.addWidget(self.facts)
        ways = QWidget()
        flow = FlowLayout(ways)
        for button in (self.change, self.more_time, self.identify):
            flow.addWidget(button)
        inside.addWidget(ways)
        inside.addWidget(self.extend_form)
        inside.addWidget(self.identity_form)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_M)
        layout.addWidget(panel)
        layout.addWidget(self.held)
        layout.addWidget(self._list_title)
        layout.addWidget(self._list_panel)


class _Asked(QWidget):
    """A small form with a button that gives it and one that leaves it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.form = Form()
        self.lead = named(TextLabel(tone="muted"), f"{name}.lead")
        self.give = named(Button(icon=Icon.CHECK), f"{name}.give")
        self.leave = named(Button(), f"{name}.cancel")
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.give)
        row.addWidget(self.leave)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE_S, 0, 0)
        layout.setSpacing(SPACE_M)
        layout.addWidget(self.lead)
        layout.addLayout(self.form)
        layout.addLayout(row)
        self.leave.clicked.connect(self.wipe)
        self.hide()

    def wipe(self) -> None:
        """Forget what was typed."""
        self.hide()


class _Extend(_Asked):
    given = Signal(str, object)

    def __init__(self, words: Words) -> None:
        super().__init__("case.extend_form")
        self._words = words
        self.reason, self.until = QLineEdit(), DayField()
        self.form.row("case.extend_form.reason", self.reason)
        self.form.row("case.extend_form.until", self.until)
        self.give.clicked.connect(self._on_give)
        self.reason.textChanged.connect(self._check)
        self.until.changed.connect(self._check)
        self._check()

    def ask(self, case: Case) -> None:
        """Once, and the person has to be told of it in time."""
        self.lead.setText(
            self._words.say(
                "The time can be extended once, with a reason. The person has to know by {date}.",
                date=day(self._words, case.clock.tell_by),
            )
        )
        self.show()
        self.reason.setFocus()

    def typed(self) -> dict[str, str]:
        """What is not given yet."""
        reason, until = self.reason.text(), self.until.text()
        return {"extend": reason, "extend.until": until} if reason.strip() else {}

    def take_up(self, case: Case, fields: Fields) -> None:
        """Go on with it."""
        if reason := str(fields.get("extend", "")):
            self.ask(case)
            self.reason.setText(reason)
            self.until.setText(str(fields.get("extend.until", "")))

    def wipe(self) -> None:
        super().wipe()
        self.reason.clear()
        self.until.clear()
        self.lead.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self.form.say_label("case.extend_form.reason", say("Reason"))
        self.form.say_label("case.extend_form.until", say("Until"))
        self.give.setText(say("Extend"))
        self.leave.setText(say("Cancel"))

    def _check(self) -> None:
        self.give.setEnabled(bool(self.reason.text().strip()) and not self.until.is_wrong)

    def _on_give(self) -> None:
        reason, until = self.reason.text().strip(), self.until.day
        self.wipe()
        self.given.emit(reason, until)


class _Identify(_Asked):
    given = Signal(object)

    def __init__(self, words: Words) -> None:
        super().__init__("case.identity_form")
        self._words = words
        self.method, self.result, self.by = Codes(), Codes(), QLineEdit()
        self._before: tuple[str, str, str] = ("", "", "")
        for name in ("method", "result", "by"):
            self.form.row(f"case.identity_form.{name}", getattr(self, name))
        self.give.clicked.connect(self._on_give)

    def ask(self, identity: Identity) -> None:
        """How it was checked; a document itself is never kept."""
        self.method.choose(identity.method)
        self.result.choose(identity.result)
        self.by.setText(identity.by)
        self._before = (self.method.code, self.result.code, identity.by)
        self.show()
        self.method.setFocus()

    def typed(self) -> dict[str, str]:
        """What is not given yet."""
        values = (self.method.code, self.result.code, self.by.text())
        if self.isHidden() or values == self._before:
            return {}
        return dict(zip(_IDENTITY, values, strict=True))

    def take_up(self, case: Case, fields: Fields) -> None:
        """Go on with it."""
        values = [str(fields.get(name, "")) for name in _IDENTITY]
        if any(values):
            self.ask(case.identity)
            self.method.choose(values[0])
            self.result.choose(values[1])
            self.by.setText(values[2])

    def wipe(self) -> None:
        super().wipe()
        self.by.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        words, say = self._words, self._words.say
        self.lead.setText(
            say("Keep how it was checked and the result. Never keep the document itself.")
        )
        methods = ((code, said.said(words, said.METHODS, code)) for code in METHODS)
        self.method.fill((("", say("not checked yet")), *methods))
        self.result.fill(
            (
                ("pending", say("still open")),
                ("confirmed", say("it is this person")),
                ("failed", say("it could not be confirmed")),
            )
        )
        for name, text in (
            ("method", say("Identity checked by")),
            ("result", say("Result")),
            ("by", say("Checked by whom")),
        ):
            self.form.say_label(f"case.identity_form.{name}", text)
        self.give.setText(say("Save"))
        self.leave.setText(say("Cancel"))

    def _on_give(self) -> None:
        at = today().isoformat() if self.method.code else ""
        identity = Identity(self.method.code, self.result.code, self.by.text().strip(), at)
        self.wipe()
        self.given.emit(identity)


class _Item(QWidget):
    """One thing that a person sees to: a tick gives it today's date, the line a note."""

    changed = Signal(int, object, str)

    def __init__(self, words: Words, number: int, item: CheckItem) -> None:
        super().__init__()
        self.number = number
        text = said.check(words, item.code, item.params)
        self.tick = named(CheckBox(), f"case.check{number}")
        self.tick.setText(text)
        self.tick.setChecked(item.done_on is not None)
        self.note = named(QLineEdit(item.note), f"case.check{number}.note")
        self.note.setAccessibleName(words.say("Note: {what}", what=text))
        self.note.setPlaceholderText(words.say("who was told, and how"))
        self._done = item.done_on
        when = named(TextLabel(tone="muted", wrap=False), f"case.check{number}.when")
        when.setText(day(words, item.done_on) if item.done_on is not None else "")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, SPACE_S)
        layout.setSpacing(SPACE_S // 2)
        layout.addWidget(self.tick)
        row = QHBoxLayout()
        row.setContentsMargins(SPACE_M * 2 + SPACE_S, 0, 0, 0)
        row.setSpacing(SPACE_M)
        row.addWidget(self.note, 1)
        row.addWidget(when)
        layout.addLayout(row)
        self.tick.clicked.connect(partial(self._tell, ticked=True))
        self.note.editingFinished.connect(self._on_note)
        self._before = item.note

    @property
    def typed(self) -> str:
        """What stands in the line of the note."""
        return self.note.text()

    @property
    def is_typed(self) -> bool:
        """Whether that is not given yet."""
        return self.note.text().strip() != self._before

    def _on_note(self) -> None:
        if self.is_typed:
            self._tell(ticked=False)

    def _tell(self, *_args: object, ticked: bool) -> None:
        done = self._done
        if ticked:
            done = today() if self.tick.isChecked() else None
        self._before = self.note.text().strip()
        self.changed.emit(self.number, done, self._before)
