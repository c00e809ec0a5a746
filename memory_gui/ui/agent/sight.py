# SPDX-License-Identifier: MIT
"""How often the agent sees the record that is shown: always, when it fits, on recall, never."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Record
from memory_gui.services.agent.outlook import Outlook
from memory_gui.ui.context import Context
from memory_gui.ui.names import named
from memory_gui.ui.pages.asking import AskingSoon, is_being_read
from memory_gui.ui.widgets import TextLabel
from memory_gui.words.agentview import sight_text


class SightLine(QWidget):
    """Hidden while it is not known. GUI thread."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._record: Record | None = None
        self._outlook: Outlook | None = None
        self._asking = AskingSoon(context.bridge, self, partial(is_being_read, context))
        self.label = named(TextLabel(tone="muted", selectable=True), "detail.sight")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.label)
        self.hide()

    def show_for(self, record: Record | None) -> None:
        """Tell of another record, or of the same one as it is now; None: of none."""
        before, self._record = self._record, record
        if record is None:
            self.clear()
            return
        if before is None or before.ref != record.ref:
            self._show(None)
        sight = self._context.services.review.sight
        self._asking.soon(sight, record, done=self._show, failed=self._on_failed)

    def clear(self) -> None:
        """Forget it."""
        self._record = None
        self._asking.drop()
        self._show(None)

    def retranslate(self) -> None:
        """Say it again."""
        self._show(self._outlook)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        """The record itself is shown; this is not worth a message."""
        self._show(None)

    def _show(self, outlook: Outlook | None) -> None:
        self._outlook = outlook
        words = self._context.words
        text = "" if outlook is None else sight_text(words, outlook.sight.value, outlook.why)
        self.label.setText(text)
        self.setVisible(bool(text))
