# SPDX-License-Identifier: MIT
"""Looking once more for whom an answered case was about, without restarting its clock."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from memory_gui.cases.case import Case
from memory_gui.services.locking.drafts import Fields
from memory_gui.ui.cases.fields import Form, Lines
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.tokens import SPACE_M
from memory_gui.ui.widgets import Button, Panel, PrimaryButton, SectionLabel, TextLabel
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import Words

_NAME, _ALSO = "again.name", "again.also"


class AgainView(QWidget):
    """The case keeps marks of names only, so they are asked for; hidden till then. GUI thread."""

    wanted = Signal(object)
    """The names, the first one in front."""
    left = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._asked = False
        self._title = named(SectionLabel(), "case.again.title")
        self._lead = named(TextLabel(), "case.again.lead")
        self.name, self.also = QLineEdit(), Lines(2)
        self._form = Form()
        self._form.row("case.again.name", self.name)
        self._form.row("case.again.also", self.also)
        self.look = named(PrimaryButton(icon=Icon.SEARCH), "case.again.look")
        self.cancel = named(Button(), "case.again.cancel")
        self._panel = named(Panel(), "case.again")
        ways = QWidget()
        flow = FlowLayout(ways)
        for button in (self.look, self.cancel):
            flow.addWidget(button)
        inside = padded(self._panel, SPACE_M)
        inside.addWidget(self._title)
        inside.addWidget(self._lead)
        inside.addLayout(self._form)
        inside.addWidget(ways)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._panel)
        self.hide()
        self.name.textChanged.connect(self._check)
        self.name.returnPressed.connect(self._on_look)
        self.look.clicked.connect(self._on_look)
        self.cancel.clicked.connect(self._on_cancel)
        self.retranslate()

    def setVisible(self, visible: bool) -> None:  # noqa: N802 - Qt's name
        super().setVisible(visible and self._asked)

    def ask(self, case: Case) -> None:
        """Ask for the names; where the case still has them nobody is asked."""
        if case.subject is not None:
            self.wanted.emit(())
            return
        self._asked = True
        self.show()
        self._check()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def typed(self) -> dict[str, str]:
        """What a lock would take."""
        values = {_NAME: self.name.text(), _ALSO: self.also.toPlainText()}
        return values if any(text.strip() for text in values.values()) else {}

    def take_up(self, case: Case, fields: Fields) -> bool:
        """Go on with it; whether there was something."""
        if _NAME not in fields:
            return False
        self.name.setText(str(fields[_NAME]))
        self.also.setPlainText(str(fields.get(_ALSO, "")))
        self.ask(case)
        return True

    def wipe(self) -> None:
        """Forget the names."""
        self._asked = False
        self.hide()
        self.name.clear()
        self.also.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._title.setText(say("Look for this person again"))
        self._lead.setText(
            say(
                "The case keeps no name, only a mark of each. Give names under which it was made: "
                "they are compared with the marks, and forgotten when you leave. The clock of the "
                "case stands, and what is found now is planned, erased and proved as before."
            )
        )
        self._form.say_label("case.again.name", say("Name"))
        self._form.say_label("case.again.also", say("Other names"))
        self.also.setPlaceholderText(say("E-mail, telephone, user id, other spellings: one a line"))
        self.look.setText(say("Look for this person"))
        self.cancel.setText(say("Cancel"))

    def _check(self) -> None:
        self.look.setEnabled(bool(self.name.text().strip()))

    def _on_look(self) -> None:
        if self.look.isEnabled():
            self.wanted.emit((self.name.text().strip(), *self.also.given))

    def _on_cancel(self) -> None:
        self.wipe()
        self.left.emit()
