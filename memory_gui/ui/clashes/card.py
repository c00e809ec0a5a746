# SPDX-License-Identifier: MIT
"""One clash: the record that would come back beside the one that has its key now."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from memory_gui.services.editing.clashes import REVIEW, Choice, Clash, Way
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.pages.marking import Mark, Piece, word_diff
from memory_gui.ui.pages.text_view import MOST_SHOWN, TextView
from memory_gui.ui.privacy.masking import masked
from memory_gui.ui.tokens import SPACE_L, SPACE_S, SPACE_XS
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import (
    Button,
    Caption,
    Panel,
    SectionLabel,
    TextLabel,
)
from memory_gui.ui.widgets import Choice as ChoiceBox
from memory_gui.words import Words

SIDE_BY_SIDE_FROM: Final = 460
"""Narrower than this, the two stand one below the other."""
_KEY_LETTERS: Final = 28
_LINES: Final = 6


class ClashCard(Panel):
    """Shows one; asks nobody anything. GUI thread."""

    chosen = Signal()
    merge_wanted = Signal()

    def __init__(
        self, words: Words, clash: Clash, number: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._words = words
        self.clash = clash
        name = f"clash.{number}"
        self._heading = named(TextLabel(selectable=True), f"{name}.heading")
        bold = self._heading.font()
        bold.setBold(True)
        self._heading.setFont(bold)
        self._old_title = named(SectionLabel(), f"{name}.old.title")
        self._now_title = named(SectionLabel(), f"{name}.now.title")
        self.old_name = named(TextLabel(selectable=True), f"{name}.old.name")
        self.now_name = named(TextLabel(selectable=True), f"{name}.now.name")
        self.old = TextView(f"{name}.old", lines=_LINES)
        self.now = TextView(f"{name}.now", lines=_LINES)
        self.way = named(ChoiceBox(), f"{name}.way")
        self.key = named(QLineEdit(), f"{name}.key")
        self.merge = named(Button("", Icon.EDIT), f"{name}.merge")
        self._hint = named(Caption(), f"{name}.hint")
        self._sides = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._arrange()
        for way in clash.ways:
            self.way.addItem("", way)
        self.way.setCurrentIndex(self.way.findData(_first(clash)))
        self.key.setText(clash.free)
        self.way.currentIndexChanged.connect(self._on_way_changed)
        self.key.textChanged.connect(self.chosen)
        self.merge.clicked.connect(self.merge_wanted)
        self.merge.setVisible(clash.ref.kind != REVIEW)
        self.retranslate()

    @property
    def choice(self) -> Choice:
        """What a person chose for it."""
        return Choice(Way(self.way.currentData()), self.key.text().strip())

    @property
    def ready(self) -> bool:
        """Whether the choice says all that it must."""
        return self.choice.way is not Way.BOTH or bool(self.choice.key)

    def retranslate(self) -> None:
        """Say all texts again; what was chosen stays."""
        say, review = self._words.say, self.clash.ref.kind == REVIEW
        self._heading.show_foreign(say("Both have the key “{key}”", key=self.clash.key))
        self._old_title.setText(say("Comes back"))
        self._now_title.setText(say("Waits now") if review else say("Has the key now"))
        self._fill()
        names = {
            Way.BOTH: say("Keep both: this one gets another key"),
            Way.SWAP: say("Take this one instead"),
            Way.LEAVE: say("Leave it as it is"),
        }
        for row in range(self.way.count()):
            self.way.setItemText(row, names[Way(self.way.itemData(row))])
        self.way.setAccessibleName(say("What becomes of the two"))
        self.key.setAccessibleName(say("The other key"))
        self.merge.setText(say("Merge by hand…"))
        self.merge.setToolTip(say("Edit the one that is there now, with both texts before you"))
        self.way.updateGeometry()
        self._on_way_changed()

    def hide_texts(self, instead: str) -> None:
        """Bars in place of the texts; an empty text shows them again."""
        for view in (self.old, self.now):
            view.hide_text(instead)
        for label in (self.old_name, self.now_name, self._heading):
            label.setVisible(not instead)
        self.key.setEchoMode(QLineEdit.EchoMode.Password if instead else QLineEdit.EchoMode.Normal)

    def wipe(self) -> None:
        """Forget every text."""
        for view in (self.old, self.now):
            view.wipe()
        for label in (self._heading, self.old_name, self.now_name):
            label.clear()
        self.key.setText("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = event.size().width() >= SIDE_BY_SIDE_FROM
        directions = QBoxLayout.Direction
        self._sides.setDirection(directions.LeftToRight if beside else directions.TopToBottom)

    def _fill(self) -> None:
        clash = self.clash
        text = str(clash.fields.get("text", ""))[:MOST_SHOWN]
        self.old_name.setText(one_line(masked(str(clash.fields.get("title", ""))), 120))
        self.now_name.setText(one_line(masked(clash.holder.title), 120))
        left, right = word_diff(text, clash.holder.text[:MOST_SHOWN])
        # Neither side is the newer wording of the other: what differs is marked alike.
        self.old.show_pieces(_alike(left))
        self.now.show_pieces(_alike(right))
        say = self._words.say
        self.old.setAccessibleName(say("Text that comes back"))
        self.now.setAccessibleName(say("Text that is there now"))

    def _on_way_changed(self) -> None:
        say, review = self._words.say, self.clash.ref.kind == REVIEW
        way = self.choice.way
        self.key.setVisible(way is Way.BOTH)
        if way is Way.SWAP:
            text = (
                say("The waiting one is rejected. Undo brings it back.")
                if review
                else say("The other one goes to the trash. Undo brings it back.")
            )
        elif way is Way.BOTH:
            text = say("The agent files it under that key. The other one stays as it is.")
        else:
            text = say("Nothing is changed.")
        self._hint.setText(text)
        self.chosen.emit()

    def _arrange(self) -> None:
        inside = padded(self)
        inside.addWidget(self._heading)
        self._sides.setSpacing(SPACE_L)
        for title, name, view in (
            (self._old_title, self.old_name, self.old),
            (self._now_title, self.now_name, self.now),
        ):
            side = QVBoxLayout()
            side.setSpacing(SPACE_XS)
            for widget in (title, name, view):
                side.addWidget(widget)
            side.addStretch(1)
            self._sides.addLayout(side, 1)
        inside.addLayout(self._sides)
        inside.addSpacing(SPACE_S)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        letter = self.key.fontMetrics().averageCharWidth()
        self.key.setMinimumWidth(letter * _KEY_LETTERS // 2)
        self.key.setMaximumWidth(letter * _KEY_LETTERS)
        row.addWidget(self.way)
        row.addWidget(self.key, 1)  # all room up to what it may have: a key shows from end to end
        row.addStretch(0)
        row.addWidget(self.merge)
        inside.addLayout(row)
        inside.addWidget(self._hint)


def _first(clash: Clash) -> Way:
    """What is proposed: the way in which nothing goes anywhere."""
    return Way.BOTH if Way.BOTH in clash.ways else Way.LEAVE


def _alike(pieces: tuple[Piece, ...]) -> list[Piece]:
    return [
        Piece(
            one.text, Mark.FOUND if one.mark in (Mark.REMOVED, Mark.ADDED) else one.mark, one.source
        )
        for one in pieces
    ]
