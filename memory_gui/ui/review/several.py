# SPDX-License-Identifier: MIT
"""Deciding on several proposals at once, by a filter and by ticks: counts first, then the act."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from memory_gui.domain.changes import Verdict
from memory_gui.services.reviewing.bulk import BulkCounts, BulkLook
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.review import words as say
from memory_gui.ui.review.choosing import ChoiceList
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import Busy, Button, Choice, Panel, SectionLabel, TextLabel
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import Words
from memory_gui.words.review import nothing_found

_SOON_MS = 300
EVERY, AGAIN = "every", "again"


class Several(Panel):
    """Asks nobody anything: ``ManyActs`` looks, and acts. GUI thread."""

    look_wanted = Signal(str, str)
    """(query text, EVERY or AGAIN): which are meant."""
    act_wanted = Signal(object, object, object)
    """(verdict, BulkLook, the chosen Refs): do that."""
    stop_wanted = Signal()

    def __init__(self, words: Words, showing: Showing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "review.several")
        self._words = words
        self._look: BulkLook | None = None
        self._acting = False
        self._title = named(SectionLabel(), "review.several.title")
        self.query = named(QLineEdit(), "review.several.query")
        self.which = named(Choice(), "review.several.which")
        for name in (EVERY, AGAIN):
            self.which.addItem("", name)
        self.busy = named(Busy(), "review.several.busy")
        self.list = named(ChoiceList(words, showing, self), "review.several.choice")
        self.told = named(TextLabel(selectable=True), "review.several.told")
        self.approve = named(Button(), "review.several.approve")
        self.reject = named(Button(), "review.several.reject")
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self.look)
        self.query.textChanged.connect(self._on_changed)
        self.which.currentIndexChanged.connect(self._on_changed)
        self.list.changed.connect(self._say)
        self.busy.cancelled.connect(self.stop_wanted)
        self.approve.clicked.connect(lambda: self._act(Verdict.APPROVE))
        self.reject.clicked.connect(lambda: self._act(Verdict.REJECT))
        self._lay_out()
        self.retranslate()
        self.hide()

    def look(self) -> None:
        """Ask what would become of those that are meant."""
        if self._acting:
            return
        self._soon.stop()
        self._show(None)
        self.look_wanted.emit(self.query.text(), self.which.currentData())

    def means(self, text: str, which: str) -> bool:
        """Whether these are still the ones that are meant."""
        return (text, which) == (self.query.text(), self.which.currentData())

    def show_look(self, look: BulkLook) -> None:
        """What would become of each."""
        self.busy.stop()
        self._show(look)

    def begin(self, text: str) -> None:
        """Something goes on that can be stopped."""
        self.busy.start(text, self._words.say("Stop"))

    def set_acting(self, *, on: bool) -> None:
        """An act is under way: nothing else can be chosen until it ends."""
        self._acting = on
        for widget in (self.query, self.which, self.list):
            widget.setEnabled(not on)
        if not on:
            self.busy.stop()
        self._say()

    def show_stopped(self) -> None:
        """A person stopped the look."""
        self.busy.stop()
        self.told.setText(self._words.say("Stopped. Change the filter to look again."))

    def clear(self) -> None:
        """Forget what was typed and listed, and go away."""
        self._soon.stop()
        self.busy.stop()
        self._acting = False
        for widget in (self.query, self.which, self.list):
            widget.setEnabled(True)
        self._show(None)
        self.query.blockSignals(True)
        self.query.setText("")
        self.query.blockSignals(False)
        self.hide()

    def retranslate(self) -> None:
        """Say all texts again."""
        words = self._words
        self._title.setText(words.say("Decide on several"))
        self.query.setPlaceholderText(words.say("With these words (empty: all)"))
        self.query.setAccessibleName(words.say("Which proposals are meant"))
        self.which.setItemText(0, words.say("All that wait"))
        self.which.setItemText(1, words.say("Rejected before"))
        self.which.setAccessibleName(words.say("Which of them"))
        self.list.retranslate()
        self._say()

    # ---- inside

    def _show(self, look: BulkLook | None) -> None:
        self._look = look
        self.list.show_rows(() if look is None else look.looked)
        self._say()

    def _on_changed(self) -> None:
        self._show(None)
        self._soon.start()

    def _act(self, verdict: Verdict) -> None:
        if self._look is not None and not self._acting:
            self.act_wanted.emit(verdict, self._look, self.list.chosen)

    def _say(self) -> None:
        words = self._words
        counts = None if self._look is None else self._look.counts(self.list.off)
        number = counts.approvable if counts else 0
        rejected = counts.total if counts else 0
        self.approve.setText(words.many("Approve {n} proposal", "Approve {n} proposals", number))
        self.reject.setText(words.many("Reject {n} proposal", "Reject {n} proposals", rejected))
        self.approve.setEnabled(number > 0 and not self._acting)
        self.reject.setEnabled(rejected > 0 and not self._acting)
        self.told.setText(self._told(counts) if counts else words.say("Looking…"))

    def _told(self, counts: BulkCounts) -> str:
        none = ""
        if self._look is not None and not self._look.looked:
            again = self.which.currentData() == AGAIN
            none = nothing_found(self._words, self.query.text(), again=again)
        return say.planned(self._words, counts, none=none)

    def _lay_out(self) -> None:
        inside = padded(self)
        row, acts = QWidget(self), QWidget(self)
        for holder, widgets in (
            (row, (self.query, self.which)),
            (acts, (self.approve, self.reject)),
        ):
            flow = FlowLayout(holder, spacing=SPACE_S)
            for widget in widgets:
                flow.addWidget(widget)
        self.query.setMinimumWidth(260)
        for part in (self._title, row, self.busy, self.list, self.told, acts):
            inside.addWidget(part)
