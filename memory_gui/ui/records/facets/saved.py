# SPDX-License-Identifier: MIT
"""Saved searches above the filters: a button with their menu, a line for the name of a new one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.ledger.filters import SavedFilter
from memory_gui.services.own.filters import LONGEST
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon, icon
from memory_gui.ui.names import named
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.tokens import SPACE_S, SPACE_XS
from memory_gui.ui.widgets import Button, Caption, PrimaryButton
from memory_gui.words import Words
from memory_gui.words.errors import explain


class SaveLine(QWidget):
    """Asks for a name; hidden until it is wanted. GUI thread."""

    given = Signal(str, bool)
    """A name, and whether it may take the place of one that is there."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words
        self._taken = ""
        self._name = named(QLineEdit(), "saved.name")
        self._name.setMaxLength(LONGEST)
        self._told = named(Caption(), "saved.told")
        self._save = named(PrimaryButton(), "saved.save")
        self._cancel = named(Button(), "saved.cancel")
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_XS)
        buttons.addWidget(self._save)
        buttons.addWidget(self._cancel)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_S, 0, SPACE_S, SPACE_S)
        column.setSpacing(SPACE_XS)
        column.addWidget(self._name)
        column.addWidget(self._told)
        column.addLayout(buttons)
        self._name.textChanged.connect(self._on_changed)
        self._save.clicked.connect(self._on_save)
        self._cancel.clicked.connect(self.end)
        self.hide()

    def begin(self) -> None:
        """Take the keyboard."""
        self._say("")
        self._on_changed()
        self.show()
        self._name.setFocus(Qt.FocusReason.OtherFocusReason)

    def end(self) -> None:
        """Go, and forget what was typed."""
        self._name.setText("")  # unlike clear(), this leaves nothing to undo
        self._say("")
        self.hide()

    def refuse(self, error: UserError) -> None:
        """Say why it was not saved; a name that is taken may be given again to replace it."""
        self._taken = str(error.params["name"]) if error.code == "filters.taken" else ""
        self._say(explain(self._words, error).text)
        self._say_save()
        self._name.setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._name.setAccessibleName(say("Name of the saved search"))
        self._name.setPlaceholderText(say("Name"))
        self._cancel.setText(say("Cancel"))
        self._say("")
        self._say_save()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_save()
        elif event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)

    @property
    def _typed(self) -> str:
        return " ".join(self._name.text().split())

    def _say(self, text: str) -> None:
        self._told.setText(text)
        self._told.setVisible(bool(text))

    def _say_save(self) -> None:
        replaces = bool(self._taken) and self._typed == self._taken
        self._save.setText(self._words.say("Replace") if replaces else self._words.say("Save"))

    def _on_changed(self) -> None:
        self._save.setEnabled(bool(self._typed))
        self._say_save()

    def _on_save(self) -> None:
        if self._typed:
            self.given.emit(self._typed, self._typed == self._taken)


class SavedSearches(QObject):
    """``bar`` stands above the filters. Nothing is read before its menu is opened. GUI thread."""

    chosen = Signal(object)
    """A SavedFilter that a person wants to see."""
    failed = Signal(object)
    """A UserError or IntegrityError that the line for a name cannot tell."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._words = context.words
        self._filters = context.services.filters
        self._bridge = context.bridge
        self._showing = Showing(context.words, context.privacy)
        self._search: tuple[str, Mapping[str, frozenset[str]], str] = ("", {}, "")
        self._menu: QMenu | None = None
        self._button = named(Button("", Icon.SAVED), "saved.open")
        self._line = named(SaveLine(context.words), "saved.line")
        self.bar = QWidget()
        column = QVBoxLayout(self.bar)
        column.setContentsMargins(0, SPACE_S, 0, 0)
        column.setSpacing(SPACE_S)
        row = QHBoxLayout()
        row.setContentsMargins(SPACE_S, 0, SPACE_S, 0)
        row.addWidget(self._button, 1)
        column.addLayout(row)
        column.addWidget(self._line)
        self._button.clicked.connect(self.open)
        self._line.given.connect(self._on_given)
        self.retranslate()

    def follow(self, text: str, facets: Mapping[str, frozenset[str]], sort: str) -> None:
        """This is what the list shows now."""
        self._search = text, facets, sort

    def open(self) -> None:
        """Read what is saved and open the menu."""
        self._bridge.call(self._filters.list, done=self._show, failed=self._on_failed, apart=True)

    def clear(self) -> None:
        """Forget every text."""
        self._search = ("", {}, "")
        self._line.end()
        self._close_menu()

    def retranslate(self) -> None:
        """Say all texts again."""
        self._button.setText(self._words.say("Saved searches"))
        self._line.retranslate()

    def _show(self, saved: Sequence[SavedFilter]) -> None:
        self._close_menu()
        say = self._words.say
        menu = self._menu = named(QMenu(self._button), "saved.menu", say("Saved searches"))
        save = menu.addAction(icon(Icon.SAVED), say("Save this search…"), self._line.begin)
        text, facets, _ = self._search
        save.setEnabled(bool(text.strip() or facets))
        menu.addSeparator()
        for one in saved:
            menu.addAction(self._shown(one), partial(self.chosen.emit, one))
        if not saved:
            menu.addAction(say("None is saved yet")).setEnabled(False)
        else:
            menu.addSeparator()
            removing = named(menu.addMenu(say("Remove")), "saved.remove", say("Remove"))
            for one in saved:
                removing.addAction(self._shown(one), partial(self._remove, one.name))
        menu.popup(self._button.mapToGlobal(QPoint(0, self._button.height())))

    def _shown(self, one: SavedFilter) -> str:
        return self._showing.line(one.name).replace("&", "&&")

    def _close_menu(self) -> None:
        menu, self._menu = self._menu, None
        if menu is not None:
            menu.close()
            menu.deleteLater()

    def _remove(self, name: str) -> None:
        self._bridge.call(self._filters.remove, name, failed=self._on_failed, apart=True)

    def _on_given(self, name: str, replaces: bool) -> None:
        save = partial(self._filters.save, name, *self._search, replace=replaces)
        self._bridge.call(save, done=self._on_saved, failed=self._on_refused, apart=True)

    def _on_saved(self, _one: SavedFilter) -> None:
        self._line.end()
        self._button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_refused(self, error: UserError | IntegrityError) -> None:
        if isinstance(error, UserError):
            self._line.refuse(error)
        else:
            self.failed.emit(error)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self.failed.emit(error)
