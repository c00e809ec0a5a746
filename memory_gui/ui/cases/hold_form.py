# SPDX-License-Identifier: MIT
"""Why a record has to stay: under a hold, with who says so and until when, or simply kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from memory_gui.cases.finds import Decision
from memory_gui.cases.rights import HOLD_REASONS, KEEP_REASONS, OTHER
from memory_gui.services.locking.drafts import Fields
from memory_gui.ui.cases.fields import Codes, DayField, Form
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.widgets import Button, Panel, TextLabel
from memory_gui.words import Words, reasons

_AS: Final = "hold.as"
_FIELDS: Final = ("hold.reason", "hold.text", "hold.who", "hold.until")


@dataclass(frozen=True, slots=True)
class Hold:
    """What a person said of what stays. ``who`` and ``until`` belong to a hold."""

    decision: Decision
    reason: str
    text: str
    who: str
    until: date | None


class HoldForm(Panel):
    """Asked for below the list; hidden until it is wanted."""

    given = Signal(object)
    """A Hold."""
    left = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent, tone="warn_soft", outline="warn_soft")
        self.setObjectName("case.hold_form")
        self._words = words
        self._decision = Decision.HOLD
        self._count = 0
        self._lead = named(TextLabel(), "case.hold.lead")
        self.reason, self.text, self.who = Codes(), QLineEdit(), QLineEdit()
        self.until = DayField()
        self._form = Form()
        for name in ("reason", "text", "who", "until"):
            self._form.row(f"case.hold.{name}", getattr(self, name))
        self.hold = named(Button(icon=Icon.CHECK), "case.hold.give")
        self.cancel = named(Button(), "case.hold.cancel")
        inside = padded(self, SPACE_M)
        inside.addWidget(self._lead)
        inside.addLayout(self._form)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.hold)
        row.addWidget(self.cancel)
        row.addStretch(1)
        inside.addLayout(row)
        self.hold.clicked.connect(self._on_hold)
        self.cancel.clicked.connect(self._on_cancel)
        self.until.changed.connect(self._check)
        self.reason.currentIndexChanged.connect(self._check)
        self.text.textChanged.connect(self._check)
        self.hide()

    def ask(self, count: int, decision: Decision = Decision.HOLD) -> None:
        """Ask why so many records are held, or kept."""
        self._decision, self._count = decision, count
        held = decision is Decision.HOLD
        for name in ("who", "until"):
            self._form.show_row(f"case.hold.{name}", shown=held)
        self._say()
        self.reason.setCurrentIndex(0)
        self._check()
        self.show()
        self.reason.setFocus(Qt.FocusReason.OtherFocusReason)

    def typed(self) -> dict[str, str]:
        """What a lock would take: a form that is open."""
        if self.isHidden():
            return {}
        values = (self.reason.code, self.text.text(), self.who.text(), self.until.text())
        return {_AS: str(self._decision), **dict(zip(_FIELDS, values, strict=True))}

    def take_up(self, count: int, fields: Fields) -> None:
        """Go on with it, for so many records."""
        self.ask(count, Decision(str(fields[_AS])))
        reason, *texts = (str(fields.get(name, "")) for name in _FIELDS)
        self.reason.choose(reason)
        for line, text in zip((self.text, self.who, self.until), texts, strict=True):
            line.setText(text)

    def wipe(self) -> None:
        """Forget what was typed."""
        self.hide()
        for line in (self.text, self.who, self.until):
            line.clear()
        self.reason.setCurrentIndex(0)

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._say()
        for name, text in (
            ("reason", say("Reason")),
            ("text", say("More about it")),
            ("who", say("Held by")),
            ("until", say("Until")),
        ):
            self._form.say_label(f"case.hold.{name}", text)
        self.cancel.setText(say("Cancel"))

    def _say(self) -> None:
        words, held = self._words, self._decision is Decision.HOLD
        codes = HOLD_REASONS if held else KEEP_REASONS
        self.reason.fill((code, reasons.reason(words, code)) for code in codes)
        if held:
            lead = words.many(
                "{n} record is held: from now on nobody can erase or delete it.",
                "{n} records are held: from now on nobody can erase or delete them.",
                self._count,
            )
        else:
            lead = words.many(
                "{n} record about the person stays as it is. The answer says why.",
                "{n} records about the person stay as they are. The answer says why.",
                self._count,
            )
        self._lead.setText(lead)
        self.hold.setText(words.say("Hold") if held else words.say("Keep"))

    def _check(self) -> None:
        """Another reason than those of the list needs words."""
        worded = self.reason.code != OTHER or bool(self.text.text().strip())
        self.hold.setEnabled(worded and not self.until.is_wrong)

    def _on_hold(self) -> None:
        hold = Hold(
            self._decision,
            self.reason.code,
            self.text.text().strip(),
            self.who.text().strip(),
            self.until.day,
        )
        self.wipe()
        self.given.emit(hold)

    def _on_cancel(self) -> None:
        self.wipe()
        self.left.emit()
