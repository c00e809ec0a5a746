# SPDX-License-Identifier: MIT
"""What can be done with several chosen records, below the list for as long as they are chosen."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.domain.changes import Capability
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.records.bulk.held import Held
from memory_gui.ui.records.bulk.tags import TagFields
from memory_gui.ui.tokens import SPACE_M, SPACE_S, SPACE_XS
from memory_gui.ui.views import ACTIVITY, MEMORIES, TRASH, View
from memory_gui.ui.widgets import Button, EraseButton, IconButton, Rule, TextLabel
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import Words

LEAST: Final = 2
"""From so many chosen records on it is shown."""


def deletes_at_once(view: View, able: Capability) -> bool:
    """Whether there is no trash on the way."""
    return view is MEMORIES and Capability.TRASH not in able and Capability.DELETE in able


class BulkBar(QWidget):
    """Asks for acts by signals. GUI thread."""

    acted = Signal(str)
    """trash, restore, delete, export, erase."""
    tags_wanted = Signal(tuple, tuple)
    """Tags to add, tags to take away."""
    tags_opened = Signal()
    """The fields for tags are shown now: the tags in use may be offered."""
    cleared = Signal()
    """Nothing is to be chosen any more."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._view: View = MEMORIES
        self._count_of = 0
        self._count = named(TextLabel(wrap=False), "bulk.count")
        self._kept = named(TextLabel(tone="warn"), "bulk.held")
        self._held = Held()
        self._close = named(IconButton(Icon.CLOSE), "bulk.clear")
        self._buttons: dict[str, Button] = {
            "trash": Button("", Icon.TRASH),
            "restore": Button("", Icon.RESTORE),
            "tag": Button("", Icon.TAG),
            "export": Button("", Icon.EXPORT),
            "delete": Button("", Icon.CLOSE),
            "erase": EraseButton("", Icon.ERASE),
        }
        self.tags = named(TagFields(words), "bulk.tags")
        self._arrange()
        for name, button in self._buttons.items():
            named(button, f"bulk.{name}")
            if name != "tag":
                button.clicked.connect(lambda _checked=False, name=name: self.acted.emit(name))
        self._buttons["tag"].setCheckable(True)
        self._buttons["tag"].toggled.connect(self._on_tag_toggled)
        self.tags.given.connect(self._on_tags_given)
        self.tags.given_up.connect(self._on_tags_given_up)
        self._close.clicked.connect(self.cleared)
        self.retranslate()
        self.hide()

    def show_for(self, count: int, view: View, able: Capability = ~Capability.NONE) -> None:
        """So many are chosen in a view of stores that let these things be done."""
        self._count_of = count
        self._view = view
        shown = count >= LEAST
        if not shown:
            self._buttons["tag"].setChecked(False)
        self._say_count()
        offered = {
            "trash": view is MEMORIES and Capability.TRASH in able,
            "restore": view is TRASH,
            "tag": view is MEMORIES and Capability.TAG in able,
            "export": True,
            "delete": view is TRASH or deletes_at_once(view, able),
            "erase": view is not ACTIVITY and Capability.ERASE in able,
        }
        for name, button in self._buttons.items():
            button.setVisible(offered[name])
        self.setVisible(shown)

    @property
    def refused(self) -> tuple[frozenset[str], str]:
        """The acts that are refused for what is chosen, and why."""
        return self._held.refused(self._words)

    def show_held(self, held: Held) -> None:
        """So many of them are kept by a case."""
        self._held = held
        words, why = self._words, held.why(self._words)
        self._kept.setText(held.told(words))
        self._kept.setVisible(bool(self._kept.text()))
        for act, button in self._buttons.items():
            keeps = held.keeps_from(act)
            button.setEnabled(not keeps)
            button.setToolTip(why if keeps else "")
            button.setAccessibleDescription(why if keeps else "")

    def clear(self) -> None:
        """Forget what was typed, and hide."""
        self.tags.clear()
        self.show_for(0, self._view)
        self.show_held(Held())

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        texts = {
            "trash": say("Move to trash"),
            "restore": say("Restore"),
            "tag": say("Tags…"),
            "export": say("Export…"),
            "delete": say("Delete…"),
            "erase": say("Erase…"),
        }
        for name, text in texts.items():
            self._buttons[name].setText(text)
        self._close.set_spoken(say("Select none"))
        self.tags.retranslate()
        self._say_count()
        self.show_held(self._held)

    def _say_count(self) -> None:
        self._count.setText(
            self._words.many("{n} record selected", "{n} records selected", self._count_of)
        )

    def _on_tag_toggled(self, shown: bool) -> None:
        self.tags.setVisible(shown)
        if shown:
            self.tags_opened.emit()
            self.tags.begin()
        else:
            self.tags.clear()

    def _on_tags_given(self, add: tuple[str, ...], remove: tuple[str, ...]) -> None:
        # Before the fields go: the keyboard would fall to the search, where Ctrl+Z undoes typing.
        self._buttons["tag"].setFocus()
        self._buttons["tag"].setChecked(False)
        self.tags_wanted.emit(add, remove)

    def _on_tags_given_up(self) -> None:
        self._buttons["tag"].setChecked(False)
        self._buttons["tag"].setFocus()

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(SPACE_S)
        head.addWidget(self._count, 1)
        head.addWidget(self._close)
        flow = FlowLayout(spacing=SPACE_XS)
        for button in self._buttons.values():
            flow.addWidget(button)
        inside = QVBoxLayout()
        inside.setContentsMargins(SPACE_M, SPACE_XS, SPACE_S, SPACE_S)
        inside.setSpacing(SPACE_XS)
        inside.addLayout(head)
        inside.addWidget(self._kept)
        inside.addLayout(flow)
        inside.addWidget(self.tags)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(Rule())
        column.addLayout(inside)
