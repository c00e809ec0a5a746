# SPDX-License-Identifier: MIT
"""Forgets in the window what was just erased: what was copied, what was searched for."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QObject

from memory_gui.domain.folding import fold
from memory_gui.ui.context import Context
from memory_gui.ui.shell.panes import Panes
from memory_gui.ui.shell.quick.quick import Quick


class Forgetting(QObject):
    """Lists, details and drafts follow by themselves; here is what nobody else knows of."""

    def __init__(self, context: Context, panes: Panes, quick: Quick, parent: QObject) -> None:
        super().__init__(parent)
        self._clipboard = context.privacy.clipboard
        self._panes = panes
        self._quick = quick

    def forget(self, texts: object) -> None:
        """These texts were erased. What was copied goes whether it is one of them or not."""
        self._clipboard.forget()
        self._quick.clear()
        searched = fold(self._panes.top.text).strip()
        if searched and isinstance(texts, Collection) and self._is_in(searched, texts):
            self._panes.top.clear_search()

    @staticmethod
    def _is_in(searched: str, texts: Collection[str]) -> bool:
        return any(searched in fold(text) or fold(text) in searched for text in texts if text)
