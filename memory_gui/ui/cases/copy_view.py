# SPDX-License-Identifier: MIT
"""The copy for the person, before anything goes: which heaps, in which form, where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from memory_gui.cases.case import Case
from memory_gui.cases.finds import Finds, Heap
from memory_gui.services.copies import ENDINGS, LEAST, Copied, Form, default_name
from memory_gui.ui.cases import fields
from memory_gui.ui.cases.finds_view import HEAPS
from memory_gui.ui.cases.words import heap_count
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.pages.path_field import PathField
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import CheckBox, Panel, PrimaryButton, TextLabel
from memory_gui.words import N_, Words

_FORMS: Final = (
    (Form.SEALED, N_("an encrypted file, with a passphrase")),
    (Form.ZIP, N_("a zip file, readable by whoever gets it")),
    (Form.FOLDER, N_("a folder, to look at here")),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to write."""

    numbers: tuple[int, ...]
    form: Form
    path: Path
    passphrase: str


class CopyView(QWidget):
    """``wanted`` asks for it; a page writes it. GUI thread."""

    wanted = Signal(object)

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._finds: Finds | None = None
        self._case: Case | None = None
        self.lead = named(TextLabel(), "case.copy.lead")
        self.heaps = {heap: named(CheckBox(), f"case.copy.{heap}") for heap in HEAPS}
        self.form_of = fields.Codes()
        self.passphrase, self.again = QLineEdit(), QLineEdit()
        for line in (self.passphrase, self.again):
            line.setEchoMode(QLineEdit.EchoMode.Password)
        self.path = PathField(words, "case.copy")
        self._form = fields.Form()
        for name, field in (
            ("form", self.form_of),
            ("passphrase", self.passphrase),
            ("again", self.again),
            ("file", self.path),
        ):
            self._form.row(f"case.copy.{name}", field)
        self.caution = named(TextLabel(tone="muted"), "case.copy.caution")
        self.problem = named(TextLabel(tone="warn"), "case.copy.problem")
        self.write = named(PrimaryButton(icon=Icon.EXPORT), "case.copy.write")
        self.done = named(TextLabel(tone="ok", selectable=True), "case.copy.done")
        self.done.hide()
        self._lay_out()
        self._connect()
        self.retranslate()

    @property
    def first(self) -> QWidget:
        """Where the keyboard goes."""
        return self.form_of

    def show_finds(self, case: Case, finds: Finds) -> None:
        """For these finds; those that may be somebody else's are not chosen by themselves."""
        if self._case is None or self._case.ident != case.ident:
            self.path.set_path(f"~/{default_name(case, Form(self.form_of.code))}")
            self.done.hide()
        self._case, self._finds = case, finds
        for heap, box in self.heaps.items():
            count = len(finds.heap(heap))
            box.setEnabled(bool(count))
            box.setChecked(bool(count) and heap is not Heap.MENTIONS)
        self._say()

    def say_written(self, copied: Copied) -> None:
        """It is there."""
        words = self._words
        self.passphrase.clear()
        self.again.clear()
        self.done.show()
        self.done.setText(
            words.many(
                "{n} record was written to {path}",
                "{n} records were written to {path}",
                copied.records,
                path=visible(str(copied.path)),
            )
        )

    def wipe(self) -> None:
        """Forget the finds, the passphrase and the path."""
        self._finds = self._case = None
        for line in (self.passphrase, self.again):
            line.clear()
        self.path.wipe()
        self.done.clear()
        self.done.hide()

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self.lead.setText(
            say(
                "Before anything goes, the person can have a copy: pages to read in English and "
                "Chinese, and a file for machines in which every field is explained."
            )
        )
        self.form_of.fill((str(one), say(text)) for one, text in _FORMS)
        for name, text in (
            ("form", say("As")),
            ("passphrase", say("Passphrase")),
            ("again", say("Once more")),
            ("file", say("File")),
        ):
            self._form.say_label(f"case.copy.{name}", text)
        self.path.retranslate()
        self.write.setText(say("Write the copy"))
        self._say()

    # ---- inside

    @property
    def _numbers(self) -> tuple[int, ...]:
        if self._finds is None:
            return ()
        chosen = [heap for heap, box in self.heaps.items() if box.isChecked()]
        return tuple(one.number for heap in chosen for one in self._finds.heap(heap))

    def _say(self) -> None:
        words, say = self._words, self._words.say
        for heap, box in self.heaps.items():
            count = len(self._finds.heap(heap)) if self._finds is not None else 0
            box.setText(heap_count(words, heap, count))
        sealed = self.form_of.code == Form.SEALED
        for name in ("passphrase", "again"):
            self._form.show_row(f"case.copy.{name}", shown=sealed)
        self.caution.setText(
            say(
                "It opens with this passphrase, of at least {n} letters, here or with the free "
                "program “age”. Send it by another way than the file.",
                n=LEAST,
            )
            if sealed
            else say("Whoever gets the copy can read it. Others may be named in it.")
        )
        self._check()

    def _check(self) -> None:
        sealed = self.form_of.code == Form.SEALED
        passphrase = self.passphrase.text()
        again = self.again.text()
        fits = len(passphrase) >= LEAST and passphrase == again
        self._say_problem(len(passphrase), differs=bool(again) and passphrase != again)
        ready = bool(self._numbers) and self.path.path is not None and (fits or not sealed)
        self.write.setEnabled(ready)

    def _say_problem(self, length: int, *, differs: bool) -> None:
        """What the passphrase still wants; nothing is said before any of it is typed."""
        words, text = self._words, ""
        if 0 < length < LEAST:
            text = words.many("{n} letter is missing", "{n} letters are missing", LEAST - length)
        elif differs:
            text = words.say("The two passphrases are not the same.")
        self.problem.setText(text)
        self.problem.setVisible(bool(text) and self.form_of.code == Form.SEALED)

    def _on_form(self) -> None:
        text, form = self.path.line.text(), Form(self.form_of.code)
        for ending in sorted(ENDINGS.values(), key=len, reverse=True):
            if ending and text.endswith(ending):
                text = text[: -len(ending)]
        self.path.set_path(text + ENDINGS[form] if text else "")
        self._say()

    def _on_write(self) -> None:
        path, form = self.path.path, Form(self.form_of.code)
        if path is None or not self.write.isEnabled():
            return
        passphrase = self.passphrase.text() if form is Form.SEALED else ""
        self.done.hide()
        self.wanted.emit(Wanted(self._numbers, form, path, passphrase))

    def _connect(self) -> None:
        self.form_of.currentIndexChanged.connect(self._on_form)
        for line in (self.passphrase, self.again):
            line.textChanged.connect(self._check)
            line.returnPressed.connect(self._on_write)
        self.path.changed.connect(self._check)
        self.path.entered.connect(self._on_write)
        for box in self.heaps.values():
            box.toggled.connect(self._check)
        self.write.clicked.connect(self._on_write)

    def _lay_out(self) -> None:
        panel = named(Panel(), "case.copy.panel")
        inside = padded(panel, SPACE_M)
        inside.addWidget(self.lead)
        for box in self.heaps.values():
            inside.addWidget(box)
        inside.addLayout(self._form)
        inside.addWidget(self.problem)
        inside.addWidget(self.caution)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.write)
        row.addStretch(1)
        inside.addLayout(row)
        inside.addWidget(self.done)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(panel)
