# SPDX-License-Identifier: MIT
"""Editing in place: the form, what will be saved, a taken key, and another writer's version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.domain.changes import KeyHolder
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.phrases import SCOPES, TYPES, phrase
from memory_gui.ui.records.editing.able import able_of
from memory_gui.ui.records.editing.changes import ChangesView
from memory_gui.ui.records.editing.draft import Draft, both, draft_from, draft_of, empty
from memory_gui.ui.records.editing.form import KEY_LIMIT, EditorForm
from memory_gui.ui.records.editing.taken import KeyTaken
from memory_gui.ui.tokens import SPACE_L, SPACE_M, SPACE_S
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import Banner, Button, Caption, PrimaryButton, Rule, TitleLabel
from memory_gui.ui.widgets.scrolled import Inside, Scrolled
from memory_gui.words import Words, formats

__all__ = ["Draft", "Editor", "draft_of"]

_CLASSIFY_MS: Final = 200
_SAVES: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_S)
"""With Ctrl held down."""


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
        self._kind: Kind | None = None
        self._base = empty()
        """What the record was when typing began: with it two changes can be brought together."""
        self._start = self._base
        self._key = ""
        self._busy = False
        self._escaped = False
        self._asked: Callable[[], object] | None = None
        """Says again, at the question, that it has to be answered first; None: none is open."""
        self._focus: QWidget | None = None
        self._heading = named(TitleLabel(wrap=False), "editor.heading")
        self.banner = named(Banner(), "editor.banner")
        self._theirs = ChangesView(words, "editor.theirs")
        self._form = EditorForm(words)
        self._preview = named(Caption(), "editor.preview")
        self.taken = named(KeyTaken(words), "editor.taken")
        self._changes = ChangesView(words, "editor.changes")
        self._save = named(PrimaryButton("", Icon.CHECK), "editor.save")
        self._cancel = named(Button(), "editor.cancel")
        self._scroll = named(Scrolled(), "editor.scroll")
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_CLASSIFY_MS)
        self._arrange()
        self._connect()
        self.retranslate()

    # ---- what the page does

    @property
    def record(self) -> Record | None:
        """The record that is edited; None for a new one."""
        return self._record

    def begin(
        self,
        record: Record | None,
        scopes: tuple[str, ...],
        scope: str = "",
        kind: Kind | None = None,
    ) -> None:
        """Edit a record, or (None) write a new one that begins in a scope; of a kind."""
        self._record = record
        self._kind = kind
        self._key = ""
        self._base = draft_of(record, kind) if record else empty(kind, scope=scope)
        for part in (self._form, self._changes, self._theirs):
            part.suit(kind or able_of(None, "memory").kind)
        self._form.begin(self._base, scopes, new=record is None)
        self._start = self.draft()
        self.banner.dismiss()
        self._preview.clear()
        self._theirs.wipe()
        self._changes.wipe()
        self.taken.show_holder(None)
        self.set_busy(busy=False)
        self.retranslate()
        self._form.focus_first(new=record is None)
        if record is None:
            self._on_any_changed()

    def set_format(self, name: str) -> None:
        """Of which format the store is."""
        self._form.reach.set_format(name)

    def draft(self) -> Draft:
        """What stands in the fields now."""
        draft = self._form.draft()
        if not self._key:
            return draft
        return replace(draft, key=self._key)

    def restore_draft(self, fields: Mapping[str, str | tuple[str, ...]]) -> None:
        """Show what was being typed, after ``begin``; as ``draft().fields()`` gave it."""
        self.put(draft_from(dict(fields), self._kind))

    def put(self, draft: Draft) -> None:
        """Other values, as if they had been typed."""
        self._key = draft.key
        self._form.replace(draft)
        self._on_any_changed()

    @property
    def dirty(self) -> bool:
        """Whether anything would be lost."""
        return self.draft() != self._start

    def rebase(self, record: Record) -> None:
        """Keep what was typed, on top of the record as it is now."""
        self._record = record
        self._base = draft_of(record, self._kind)
        self._theirs.wipe()
        self._answered()
        self._show_changes()

    def merge_with(self, theirs: Record) -> bool:
        """What both changed, on top of theirs; False when both wordings stand side by side."""
        draft, clean = both(self._base, draft_of(theirs, self._kind), self.draft())
        self.rebase(theirs)
        self.put(draft)
        return clean

    def show_theirs(self, theirs: Record) -> None:
        """What another program has made of the record since."""
        heading = self._words.say("What the other program changed")
        self._theirs.show_changes(heading, self._base, draft_of(theirs, self._kind))

    def ask(self, text: str, before_saving: str, *ways: tuple[str, Callable[[], object]]) -> None:
        """A question that is to be answered before anything can be saved.

        ``before_saving`` is said in its place to a person who wants to save without an answer.
        """
        self.banner.tell("warn", text, *ways)
        self._asked = partial(self.banner.tell, "warn", before_saving, *ways)
        self._show_save()
        self._show_question()

    def set_busy(self, *, busy: bool) -> None:
        """While it is being saved nothing can be typed; then the keyboard is where it was."""
        focus = QApplication.focusWidget()
        if busy and focus is not None and self._form.isAncestorOf(focus):
            self._focus = focus
        self._busy = busy
        self._form.enable(enabled=not busy)
        self._show_save()
        if not busy and self._focus is not None:
            self._focus.setFocus(Qt.FocusReason.OtherFocusReason)
            self._focus = None

    def show_preview(
        self, fields: Mapping[str, str | tuple[str, ...]], own_scope: str = ""
    ) -> None:
        """How the agent would file it; ``own_scope`` is where it would by its own rule."""
        say, key = self._words.say, str(fields.get("key", ""))
        shown = one_line(key, KEY_LIMIT)
        type_ = phrase(self._words, TYPES, str(fields.get("type", "")))
        if not key:
            text = say(
                "The agent’s name for it is made of a–z and 0–9: give the title one such letter."
            )
        elif len(key) >= KEY_LIMIT:
            text = say("The agent files it as {key} ({type}), cut at {n} characters.",
                       key=shown, type=type_, n=KEY_LIMIT)  # fmt: skip
        else:
            text = say("The agent files it as {key} ({type}).", key=shown, type=type_)
        if own_scope and own_scope != fields.get("scope"):
            where = phrase(self._words, SCOPES, own_scope)
            note = say("By itself it would choose: {scope}.", scope=where)
            text = say("{what} {note}", what=text, note=note)
        self._preview.setText(text)

    def show_key_holder(self, holder: KeyHolder | None) -> None:
        """Which other memory has that key; None when it is free."""
        self.taken.show_holder(holder)
        self._show_save()

    def hide_texts(self, instead: str) -> None:
        """Bars in place of what is shown beside the fields."""
        self._changes.hide_texts(instead)
        self._theirs.hide_texts(instead)

    def clear(self) -> None:
        """Forget every text."""
        self._record = None
        self._key = ""
        self._focus = None
        self._soon.stop()
        self._form.clear()
        self._soon.stop()
        self._preview.clear()
        self._changes.wipe()
        self._theirs.wipe()
        self.taken.show_holder(None)
        self.banner.dismiss()
        self._base = empty(self._kind)
        self._start = self.draft()

    def retranslate(self) -> None:
        """Say all texts again; what was typed stays."""
        say = self._words.say
        self._heading.setText(self._say_heading())
        self._save.setText(say("Save"))
        self._save.setToolTip(say("Save (Ctrl+S or Ctrl+Return)"))
        self._cancel.setText(say("Cancel"))
        self.banner.set_close_name(say("Close this message"))
        self._form.retranslate()
        self.taken.retranslate()
        self._changes.retranslate(say("What will be saved"))
        self._theirs.retranslate(say("What the other program changed"))
        self._show_save()

    def _say_heading(self) -> str:
        say, kind = self._words.say, self._kind
        if kind is None or kind.name == "memory":
            return say("Edit memory") if self._record else say("New memory")
        name = formats.one(self._words, kind.name)
        return say("Edit: {kind}", kind=name) if self._record else say("New: {kind}", kind=name)

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
        if ctrl and event.key() in _SAVES and self._asked is not None:
            self._asked()
            self._show_question()
        elif ctrl and event.key() in _SAVES:
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
            self._answered()  # saving would ask it again
            say = self._words.say
            self.banner.tell("info", say("Press Esc once more to discard what you typed."))
        else:
            self.cancelled.emit()

    def _show_save(self) -> None:
        free = self.taken.holder is None
        ready = self._asked is None and not self._busy
        self._save.setEnabled(self._form.fits and free and ready)

    def tell_fault(self, text: str) -> None:
        """What is wrong with the text as it stands."""
        self._form.tell_fault(text)

    def _show_question(self) -> None:
        """It stands at the top. The keyboard stays in the field, where a letter chooses nothing."""
        self._scroll.verticalScrollBar().setValue(0)

    def _answered(self) -> None:
        self._asked = None
        self._show_save()

    def _show_changes(self) -> None:
        if self._record is not None:
            heading = self._words.say("What will be saved")
            before = draft_of(self._record, self._kind)
            self._changes.show_changes(heading, before, self.draft())

    def _on_any_changed(self) -> None:
        self._escaped = False
        self._show_save()
        self._soon.start()

    def _on_title_edited(self) -> None:
        self._key = ""  # another title, another key

    def _on_soon_timeout(self) -> None:
        draft = self.draft()
        self._show_changes()
        if draft.title.strip() or "title" not in draft.names:
            self.classify_wanted.emit(draft)
        else:
            self._preview.clear()
            self.show_key_holder(None)

    def _on_other_key_wanted(self, key: str) -> None:
        self._key = key
        self.show_key_holder(None)
        self.classify_wanted.emit(self.draft())
        self._form.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_save_clicked(self) -> None:
        self.save_wanted.emit(self.draft())

    def _connect(self) -> None:
        self._soon.timeout.connect(self._on_soon_timeout)
        self._form.changed.connect(self._on_any_changed)
        self._form.title.textEdited.connect(self._on_title_edited)
        self._save.clicked.connect(self._on_save_clicked)
        self._cancel.clicked.connect(self.cancelled)
        self.banner.dismissed.connect(self._answered)
        self.taken.other_key_wanted.connect(self._on_other_key_wanted)
        for field in (self._form.title, self._form.text, self._form.tags):
            field.installEventFilter(self)

    def _arrange(self) -> None:
        self._form.below_title.addWidget(self._preview)
        self._form.below_title.addWidget(self.taken)
        inside = Inside()
        column = QVBoxLayout(inside)
        column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_S)
        for widget in (self._heading, self.banner, self._theirs):
            column.addWidget(widget)
        column.addWidget(self._form, 1)
        column.addWidget(self._changes)
        self._scroll.carry(inside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(Rule())
        layout.addLayout(self._make_bar())

    def _make_bar(self) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        bar.setSpacing(SPACE_S)
        bar.addStretch(1)
        bar.addWidget(self._cancel)
        bar.addWidget(self._save)
        return bar
