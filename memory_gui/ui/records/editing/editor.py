# SPDX-License-Identifier: MIT
"""Editing in place: the detail pane's fields, limits while typing, theirs or mine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from memory_gui.domain.records import Record
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.phrases import SCOPES, TYPES, phrase
from memory_gui.ui.tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import (
    Banner,
    Button,
    Caption,
    Choice,
    PrimaryButton,
    Rule,
    TextLabel,
    TitleLabel,
)
from memory_gui.words import Words

TITLE_LIMIT: Final = 120
TEXT_LIMIT: Final = 4_000
_CLASSIFY_MS: Final = 200
_SAVES: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_S)
"""With Ctrl held down."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in the editor."""

    title: str
    text: str
    tags: tuple[str, ...]
    scope: str
    type: str

    def fields(self) -> dict[str, str | tuple[str, ...]]:
        """As the services take them."""
        return {
            "title": self.title,
            "text": self.text,
            "tags": self.tags,
            "scope": self.scope,
            "type": self.type,
        }

    def changes(self, record: Record) -> dict[str, str | tuple[str, ...]]:
        """Only what differs from the record."""
        before = draft_of(record).fields()
        return {name: value for name, value in self.fields().items() if value != before[name]}


def draft_of(record: Record) -> Draft:
    """A record as the editor begins with it."""
    return Draft(record.title, record.text, record.tags, record.scope or "", record.type or "")


