# SPDX-License-Identifier: MIT
"""Two fields for the tags of several records: which to add, which to take away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from memory_gui.ui.names import named
from memory_gui.ui.tokens import SPACE_S, SPACE_XS
from memory_gui.ui.widgets import Button, Caption, PrimaryButton
from memory_gui.words import Words

COMMAS: Final = re.compile("[,，、]")
"""What separates tags, in either language."""


def tags_in(text: str) -> tuple[str, ...]:
    """The tags of a typed line, each once."""
    named_tags = (part.strip() for part in COMMAS.split(text))
    return tuple(dict.fromkeys(tag for tag in named_tags if tag))


class TagFields(QWidget):
    """Hidden until it is wanted. Offers the tags that are in use."""

    given = Signal(tuple, tuple)
    given_up = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._known = QStringListModel(self)
        self._completers: dict[str, _LastTag] = {}
        self._labels = {name: named(Caption(wrap=False), f"bulk.{name}.label") for name in _FIELDS}
        self._lines = {name: self._line(name) for name in _FIELDS}
        self._apply = named(PrimaryButton(), "bulk.tags.apply")
        self._cancel = named(Button(), "bulk.tags.cancel")
        self._apply.clicked.connect(self._on_apply)
        self._cancel.clicked.connect(self.given_up)
        self._arrange()
        self.retranslate()
        self._on_changed()
        self.hide()

    def begin(self) -> None:
        """Take the keyboard."""
        self._lines["add"].setFocus(Qt.FocusReason.OtherFocusReason)

    def offer(self, tags: Sequence[str]) -> None:
        """The tags that are in use."""
        self._known.setStringList(list(tags))

    def clear(self) -> None:
        """Forget what was typed and what was offered."""
        for line in self._lines.values():
            line.setText("")  # unlike clear(), this leaves nothing to undo
        self._known.setStringList([])

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._labels["add"].setText(say("Add"))
        self._labels["remove"].setText(say("Take away"))
        self._lines["add"].setAccessibleName(say("Tags to add"))
        self._lines["remove"].setAccessibleName(say("Tags to take away"))
        for line in self._lines.values():
            line.setPlaceholderText(say("Several with commas between"))
        self._apply.setText(say("Change tags"))
        self._cancel.setText(say("Cancel"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._on_apply()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.given_up.emit()
                return True
        return super().eventFilter(watched, event)

    def _line(self, name: str) -> QLineEdit:
        line = named(QLineEdit(), f"bulk.{name}")
        self._completers[name] = _LastTag(self._known, line)
        line.textChanged.connect(self._on_changed)
        line.installEventFilter(self)
        return line

    def _on_changed(self) -> None:
        self._apply.setEnabled(any(tags_in(line.text()) for line in self._lines.values()))

    def _on_apply(self) -> None:
        add, remove = (tags_in(line.text()) for line in self._lines.values())
        if add or remove:
            self.given.emit(add, remove)

    def _arrange(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, SPACE_XS, 0, 0)
        grid.setHorizontalSpacing(SPACE_S)
        grid.setVerticalSpacing(SPACE_XS)
        for row, name in enumerate(_FIELDS):
            self._labels[name].setBuddy(self._lines[name])
            grid.addWidget(self._labels[name], row, 0)
            grid.addWidget(self._lines[name], row, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_S)
        buttons.addStretch(1)
        buttons.addWidget(self._cancel)
        buttons.addWidget(self._apply)
        grid.addLayout(buttons, len(_FIELDS), 0, 1, 2)


_FIELDS: Final = ("add", "remove")


class _LastTag(QObject):
    """Completes the tag that is being typed, after the last comma."""

    def __init__(self, known: QStringListModel, line: QLineEdit) -> None:
        super().__init__(line)
        self._line = line
        # Not the line's own completer, which completes all of its text.
        self.completer = QCompleter(known, self)
        self.completer.setWidget(line)
        self.completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.completer.activated.connect(self._on_activated)
        line.textEdited.connect(self._on_text_edited)

    def _on_text_edited(self, text: str) -> None:
        last = COMMAS.split(text)[-1].strip()
        self.completer.setCompletionPrefix(last)
        if last and self.completer.completionCount():
            self.completer.complete()
        else:
            popup = self.completer.popup()
            if popup is not None:
                popup.hide()

    def _on_activated(self, tag: str) -> None:
        before = [part.strip() for part in COMMAS.split(self._line.text())[:-1]]
        self._line.setText(", ".join([*before, tag]))
