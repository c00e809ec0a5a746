# SPDX-License-Identifier: MIT
"""The answer: a letter to the person that can be changed, the receipt, and closing the case."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.cases.case import CaseState
from memory_gui.cases.rights import REFUSALS
from memory_gui.services.cases.answering.reporting import CaseReport
from memory_gui.services.copies.letter import letter
from memory_gui.services.locking.drafts import Fields
from memory_gui.ui.cases.fields import Codes, DayField, Form, Lines
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.pages.path_field import PathField
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import Button, CheckBox, Panel, SectionLabel, TextLabel
from memory_gui.words import LANGUAGES, Words
from memory_gui.words import cases as said
from memory_gui.words.copies import LANGUAGE_NAMES

_LETTER: Final = "letter."
"""Before the language of a letter, in what a lock keeps."""


@dataclass(frozen=True, slots=True)
class Closing:
    """How a case ends."""

    outcome: CaseState
    reason: str
    keep_until: date | None
    leave_undecided: bool = False
    """It is closed although something surely about the person is undecided: a person's choice."""


class AnswerView(QWidget):
    """A draft in either language; what was typed in one stays while the other is seen."""

    letter_wanted = Signal(object, str)
    """The path for it, its text."""
    receipt_wanted = Signal(object)
    """The path for it."""
    closing = Signal(object)
    """A Closing."""
    decide_wanted = Signal()
    """Something is undecided: to the finds."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._report: CaseReport | None = None
        self._drafts: dict[str, str] = {}
        self._language = ""
        self.language = Codes()
        self.text = named(Lines(18), "case.letter.text")
        self.letter_path = PathField(words, "case.letter")
        self.save_letter = named(Button(icon=Icon.SAVE), "case.letter.save")
        self.letter_saved = named(TextLabel(tone="ok"), "case.letter.saved")
        self.receipt_path = PathField(words, "case.receipt")
        self.save_receipt = named(Button(icon=Icon.SAVE), "case.receipt.save")
        self.receipt_saved = named(TextLabel(tone="ok"), "case.receipt.saved")
        self.outcome, self.reason, self.keep_until = Codes(), Codes(), DayField()
        self.close_case = named(Button(icon=Icon.CHECK), "case.close")
        self.unsaved = named(TextLabel(tone="warn"), "case.close.unsaved")
        self.undecided = named(TextLabel(tone="warn"), "case.close.undecided")
        self.decide = named(Button(icon=Icon.NEXT), "case.close.decide")
        self.leave_undecided = named(CheckBox(), "case.close.leave_undecided")
        self.closing_lead = named(TextLabel(tone="muted"), "case.close.lead")
        self._titles = {
            name: named(SectionLabel(), f"case.{name}.title")
            for name in ("letter", "receipt", "close")
        }
        self._letter_form, self._close_form = Form(), Form()
        self.letter_saved.hide()
        self.receipt_saved.hide()
        self._lay_out()
        self._connect()
        self.retranslate()

    def show_report(self, report: CaseReport) -> None:
        """Draft the letter anew, unless a person has changed it."""
        typed = bool(self.typed())
        same = self._report is not None and self._report.case.ident == report.case.ident
        self._report = report
        if not (typed and same):
            self._drafts = {}
            self._draft()
        if not same:
            number = report.case.number
            ending = f"-{number}" if number else ""
            self.letter_path.set_path(f"~/letter-of-case{ending}.pdf")
            self.receipt_path.set_path(f"~/receipt-of-case{ending}.json")
            self.letter_saved.hide()
            self.receipt_saved.hide()
        final = report.case.is_final
        for widget in (self._titles["close"], self._close_panel):
            widget.setVisible(not final and bool(report.case.number))
        if not same:
            self.leave_undecided.setChecked(False)
            refused = report.case.identity.result == "failed"
            self.outcome.choose(str(CaseState.REFUSED if refused else CaseState.CLOSED))
        self._on_outcome()

    def typed(self) -> dict[str, str]:
        """What a lock would take: letters that are not the draft any more."""
        if self._report is None:
            return {}
        texts = self._drafts | {self._language: self.text.toPlainText()}
        changed = {name: text for name, text in texts.items() if text != self._made(name)}
        typed = {f"{_LETTER}{name}": text for name, text in changed.items()}
        return typed | ({"language": self._language} if typed else {})

    def take_up(self, fields: Fields) -> bool:
        """Go on with it; whether there is a letter in it."""
        letters = {
            name.removeprefix(_LETTER): str(text)
            for name, text in fields.items()
            if name.startswith(_LETTER)
        }
        if not letters:
            return False
        self._drafts = letters
        self.language.blockSignals(True)
        self.language.choose(str(fields.get("language", self._language)))
        self.language.blockSignals(False)
        self._language = self.language.code
        self._draft()
        return True

    def say_letter_saved(self, path: Path) -> None:
        """The letter is in a file."""
        text = self._words.say("Saved as {path}", path=visible(str(path)))
        self.letter_saved.setText(text)
        self.letter_saved.show()
        self._on_outcome()

    def say_receipt_saved(self, path: Path) -> None:
        """The receipt is in a file."""
        text = self._words.say("Saved as {path}", path=visible(str(path)))
        self.receipt_saved.setText(text)
        self.receipt_saved.show()

    def wipe(self) -> None:
        """Forget letter and receipt."""
        self._report = None
        self._drafts = {}
        self.text.clear()
        for path in (self.letter_path, self.receipt_path):
            path.wipe()
        for label in (self.letter_saved, self.receipt_saved):
            label.clear()
            label.hide()
        self.keep_until.clear()
        self.undecided.clear()
        self.leave_undecided.setChecked(False)

    def retranslate(self) -> None:
        """Say all texts again."""
        words, say = self._words, self._words.say
        for name, text in (
            ("letter", say("Letter to the person")),
            ("receipt", say("Receipt of the case")),
            ("close", say("Close the case")),
        ):
            self._titles[name].setText(text)
        self.language.fill((one, LANGUAGE_NAMES[one]) for one in LANGUAGES)
        if not self._language:
            self.language.choose(words.language)
            self._language = words.language
        self.text.setAccessibleName(say("Letter to the person"))
        self._letter_form.say_label("case.letter.language", say("Language"))
        self.save_letter.setText(say("Save the letter"))
        self.save_receipt.setText(say("Save the receipt"))
        for path in (self.letter_path, self.receipt_path):
            path.retranslate()
        self.outcome.fill(
            (
                (str(CaseState.CLOSED), say("It is answered")),
                (str(CaseState.REFUSED), say("It is refused")),
                (str(CaseState.WITHDRAWN), say("It was withdrawn")),
            )
        )
        self.reason.fill((code, said.said(words, said.REFUSALS, code)) for code in REFUSALS)
        for name, text in (
            ("outcome", say("Outcome")),
            ("reason", say("Reason")),
            ("keep_until", say("Keep the name until")),
        ):
            self._close_form.say_label(f"case.close.{name}", text)
        self.close_case.setText(say("Close the case"))
        self.unsaved.setText(
            say("The letter is not saved yet. Once the case is closed, its draft has no name.")
        )
        self.decide.setText(say("Decide on them"))
        self.leave_undecided.setText(
            say("Close it with these undecided. That is kept with the case, and told in the answer")
        )
        self._on_outcome()
        self.closing_lead.setText(
            say(
                "The clock stops. The name, the notes and the texts of holds are erased from this "
                "program’s own file, and a keyed mark stays that tells when the person comes back. "
                "Give a day where a law wants the request itself to be kept."
            )
        )

    # ---- inside

    def _made(self, language: str) -> str:
        return letter(Words(language), self._report) if self._report is not None else ""

    def _draft(self) -> None:
        text = self._drafts.get(self._language)
        self.text.setPlainText(self._made(self._language) if text is None else text)

    def _on_language(self) -> None:
        if self._report is not None:
            self._drafts[self._language] = self.text.toPlainText()
        self._language = self.language.code
        self._draft()

    def _on_outcome(self) -> None:
        refused = self.outcome.code == CaseState.REFUSED
        self._close_form.show_row("case.close.reason", shown=refused)
        report, asking = self._report, self._asking
        named_yet = report is not None and bool(report.case.title)
        self.unsaved.setVisible(named_yet and self.letter_saved.isHidden())
        for widget in (self.undecided, self.decide, self.leave_undecided):
            widget.setVisible(bool(asking))
        self.undecided.setText(
            self._words.many(
                "{n} find that is surely about the person is undecided: erase it, put it on hold, "
                "or keep it with a reason.",
                "{n} finds that are surely about the person are undecided: erase them, put them "
                "on hold, or keep them with a reason.",
                asking,
            )
        )
        ready = not asking or self.leave_undecided.isChecked()
        self.close_case.setEnabled(ready and not self.keep_until.is_wrong)

    @property
    def _asking(self) -> int:
        """How many finds have to be decided on before this outcome."""
        answered = self.outcome.code == CaseState.CLOSED
        return self._report.case.asking if answered and self._report is not None else 0

    def _on_save_letter(self) -> None:
        if self.letter_path.path is not None:
            self.letter_saved.hide()
            self.letter_wanted.emit(self.letter_path.path, self.text.toPlainText())

    def _on_save_receipt(self) -> None:
        if self.receipt_path.path is not None:
            self.receipt_saved.hide()
            self.receipt_wanted.emit(self.receipt_path.path)

    def _on_close(self) -> None:
        outcome = CaseState(self.outcome.code)
        reason = self.reason.code if outcome is CaseState.REFUSED else ""
        left = bool(self._asking) and self.leave_undecided.isChecked()
        self.closing.emit(Closing(outcome, reason, self.keep_until.day, leave_undecided=left))

    def _connect(self) -> None:
        self.language.currentIndexChanged.connect(self._on_language)
        self.save_letter.clicked.connect(self._on_save_letter)
        self.letter_path.entered.connect(self._on_save_letter)
        self.save_receipt.clicked.connect(self._on_save_receipt)
        self.receipt_path.entered.connect(self._on_save_receipt)
        self.outcome.currentIndexChanged.connect(self._on_outcome)
        self.keep_until.changed.connect(self._on_outcome)
        self.close_case.clicked.connect(self._on_close)
        self.leave_undecided.toggled.connect(self._on_outcome)
        self.decide.clicked.connect(self.decide_wanted)

    def _lay_out(self) -> None:
        self._letter_form.row("case.letter.language", self.language)
        for name in ("outcome", "reason", "keep_until"):
            self._close_form.row(f"case.close.{name}", getattr(self, name))
        letter_panel, receipt_panel = named(Panel(), "case.letter"), named(Panel(), "case.receipt")
        self._close_panel = named(Panel(), "case.close.panel")
        inside = padded(letter_panel, SPACE_M)
        inside.addLayout(self._letter_form)
        inside.addWidget(self.text)
        inside.addLayout(_beside(self.letter_path, self.save_letter))
        inside.addWidget(self.letter_saved)
        inside = padded(receipt_panel, SPACE_M)
        inside.addLayout(_beside(self.receipt_path, self.save_receipt))
        inside.addWidget(self.receipt_saved)
        inside = padded(self._close_panel, SPACE_M)
        inside.addWidget(self.closing_lead)
        inside.addLayout(self._close_form)
        inside.addWidget(self.unsaved)
        inside.addWidget(self.undecided)
        inside.addLayout(_left(self.decide))
        inside.addWidget(self.leave_undecided)
        inside.addLayout(_left(self.close_case))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        for name, panel in (
            ("letter", letter_panel),
            ("receipt", receipt_panel),
            ("close", self._close_panel),
        ):
            layout.addWidget(self._titles[name])
            layout.addWidget(panel)


def _left(button: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(button)
    row.addStretch(1)
    return row


def _beside(field: QWidget, button: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(SPACE_S)
    row.addWidget(field, 1)
    row.addWidget(button)
    return row
