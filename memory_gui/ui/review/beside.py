# SPDX-License-Identifier: MIT
"""The saved memories that a proposal touches, each beside it, with the ways to settle it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.changes import Alike, ReviewPreview, Why
from memory_gui.domain.records import Record, State
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.review import words as say
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.widgets import Button, Panel, SectionLabel, TextLabel
from memory_gui.ui.widgets.diff_view import DiffView
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import Words


@dataclass(frozen=True, slots=True)
class Touched:
    """A saved memory and its key; ``alike`` is None where it has the proposal's own key."""

    record: Record
    key: str
    alike: Alike | None
    can_be_apart: bool = True
    """Whether a key is known under which both can be kept."""


class Beside(Panel):
    """Hidden while nothing is touched. Asks nobody anything. GUI thread."""

    saved_kept = Signal()
    """The saved one stays, the proposal is rejected."""
    new_kept = Signal(object)
    """A Touched: the proposal takes its place."""
    both_kept = Signal()
    merge_wanted = Signal(object)
    """A Touched: both texts are to be put into one by hand."""

    def __init__(self, words: Words, showing: Showing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "review.beside")
        self._words = words
        self._showing = showing
        self._preview: ReviewPreview | None = None
        self._title = named(SectionLabel(), "review.beside.title")
        self._rows = QVBoxLayout()
        self._rows.setSpacing(SPACE_M)
        self.views: list[DiffView] = []
        inside = padded(self)
        inside.addWidget(self._title)
        inside.addLayout(self._rows)
        self.hide()

    def show_preview(self, preview: ReviewPreview | None) -> None:
        """What is touched by the proposal; None: nothing is known yet."""
        self._preview = preview
        self.views = []
        empty(self._rows)
        touched = () if preview is None else _touched(preview)
        self.setVisible(bool(touched))
        self._title.setText(self._words.say("Saved memories that it touches"))
        for number, one in enumerate(touched):
            self._add(number, one, preview)

    def retranslate(self) -> None:
        """Say all texts again."""
        self.show_preview(self._preview)

    def wipe(self) -> None:
        """Forget every text."""
        for view in self.views:
            view.wipe()
        self.show_preview(None)

    # ---- inside

    def _add(self, number: int, one: Touched, preview: ReviewPreview | None) -> None:
        words, name = self._words, f"review.beside{number}"
        reason = named(TextLabel(selectable=True), f"{name}.reason")
        reason.setText(say.reason(words, one.alike))
        warns = one.alike is None or one.alike.why is Why.OPPOSITE
        reason.set_tone("warn" if warns else "muted")
        self._rows.addWidget(reason)
        if one.alike is not None and preview is not None:
            filed = named(TextLabel(tone="muted"), f"{name}.key")
            filed.show_foreign(words.say("Saved as {key}", key=self._showing.line(one.key)))
            self._rows.addWidget(filed)
            text = preview.fields.get("text")
            view = DiffView(words, f"{name}.text", lines=5)
            view.show_diff(one.record.text, text if isinstance(text, str) else preview.item.text)
            self._showing.treat(view)
            self.views.append(view)
            self._rows.addWidget(view)
        self._rows.addWidget(self._buttons(name, one))

    def _buttons(self, name: str, one: Touched) -> QWidget:
        words, row = self._words, QWidget()
        flow = FlowLayout(row, spacing=SPACE_S)
        same = one.alike is not None and one.alike.why is Why.SAME
        placed = one.alike is None or bool(one.key)
        apart = one.alike is not None or one.can_be_apart
        ways = [  # what has no key of its own can only be kept beside, or not at all
            ("saved", words.say("Keep the saved one"), self._on_saved),
            ("new", words.say("Keep the new one"), lambda: self.new_kept.emit(one)),
            ("both", words.say("Keep both"), self._on_both),
            ("merge", words.say("Merge by hand"), lambda: self.merge_wanted.emit(one)),
        ]
        for key, text, act in ways:
            if (same and key == "merge") or not (apart if key == "both" else placed):
                continue
            button = named(Button(text), f"{name}.{key}")
            button.clicked.connect(lambda _checked=False, act=act: act())
            flow.addWidget(button)
        return row

    def _on_saved(self) -> None:
        self.saved_kept.emit()

    def _on_both(self) -> None:
        self.both_kept.emit()


def _touched(preview: ReviewPreview) -> tuple[Touched, ...]:
    if preview.item.state is not State.PENDING:
        return ()
    found = []
    text, existing = preview.fields.get("text"), preview.existing
    if existing is not None and text != existing.text:
        apart = bool(say.apart(preview))
        found.append(Touched(existing, str(preview.fields.get("key") or ""), None, apart))
    return (*found, *(Touched(one.record, one.key, one) for one in preview.alike))
