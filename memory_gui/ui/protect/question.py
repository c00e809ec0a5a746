# SPDX-License-Identifier: MIT
"""A question that is answered by typing yes: who can still open the store afterwards, by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.pages.path_field import PathField
from memory_gui.ui.protect.acts import Act, Choices
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import (
    Button,
    Caption,
    CheckBox,
    Panel,
    PrimaryButton,
    SectionLabel,
    TextLabel,
)
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import N_, Words

_TITLES: Final = {
    Act.ENCRYPT: N_("Who can open it afterwards"),
    Act.READABLE: N_("Who can read it afterwards"),
    Act.COPY: N_("Who can read the copy"),
    Act.ROTATE: N_("Who can open it with the new key"),
    Act.GIVE_UP: N_("Without a new recovery key"),
    Act.MIGRATE: N_("A copy in today’s format"),
}
_ACTS: Final = {
    Act.ENCRYPT: N_("Encrypt this store"),
    Act.READABLE: N_("Make this store readable"),
    Act.COPY: N_("Write a readable copy"),
    Act.ROTATE: N_("Change the key"),
    Act.GIVE_UP: N_("Destroy the old key"),
    Act.MIGRATE: N_("Write the copy"),
}
_WRITES: Final = frozenset({Act.COPY, Act.MIGRATE})
"""A person says where a new file goes."""
_ICONS: Final = {Act.MIGRATE: Icon.EXPORT}


class Question(Panel):
    """Hidden until ``ask``. Forgets in ``wipe``."""

    agreed = Signal(object)
    """An Act: yes was typed; ``choices`` says the rest."""
    given_up = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent, tone="warn_soft", outline="warn_soft")
        self._words = words
        self.act_asked = Act.ENCRYPT
        self.setObjectName("protect.question")
        self._title = named(SectionLabel(), "protect.question.title")
        self._lines = QVBoxLayout()
        self._lines.setSpacing(SPACE_S // 2)
        self.out = PathField(words, "protect.out")
        self.drop_old = named(CheckBox(), "protect.drop_old")
        self.no_paper = named(CheckBox(), "protect.no_paper")
        self._prompt = named(TextLabel(wrap=False), "protect.yes.label")
        self.line = named(QLineEdit(), "protect.yes")
        self.line.setMaximumWidth(120)
        self._prompt.setBuddy(self.line)
        self.cancel = named(Button(), "protect.cancel")
        self.act = named(PrimaryButton(icon=Icon.LOCK), "protect.act")
        self._lay_out()
        self.line.textChanged.connect(self._on_changed)
        self.out.changed.connect(self._on_changed)
        self.out.entered.connect(self._on_act_clicked)
        self.line.returnPressed.connect(self._on_act_clicked)
        self.act.clicked.connect(self._on_act_clicked)
        self.cancel.clicked.connect(self._on_cancel_clicked)
        self.hide()

    @property
    def says_yes(self) -> bool:
        """Whether yes was typed, in the language of the window or in English.

        What changes nothing and lets nobody read more needs no yes.
        """
        typed = self.line.text().strip().casefold()
        yes = typed in {self._words.say("yes").casefold(), "yes"} or self.act_asked is Act.MIGRATE
        return yes and (self.act_asked not in _WRITES or self.out.path is not None)

    @property
    def choices(self) -> Choices:
        """What was chosen besides."""
        return Choices(
            self.out.path if self.act_asked in _WRITES else None,
            drop_old=not self.drop_old.isHidden() and self.drop_old.isChecked(),
            give_up_paper=not self.no_paper.isHidden() and self.no_paper.isChecked(),
        )

    def ask(
        self,
        act: Act,
        lines: Sequence[str],
        in_use: Sequence[str] = (),
        *,
        others: bool = False,
        paper: bool = False,
        out: str = "",
    ) -> None:
        """Show the question; ``in_use`` are programs to be closed first."""
        self.act_asked = act
        self.line.clear()
        self.out.set_path(out)
        self.out.setVisible(act in _WRITES)
        for widget in (self._prompt, self.line):
            widget.setVisible(act is not Act.MIGRATE)
        tone = "accent_soft" if act is Act.MIGRATE else "warn_soft"
        self.set_tone(tone, tone)
        self.act.set_icon(_ICONS.get(act, Icon.LOCK))
        for box, wanted in ((self.drop_old, others), (self.no_paper, paper)):
            box.setChecked(False)
            box.setVisible(wanted)
        self.show_lines(lines, in_use)
        self.retranslate()
        self.show()
        first = self.out if act is Act.MIGRATE else self.line
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_lines(self, lines: Sequence[str], in_use: Sequence[str] = ()) -> None:
        """Replace what is said."""
        empty(self._lines)
        for number, text in enumerate(lines):
            label = named(TextLabel(), f"protect.afterwards{number}")
            label.show_foreign(text)
            self._lines.addWidget(label)
        if in_use:
            title = self._words.say("In use now; close these first, or nothing will be changed:")
            self._lines.addWidget(named(Caption(title, wrap=True), "protect.in_use.title"))
        for number, text in enumerate(in_use):
            label = named(TextLabel(), f"protect.in_use{number}")
            label.show_foreign(text)
            self._lines.addWidget(label)

    def wipe(self) -> None:
        """Forget the answer, the lines and the path."""
        self.line.clear()
        self.out.wipe()
        empty(self._lines)
        self.hide()

    def retranslate(self) -> None:
        """Say all texts again, except the lines: the page gives those."""
        words = self._words
        self._title.setText(words.say(_TITLES[self.act_asked]))
        self._prompt.setText(words.say("Type {word} to go on", word=words.say("yes")))
        self.line.setAccessibleName(self._prompt.text())
        self.cancel.setText(words.say("Cancel"))
        self.act.setText(words.say(_ACTS[self.act_asked]))
        self.drop_old.setText(words.say("Destroy the old key although these files need it"))
        self.no_paper.setText(words.say("I want no new recovery key: destroy the old key at once"))
        self.out.retranslate()
        self._on_changed()

    def _on_changed(self) -> None:
        self.act.setEnabled(self.says_yes)

    def _on_act_clicked(self) -> None:
        if self.says_yes:
            self.agreed.emit(self.act_asked)

    def _on_cancel_clicked(self) -> None:
        self.wipe()
        self.given_up.emit()

    def _lay_out(self) -> None:
        inside = padded(self)
        inside.addWidget(self._title)
        inside.addLayout(self._lines)
        inside.addWidget(self.out)
        for box in (self.drop_old, self.no_paper):
            row = QHBoxLayout()
            row.addWidget(box)
            row.addStretch(1)
            inside.addLayout(row)
        answer = FlowLayout()
        for widget in (self._prompt, self.line, self.cancel, self.act):
            answer.addWidget(widget)
        self._prompt.setMinimumHeight(self.act.sizeHint().height())  # in line with its field
        inside.addLayout(answer)
        for first, second in zip(
            (self.out, self.drop_old, self.no_paper, self.line, self.cancel),
            (self.drop_old, self.no_paper, self.line, self.cancel, self.act),
            strict=True,
        ):
            self.setTabOrder(first, second)


class Connect(Panel):
    """The lines by which an agent goes on in an encrypted store, each to be copied."""

    copied = Signal(str)

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.setObjectName("protect.connect")
        self._title = named(SectionLabel(), "protect.connect.title")
        self._rows = QVBoxLayout()
        self._rows.setSpacing(SPACE_S // 2)
        inside = padded(self)
        inside.addWidget(self._title)
        inside.addLayout(self._rows)
        self.hide()

    def show_lines(self, agent: str, lines: Sequence[str]) -> None:
        """Replace them; without any it is hidden."""
        empty(self._rows)
        words = self._words
        self._title.setText(words.say("How {agent} goes on in it", agent=agent))
        names = (words.say("Start it"), words.say("In a program"))
        for number, line in enumerate(lines):
            row = QHBoxLayout()
            row.setSpacing(SPACE_S)
            name = named(
                Caption(names[min(number, 1)], wrap=False), f"protect.connect.name{number}"
            )
            name.setFixedWidth(110)
            shown = named(TextLabel(selectable=True), f"protect.connect.line{number}")
            shown.show_foreign(line)
            copy = named(Button(words.say("Copy")), f"protect.connect.copy{number}")
            copy.setAccessibleName(words.say("Copy: {line}", line=line))
            copy.clicked.connect(partial(self.copied.emit, line))
            row.addWidget(name)
            row.addWidget(shown, 1)
            row.addWidget(copy)
            self._rows.addLayout(row)
        self.setVisible(bool(lines))

    def wipe(self) -> None:
        """Forget the lines."""
        empty(self._rows)
        self._title.clear()
        self.hide()
