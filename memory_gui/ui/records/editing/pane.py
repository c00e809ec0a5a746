# SPDX-License-Identifier: MIT
"""The right pane: one record, read or edited."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record
from memory_gui.services import OpenedStore
from memory_gui.services.locking.drafts import Draft as KeptDraft
from memory_gui.ui.activity.history import HistoryView
from memory_gui.ui.agent.sight import SightLine
from memory_gui.ui.context import Context
from memory_gui.ui.graph.button import RelationsButton
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.privacy.hiding import hidden_words
from memory_gui.ui.records.editing.detail import DetailView
from memory_gui.ui.records.editing.editor import Editor
from memory_gui.ui.records.editing.held import HeldLine
from memory_gui.ui.records.editing.session import EditSession
from memory_gui.ui.widgets import EmptyState


class RecordPane(QStackedWidget):
    """The detail, or the editor while a session is on. GUI thread."""

    saved = Signal(object)
    """A ChangeSet."""
    ended = Signal()
    """An edit is over; the detail is shown again."""
    foreign_wanted = Signal()
    history_wanted = Signal(object)
    """The Ref of a record."""

    def __init__(
        self,
        context: Context,
        parent: QWidget | None = None,
        *,
        detail: DetailView | None = None,
        editor: Editor | None = None,
    ) -> None:
        """``detail`` and ``editor`` where they are made already: one at a time is quick enough."""
        super().__init__(parent)
        self._words = context.words
        self._hiding = context.privacy.hiding
        self.detail = named(detail or DetailView(context.words, privacy=context.privacy), "detail")
        self.editor = named(editor or Editor(context.words), "editor")
        self.history = named(HistoryView(context), "detail.history")
        self.sight = named(SightLine(context), "detail.sight.line")
        self.relations = named(
            RelationsButton(context.words, self.detail.has_relations), "detail.relations"
        )
        self.held = named(HeldLine(context), "detail.held.line")
        self.held.forbidden.connect(self.detail.forbid)
        for below in (self.held, self.relations, self.sight, self.history):
            self.detail.place_below(below)
            self.detail.shown.connect(below.show_for)
        self.history.all_wanted.connect(self.history_wanted)
        self._cover = named(EmptyState(Icon.HIDDEN), "editor.hidden")
        self._session = EditSession(context, self.editor, self)
        for widget in (self.detail, self.editor, self._cover):
            self.addWidget(widget)
        self._session.saved.connect(self.saved)
        self._session.ended.connect(self._on_session_ended)
        self._session.foreign_wanted.connect(self.foreign_wanted)
        self._hiding.changed.connect(self._on_hiding_changed)
        self._cover.acted.connect(self._on_cover_acted)
        self._say_cover()

    @property
    def editing(self) -> bool:
        """Whether something is being edited or written."""
        return self._session.active

    def edit(self, record: Record, opened: tuple[OpenedStore, ...]) -> None:
        """Edit a record."""
        self._session.begin(record, opened)
        self._show_editor()

    def write_new(
        self, store: OpenedStore, opened: tuple[OpenedStore, ...], kind: Kind | None = None
    ) -> None:
        """Write a new record of a kind; without one, of the first that can be written."""
        self._session.begin_new(store, opened, kind)
        self._show_editor()

    def merge(
        self, into: Record, text: str, tags: tuple[str, ...], opened: tuple[OpenedStore, ...]
    ) -> None:
        """Edit a record with another one's text below its own."""
        self._session.begin_merge(into, text, tags, opened)
        self._show_editor()

    def typed(self) -> KeptDraft | None:
        """What would be lost now, for a lock to seal; None when nothing was typed."""
        return self._session.typed()

    def take_up(
        self, draft: KeptDraft, record: Record | None, opened: tuple[OpenedStore, ...]
    ) -> bool:
        """Go on with what was being typed; False when its store is not open."""
        if not self._session.take_up(draft, record, opened):
            return False
        self._show_editor()
        return True

    def stores_changed(self) -> None:
        """Another program wrote."""
        self._session.stores_changed()

    def leave_for(self, record: Record | None) -> None:
        """A person chose another record: an edit in which nothing was typed is over."""
        edited = self.editor.record
        unchanged = self.editing and edited is not None and not self.editor.dirty
        if unchanged and edited is not None and record is not None and record.ref != edited.ref:
            self._session.end()

    def may_leave(self) -> bool:
        """Whether nothing typed would be lost; then the edit is over."""
        if self.editing and self.editor.dirty:
            say = self._words.say
            self.editor.banner.tell(
                "info",
                say("Save or cancel what you typed first."),
                (say("Discard it"), self._session.end),
            )
            return False
        self._session.end()
        return True

    def clear(self) -> None:
        """Forget every text."""
        self._session.end()
        self.detail.show_record(None)
        self.held.clear()
        self.sight.clear()
        self.relations.clear()
        self.history.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        self.detail.retranslate()
        self.editor.retranslate()
        self.held.retranslate()
        self.sight.retranslate()
        self.relations.retranslate()
        self.history.retranslate()
        self._say_cover()

    def _show_editor(self) -> None:
        self.setCurrentWidget(self._cover if self._hiding.hidden else self.editor)

    def _say_cover(self) -> None:
        say = self._words.say
        self._cover.say(
            hidden_words(self._words), say("What you typed is kept."), say("Show texts")
        )

    def _on_session_ended(self) -> None:
        self.setCurrentWidget(self.detail)
        self.ended.emit()

    def _on_hiding_changed(self, hidden: bool) -> None:
        self.editor.hide_texts(hidden_words(self._words) if hidden else "")
        if self.editing:
            self._show_editor()

    def _on_cover_acted(self) -> None:
        self._hiding.set_hidden(hidden=False)
