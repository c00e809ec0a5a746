# SPDX-License-Identifier: MIT
"""What an erase shows before it runs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from memory_gui.domain.records import Ref
from memory_gui.erasure.joining import WHOLE_ITEMS
from memory_gui.erasure.limits import OLD_KEY
from memory_gui.erasure.plan import ErasePlan
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import erase_words as say
from memory_gui.ui.pages.frame import Facts, padded
from memory_gui.ui.pages.listed import Listed
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.tokens import SPACE_M
from memory_gui.ui.visible import one_line, visible
from memory_gui.ui.widgets import (
    Button,
    CheckBox,
    Panel,
    SectionLabel,
    TextLabel,
)
from memory_gui.words import Words
from memory_gui.words.erasure import records, what_goes
from memory_gui.words.reasons import kept_records_line

SAMPLE = 5
"""How many titles stand for all in a plan."""


class PlanView(QWidget):
    """What goes, what else is searched, what cannot be reached, who is in the way."""

    typed = Signal()
    """The number that is asked for was typed, or is no longer there."""
    include_wanted = Signal()
    """The session summaries that repeat it are to go as well."""
    keep_wanted = Signal(bool)
    """Whether the databases' keys are to be kept."""

    def __init__(
        self, words: Words, parent: QWidget | None = None, showing: Showing | None = None
    ) -> None:
        super().__init__(parent)
        self._words = words
        self._showing = showing or Showing(words)
        self._titles: tuple[str, ...] = ()
        self._more = 0
        self._keeping: tuple[Ref, ...] = ()
        self._showing.when_changed(self._say_titles)
        self._needed = 0
        self.records = 0
        """How many records go; those that were not chosen by name are among them."""
        self._lead = named(TextLabel(), "erase.lead")
        self._goes = named(Panel(), "erase.goes")
        inside = padded(self._goes)
        self._goes_title = named(SectionLabel(), "erase.goes.title")
        self.going = Facts("erase.going")
        inside.addWidget(self._goes_title)
        inside.addWidget(self.going)
        self.parts, self.keys = Listed("erase.plan.parts"), Listed("erase.keys")
        self.keep_key = named(CheckBox(), "erase.keep_key")
        self.titles, self.kept = Listed("erase.titles"), Listed("erase.kept")
        self.in_use = Listed("erase.in_use", tone="warn_soft")
        self.held, self.decided, self.foreign = (
            Listed(name, tone="warn_soft")
            for name in ("erase.held", "erase.decided", "erase.foreign")
        )
        self.repeats = named(Panel(), "erase.repeats")
        self._repeated = named(TextLabel(), "erase.repeats.text")
        self.include = named(Button(icon=Icon.SUMMARY), "erase.include")
        repeats = padded(self.repeats)
        repeats.addWidget(self._repeated)
        ways = QHBoxLayout()
        ways.addWidget(self.include)
        ways.addStretch(1)
        repeats.addLayout(ways)
        self.repeats.hide()
        self.cleaned = Listed("erase.cleaned")
        self.keep_files, self.whole_files = _boxes()
        self.keep_files.toggled.connect(self.whole_files.setDisabled)
        self.stays = Listed("erase.stays")
        self.limits, self.holding = Listed("erase.limits"), Listed("erase.holding")
        self.ask = named(TextLabel(wrap=False), "erase.ask")
        self.number = named(QLineEdit(), "erase.number")
        self.number.setMaximumWidth(96)
        self.number.textChanged.connect(self.typed)
        self.ask.setBuddy(self.number)
        self.include.clicked.connect(self.include_wanted)
        self.keep_key.toggled.connect(self.keep_wanted)
        self.keep_key.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_M)
        for widget in (
            self._lead,
            self.in_use,
            self.held,
            self.decided,
            self._goes,
            self.parts,
            self.keys,
            self.keep_key,
            self.titles,
            self.kept,
            self.foreign,
            self.repeats,
            self.cleaned,
            self.whole_files,
            self.keep_files,
            self.stays,
            self.limits,
            self.holding,
        ):
            layout.addWidget(widget)

    @property
    def asks(self) -> bool:
        """Whether a number must be typed: ``ask`` and ``number`` belong beside the button then."""
        return bool(self._needed)

    @property
    def confirmed(self) -> bool:
        """Whether nothing more must be typed."""
        typed = "".join(char for char in self.number.text() if char not in " ,.，")
        return not self._needed or typed == str(self._needed)

    def show_plan(
        self,
        plan: ErasePlan,
        refs: Sequence[Ref],
        titles: Sequence[str],
        in_use: Sequence[str],
        *,
        held: Sequence[str] = (),
        parts: Sequence[str] = (),
    ) -> None:
        """Everything about a plan for the chosen records."""
        words = self._words
        chosen, going = say.chosen(refs), say.rows_of(plan)
        self.records = records(chosen, going)
        self._needed = self.records if self.records > say.TYPED_ABOVE else 0
        self._lead.setText(
            words.say("{what}. This cannot be undone.", what=what_goes(words, chosen, going))
        )
        self._goes_title.setText(words.say("What goes"))
        self.going.show_rows(say.going(words, plan), name_width=200)
        self.parts.show_lines(words.say("Part by part"), parts)
        self._titles, self._more = tuple(titles), len(refs) - len(titles)
        self._keeping = say.kept(plan)
        self._say_titles()
        self.in_use.show_lines(
            words.say("In use: close these first, or it cannot be finished"), in_use
        )
        self.held.show_lines(words.say("Held while it runs"), held)
        self.decided.show_lines(
            words.say("Decided otherwise in a case"),
            [kept_records_line(words, one) for one in plan.kept_in_cases],
        )
        self.foreign.show_lines(
            words.say("Not made by its agent; erasing agrees that this runs when rows go"),
            [visible(sql) for sql in plan.foreign_sql],
        )
        self._show_keys(plan)
        self._show_stays(plan)
        self.limits.show_lines(
            words.say("What cannot be reached"),
            # What becomes of the old key is said with the keys, just above.
            [say.limit(words, one) for one in plan.not_covered if one.code not in OLD_KEY],
        )
        self.holding.show_lines(
            words.say("Who may still hold it"), [say.holding(words, one) for one in plan.may_hold]
        )
        self.ask.setText(words.say("Type {n} to go on", n=self._needed))
        self.number.setAccessibleName(self.ask.text())

    def _say_titles(self) -> None:
        words, line, more = self._words, self._showing.line, self._more
        self.titles.show_lines(
            words.say("Among them"),
            [one_line(line(title), 100) for title in self._titles],
            words.many("and {n} more", "and {n} more", more) if more > 0 and self._titles else "",
        )
        others = len(self._keeping) - SAMPLE
        self.kept.show_lines(
            words.say("Kept, although they say some of the same"),
            [line(visible(ref.text)) for ref in self._keeping[:SAMPLE]],
            words.many("and {n} more", "and {n} more", others) if others > 0 else "",
        )

    def wipe(self) -> None:
        """Forget the plan."""
        self._titles, self._more, self._keeping = (), 0, ()
        self.number.clear()
        self.going.wipe()
        self.repeats.hide()
        self._repeated.clear()
        self.keep_key.blockSignals(True)
        self.keep_key.setChecked(False)
        self.keep_key.blockSignals(False)
        self.keep_key.hide()
        for box in (self.keep_files, self.whole_files):
            box.setChecked(False)
            box.hide()
        for part in (self.keys, self.titles, self.kept, self.in_use, self.foreign, self.limits):
            part.wipe()
        self.held.wipe()
        self.decided.wipe()
        self.cleaned.wipe()
        self.stays.wipe()
        self.holding.wipe()
        self.parts.wipe()

    def _show_keys(self, plan: ErasePlan) -> None:
        """What becomes of the keys; the box stays where it was found once."""
        words = self._words
        changes = any(store.gets_new_key for store in plan.stores)
        self.keys.show_lines(words.say("The key"), say.keys(words, plan))
        self.keep_key.setText(words.say("Keep the old key"))
        self.keep_key.setVisible(changes or self.keep_key.isChecked())

    def _show_stays(self, plan: ErasePlan) -> None:
        words = self._words
        summaries = len(say.still_in(plan, "summary"))
        self._repeated.setText(
            words.many(
                "{n} session summary in this store repeats it and stays: the result will not be "
                "“Proved gone”.",
                "{n} session summaries in this store repeat it and stay: the result will not be "
                "“Proved gone”.",
                summaries,
            )
        )
        self.include.setText(
            words.many("Erase this summary too", "Erase these {n} summaries too", summaries)
        )
        self.repeats.setVisible(bool(summaries))
        files = say.searched(words, plan, cleanable=True)
        self.cleaned.show_lines(
            words.say("Searched; where these files repeat it, the text is overwritten"), files
        )
        self.keep_files.setText(words.say("Leave these files as they are"))
        self.keep_files.setVisible(bool(files))
        self.whole_files.setText(
            words.say("Take transcripts, tool outputs and plans that repeat it away whole")
        )
        items = [file for file in plan.side_files if file.what in WHOLE_ITEMS and file.cleanable]
        self.whole_files.setVisible(bool(items))
        lines = say.searched(words, plan, cleanable=False)
        lines += say.kept_files(words, plan)
        self.stays.show_lines(words.say("Searched, but not changed"), lines)


def _boxes() -> tuple[CheckBox, CheckBox]:
    """Of the agent's other files: leave them as they are; take whole ones away."""
    keep, whole = named(CheckBox(), "erase.keep_files"), named(CheckBox(), "erase.whole_files")
    for box in (keep, whole):
        box.hide()
    return keep, whole
