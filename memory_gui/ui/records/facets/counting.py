# SPDX-License-Identifier: MIT
"""Counts what the list could be narrowed to, off the GUI thread; the newest question wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.queries import Facet, Query
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context

PATIENCE_S: Final = 0.25
"""As for the list: what was read so far is counted."""


class Counting(QObject):
    """Asks only while somebody looks. GUI thread."""

    counted = Signal(object)
    """facet -> tuple of Facet."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._handle: Handle | None = None
        self._next: Query | None = None

    def ask(self, query: Query) -> None:
        """Count for a query. While one is counted only the newest of the next is kept."""
        if self._handle is not None and not self._handle.finished:
            self._next = query
            return
        self._handle = self._context.bridge.call(
            self._context.services.library.facets,
            query,
            patience=PATIENCE_S,
            done=self._on_counted,
            failed=self._on_failed,
            cancellable=True,
        )

    def stop(self) -> None:
        """What is on its way is no longer wanted."""
        self._next = None
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _on_counted(self, counts: Mapping[str, tuple[Facet, ...]]) -> None:
        following, self._next = self._next, None
        if following is not None:
            self.ask(following)
        else:
            self.counted.emit(counts)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        """The search for the list says what is wrong."""
        following, self._next = self._next, None
        if following is not None:
            self.ask(following)
