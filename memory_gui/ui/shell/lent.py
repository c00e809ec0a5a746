# SPDX-License-Identifier: MIT
"""Says which stores another running copy of the app works on, as long as it does."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import StoreId
from memory_gui.services import OpenedStore
from memory_gui.ui.context import Context
from memory_gui.ui.phrases import store_name
from memory_gui.ui.widgets import Banner


class LentNotice(QObject):
    """A quiet banner of its own, which comes and goes by itself. GUI thread."""

    def __init__(self, context: Context, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._words = context.words
        self._banner = banner

    def show(self, lent: Mapping[StoreId, UserError], stores: tuple[OpenedStore, ...]) -> None:
        """Name them; none: hide it."""
        lines = [self._line(one, lent[one.id]) for one in stores if one.id in lent]
        if lines:
            self._banner.tell("info", "\n".join(lines))
        else:
            self.clear()

    def clear(self) -> None:
        """Hide it."""
        self._banner.dismiss()

    def _line(self, store: OpenedStore, why: UserError) -> str:
        say = self._words.say
        name = store_name(self._words, store)
        if why.code == "store.let_go":
            return say("{name}: in use by the terminal. It comes back by itself.", name=name)
        return say("{name}: in use by another window. It comes back by itself.", name=name)
