# SPDX-License-Identifier: MIT
"""One row of the settings page per setting: its name, its help, and what changes it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.ui.filedialogs import say_labels
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import empty
from memory_gui.ui.pages.settings_table import Descriptor, Kind, value_text
from memory_gui.ui.tokens import SPACE_M, SPACE_S, SPACE_XS
from memory_gui.ui.widgets import Button, Caption, CheckBox, Choice, IconButton, TextLabel
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import Words

_LABEL_WIDTH: Final = 168
_CHOICE_WIDTH: Final = 220
INDENT: Final = 30
"""Pixels before what is said below a check box: it stands under the box's text."""


class Row(QWidget):
    """What all rows have in common. GUI thread."""

    changed = Signal(str, object)
    """(name of the setting, its new value)"""

    def __init__(self, words: Words, what: Descriptor) -> None:
        super().__init__()
        self.words = words
        self.what = what
        self.help = named(Caption(), f"settings.{what.name}.help")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(SPACE_XS)
        self.setObjectName(f"settings.{what.name}.row")

    @property
    @abstractmethod
    def field(self) -> QWidget:
        """What takes the keyboard."""

    @abstractmethod
    def show_value(self, value: object) -> None:
        """The setting is this now."""

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self.words.say
        name = say(self.what.label)
        self.field.setAccessibleName(name)
        self.say_help(say(self.what.help) if self.what.help else "")

    def say_help(self, text: str) -> None:
        """A sentence below, also for screen readers."""
        self.help.setText(text)
        self.help.setVisible(bool(text))
        self.field.setAccessibleDescription(text)

    def changed_by_hand(self, value: object) -> None:
        """A person chose."""
        self.changed.emit(self.what.name, value)


class CheckRow(Row):
    """On or off."""

    def __init__(self, words: Words, what: Descriptor) -> None:
        super().__init__(words, what)
        self.box = named(CheckBox(), f"settings.{what.name}")
        self.box.clicked.connect(self.changed_by_hand)
        below = QHBoxLayout()
        below.setContentsMargins(INDENT, 0, 0, 0)
        below.addWidget(self.help)
        self.column.addWidget(self.box)
        self.column.addLayout(below)

    @property
    def field(self) -> QWidget:
        return self.box

    def show_value(self, value: object) -> None:
        self.box.setChecked(bool(value))

    def retranslate(self) -> None:
        self.box.setText(self.words.say(self.what.label))
        super().retranslate()


class ChoiceRow(Row):
    """One of several values."""

    def __init__(self, words: Words, what: Descriptor) -> None:
        super().__init__(words, what)
        self.label = named(TextLabel(wrap=False), f"settings.{what.name}.label")
        self.label.setMinimumWidth(_LABEL_WIDTH)
        self.box = named(Choice(), f"settings.{what.name}")
        self.box.setMinimumWidth(_CHOICE_WIDTH)
        self.label.setBuddy(self.box)
        for value in what.values:
            self.box.addItem("", value)
        self.box.activated.connect(self._on_activated)
        row = FlowLayout(spacing=SPACE_M)
        row.addWidget(self.label)
        row.addWidget(self.box)
        self.column.addLayout(row)
        self.column.addWidget(self.help)

    @property
    def field(self) -> QWidget:
        return self.box

    def show_value(self, value: object) -> None:
        if self.box.findData(value) < 0 and isinstance(value, (str, int)):
            self.box.addItem(value_text(self.words, self.what.name, value), value)
        self.box.setCurrentIndex(self.box.findData(value))

    def retranslate(self) -> None:
        self.label.setText(self.words.say(self.what.label))
        for row in range(self.box.count()):
            text = value_text(self.words, self.what.name, self.box.itemData(row))
            self.box.setItemText(row, text)
        super().retranslate()

    def _on_activated(self, _index: int) -> None:
        self.changed_by_hand(self.box.currentData())


class FoldersRow(Row):
    """A list of folders: each can be taken off, another one added."""

    def __init__(self, words: Words, what: Descriptor) -> None:
        super().__init__(words, what)
        self._folders: tuple[str, ...] = ()
        self.label = named(TextLabel(), f"settings.{what.name}.label")
        self.add = named(Button("", Icon.ADD), f"settings.{what.name}")
        self.add.clicked.connect(self._on_add_clicked)
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        foot = QHBoxLayout()
        foot.addWidget(self.add)
        foot.addStretch(1)
        self.column.addWidget(self.label)
        self.column.addWidget(self.help)
        self.column.addLayout(self._list)
        self.column.addLayout(foot)

    @property
    def field(self) -> QWidget:
        return self.add

    def show_value(self, value: object) -> None:
        self._folders = tuple(map(str, value)) if isinstance(value, (tuple, list)) else ()
        empty(self._list)
        for number, folder in enumerate(self._folders):
            self._list.addLayout(self._line(number, folder))

    def retranslate(self) -> None:
        self.label.setText(self.words.say(self.what.label))
        self.add.setText(self.words.say("Add a folder…"))
        super().retranslate()
        self.show_value(self._folders)

    def _line(self, number: int, folder: str) -> QHBoxLayout:
        text = named(TextLabel(tone="muted", selectable=True), f"settings.folder{number}")
        text.show_foreign(folder)
        off = named(IconButton(Icon.CLOSE), f"settings.folder{number}.off")
        off.set_spoken(self.words.say("Take {folder} off the list", folder=text.text()))
        off.clicked.connect(lambda _checked=False: self._take_off(folder))
        line = QHBoxLayout()
        line.setSpacing(SPACE_S)
        line.addWidget(text, 1)
        line.addWidget(off)
        return line

    def _take_off(self, folder: str) -> None:
        self.changed_by_hand(tuple(one for one in self._folders if one != folder))

    def _on_add_clicked(self) -> None:
        dialog = QFileDialog(self.window(), self.words.say("Add a folder…"))
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        say_labels(dialog, self.words, self.words.say("Add"))
        dialog.fileSelected.connect(self.add_folder)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def add_folder(self, folder: str) -> None:
        """A folder was chosen."""
        if folder and folder not in self._folders:
            self.changed_by_hand((*self._folders, folder))


def make_row(words: Words, what: Descriptor) -> Row:
    """The row for a setting."""
    kinds: Mapping[Kind, Callable[[Words, Descriptor], Row]] = {
        Kind.CHECK: CheckRow,
        Kind.CHOICE: ChoiceRow,
        Kind.FOLDERS: FoldersRow,
    }
    return kinds[what.kind](words, what)
