# SPDX-License-Identifier: MIT
"""One record's own history in short, below its facts."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Record
from memory_gui.services.activity.activity import Happening, Timeline
from memory_gui.ui.activity import phrases
from memory_gui.ui.context import Context
from memory_gui.ui.names import named
from memory_gui.ui.pages.asking import AskingSoon, is_being_read
from memory_gui.ui.tokens import SPACE_XS
from memory_gui.ui.widgets import QuietButton, SectionLabel
from memory_gui.ui.widgets.elided import ElidedLabel

LINES: Final = 4
_KINDS: Final = frozenset({"memory", "review"})


class HistoryView(QWidget):
    """Hidden while there is nothing to tell. GUI thread."""

    all_wanted = Signal(object)
    """The Ref of the record whose whole history is wanted."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._record: Record | None = None
        self._timeline = Timeline(())
        self._asking = AskingSoon(context.bridge, self, partial(is_being_read, context))
        self._title = named(SectionLabel(), "detail.history.title")
        self._lines = [
            named(ElidedLabel(mode=Qt.TextElideMode.ElideRight), f"detail.history.{number}")
            for number in range(LINES)
        ]
        self._all = named(QuietButton(), "detail.history.all")
        self._all.clicked.connect(self._on_all_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_XS)
        for widget in (self._title, *self._lines):
            column.addWidget(widget)
        column.addWidget(self._all, 0, Qt.AlignmentFlag.AlignLeft)
        self.retranslate()

    def show_for(self, record: Record | None) -> None:
        """Tell of another record, or of the same one as it is now; None: of none."""
        before, self._record = self._record, record
        if record is None or record.kind not in _KINDS:
            self.clear()
            return
        if before is not None and _told_of(before) == _told_of(record):
            return
        if before is None or before.ref != record.ref:
            self._show(Timeline(()))
        self._asking.soon(
            self._context.services.activity.of_record,
            record.ref,
            LINES,
            done=self._show,
            failed=self._on_failed,
        )

    def clear(self) -> None:
        """Forget it."""
        self._record = None
        self._asking.drop()
        self._show(Timeline(()))

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._context.words.say
        self._title.setText(say("History"))
        self._all.setText(say("All of it"))
        self._show(self._timeline)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        """The record itself is shown; its history is not worth a message. It is asked again."""
        self._record = None
        self._show(Timeline(()))

    def _show(self, timeline: Timeline) -> None:
        self._timeline = timeline
        now = datetime.now(UTC)
        told = [self._line(one, now) for one in timeline.happenings[:LINES]]
        for number, label in enumerate(self._lines):
            label.setText(told[number] if number < len(told) else "")
            label.setVisible(number < len(told))
        self._all.setVisible(timeline.more)
        self.setVisible(bool(told))

    def _line(self, one: Happening, now: datetime) -> str:
        words = self._context.words
        when = words.ago(one.at, now) if one.at else words.say("Time not known")
        return words.say("{when} · {what}", when=when, what=phrases.sentence(words, one))

    def _on_all_clicked(self) -> None:
        if self._record is not None:
            self.all_wanted.emit(self._record.ref)


def _told_of(record: Record) -> tuple[object, ...]:
    """What a history is asked by: of a pale one nothing could be read, whatever its etag is."""
    return record.ref, record.etag, record.pale
