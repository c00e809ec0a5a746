# SPDX-License-Identifier: MIT
"""The fields of the editor, with the agent's limits counted while one types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from memory_gui.domain.kinds import Kind
from memory_gui.ui.agent.reach import ReachLine
from memory_gui.ui.names import named
from memory_gui.ui.phrases import SCOPES, TYPES, phrase
from memory_gui.ui.records.editing.able import able_of
from memory_gui.ui.records.editing.asgiven import LONGEST_LINE, LONGEST_TEXT, AsGiven
from memory_gui.ui.records.editing.draft import Draft, empty, shape
from memory_gui.ui.records.editing.morefields import MoreFields, in_order, label
from memory_gui.ui.tokens import SPACE_M, SPACE_S, SPACE_XS
from memory_gui.ui.widgets import Button, Caption, Choice, TextLabel
from memory_gui.words import Words

KEY_LIMIT: Final = 80
_TEXT_HEIGHT: Final = 108


class _Text(QPlainTextEdit):
    """As low as it may be; what room there is beyond that it gets."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), _TEXT_HEIGHT)


class EditorForm(QWidget):
    """Title, text, tags, scope, type. GUI thread."""

    changed = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.title = named(QLineEdit(), "editor.title")
        self.text = named(_Text(), "editor.text")
        self.tags = named(QLineEdit(), "editor.tags")
        self.scope = named(Choice(), "editor.scope")
        self.type = named(Choice(), "editor.type")
        self._kind = able_of(None, "memory").kind
        self._places = {name: QWidget() for name in self.fields}
        self.more = MoreFields(words)
        self._labels = {name: TextLabel(wrap=False) for name in self.fields}
        self._title_count = named(Caption(wrap=False), "editor.title.count")
        self._text_count = named(Caption(wrap=False), "editor.text.count")
        self._begun = empty()
        self._title = AsGiven(self.title, "")
        self._text = AsGiven(self.text, "")
        self._tags: AsGiven[tuple[str, ...]] = AsGiven(self.tags, ())
        self._long = named(Caption(), "editor.long")
        self._anew = named(Button(), "editor.anew")
        self._anew.clicked.connect(self._on_anew_clicked)
        self.reach = ReachLine(words, self.text, "editor.text.reach")
        self._fault = named(Caption(tone="warn"), "editor.text.fault")
        self._fault.hide()
        self.below_title = QVBoxLayout()
        """The page's own remarks about the title."""
        self._arrange()
        self.title.textChanged.connect(self._on_any_changed)
        self.text.textChanged.connect(self._on_any_changed)
        self.tags.textChanged.connect(self._on_any_changed)
        self.scope.currentIndexChanged.connect(self._on_any_changed)
        self.type.currentIndexChanged.connect(self._on_any_changed)
        self.more.changed.connect(self._on_any_changed)

    @property
    def fields(self) -> Mapping[str, QWidget]:
        """The input widgets by name, in reading order."""
        return {
            "title": self.title,
            "text": self.text,
            "tags": self.tags,
            "scope": self.scope,
            "type": self.type,
        }

    @property
    def fits(self) -> bool:
        """Whether the agent would take title and text as they are; what stays is not asked."""
        now, begun = self.draft().fields(), self._begun.fields()
        return all(
            self._takes(name, value) or (bool(value) and value == begun.get(name))
            for name, value in now.items()
            if isinstance(value, str) and name not in self._kind.choices
        )

    def _takes(self, name: str, value: str) -> bool:
        length = len(value.strip())
        is_long = length > self._kind.limits.get(name, length)
        return not is_long and (length > 0 or name in self._kind.optional or name == "key")

    def tell_fault(self, text: str) -> None:
        """What is wrong with the text as it stands; empty: nothing that is known."""
        self._fault.setText(text)
        self._fault.setVisible(bool(text))

    def suit(self, kind: Kind) -> None:
        """Offer the fields of a kind, under its names for them."""
        self._kind = kind
        for name, place in self._places.items():
            place.setVisible(name in shape(kind)[0])
        self.more.suit(kind)
        # A kind without a long text leaves the room below its fields, and not between them.
        self._rest.setVisible("text" not in shape(kind)[0])
        self._column.removeWidget(self.more)
        self._column.insertWidget(1 if kind.fields[:1] == ("title",) else 0, self.more)

    def begin(self, draft: Draft, scopes: tuple[str, ...], *, new: bool) -> None:
        """Show a draft; ``scopes`` are those that can be chosen."""
        self.more.begin(draft.more)
        self.scope.clear()
        for scope in dict.fromkeys((*scopes, *((draft.scope,) if draft.scope else ()))):
            self.scope.addItem(phrase(self._words, SCOPES, scope), scope)
        self.type.clear()
        first = (("",) if "type" in self._kind.optional else ()) if new else (draft.type,)
        for type_ in dict.fromkeys((*first, *in_order(self._kind.choices.get("type", ())))):
            self.type.addItem("", type_)
        self._begun = draft
        self.tell_fault("")
        self._title.give(draft.title, draft.title)
        self._text.give(draft.text, draft.text)
        self._set_rest(draft)
        self.retranslate()

    def replace(self, draft: Draft) -> None:
        """Other values, as if they had been typed: Ctrl+Z in a field gives the old ones back."""
        if self._value(self._title) != draft.title:
            self.title.selectAll()
            self.title.insert(draft.title[:LONGEST_LINE])
            self._title.give(draft.title, draft.title)
        if self._value(self._text) != draft.text:
            cursor = self.text.textCursor()
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(draft.text[:LONGEST_TEXT])
            self._text.give(draft.text, draft.text)
        self._set_rest(draft)
        self._count()

    def draft(self) -> Draft:
        """What stands in the fields now."""
        return Draft(
            self._value(self._title),
            self._value(self._text),
            self._tags.given if self._tags.untouched else _tags_of(self.tags.text()),
            str(self.scope.currentData() or ""),
            str(self.type.currentData() or ""),
            more=self.more.values(),
            names=shape(self._kind)[0],
        )

    def enable(self, *, enabled: bool) -> None:
        """Whether anything can be typed."""
        for field in (*self.fields.values(), self.more):
            field.setEnabled(enabled)

    def clear(self) -> None:
        """Forget every text, and what Ctrl+Z would give back."""
        self.tell_fault("")
        for line in (self.title, self.tags):
            line.setText("")  # unlike clear(), this leaves nothing to undo
        self.text.clear()
        self.text.document().clearUndoRedoStacks()
        self._begun = empty()
        for field in (self._title, self._text):
            field.give("", "")
        self._tags.give((), "")
        self.more.clear()

    def retranslate(self) -> None:
        """Say all texts again; what was typed stays."""
        say = self._words.say
        texts = {
            "title": say("Title"),
            "text": say("Text"),
            "tags": say("Tags"),
            "scope": say("Applies to"),
            "type": say("Type"),
        }
        texts |= {n: label(self._words, self._kind, n) for n in self._kind.labels if n in texts}
        for name, text in texts.items():
            self._labels[name].setText(text)
        self.more.retranslate()
        self.tags.setPlaceholderText(say("Separated by commas"))
        for box, table in ((self.scope, SCOPES), (self.type, TYPES)):
            for row in range(box.count()):
                value = str(box.itemData(row) or "")
                box.setItemText(row, phrase(self._words, table, value) or say("the agent decides"))
        self._count()
        self.reach.say_again()

    # ---- inside

    def _on_anew_clicked(self) -> None:
        """What is too long goes, once it is saved; Cancel keeps it."""
        cut = [one for one in (self._title, self._text, self._tags) if one.cut]
        for one in cut:
            one.write_anew()
        self._on_any_changed()
        cut[0].widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_any_changed(self) -> None:
        self._count()
        self.changed.emit()

    def _count(self) -> None:
        """As the agent counts: characters, without blanks around them."""
        say = self._words.say
        for name, field, count in (
            ("title", self._title, self._title_count),
            ("text", self._text, self._text_count),
        ):
            length, limit = len(self._value(field).strip()), self._kind.limits.get(name)
            count.setVisible(limit is not None)
            count.setText(say("{n} of {limit}", n=length, limit=limit or 0))
            count.set_tone("warn" if length > (limit or length) else "muted")
        cut = [one for one in (self._title, self._text, self._tags) if one.cut]
        self._long.setVisible(bool(cut))
        self._anew.setVisible(bool(cut))
        self._anew.setText(say("Write it anew"))
        self._long.setText(
            say(
                "Too long to be changed in a window: its beginning is shown, and all of it is kept."
            )
        )

    @staticmethod
    def _value(field: AsGiven[str]) -> str:
        return field.given if field.untouched else field.text

    def _set_rest(self, draft: Draft) -> None:
        self._tags.give(draft.tags, ", ".join(draft.tags))
        self.scope.setCurrentIndex(max(0, self.scope.findData(draft.scope)))
        self.type.setCurrentIndex(max(0, self.type.findData(draft.type)))

    def _arrange(self) -> None:
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(_TEXT_HEIGHT)
        for name, field in self.fields.items():
            self._labels[name].setBuddy(field)
        self.below_title.setSpacing(SPACE_XS)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_S + SPACE_XS)
        column.addWidget(self.more)
        column.addWidget(self._place("title", self._title_count, below=self.below_title))
        column.addWidget(self._place("text", self._text_count), 1)
        column.addWidget(self._fault)
        column.addWidget(self.reach)
        column.addWidget(self._long)
        column.addWidget(self._anew, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._place("tags"))
        pair = QHBoxLayout()
        pair.setSpacing(SPACE_M)
        for name in ("scope", "type"):
            pair.addWidget(self._place(name), 1)
        column.addLayout(pair)
        self._rest = QWidget()
        self._rest.hide()
        column.addWidget(self._rest, 1)

    def _place(
        self, name: str, count: QWidget | None = None, below: QVBoxLayout | None = None
    ) -> QWidget:
        """A field below its label, to be shown and hidden together."""
        row = QHBoxLayout()
        row.addWidget(self._labels[name])
        row.addStretch(1)
        if count is not None:
            row.addWidget(count)
        column = QVBoxLayout(self._places[name])
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_XS)
        column.addLayout(row)
        column.addWidget(self.fields[name], 1)
        if below is not None:
            column.addLayout(below)
        return self._places[name]

    def focus_first(self, *, new: bool) -> None:
        """Take the keyboard: in the first field, or in the text of a record that is corrected.

        Where fields that name the record come first, they are seldom what is to be corrected.
        """
        if not new and self.more.first is not None and "text" in shape(self._kind)[0]:
            self.text.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        first = self.title if "title" in shape(self._kind)[0] else self.text
        (self.more.first or first).setFocus(Qt.FocusReason.OtherFocusReason)


def _tags_of(text: str) -> tuple[str, ...]:
    """What was typed, without blanks around the tags; each once."""
    tags = text.replace("，", ",").replace("、", ",").split(",")
    return tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip()))