class Editor(QWidget):
    """The form. It neither saves nor reads: the page does, through the bridge."""

    save_wanted = Signal(object)
    """A Draft."""
    cancelled = Signal()
    classify_wanted = Signal(object)
    """A Draft, a little after typing stopped."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._record: Record | None = None
        self._scopes: tuple[str, ...] = ()
        self._busy = False
        self._escaped = False
        self._start = Draft("", "", (), "", "")
        self._heading = named(TitleLabel(wrap=False), "editor.heading")
        self.banner = named(Banner(), "editor.banner")
        self._title = named(QLineEdit(), "editor.title")
        self._text = named(QPlainTextEdit(), "editor.text")
        self._tags = named(QLineEdit(), "editor.tags")
        self._scope = named(Choice(), "editor.scope")
        self._type = named(Choice(), "editor.type")
        self._labels = {
            name: TextLabel(wrap=False) for name in ("title", "text", "tags", "scope", "type")
        }
        self._title_count = named(Caption(wrap=False), "editor.title.count")
        self._text_count = named(Caption(wrap=False), "editor.text.count")
        self._preview = named(Caption(), "editor.preview")
        self._save = named(PrimaryButton("", Icon.CHECK), "editor.save")
        self._cancel = named(Button(), "editor.cancel")
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_CLASSIFY_MS)
        self._soon.timeout.connect(self._on_soon_timeout)
        self._arrange()
        self._connect()
        self.retranslate()

    # ---- what the page does

    @property
    def record(self) -> Record | None:
        """The record that is edited; None for a new one."""
        return self._record

    def begin(self, record: Record | None, scopes: tuple[str, ...], scope: str = "") -> None:
        """Edit a record, or (None) write a new one that begins in a scope."""
        self._record = record
        self._scopes = scopes
        draft = draft_of(record) if record else Draft("", "", (), scope, "")
        self._fill_choices(draft)
        self._put(draft)
        self._start = self.draft()
        self.banner.dismiss()
        self._preview.clear()
        self.set_busy(busy=False)
        self.retranslate()
        self._title.setFocus(Qt.FocusReason.OtherFocusReason)
        if record is None:
            self._on_any_changed()

    def draft(self) -> Draft:
        """What stands in the fields now."""
        tags = self._tags.text().replace("，", ",").replace("、", ",").split(",")
        return Draft(
            self._title.text(),
            self._text.toPlainText(),
            tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip())),
            str(self._scope.currentData() or ""),
            str(self._type.currentData() or ""),
        )

    @property
    def dirty(self) -> bool:
        """Whether anything would be lost."""
        return self.draft() != self._start

    def rebase(self, record: Record) -> None:
        """Keep what was typed, on top of the record as it is now."""
        self._record = record

    def set_busy(self, *, busy: bool) -> None:
        """While it is being saved nothing can be typed."""
        self._busy = busy
        for field in (self._title, self._text, self._tags, self._scope, self._type):
            field.setEnabled(not busy)
        self._check_limits()

    def show_preview(self, fields: Mapping[str, str | tuple[str, ...]]) -> None:
        """How the agent would file it."""
        key = one_line(str(fields.get("key", "")), 80)
        type_ = phrase(self._words, TYPES, str(fields.get("type", "")))
        if not key:
            text = self._words.say(
                "The agent’s name for it is made of a–z and 0–9: give the title one such letter."
            )
        else:
            text = self._words.say("The agent files it as {key} ({type}).", key=key, type=type_)
        self._preview.setText(text)

    def clear(self) -> None:
        """Forget every text."""
        self._record = None
        self._soon.stop()
        for line in (self._title, self._tags):
            line.setText("")  # unlike clear(), this leaves nothing to undo
        self._text.clear()
        self._text.document().clearUndoRedoStacks()
        self._preview.clear()
        self.banner.dismiss()
        self._start = self.draft()

    def retranslate(self) -> None:
        """Say all texts again; what was typed stays."""
        say = self._words.say
        self._heading.setText(say("Edit memory") if self._record else say("New memory"))
        texts = {
            "title": say("Title"),
            "text": say("Text"),
            "tags": say("Tags"),
            "scope": say("Applies to"),
            "type": say("Type"),
        }
        for name, text in texts.items():
            self._labels[name].setText(text)
        self._tags.setPlaceholderText(say("Separated by commas"))
        self._save.setText(say("Save"))
        self._save.setToolTip(say("Save (Ctrl+S or Ctrl+Return)"))
        self._cancel.setText(say("Cancel"))
        self.banner.set_close_name(say("Close this message"))
        for box, table in ((self._scope, SCOPES), (self._type, TYPES)):
            for row in range(box.count()):
                value = str(box.itemData(row) or "")
                box.setItemText(row, phrase(self._words, table, value) or say("the agent decides"))
        self._check_limits()

    # ---- inside

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._on_key(event):
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._on_key(event)
        return super().eventFilter(watched, event)

    def _on_key(self, event: QKeyEvent) -> bool:
        ctrl = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if ctrl and event.key() in _SAVES:
            self._save.click()
        elif event.key() == Qt.Key.Key_Escape:
            self._on_escape()
        else:
            return False
        return True

    def _on_escape(self) -> None:
        """Once is a slip of the finger, twice is meant."""
        if self.dirty and not self._escaped:
            self._escaped = True
            say = self._words.say
            self.banner.tell("info", say("Press Esc once more to discard what you typed."))
        else:
            self.cancelled.emit()

    def _fill_choices(self, draft: Draft) -> None:
        self._scope.clear()
        for scope in dict.fromkeys((*self._scopes, *((draft.scope,) if draft.scope else ()))):
            self._scope.addItem(phrase(self._words, SCOPES, scope), scope)
        self._type.clear()
        choices = dict.fromkeys((draft.type, *TYPES)) if self._record else ("", *TYPES)
        for type_ in choices:
            self._type.addItem("", type_)

    def _put(self, draft: Draft) -> None:
        self._title.setText(draft.title)
        self._text.setPlainText(draft.text)
        self._tags.setText(", ".join(draft.tags))
        self._scope.setCurrentIndex(max(0, self._scope.findData(draft.scope)))
        self._type.setCurrentIndex(max(0, self._type.findData(draft.type)))

    def _check_limits(self) -> None:
        say = self._words.say
        title, text = len(self._title.text()), len(self._text.toPlainText().strip())
        self._title_count.setText(say("{n} of {limit}", n=title, limit=TITLE_LIMIT))
        self._text_count.setText(say("{n} of {limit}", n=text, limit=TEXT_LIMIT))
        self._title_count.set_tone("warn" if title > TITLE_LIMIT else "muted")
        self._text_count.set_tone("warn" if text > TEXT_LIMIT else "muted")
        fits = 0 < title <= TITLE_LIMIT and 0 < text <= TEXT_LIMIT
        self._save.setEnabled(fits and not self._busy)

    def _on_any_changed(self) -> None:
        self._escaped = False
        self._check_limits()
        self._soon.start()

    def _on_soon_timeout(self) -> None:
        draft = self.draft()
        if draft.title.strip():
            self.classify_wanted.emit(draft)
        else:
            self._preview.clear()

    def _on_save_clicked(self) -> None:
        self.save_wanted.emit(self.draft())

    def _connect(self) -> None:
        self._title.textChanged.connect(self._on_any_changed)
        self._text.textChanged.connect(self._on_any_changed)
        self._tags.textChanged.connect(self._on_any_changed)
        self._scope.currentIndexChanged.connect(self._on_any_changed)
        self._type.currentIndexChanged.connect(self._on_any_changed)
        self._save.clicked.connect(self._on_save_clicked)
        self._cancel.clicked.connect(self.cancelled)
        for field in (self._title, self._text, self._tags):
            field.installEventFilter(self)

    def _arrange(self) -> None:
        self._text.setTabChangesFocus(True)
        self._text.setMinimumHeight(120)
        for name, field in self._fields().items():
            self._labels[name].setBuddy(field)
        column = QVBoxLayout()
        column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_XS)
        column.addWidget(self._heading)
        column.addSpacing(SPACE_S)
        column.addWidget(self.banner)
        self._add(column, "title", self._title_count, below=self._preview)
        self._add(column, "text", self._text_count, stretch=1)
        self._add(column, "tags")
        column.addLayout(self._make_pair())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(column, 1)
        layout.addWidget(Rule())
        layout.addLayout(self._make_bar())

    def _fields(self) -> dict[str, QWidget]:
        return {
            "title": self._title,
            "text": self._text,
            "tags": self._tags,
            "scope": self._scope,
            "type": self._type,
        }

    def _add(
        self,
        column: QVBoxLayout,
        name: str,
        count: QWidget | None = None,
        stretch: int = 0,
        below: QWidget | None = None,
    ) -> None:
        row = QHBoxLayout()
        row.addWidget(self._labels[name])
        row.addStretch(1)
        if count is not None:
            row.addWidget(count)
        column.addLayout(row)
        column.addWidget(self._fields()[name], stretch)
        if below is not None:
            column.addWidget(below)
        column.addSpacing(SPACE_S)

    def _make_pair(self) -> QHBoxLayout:
        pair = QHBoxLayout()
        pair.setSpacing(SPACE_M)
        for name in ("scope", "type"):
            column = QVBoxLayout()
            column.setSpacing(SPACE_XS)
            self._add(column, name)
            pair.addLayout(column, 1)
        return pair

    def _make_bar(self) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        bar.setSpacing(SPACE_S)
        bar.addStretch(1)
        bar.addWidget(self._cancel)
        bar.addWidget(self._save)
        return bar

    def ask_theirs_or_mine(self, theirs: Callable[[], object], mine: Callable[[], object]) -> None:
        """Another program was first: nothing was written; a person decides."""
        say = self._words.say
        self.banner.tell(
            "warn",
            say("Another program changed this memory since you began. Nothing is lost yet."),
            (say("Take theirs"), theirs),
            (say("Keep mine"), mine),
        )
