# SPDX-License-Identifier: MIT
"""What a run found again in other places, file by file, and the choice to let it stay there."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from memory_gui.cases.rights import KEEP_REASONS, OTHER
from memory_gui.services.cases.answering.reporting import CaseReport
from memory_gui.services.locking.drafts import Fields
from memory_gui.ui.cases.fields import Codes, Form
from memory_gui.ui.cases.plan_words import (
    file_lines,
    let_stay_line,
    remain_line,
    unproved_lines,
)
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.pages.listed import Listed
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.widgets import Button, Panel, SectionLabel, TextLabel
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import Words, reasons

_REASON: Final = "accept.reason"
_TEXT: Final = "accept.text"


class RemainsView(QWidget):
    """Hidden where nothing remains. Nothing is accepted here: ``accepted`` asks for it."""

    accepted = Signal(str, str)
    """The code of the reason, and what was written beside it."""
    asked = Signal(object)
    """Its form was opened: the widget."""

    def __init__(self, words: Words, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._name = name
        self._report: CaseReport | None = None
        self._title = named(SectionLabel(), f"{name}.title")
        self._lead = named(TextLabel(), f"{name}.lead")
        self._panel = named(Panel(tone="warn_soft", outline="warn_soft"), name)
        self.unproved = Listed(f"{name}.unproved", tone="warn_soft")
        self.let_stay = Listed(f"{name}.accepted")
        self.stays = Listed(f"{name}.stays")
        self.accept = named(Button(icon=Icon.CHECK), f"{name}.accept")
        self._place = QWidget()
        self._lines = QVBoxLayout(self._place)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(SPACE_S // 2)
        self.form = QWidget()
        self.reason, self.text = Codes(), QLineEdit()
        self._fields = Form()
        self.give = named(Button(icon=Icon.CHECK), f"{name}.give")
        self.cancel = named(Button(), f"{name}.cancel")
        self._lay_out()
        self.accept.clicked.connect(self.ask)
        self.give.clicked.connect(self._on_given)
        self.cancel.clicked.connect(self._on_cancel)
        self.reason.currentIndexChanged.connect(self._check)
        self.text.textChanged.connect(self._check)
        self.retranslate()

    @property
    def _has_some(self) -> bool:
        report = self._report
        lists = (self.unproved, self.let_stay, self.stays)
        return report is not None and (
            bool(report.remains) or not all(one.isHidden() for one in lists)
        )

    def setVisible(self, visible: bool) -> None:  # noqa: N802 - Qt's name
        super().setVisible(visible and self._has_some)

    def show_report(self, report: CaseReport) -> None:
        """What its runs have left."""
        same = self._report is not None and self._report.case.ident == report.case.ident
        self._report = report
        if not (same and report.remains):
            self._close()
        self._say()

    def ask(self) -> None:
        """Ask why it stays."""
        self.form.show()
        self.accept.hide()
        self._check()
        self.reason.setFocus(Qt.FocusReason.OtherFocusReason)
        self.asked.emit(self.form)

    def typed(self) -> dict[str, str]:
        """What a lock would take: a form that is open."""
        if self.form.isHidden():
            return {}
        return {_REASON: self.reason.code, _TEXT: self.text.text()}

    def take_up(self, fields: Fields) -> bool:
        """Go on with it; whether there was something."""
        if _REASON not in fields or self._report is None or not self._report.remains:
            return False
        self.reason.choose(str(fields[_REASON]))
        self.text.setText(str(fields.get(_TEXT, "")))
        self.ask()
        return True

    def wipe(self) -> None:
        """Forget what was found and typed."""
        self._report = None
        empty(self._lines)
        self._lead.clear()
        self.unproved.wipe()
        self.let_stay.wipe()
        self.stays.wipe()
        self._close()
        self._panel.hide()
        self.hide()

    def retranslate(self) -> None:
        """Say all texts again."""
        say, words = self._words.say, self._words
        self._title.setText(say("What remains"))
        self.accept.setText(say("Accept what remains…"))
        self.give.setText(say("Accept, and tell it in the answer"))
        self.cancel.setText(say("Cancel"))
        choices = [(one, reasons.reason(words, one)) for one in KEEP_REASONS]
        self.reason.fill([("", say("Choose a reason…")), *choices])
        self._fields.say_label(f"{self._name}.reason", say("Reason"))
        self._fields.say_label(f"{self._name}.text", say("More about it"))
        self._say()

    # ---- inside

    def _say(self) -> None:
        words, report = self._words, self._report
        empty(self._lines)
        if report is None:
            self._panel.hide()
            return
        remains = report.remains
        self._panel.setVisible(bool(remains))
        self._lead.setText(
            words.many(
                "The records are gone, but {n} other place still holds text of them, and is not "
                "changed. Clean it and look again; or accept that it stays, with a reason that "
                "the case, the letter and the receipt tell.",
                "The records are gone, but {n} other places still hold text of them, and are not "
                "changed. Clean them and look again; or accept that they stay, with a reason that "
                "the case, the letter and the receipt tell.",
                len(remains),
            )
        )
        for number, one in enumerate(remains):
            line = named(TextLabel(selectable=True), f"{self._name}.line{number}")
            line.show_foreign(remain_line(words, one))
            self._lines.addWidget(line)
        self.unproved.show_lines(
            words.say("What is still to be done"), unproved_lines(words, report)
        )
        lines = [let_stay_line(words, one) for one in report.let_stay]
        self.let_stay.show_lines(words.say("Accepted: it was found again, and stays"), lines)
        self.stays.show_lines(words.say("What stays"), file_lines(words, report.kept_files))
        if not self._has_some:
            self.hide()

    def _close(self) -> None:
        self.form.hide()
        self.accept.show()
        self.text.clear()
        self.reason.setCurrentIndex(0)

    def _check(self) -> None:
        """None is chosen by itself; another one than those of the list needs words."""
        worded = self.reason.code != OTHER or bool(self.text.text().strip())
        self.give.setEnabled(bool(self.reason.code) and worded)

    def _on_given(self) -> None:
        self.accepted.emit(self.reason.code, self.text.text().strip())

    def _on_cancel(self) -> None:
        self._close()
        self.accept.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out(self) -> None:
        for name in ("reason", "text"):
            self._fields.row(f"{self._name}.{name}", getattr(self, name))
        inside = QVBoxLayout(self.form)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(SPACE_M)
        inside.addLayout(self._fields)
        ways, more = QWidget(), QWidget()
        flow = FlowLayout(ways)
        for button in (self.give, self.cancel):
            flow.addWidget(button)
        inside.addWidget(ways)
        FlowLayout(more).addWidget(self.accept)
        panel = padded(self._panel, SPACE_M)
        for widget in (self._title, self._lead, self._place, more, self.form):
            panel.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_M)
        for widget in (self._panel, self.unproved, self.let_stay, self.stays):
            layout.addWidget(widget)
        self.form.hide()
        self._panel.hide()
        self.hide()
