# SPDX-License-Identifier: MIT
"""What an erase did and what was proved."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.erasure.limits import PAPER
from memory_gui.erasure.result import OLD_FOR_RECOVERY, EraseResult, EraseState
from memory_gui.services.erasing.everything import Part
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import erase_words as say
from memory_gui.ui.pages.erase_receipt import Document, shown
from memory_gui.ui.pages.frame import Facts, padded
from memory_gui.ui.pages.listed import Listed
from memory_gui.ui.pages.path_field import PathField
from memory_gui.ui.pages.text_view import TextView
from memory_gui.ui.pages.whole import own_clear_lines, part_lines
from memory_gui.ui.tokens import SPACE_L, SPACE_M, SPACE_S
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import (
    Button,
    Panel,
    SectionLabel,
    TextLabel,
    TitleLabel,
)
from memory_gui.ui.widgets.empty import Picture
from memory_gui.words import Words

_ICONS = {
    EraseState.PROVED: Icon.PROVED,
    EraseState.NOT_FINISHED: Icon.CLOCK,
    EraseState.NOT_PROVED: Icon.UNPROVED,
    EraseState.PLANNED: Icon.INFO,
}


class ResultView(QWidget):
    """What an erase did and what was proved, with the one way on that the state has."""

    again = Signal()
    accepted = Signal()
    """Side files that still hold it are listed as not covered."""
    more_wanted = Signal()
    """The session summaries that still repeat it are to be erased too."""
    recovery_wanted = Signal(str)
    """The path of a store with a new key, of which there is no recovery key yet."""
    save_wanted = Signal(object)
    """A Path for the receipt."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.result: EraseResult | None = None
        self.document: Document = {}
        self._kinds: Mapping[str, str] = {}
        self._more = 0
        self._picture = Picture(Icon.PROVED)
        self.heading = named(TitleLabel(), "erase.result")
        self.lead = named(TextLabel(selectable=True), "erase.result.lead")
        self.facts = Facts("erase.facts")
        self.not_covered = Listed("erase.not_covered")
        self.holding = Listed("erase.may_hold")
        self.parts = Listed("erase.parts")
        self.own_clear = Listed("erase.own_clear")
        self._parts: tuple[Part, ...] = ()
        self.try_again = named(Button(icon=Icon.REFRESH), "erase.again")
        self.more = named(Button(icon=Icon.SUMMARY), "erase.more")
        self.accept = named(Button(icon=Icon.CHECK), "erase.accept")
        self.recovery = named(Button(icon=Icon.KEY), "erase.recovery")
        self._receipt_title = named(SectionLabel(), "erase.receipt.title")
        self.show_receipt = named(Button(icon=Icon.SUMMARY), "erase.receipt.show")
        self.receipt = TextView("erase.receipt", lines=16)
        self.path = PathField(words, "erase.receipt")
        self.save = named(Button(icon=Icon.SAVE), "erase.receipt.save")
        self.saved = named(TextLabel(tone="ok"), "erase.receipt.saved")
        self._lay_out()
        self.try_again.clicked.connect(self.again)
        self.accept.clicked.connect(self.accepted)
        self.more.clicked.connect(self.more_wanted)
        self.recovery.clicked.connect(self._on_recovery_clicked)
        self.show_receipt.clicked.connect(self._on_show_receipt_clicked)
        self.save.clicked.connect(self._on_save_clicked)
        self.path.entered.connect(self._on_save_clicked)
        self.retranslate()

    def show_result(
        self,
        result: EraseResult,
        document: Document,
        receipt_path: str,
        kinds: Mapping[str, str],
        summaries: int = 0,
    ) -> None:
        """A result; ``receipt_path`` is proposed for its receipt, ``kinds`` are of its tables.

        So many ``summaries`` are known to repeat it still: there is a way to erase them too.
        """
        self.result, self.document, self._kinds = result, document, kinds
        self._more = summaries
        self.receipt.hide()
        self._say_show()
        self.path.set_path(receipt_path)
        self._fill()

    def show_parts(self, parts: tuple[Part, ...]) -> None:
        """Of an erase of everything: part by part, beside what the agent's "clear" had left."""
        words, self._parts = self._words, parts
        self.parts.show_lines(words.say("Part by part"), part_lines(words, parts))
        title = words.say("Beside it: the agent’s own “clear”")
        self.own_clear.show_lines(title, own_clear_lines(words, parts))

    def say_saved(self, path: str) -> None:
        """The receipt is in a file."""
        self.saved.setText(self._words.say("Saved as {path}", path=visible(path)))
        self.saved.show()

    def wipe(self) -> None:
        """Forget the result."""
        self.result, self.document, self._more = None, {}, 0
        self.facts.wipe()
        self.not_covered.wipe()
        self.holding.wipe()
        self._parts = ()
        self.parts.wipe()
        self.own_clear.wipe()
        self.receipt.wipe()
        self.path.wipe()
        for label in (self.heading, self.lead, self.saved):
            label.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        words = self._words
        self.try_again.setText(words.say("Try again"))
        self.accept.setText(words.say("Accept, and list them as not covered"))
        self.recovery.setText(words.say("Make the recovery key…"))
        self._receipt_title.setText(words.say("Receipt"))
        self._say_show()
        self.receipt.setAccessibleName(words.say("Receipt"))
        self.save.setText(words.say("Save the receipt"))
        self.path.retranslate()
        self._fill()
        self.show_parts(self._parts)

    def _fill(self) -> None:
        result = self.result
        if result is None:
            return
        words = self._words
        tone = say.tone(result)
        self._picture.set_icon(Icon.CHECK if result.accepted else _ICONS[result.state], tone)
        self.heading.setText(say.heading(words, result))
        self.heading.set_tone("text" if tone == "muted" else tone)
        self.lead.setText(say.lead(words, result))
        self.facts.show_rows(say.facts(words, result, self._kinds), name_width=150)
        waits = result.key == OLD_FOR_RECOVERY  # the lead says it
        left = [one for one in result.not_covered if not waits or one.code != PAPER]
        self.not_covered.show_lines(
            words.say("Not covered"), [say.limit(words, one) for one in left]
        )
        self.holding.show_lines(
            words.say("Who may still hold it"), [say.holding(words, one) for one in result.may_hold]
        )
        self.recovery.setVisible(waits)
        self.receipt.show_text(shown(self.document))
        self.saved.hide()
        proved = result.state is EraseState.PROVED
        more = self._more if result.state is EraseState.NOT_PROVED else 0
        self.more.setText(
            words.many("Erase this summary too…", "Erase these {n} summaries too…", self._more)
        )
        self.more.setVisible(bool(more))
        self.try_again.setVisible(not proved)
        self.accept.setVisible(result.state is EraseState.NOT_PROVED and bool(result.finds))
        if result.receipt:
            self.say_saved(result.receipt)

    def _on_show_receipt_clicked(self) -> None:
        self.receipt.setVisible(not self.receipt.isVisible())
        self._say_show()

    def _say_show(self) -> None:
        say = self._words.say
        shown = not self.receipt.isHidden()
        self.show_receipt.setText(say("Hide the receipt") if shown else say("Show the receipt"))

    def _on_recovery_clicked(self) -> None:
        stores = self.result.stores if self.result is not None else ()
        waiting = [one.path for one in stores if one.key == OLD_FOR_RECOVERY]
        if waiting:
            self.recovery_wanted.emit(waiting[0])

    def _on_save_clicked(self) -> None:
        if self.path.path is not None:
            self.save_wanted.emit(self.path.path)

    def _lay_out(self) -> None:
        self.receipt.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        head = QHBoxLayout()
        head.setSpacing(SPACE_L)
        texts = QVBoxLayout()
        texts.setSpacing(SPACE_S)
        texts.addWidget(self.heading)
        texts.addWidget(self.lead)
        head.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(texts, 1)
        ways = QHBoxLayout()
        ways.setSpacing(SPACE_S)
        ways.addWidget(self.more)
        ways.addWidget(self.try_again)
        ways.addWidget(self.accept)
        ways.addWidget(self.recovery)
        ways.addStretch(1)
        panel = named(Panel(), "erase.facts.panel")
        padded(panel).addWidget(self.facts)
        receipt = named(Panel(), "erase.receipt.panel")
        inside = padded(receipt)
        save = QHBoxLayout()
        save.setSpacing(SPACE_S)
        save.addWidget(self.path, 1)
        save.addWidget(self.save)
        show = QHBoxLayout()
        show.addWidget(self._receipt_title, 1)
        show.addWidget(self.show_receipt)
        inside.addLayout(show)
        # Saving comes first: the text is long.
        inside.addLayout(save)
        inside.addWidget(self.saved)
        inside.addWidget(self.receipt)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_M)
        for part in (head, ways):
            layout.addLayout(part)
        more = (self.parts, self.own_clear, receipt, self.not_covered, self.holding)
        for widget in (panel, *more):
            layout.addWidget(widget)
