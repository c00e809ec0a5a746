# SPDX-License-Identifier: MIT
"""The top line: search, appearance, lock, everything else."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QWidget

from memory_gui.ui.icons import Icon, icon
from memory_gui.ui.names import named
from memory_gui.ui.privacy.buttons import HideButton
from memory_gui.ui.privacy.hiding import Hiding
from memory_gui.ui.tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from memory_gui.ui.widgets import IconButton, MenuButton
from memory_gui.words import Words

_HEIGHT: Final = 32


class TopBar(QWidget):
    """Emits the search text with each letter; what comes in one turn of the loop is one search."""

    searched = Signal(str)
    left = Signal()
    """Down or Return in the search box: on to the list."""
    theme_wanted = Signal()
    lock_wanted = Signal()

    def __init__(
        self, words: Words, parent: QWidget | None = None, *, hiding: Hiding | None = None
    ) -> None:
        super().__init__(parent)
        self._words = words
        self._hiding = hiding or Hiding(self)
        self._hide = named(HideButton(words, self._hiding), "top.hide")
        self._hiding.changed.connect(self._on_hiding_changed)
        self._search = named(QLineEdit(), "search")
        self._search.setClearButtonEnabled(False)
        self._search.addAction(icon(Icon.SEARCH, "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self._clear = self._search.addAction(
            icon(Icon.CLOSE, "muted"), QLineEdit.ActionPosition.TrailingPosition
        )
        self._clear.setVisible(False)
        self._clear.triggered.connect(self.clear_search)
        self._search.setMaximumWidth(640)
        self._search.setMinimumHeight(_HEIGHT)
        self._search.installEventFilter(self)
        self._theme = named(IconButton(Icon.THEME), "top.theme")
        self._lock = named(IconButton(Icon.LOCK), "top.lock")
        self._more = named(MenuButton(Icon.MORE), "top.more")
        self.menu = named(QMenu(self), "top.menu")
        self.menu.setToolTipsVisible(True)
        self._more.setMenu(self.menu)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)  # an answer takes no longer than painting it: none is waited for
        self._soon.timeout.connect(self._on_soon_timeout)
        self._search.textChanged.connect(self._on_text_changed)
        self._theme.clicked.connect(self.theme_wanted)
        self._lock.clicked.connect(self.lock_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_L, SPACE_S, SPACE_M, SPACE_S)
        row.setSpacing(SPACE_XS)
        row.addStrut(_HEIGHT)  # the line keeps its height where there is nothing to search
        row.addWidget(self._search, 100)
        row.addStretch(1)
        row.addSpacing(SPACE_M)
        for button in (self._hide, self._theme, self._lock, self._more):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.retranslate()

    @property
    def text(self) -> str:
        """What is searched."""
        return self._search.text()

    def focus_search(self) -> None:
        """Give the search box the keyboard, its text selected."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def search(self, text: str) -> None:
        """Put a text into the search box."""
        self._search.setText(text)

    def clear_search(self) -> None:
        """Empty it, and search at once."""
        self._search.setText("")  # unlike clear(), this leaves nothing to undo
        self._on_soon_timeout()

    def enable_search(self, *, enabled: bool) -> None:
        """Where there is no list there is nothing to search."""
        self._search.setVisible(enabled)

    def enable_lock(self, *, enabled: bool) -> None:
        """Without an open store there is nothing to lock."""
        self._lock.setEnabled(enabled)

    def set_menu(self, actions: list[QAction | QMenu | None]) -> None:
        """The menu behind the three dots; None is a line."""
        for entry in actions:
            if entry is None:
                self.menu.addSeparator()
            elif isinstance(entry, QMenu):
                self.menu.addMenu(entry)
            else:
                self.menu.addAction(entry)

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._search.setPlaceholderText(say("Search all texts…"))
        self._search.setAccessibleName(say("Search"))
        self._search.setToolTip(say("Search (Ctrl+F)"))
        self._clear.setText(say("Clear the search"))
        self._clear.setToolTip(say("Clear the search"))
        self._hide.retranslate()
        self._theme.set_spoken(say("Light or dark"))
        self._lock.set_spoken(say("Lock (Ctrl+L)"))
        self._more.set_spoken(say("More"))
        self.menu.setAccessibleName(say("More"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.left.emit()
                return True
            if event.key() == Qt.Key.Key_Escape and self._search.text():
                self.clear_search()
                return True
        return super().eventFilter(watched, event)

    def _on_hiding_changed(self, hidden: bool) -> None:
        """What is searched for is a text too: dots, on screen and for a screen reader."""
        modes = QLineEdit.EchoMode
        self._search.setEchoMode(modes.Password if hidden else modes.Normal)

    def _on_text_changed(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        self._soon.start()

    def _on_soon_timeout(self) -> None:
        self._soon.stop()
        self.searched.emit(self._search.text())
