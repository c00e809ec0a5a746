# SPDX-License-Identifier: MIT
"""Ctrl+K in the window: the box, what it lists, and when it forgets."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from memory_gui.ui.context import Context
from memory_gui.ui.shell.actions import Actions
from memory_gui.ui.shell.holding import Holding
from memory_gui.ui.shell.navigation import Navigation
from memory_gui.ui.shell.quick.box import QuickBox
from memory_gui.ui.shell.quick.entries import Entries


class Quick(QObject):
    """One per window. GUI thread."""

    def __init__(
        self,
        context: Context,
        actions: Actions,
        navigation: Navigation,
        *,
        holding: Holding,
        open_path: Callable[[str], object],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._entries = Entries(
            context, actions, navigation, holding=holding, open_path=open_path, parent=self
        )
        self.box = QuickBox(context.words, self._entries.list, window)
        self.retranslate()

    def toggle(self) -> None:
        """Open the box, or close it."""
        self.box.toggle()
        if self.box.isVisible():
            self._entries.prepare(self._on_prepared)

    def clear(self) -> None:
        """Close it and forget every name."""
        self._entries.forget()
        self.box.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        self.box.retranslate()

    def _on_prepared(self) -> None:
        if self.box.isVisible():
            self.box.refresh()
        else:
            self._entries.forget()
