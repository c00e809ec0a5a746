# SPDX-License-Identifier: MIT
"""A list of people (CSV): each becomes a case, unless there is one that waits already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memory_gui.cases.case import NewCase
from memory_gui.cases.clock import Term
from memory_gui.cases.names import Subject
from memory_gui.cases.people import people
from memory_gui.cases.rights import Right
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services import Services
from memory_gui.ui.bridge import Handle
from memory_gui.ui.cases.days import today
from memory_gui.ui.cases.fields import Codes, DayField, Form
from memory_gui.ui.cases.words import RIGHTS, TERMS
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.pages.path_field import PathField
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import Button, Panel, PrimaryButton, TextLabel
from memory_gui.words import Words
from memory_gui.words import cases as said
from memory_gui.words.errors import explain

_MOST_BYTES: Final = 8 << 20
_NAMED: Final = 3
"""Names that are told of a list."""


@dataclass(frozen=True, slots=True)
class Read:
    """Who of a list gets a case, and how many have one that waits."""

    subjects: tuple[Subject, ...]
    waiting: int


def read(services: Services, words: Words, path: Path) -> Read:
    """Any thread but the window's own. Raises UserError ``case.subjects``."""
    try:
        with path.open("rb") as stream:
            text = stream.read(_MOST_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise UserError("case.subjects", why=error.strerror or "") from error
    except UnicodeDecodeError as error:
        raise UserError("case.subjects", why="UTF-8") from error
    found = people(text, lambda wrong: said.wrong_lines(words, wrong))
    subjects = list(dict.fromkeys(one.subject for one in found))
    new = tuple(one for one in subjects if services.cases.ongoing(one) is None)
    return Read(new, len(subjects) - len(new))


def make(services: Services, wanted: Sequence[NewCase]) -> int:
    """Write them down, one after the other; how many. Any thread but the window's own."""
    for one in wanted:
        services.cases.new(one)
    return len(wanted)


class ListForm(Panel):
    """Hidden until it is wanted. Nothing is written before the number of people is seen."""

    made = Signal(int)
    left = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cases.from_list")
        self._context = context
        self._read: Read | None = None
        self._asking = Asking(context.bridge)
        self._making: Handle | None = None
        words = context.words
        self.lead = named(TextLabel(), "cases.from_list.lead")
        self.path = PathField(words, "cases.from_list", opens=True)
        self.right, self.term, self.received = Codes(), Codes(), DayField()
        self._form = Form()
        for name, field in (
            ("file", self.path),
            ("right", self.right),
            ("received", self.received),
            ("term", self.term),
        ):
            self._form.row(f"cases.from_list.{name}", field)
        self.told = named(TextLabel(), "cases.from_list.told")
        self.look = named(PrimaryButton(icon=Icon.SEARCH), "cases.from_list.read")
        self.make = named(PrimaryButton(icon=Icon.ADD), "cases.from_list.make")
        self.cancel = named(Button(), "cases.from_list.cancel")
        inside = padded(self, SPACE_M)
        inside.addWidget(self.lead)
        inside.addLayout(self._form)
        inside.addWidget(self.told)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        for button in (self.look, self.make, self.cancel):
            row.addWidget(button)
        row.addStretch(1)
        inside.addLayout(row)
        self.path.changed.connect(self._on_changed)
        self.path.entered.connect(self._on_look)
        self.received.changed.connect(self._enable)
        self.look.clicked.connect(self._on_look)
        self.make.clicked.connect(self._on_make)
        self.cancel.clicked.connect(self._on_cancel)
        self.hide()

    def ask(self) -> None:
        """Ask for the list."""
        self.wipe()
        self.received.set_day(today())
        self.show()
        self.path.setFocus(Qt.FocusReason.OtherFocusReason)

    def wipe(self) -> None:
        """Forget the names and the path."""
        self.hide()
        self._read = None
        self.path.wipe()
        self.told.clear()
        self._enable()

    def retranslate(self) -> None:
        """Say all texts again."""
        words, say = self._context.words, self._context.words.say
        self.lead.setText(
            say(
                "A CSV file in UTF-8 whose first line names the columns: “subject” for the name, "
                "“also” and “other” where there are more names or people to keep apart. Each "
                "line becomes a case."
            )
        )
        self.right.fill((str(one), said.said(words, said.RIGHTS, one)) for one in RIGHTS)
        self.term.fill((str(one), say(text)) for one, text in TERMS)
        for name, text in (
            ("file", say("File")),
            ("right", say("Right")),
            ("received", say("Received on")),
            ("term", say("Time to answer")),
        ):
            self._form.say_label(f"cases.from_list.{name}", text)
        self.path.retranslate()
        self.look.setText(say("Read the list"))
        self.cancel.setText(say("Cancel"))
        self._say()

    # ---- inside

    def _on_changed(self) -> None:
        self._asking.drop()  # of another file
        self._read = None
        self._say()

    def _on_look(self) -> None:
        path = self.path.path
        if path is not None:
            context = self._context
            self._asking.anew(
                read,
                context.services,
                context.words,
                path,
                done=self._on_read,
                failed=self._on_failed,
                in_turn=True,
            )

    def _on_read(self, found: Read) -> None:
        if not self.isHidden():
            self._read = found
            self._say()
            self.make.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self._read = None
        self._say()
        self.told.set_tone("warn")
        self.told.setText(explain(self._context.words, error).text)
        self._enable()

    def _on_make(self) -> None:
        making = self._making is not None and not self._making.finished
        if making or self._read is None or not self.make.isEnabled():
            return
        right, term = Right(self.right.code), Term(self.term.code)
        day = self.received.day
        wanted = [NewCase(one, right=right, received=day, term=term) for one in self._read.subjects]
        self.make.setEnabled(False)
        context = self._context
        self._making = context.bridge.call(
            make,
            context.services,
            wanted,
            done=self._on_made,
            failed=self._on_failed,
            broke=self._enable,
            in_turn=True,
            asked=partial(_asked, context.words, len(wanted)),
        )

    def _on_made(self, count: int) -> None:
        self.wipe()
        self.made.emit(count)

    def _on_cancel(self) -> None:
        self.wipe()
        self.left.emit()

    def _say(self) -> None:
        words, found = self._context.words, self._read
        self.told.set_tone("text")
        self.told.setText("" if found is None else _told(words, found))
        count = 0 if found is None else len(found.subjects)
        self.make.setText(words.many("Make {n} case", "Make {n} cases", count))
        self._enable()

    def _enable(self) -> None:
        some = self._read is not None and bool(self._read.subjects)
        self.look.setVisible(self._read is None)
        self.look.setEnabled(self.path.path is not None)
        self.make.setVisible(self._read is not None)
        self.make.setEnabled(some and self.received.day is not None)
        self.told.setVisible(bool(self.told.text()))


def _asked(words: Words, count: int) -> str:
    """What making them is called in a sentence."""
    return words.many("make {n} case", "make {n} cases", count)


def _told(words: Words, found: Read) -> str:
    """Who is in it, as far as a line has room."""
    parts = []
    names = [one_line(one.title, 40) for one in found.subjects[:_NAMED]]
    if names:
        more = len(found.subjects) - len(names)
        said_of = words.row(names)
        parts.append(
            words.many("{names} and {n} more", "{names} and {n} more", more, names=said_of)
            if more
            else said_of
        )
    if found.waiting:
        parts.append(
            words.many(
                "{n} person has a case already that waits",
                "{n} people have a case already that waits",
                found.waiting,
            )
        )
    return "\n".join(parts)
