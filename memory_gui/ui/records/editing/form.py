# SPDX-License-Identifier: MIT
"""The fields of the editor, with the agent's limits counted while one types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from memory_gui.ui.agent.reach import ReachLine
from memory_gui.ui.names import named
from memory_gui.ui.phrases import SCOPES, TYPES, phrase
from memory_gui.ui.records.editing.asgiven import LONGEST_LINE, LONGEST_TEXT, AsGiven
from memory_gui.ui.records.editing.draft import Draft
from memory_gui.ui.tokens import SPACE_M, SPACE_S, SPACE_XS
from memory_gui.ui.widgets import Button, Caption, Choice, TextLabel
from memory_gui.words import Words

TITLE_LIMIT: Final = 120
TEXT_LIMIT: Final = 4_000
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
        self._labels = {name: TextLabel(wrap=False) for name in self.fields}
        self._title_count = named(Caption(wrap=False), "editor.title.count")
        self._text_count = named(Caption(wrap=False), "editor.text.count")
        self._begun = Draft("", "", (), "", "")
        self._title = AsGiven(self.title, "")
        self._text = AsGiven(self.text, "")
        self._tags: AsGiven[tuple[str, ...]] = AsGiven(self.tags, ())
        self._long = named(Caption(), "editor.long")
        self._anew = named(Button(), "editor.anew")
        self._anew.clicked.connect(self._on_anew_clicked)
        self.reach = ReachLine(words, self.text, "editor.text.reach")
        self.below_title = QVBoxLayout()
        """The page's own remarks about the title."""
        self._arrange()
        self.title.textChanged.connect(self._on_any_changed)
        self.text.textChanged.connect(self._on_any_changed)
        self.tags.textChanged.connect(self._on_any_changed)
        self.scope.currentIndexChanged.connect(self._on_any_changed)
        self.type.currentIndexChanged.connect(self._on_any_changed)

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
        now, begun = self.draft(), self._begun
        return all(
            0 < len(value.strip()) <= limit or (bool(value) and value == before)
            for value, before, limit in (
                (now.title, begun.title, TITLE_LIMIT),
                (now.text, begun.text, TEXT_LIMIT),
            )
        )

    def begin(self, draft: Draft, scopes: tuple[str, ...], *, new: bool) -> None:
        """Show a draft; ``scopes`` are those that can be chosen."""
        self.scope.clear()
        for scope in dict.fromkeys((*scopes, *((draft.scope,) if draft.scope else ()))):
            self.scope.addItem(phrase(self._words, SCOPES, scope), scope)
        self.type.clear()
        for type_ in dict.fromkeys((*(("",) if new else (draft.type,)), *TYPES)):
            self.type.addItem("", type_)
        self._begun = draft
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
        )

    def enable(self, *, enabled: bool) -> None:
        """Whether anything can be typed."""
        for field in self.fields.values():
            field.setEnabled(enabled)

    def clear(self) -> None:
        """Forget every text, and what Ctrl+Z would give back."""
        for line in (self.title, self.tags):
            line.setText("")  # unlike clear(), this leaves nothing to undo
        self.text.clear()
        self.text.document().clearUndoRedoStacks()
        self._begun = Draft("", "", (), "", "")
        for field in (self._title, self._text):
            field.give("", "")
        self._tags.give((), "")

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
        for name, text in texts.items():
            self._labels[name].setText(text)
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
        title, text = len(self._value(self._title).strip()), len(self._value(self._text).strip())
        self._title_count.setText(say("{n} of {limit}", n=title, limit=TITLE_LIMIT))
        self._text_count.setText(say("{n} of {limit}", n=text, limit=TEXT_LIMIT))
        self._title_count.set_tone("warn" if title > TITLE_LIMIT else "muted")
        self._text_count.set_tone("warn" if text > TEXT_LIMIT else "muted")
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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_XS)
        self._add(column, "title", self._title_count)
        column.addLayout(self.below_title)
        column.addSpacing(SPACE_S)
        self._add(column, "text", self._text_count, stretch=1)
        column.addWidget(self.reach)
        column.addWidget(self._long)
        column.addWidget(self._anew, 0, Qt.AlignmentFlag.AlignLeft)
        column.addSpacing(SPACE_S)
        self._add(column, "tags")
        column.addSpacing(SPACE_S)
        column.addLayout(self._make_pair())

    def _add(
        self, column: QVBoxLayout, name: str, count: QWidget | None = None, stretch: int = 0
    ) -> None:
        row = QHBoxLayout()
        row.addWidget(self._labels[name])
        row.addStretch(1)
        if count is not None:
            row.addWidget(count)
        column.addLayout(row)
        column.addWidget(self.fields[name], stretch)

    def _make_pair(self) -> QHBoxLayout:
        pair = QHBoxLayout()
        pair.setSpacing(SPACE_M)
        for name in ("scope", "type"):
            column = QVBoxLayout()
            column.setSpacing(SPACE_XS)
            self._add(column, name)
            pair.addLayout(column, 1)
        return pair

    def focus_title(self) -> None:
        """Take the keyboard."""
        self.title.setFocus(Qt.FocusReason.OtherFocusReason)


def _tags_of(text: str) -> tuple[str, ...]:
    """What was typed, without blanks around the tags; each once."""
    tags = text.replace("，", ",").replace("、", ",").split(",")
    return tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip()))
