# SPDX-License-Identifier: MIT
"""The rules of a store, and what they decided, as lists with a button for each line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.domain.changes import Verdict
from memory_gui.ledger.reviewrules import TAKEN_BACK, Rule
from memory_gui.services.reviewing.rules import Decided
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.phrases import full_time
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.visible import one_line, visible
from memory_gui.ui.widgets import (
    Caption,
    CheckBox,
    IconButton,
    Panel,
    QuietButton,
    SectionLabel,
    TextLabel,
)
from memory_gui.words import Words
from memory_gui.words.rules import rule_text

_MOST: Final = 40
_TITLE: Final = 80


class RuleList(Panel):
    """Asks nobody anything. GUI thread."""

    running_set = Signal(str, bool)
    """(id of a rule, whether it decides)."""
    removed = Signal(str)

    def __init__(self, words: Words, showing: Showing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "rules.list")
        self._words = words
        self._showing = showing
        self._rules: tuple[Rule, ...] = ()
        self._title = named(SectionLabel(), "rules.list.title")
        self._none = named(TextLabel(tone="muted"), "rules.list.none")
        self._rows = QVBoxLayout()
        self._rows.setSpacing(SPACE_S)
        inside = padded(self)
        inside.addWidget(self._title)
        inside.addWidget(self._none)
        inside.addLayout(self._rows)
        showing.when_changed(self.retranslate)

    def show_rules(self, rules: Sequence[Rule]) -> None:
        """Replace what is listed."""
        self._rules = tuple(rules)
        empty(self._rows)
        self._none.setVisible(not self._rules)
        for number, rule in enumerate(self._rules):
            self._rows.addLayout(self._row(number, rule))

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._title.setText(say("Rules of this store"))
        self._none.setText(say("None: you decide everything."))
        self.show_rules(self._rules)

    def _row(self, number: int, rule: Rule) -> QHBoxLayout:
        say = self._words.say
        text = visible(self._showing.line(rule_text(self._words, rule)))
        box = named(CheckBox(text.replace("&", "&&")), f"rules.on{number}")
        box.setChecked(rule.running)
        box.setToolTip(say("A rule without its tick is kept, and decides nothing"))
        box.toggled.connect(lambda on, ident=rule.id: self.running_set.emit(ident, on))
        remove = named(IconButton(Icon.CLOSE), f"rules.remove{number}")
        remove.set_spoken(say("Take this rule away"))
        remove.clicked.connect(lambda _checked=False, ident=rule.id: self.removed.emit(ident))
        row = QHBoxLayout()
        row.setSpacing(SPACE_M)
        row.addWidget(box, 1)
        row.addWidget(remove, 0, Qt.AlignmentFlag.AlignTop)
        return row


class DecidedList(Panel):
    """What rules decided, the last one first; each can be taken back. GUI thread."""

    back_wanted = Signal(int)
    """The number of a decision."""

    def __init__(self, words: Words, showing: Showing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "rules.decided")
        self._words = words
        self._showing = showing
        self._decided: tuple[Decided, ...] = ()
        self._title = named(SectionLabel(), "rules.decided.title")
        self._none = named(TextLabel(tone="muted"), "rules.decided.none")
        self._rows = QVBoxLayout()
        self._rows.setSpacing(SPACE_S // 2)
        inside = padded(self)
        inside.addWidget(self._title)
        inside.addWidget(self._none)
        inside.addLayout(self._rows)
        showing.when_changed(self.retranslate)

    def show_decided(self, decided: Sequence[Decided]) -> None:
        """Replace what is listed."""
        self._decided = tuple(decided)
        empty(self._rows)
        self._none.setVisible(not self._decided)
        for number, one in enumerate(self._decided[:_MOST]):
            self._rows.addLayout(self._row(number, one))
        more = len(self._decided) - _MOST
        if more > 0:
            text = self._words.many(
                "{n} older one: review STORE rules log",
                "{n} older ones: review STORE rules log",
                more,
            )
            self._rows.addWidget(named(Caption(text), "rules.decided.more"))

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._title.setText(say("What the rules decided"))
        self._none.setText(say("Nothing yet."))
        self.show_decided(self._decided)

    def _row(self, number: int, one: Decided) -> QHBoxLayout:
        words, name = self._words, f"rules.decided{number}"
        title = self._showing.line(one_line(one.title, _TITLE)) or one.ref.text
        text = named(TextLabel(selectable=True), f"{name}.text")
        text.show_foreign(words.say("{title} — {what}", title=title, what=self._what(one)))
        when = named(Caption(full_time(words, one.act.at, one.act.at), wrap=False), f"{name}.when")
        back = named(QuietButton(words.say("Take back")), f"{name}.back")
        back.setAccessibleName(words.say("Take back: {title}", title=visible(title)))
        if not one.can_be_taken_back:
            back.hide()  # and never shown here: without a parent it would be a window
        back.clicked.connect(partial(self._on_back_clicked, one.act.number))
        row = QHBoxLayout()
        row.setSpacing(SPACE_M)
        row.addWidget(text, 1)
        row.addWidget(when)
        row.addWidget(back)
        return row

    def _what(self, one: Decided) -> str:
        say = self._words.say
        if one.act.state == TAKEN_BACK:
            return say("taken back")
        return say("approved") if one.act.verdict == Verdict.APPROVE.value else say("rejected")

    def _on_back_clicked(self, number: int, _checked: bool = False) -> None:
        self.back_wanted.emit(number)
