# SPDX-License-Identifier: MIT
"""The right pane: one record, all of it, and what can be done with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from memory_gui.domain.hidden import INVISIBLE
from memory_gui.domain.records import Record, Ref
from memory_gui.domain.spans import matches
from memory_gui.ui.fonts import grown
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.text_view import MOST_SHOWN, TextView
from memory_gui.ui.privacy import Privacy
from memory_gui.ui.privacy.masking import Find
from memory_gui.ui.privacy.secretrow import SecretRow
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.records.editing.able import Able, able_of
from memory_gui.ui.records.editing.facts import FACTS, facts_of, labels_of, title_of, told_of
from memory_gui.ui.records.editing.longer import MoreRow, Whole, shown_text
from memory_gui.ui.tokens import SPACE_L, SPACE_M, SPACE_XL, SPACE_XS
from memory_gui.ui.widgets import (
    Banner,
    Button,
    Caption,
    EmptyState,
    EraseButton,
    IconButton,
    Rule,
    TextLabel,
    TitleLabel,
)
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.ui.widgets.scrolled import Inside, Scrolled
from memory_gui.words import Words
from memory_gui.words.unseen import unseen_in, unseen_lines


@dataclass(frozen=True, slots=True)
class Several:
    """More than one selected row, and what can be done with all of them."""

    count: int
    live: bool = False
    trashed: bool = False
    erasable: bool = True


class DetailView(QWidget):
    """Shows a record. It asks for acts by signals and does nothing itself."""

    edit_wanted = Signal()
    trash_wanted = Signal()
    restore_wanted = Signal()
    delete_wanted = Signal()
    erase_wanted = Signal()
    copy_wanted = Signal()
    whole_wanted = Signal(object)
    """The Ref of the record that is shown: all of its long text is asked for."""
    shown = Signal(object)
    """The Record that is shown from now on, or None."""

    def __init__(
        self, words: Words, parent: QWidget | None = None, *, privacy: Privacy | None = None
    ) -> None:
        super().__init__(parent)
        self._words = words
        self._showing = Showing(words, privacy)
        self._record: Record | None = None
        self._needles: tuple[str, ...] = ()
        self._length = 0
        """Of the shown text, in characters, all of it."""
        self._store_name = ""
        self._several: Several | None = None
        self._able = able_of(None, "")
        self._wants: Ref | None = None
        """The record of which a person wants all to be seen."""
        self._whole: Whole | None = None
        self._title = named(TitleLabel(selectable=True), "detail.title")
        self._note = named(Banner(dismissible=False), "detail.hidden")
        self._text = TextView("detailText", lines=400)
        self._more = MoreRow(words, "detail")
        self._more.all_wanted.connect(self._on_all_wanted)
        self._more.beginning_wanted.connect(self._on_beginning_wanted)
        self._text.progressed.connect(self._more.go_on)
        self._told = named(Caption(selectable=True), "detail.told")
        self._secrets = SecretRow(words, self._showing, "detail")
        self._secrets.held.connect(self._on_held)
        self._copy = named(IconButton(Icon.COPY), "detail.copy")
        self._copy.clicked.connect(self.copy_wanted)
        self._facts: dict[str, TextLabel] = {}
        self._labels: dict[str, Caption] = {}
        self._buttons = self._make_buttons()
        self._empty = named(EmptyState(Icon.BRAIN), "detail.empty")
        self._body = self._make_body()
        self._bar = self._make_bar()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._body, 1)
        layout.addWidget(self._empty, 1)
        layout.addWidget(self._bar)
        self.retranslate()
        self.show_record(None)
        self._showing.when_changed(self._on_showing_changed)

    @property
    def record(self) -> Record | None:
        """What is shown."""
        return self._record

    def place_below(self, widget: QWidget) -> None:
        """Give a widget its place below the facts."""
        self._below.addWidget(widget)

    def look_for(self, needles: tuple[str, ...]) -> None:
        """Mark what was searched for in the records that are shown from now on."""
        self._needles = needles
        self._text.look_for(needles)

    def show_record(
        self,
        record: Record | None,
        store_name: str = "",
        several: Several | None = None,
        able: Able | None = None,
    ) -> None:
        """Show a record; None shows why there is none: nothing is selected, or several are.

        ``able`` is what its store lets be done with it.
        """
        self._able = able or able_of(None, "" if record is None else record.kind)
        if record is None or self._record is None or record.ref != self._record.ref:
            self.forbid((), "")
        if record is None or record.ref != self._wants:
            self._wants = self._whole = None
        elif self._whole is not None and self._whole.record.etag == record.etag:
            record = self._whole.record
        else:  # another program wrote to it: what is wanted is still all of it
            self._whole = None
            self.whole_wanted.emit(record.ref)
        self._record = record
        self._store_name = store_name
        self._several = several
        self._body.setVisible(record is not None)
        self._empty.setVisible(record is None)
        if record is None:
            self._title.show_marked("")
            self._needles = ()
            self._text.wipe()
            self._more.look(0, whole=False)
            self._secrets.clear()
            self._note.dismiss()
            for label in (*self._facts.values(), self._told):
                label.clear()
            self._say_empty(several)
        else:
            self._fill(record)
        self._show_buttons(record, several)
        self.shown.emit(record)

    def forbid(self, acts: Collection[str], why: str) -> None:
        """Have these acts be refused before they are tried, with the reason; none: all may be."""
        self._say_tips()
        for act, button in self._buttons.items():
            button.setEnabled(act not in acts)
            button.setAccessibleDescription(why if act in acts else "")
            if act in acts:
                button.setToolTip(why)

    def has_relations(self, record: Record) -> bool:
        """Whether what is shown can be drawn with what it is related to."""
        return self._able.can("graph", record)

    def show_whole(self, whole: Whole | None) -> None:
        """All of the record that was asked for; None: it is gone, or could not be read."""
        if whole is None or whole.record.ref != self._wants:
            self._more.look(self._length, whole=False)
            return
        self._whole = whole
        self.show_record(whole.record, self._store_name, able=self._able)

    @property
    def covering(self) -> Find:
        """What is covered here."""
        return self._showing.find

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._text.setAccessibleName(say("Text"))
        self._copy.set_spoken(say("Copy the text (Ctrl+C)"))
        self._more.retranslate()
        self._secrets.retranslate()
        self._buttons["edit"].setText(say("Edit"))
        self._buttons["trash"].setText(say("Move to trash"))
        self._buttons["restore"].setText(say("Restore"))
        self._buttons["delete"].setText(say("Delete…"))
        self._buttons["erase"].setText(say("Erase…"))
        self.forbid((), "")
        self.show_record(self._record, self._store_name, self._several, self._able)

    def _say_tips(self) -> None:
        say, buttons = self._words.say, self._buttons
        buttons["edit"].setToolTip(say("Edit (F2)"))
        buttons["trash"].setToolTip(
            say("Out of the agent’s sight; the text stays in the file (Del)")
        )
        buttons["erase"].setToolTip(say("Gone for good, and proved to be gone"))
        for name in ("restore", "delete"):
            buttons[name].setToolTip("")

    def _say_empty(self, several: Several | None) -> None:
        say = self._words.say
        if several is not None:
            self._empty.say(
                self._words.many("{n} record selected", "{n} records selected", several.count),
                say("What you do now is done to all of them."),
            )
        else:
            self._empty.say(say("Nothing selected"), say("Choose a record to see all of it."))

    def _fill(self, record: Record) -> None:
        words = self._words
        line = self._showing.line
        self._show_title(line(title_of(words, record)))
        text = shown_text(record)
        self._text.setVisible(bool(text))
        self._show_text(text, record.more)
        seen = text[:MOST_SHOWN]  # a longer one is cut there, and would hold the window up
        covered = self._whole.covered if self._whole is not None else ()
        self._secrets.look((record.title, seen, *record.tags), covered)
        self._tell_unseen(unseen_in((record.title, record.text)), pale=record.pale)
        told = told_of(words, record, self._able)
        self._told.setText(told)
        self._told.setVisible(bool(told))
        labels = labels_of(words, self._able.kind)
        facts = facts_of(words, line, record, self._store_name, self._able.kind)
        for name in FACTS:
            text = facts.get(name, "")
            self._labels[name].setText(labels.get(name, ""))
            self._facts[name].setText(text)
            self._facts[name].setVisible(bool(text))
            self._labels[name].setVisible(bool(text))

    def _show_title(self, title: str) -> None:
        self._title.show_marked(title, matches(title, self._needles))

    def _tell_unseen(self, found: Counter[str], *, pale: bool) -> None:
        """What in it is hidden from view, each kind in words of its own; and that it waits."""
        words, lines = self._words, []
        if pale:
            self._note.tell("info", words.say("Waiting for its store to show all of it."))
            return
        if hidden := found.pop(INVISIBLE, 0):
            lines = [
                words.many(
                    "{n} character here does not show by itself. It is drawn as ⟦U+…⟧.",
                    "{n} characters here do not show by themselves. They are drawn as ⟦U+…⟧.",
                    hidden,
                )
            ]
        lines += unseen_lines(words, found)
        if lines:
            self._note.tell("warn", "\n".join(lines))
        else:
            self._note.dismiss()

    def _show_text(self, text: str, more: int) -> None:
        """The beginning of a long one, until all of it is asked for; that stands already, stays."""
        whole, self._length = self._whole, len(text) + more
        if whole is None:
            self._text.show_text(text, more)
        self._showing.treat(self._text)
        if whole is None or not self._text.shows_whole(whole.text):
            self._more.look(self._length, whole=whole is not None)
        if whole is not None and not self._text.shows_whole(whole.text):
            self._text.show_whole(whole.text, whole.covered)

    def _on_all_wanted(self) -> None:
        if self._record is not None:
            self._wants = self._record.ref
            self._more.wait()
            self.whole_wanted.emit(self._wants)

    def _on_beginning_wanted(self) -> None:
        self._wants = self._whole = None
        self.show_record(self._record, self._store_name, self._several, self._able)

    def _show_buttons(self, record: Record | None, several: Several | None) -> None:
        live = several is not None and several.live
        trashed = several is not None and several.trashed
        erasable = several is not None and several.erasable
        if record is not None:
            shown = {act: self._able.can(act, record) for act in self._buttons}
        else:
            shown = {"edit": False, "trash": live, "restore": trashed, "delete": trashed}
            shown["erase"] = erasable
        for act, button in self._buttons.items():
            button.setVisible(shown[act])
        copies = record is not None and bool(record.text)
        self._copy.setVisible(copies)
        self._bar.setVisible(copies or any(shown.values()))

    def _on_held(self, on: bool) -> None:
        self._text.reveal(on=on)
        if self._record is not None:
            name = title_of(self._words, self._record)
            self._show_title(name if on else self._showing.line(name))

    def _on_showing_changed(self) -> None:
        self.show_record(self._record, self._store_name, self._several, self._able)

    def _make_buttons(self) -> dict[str, Button]:
        buttons = {
            "edit": Button("", Icon.EDIT),
            "restore": Button("", Icon.RESTORE),
            "trash": Button("", Icon.TRASH),
            "delete": Button(""),
            "erase": EraseButton("", Icon.ERASE),
        }
        signals = {
            "edit": self.edit_wanted,
            "restore": self.restore_wanted,
            "trash": self.trash_wanted,
            "delete": self.delete_wanted,
            "erase": self.erase_wanted,
        }
        for name, button in buttons.items():
            named(button, f"detail.{name}")
            button.clicked.connect(signals[name])
        return buttons

    def _make_body(self) -> QWidget:
        inside = Inside()
        column = QVBoxLayout(inside)
        column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(self._title)
        column.addWidget(self._note)
        column.addWidget(self._text)
        column.addWidget(self._more)
        column.addWidget(self._told)
        column.addWidget(self._secrets)
        column.addWidget(Rule())
        column.addLayout(self._make_facts())
        self._below = QVBoxLayout()
        column.addLayout(self._below)
        column.addStretch(1)
        scroll = named(Scrolled(), "detail.scroll")
        scroll.carry(inside)
        return scroll

    def _make_bar(self) -> QWidget:
        bar = QWidget()
        column = QVBoxLayout(bar)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(Rule())
        place = QWidget()
        row = FlowLayout(last_at_right=True)
        for name in ("edit", "restore", "trash", "delete"):
            row.addWidget(self._buttons[name])
        row.addWidget(self._copy)
        row.addWidget(self._buttons["erase"])
        inside = QVBoxLayout(place)
        inside.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        inside.addLayout(row)
        column.addWidget(place)
        return bar

    def letters_changed(self) -> None:
        """Larger letters need the room between names and values themselves."""
        self._form.setHorizontalSpacing(SPACE_L if grown(SPACE_L) <= SPACE_XL else SPACE_M)

    def _make_facts(self) -> QFormLayout:
        form = self._form = QFormLayout()
        self.letters_changed()
        form.setVerticalSpacing(SPACE_XS + 2)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        for name in FACTS:
            label = named(Caption(wrap=False), f"detail.label.{name}")
            value = named(TextLabel(selectable=True), f"detail.{name}.value")
            value.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
            value.setMinimumWidth(60)
            form.addRow(label, value)
            self._labels[name] = label
            self._facts[name] = value
        return form
