# SPDX-License-Identifier: MIT
"""What will be saved: title and text word by word, the rest in a line each."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.kinds import Kind
from memory_gui.ui.names import named
from memory_gui.ui.phrases import SCOPES, TYPES, phrase
from memory_gui.ui.records.editing.draft import Draft
from memory_gui.ui.records.editing.morefields import label
from memory_gui.ui.tokens import SPACE_XS
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import Caption, SectionLabel
from memory_gui.ui.widgets.diff_view import DiffView
from memory_gui.words import Words

_LINES = 6
_CONTEXT = 60


class ChangesView(QWidget):
    """Hidden while nothing differs. ``name`` begins the names of its widgets. GUI thread."""

    def __init__(self, words: Words, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._words = words
        self._kind = Kind("")
        self._heading = ""
        self._shown: tuple[Draft, Draft] | None = None
        self._title = named(SectionLabel(), f"{name}.heading")
        self.title = DiffView(words, f"{name}.title", lines=2)
        self.text = DiffView(words, f"{name}.text", lines=_LINES, context=_CONTEXT)
        self._rest = named(Caption(selectable=True), f"{name}.rest")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_XS)
        for widget in (self._title, self.title, self.text, self._rest):
            column.addWidget(widget)
        self.hide()

    def suit(self, kind: Kind) -> None:
        """Call the fields as this kind does."""
        self._kind = kind

    def show_changes(self, heading: str, before: Draft, after: Draft) -> None:
        """From one draft to another; the heading says which these are."""
        self._heading, self._shown = heading, (before, after)
        self._title.setText(heading)
        for view, old, new in (
            (self.title, before.title, after.title),
            (self.text, before.text, after.text),
        ):
            view.show_diff(old, new)
            view.setVisible(view.differs)
        rest = self._rest_of(before, after)
        self._rest.setText("\n".join(rest))
        self._rest.setVisible(bool(rest))
        self.setVisible(bool(rest) or self.title.differs or self.text.differs)

    def hide_texts(self, instead: str) -> None:
        """Bars in place of the texts; an empty text shows them again."""
        for view in (self.title, self.text):
            view.hide_text(instead)
        self._rest.setVisible(not instead and bool(self._rest.text()))

    def wipe(self) -> None:
        """Forget every text."""
        self._shown = None
        self.title.wipe()
        self.text.wipe()
        self._rest.clear()
        self.hide()

    def retranslate(self, heading: str) -> None:
        """Say all texts again."""
        if self._shown is not None:
            self.show_changes(heading, *self._shown)

    def _rest_of(self, before: Draft, after: Draft) -> list[str]:
        say = self._words.say
        none = say("none")
        values = {
            "tags": (_tags(before), _tags(after)),
            "scope": tuple(phrase(self._words, SCOPES, one.scope) for one in (before, after)),
            "type": tuple(phrase(self._words, TYPES, one.type) for one in (before, after)),
        }
        pairs = [
            (label(self._words, self._kind, name), *both)
            for name, both in values.items()
            if name in after.names
        ]
        pairs += [
            (label(self._words, self._kind, name), one_line(old, 120), one_line(new, 120))
            for (name, new), old in zip(after.more, dict(before.more).values(), strict=False)
        ]
        return [
            say("{field}: {old} → {new}", field=name, old=old or none, new=new or none)
            for name, old, new in pairs
            if old != new
        ]


def _tags(draft: Draft) -> str:
    return " · ".join(one_line(tag, 60) for tag in draft.tags)
