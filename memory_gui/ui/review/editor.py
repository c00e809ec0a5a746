# SPDX-License-Identifier: MIT
"""Correct a proposal in place before approving it, and see at once how it would be saved."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from memory_gui.domain.changes import Fields
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record
from memory_gui.ui.agent.reach import ReachLine
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.phrases import SCOPES, TYPES, phrase
from memory_gui.ui.records.editing.morefields import label
from memory_gui.ui.review.lines import USUAL, FieldLines, saved_as
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.visible import has_hidden, visible
from memory_gui.ui.widgets import (
    Button,
    Caption,
    Choice,
    Panel,
    PrimaryButton,
    SectionLabel,
    TextLabel,
)
from memory_gui.words import Words
from memory_gui.words.errors import explain

LIVE_MS: Final = 200
_COMMAS: Final = re.compile(r"[,，、]")
_TEXT_LINES: Final = 5


class ReviewEditor(Panel):
    """Holds the corrected fields; the page asks the services with them. GUI thread."""

    changed = Signal()
    """The fields stand still after a change: time to ask how they would be saved."""
    approved = Signal()
    insisted = Signal()
    """As ``approved``, by the key for what there is a warning about."""
    given_up = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._item: Record | None = None
        self._was: Mapping[str, str | tuple[str, ...]] = {}
        self._kept: str | None = None
        self._kind: Kind | None = None
        self._title = named(SectionLabel(), "review.edit.title")
        self.text = named(QPlainTextEdit(), "review.edit.text")
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() * _TEXT_LINES + 20)
        self.reach = ReachLine(words, self.text, "review.edit.reach")
        self.key = named(QLineEdit(), "review.edit.key")
        self.scope = named(Choice(), "review.edit.scope")
        self.type = named(Choice(), "review.edit.type")
        self.tags = named(QLineEdit(), "review.edit.tags")
        self._labels = [named(Caption(wrap=False), f"review.edit.label{n}") for n in range(5)]
        self.saved_as = named(TextLabel(tone="muted"), "review.edit.saved_as")
        self.drawn = named(TextLabel(tone="warn"), "review.edit.drawn")
        self.approve = named(PrimaryButton(), "review.edit.approve")
        self.give_up = named(Button(), "review.edit.cancel")
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(LIVE_MS)
        self._lay_out()
        self._connect()
        self.retranslate()
        self.hide()

    def begin(
        self,
        item: Record,
        scopes: tuple[str, ...],
        types: tuple[str, ...],
        key: str = "",
        *,
        kind: Kind | None = None,
        values: Fields | None = None,
    ) -> None:
        """Show the fields of an item and take the keyboard. ``key``: where it names none.

        Of a proposal for another agent's store ``kind`` says which fields there are, and ``values``
        what stands in them.
        """
        self._item, self._kind, given = item, kind, values or {}
        if kind is not None:
            types = kind.choices.get("type", ())
        for combo, names, choices, value in (
            (self.scope, SCOPES, scopes, item.scope),
            (self.type, TYPES, types, str(given.get("type") or item.type or "")),
        ):
            combo.clear()
            for choice in [*choices, *([value] if value and value not in choices else [])]:
                combo.addItem(phrase(self._words, names, choice), choice)
            combo.setCurrentIndex(combo.findData(value or ""))
        self.text.setPlainText(item.text)
        self.key.setText(item.subject or key)
        self.tags.setText(", ".join(item.tags))
        self._suit()
        self._lines.put(given)
        self._was = self._now()
        self.saved_as.setText("")
        self._draw_hidden()
        self._soon.stop()
        self.show()
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _own(self) -> tuple[str, ...]:
        """The fields that are shown in places of the editor's own."""
        kind = self._kind
        if kind is None:
            return USUAL
        return ("text", "type") if kind.choices.get("type") else ("text",)

    def _suit(self) -> None:
        """Show the fields that such a record has."""
        fields = (self.text, self.key, self.scope, self.type, self.tags)
        for name, field in zip(USUAL, fields, strict=True):
            self._form.setRowVisible(field, name in self._own)
        self._lines.suit(self._kind, self._own)
        self._say_labels()

    def fields(self) -> dict[str, str | tuple[str, ...]]:
        """Only what the person changed: a widget may not give back all that it was given."""
        if self._item is None:
            return {}
        return {name: value for name, value in self._now().items() if value != self._was[name]}

    def typed(self) -> dict[str, str | tuple[str, ...]]:
        """All fields as they stand, when the person changed any."""
        return self._now() if self.fields() else {}

    def put(self, fields: Mapping[str, str | tuple[str, ...]]) -> None:
        """What was typed before, over the item's own."""
        self._lines.put(fields)
        if "text" in fields:
            self.text.setPlainText(str(fields["text"]))
        if "key" in fields:
            self.key.setText(str(fields["key"]))
        if "tags" in fields:
            self.tags.setText(", ".join(fields["tags"]))
        for combo, name in ((self.scope, "scope"), (self.type, "type")):
            if name in fields:
                combo.setCurrentIndex(max(0, combo.findData(fields[name])))

    def hide_texts(self, instead: str) -> None:
        """Say this in place of what is typed; an empty text shows it again."""
        if bool(instead) == (self._kept is not None):
            return
        kept, self._kept = self._kept, self.text.toPlainText() if instead else None
        self.text.blockSignals(True)
        self.text.setPlainText(instead or kept or "")
        self.text.setReadOnly(bool(instead))
        self.text.blockSignals(False)
        self._draw_hidden()
        modes = QLineEdit.EchoMode
        for line in (self.key, self.tags, *self._lines.widgets()):
            line.setEchoMode(modes.Password if instead else modes.Normal)

    def _draw_hidden(self) -> None:
        """An editor shows no hidden character: below it stands the text with each of them."""
        text = self.text.toPlainText()
        odd = self._kept is None and self._item is not None and has_hidden(text)
        if odd:
            self.drawn.show_foreign(self._words.say("It reads: {text}", text=visible(text)))
        else:
            self.drawn.setText("")
        self.drawn.setVisible(odd)

    def _now(self) -> dict[str, str | tuple[str, ...]]:
        tags = tuple(tag.strip() for tag in _COMMAS.split(self.tags.text()) if tag.strip())
        now: dict[str, str | tuple[str, ...]] = {
            "text": self.text.toPlainText() if self._kept is None else self._kept,
            "key": self.key.text().strip(),
            "scope": self.scope.currentData() or "",
            "type": self.type.currentData() or "",
            "tags": tags,
        }
        return {name: now[name] for name in self._own} | self._lines.values()

    def show_saved_as(self, fields: Fields) -> None:
        """How the agent would save the fields as they are."""
        words = self._words
        if self._item is None:
            return
        if self._kind is not None:
            self.saved_as.set_tone("muted")
            self.saved_as.show_foreign(saved_as(words, self._kind, fields))
            return
        if "key" not in fields:
            return
        scope, kind, key = (str(fields.get(name) or "") for name in ("scope", "type", "key"))
        self.saved_as.set_tone("muted")
        self.saved_as.setText(
            words.say(
                "Will be saved as {type}, {scope}, under the key {key}",
                type=phrase(words, TYPES, kind),
                scope=phrase(words, SCOPES, scope),
                key=visible(key),
            )
        )

    def show_problem(self, error: UserError | IntegrityError) -> None:
        """Why the fields cannot be saved."""
        self.saved_as.set_tone("warn")
        self.saved_as.show_foreign(explain(self._words, error).text)

    def end(self) -> None:
        """Forget the fields and go away."""
        self.hide_texts("")
        self._item, self._was = None, {}
        self._draw_hidden()
        self._soon.stop()
        self.text.clear()
        for line in (self.key, self.tags, *self._lines.widgets()):
            line.setText("")  # unlike clear(), this leaves nothing to undo
        self.saved_as.setText("")
        self.hide()

    def retranslate(self) -> None:
        """Say all texts again."""
        words = self._words
        self._title.setText(words.say("Correct it, then approve"))
        self._say_labels()
        self.approve.setText(words.say("Approve with these changes"))
        self.give_up.setText(words.say("Leave it as it was"))
        self.reach.say_again()
        self._draw_hidden()
        self.tags.setPlaceholderText(words.say("separated by commas"))

    def _say_labels(self) -> None:
        words, kind = self._words, self._kind
        names = {
            "text": words.say("Text"),
            "key": words.say("Filed under"),
            "scope": words.say("Applies to"),
            "type": words.say("Type"),
            "tags": words.say("Tags"),
        }
        if kind is not None:
            names |= {name: label(words, kind, name) for name in ("text", "type")}
        for one, name in zip(self._labels, USUAL, strict=True):
            one.setText(names[name])
        self.text.setAccessibleName(names["text"])
        self._lines.suit(kind, self._own)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
            return
        super().keyPressEvent(event)

    def _lay_out(self) -> None:
        inside = padded(self)
        inside.addWidget(self._title)
        form = self._form = QFormLayout()
        form.setVerticalSpacing(SPACE_S)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        fields = (self.text, self.key, self.scope, self.type, self.tags)
        for one, field in zip(self._labels, fields, strict=True):
            one.setBuddy(field)
            form.addRow(one, field)
            if field is self.text:
                form.addRow("", self.reach)
        inside.addLayout(form)
        self._lines = FieldLines(self._words, form, 2, self._soon.start)
        inside.addWidget(self.drawn)
        inside.addWidget(self.saved_as)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.approve)
        row.addWidget(self.give_up)
        row.addStretch(1)
        inside.addLayout(row)

    def _connect(self) -> None:
        for signal in (
            self.text.textChanged,
            self.key.textChanged,
            self.tags.textChanged,
            self.scope.currentTextChanged,
            self.type.currentTextChanged,
        ):
            signal.connect(self._soon.start)
        self.text.textChanged.connect(self._draw_hidden)
        self._soon.timeout.connect(self.changed)
        self.approve.clicked.connect(self.approved)
        self.give_up.clicked.connect(self.given_up)
        for keys in ("Ctrl+Return", "Ctrl+S"):
            save = QShortcut(QKeySequence(keys), self)
            save.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            save.activated.connect(self.approved)
        insist = QShortcut(QKeySequence("Ctrl+Shift+Return"), self)
        insist.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        insist.activated.connect(self.insisted)
