# SPDX-License-Identifier: MIT
"""The way from any page to one record: its view, the list on it; or the editor for a merge."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Record, Ref, State
from memory_gui.services.library.library import Library
from memory_gui.services.locking.drafts import CASE, OWN, Draft
from memory_gui.ui.clashes.request import MergeRequest
from memory_gui.ui.context import Context
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.shell.navigation import Navigation
from memory_gui.ui.shell.panes import Panes
from memory_gui.ui.views import ACTIVITY, MEMORIES, REVIEW, SUMMARIES, TRASH, View
from memory_gui.words.errors import explain

Found = tuple[Record | None, int | None]


class ToRecord(QObject):
    """Asks where the record is now, off the GUI thread. GUI thread."""

    def __init__(
        self, context: Context, panes: Panes, navigation: Navigation, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._panes = panes
        self._asking = Asking(context.bridge)
        self._navigation = navigation

    def show(self, ref: Ref) -> None:
        """Go to a record, wherever it stands."""
        self._asking.anew(
            find, self._context.services.library, ref, done=self._on_found, failed=self._on_failed
        )

    def merge(self, request: MergeRequest) -> None:
        """Edit a record with another one's text beside its own."""
        self._asking.anew(
            find,
            self._context.services.library,
            request.into.ref,
            done=partial(self._on_merge_found, request),
            failed=self._on_failed,
        )

    def take_up(self, draft: Draft, record: Record | None) -> bool:
        """Go on with what was being typed when it locked; what it was for may be gone."""
        if draft.store == OWN:
            page = "case" if CASE in draft.fields else "case_new"
            return self._panes.host.show_page(page, draft)
        if draft.ref is None or draft.ref.kind != "review":
            return self._panes.memories.take_up(draft, record)
        if record is None or record.state is not State.PENDING:
            return self._panes.memories.take_up(replace(draft, ref=None), None)
        self._navigation.choose_view(REVIEW)
        return self._panes.host.show_page("review", draft)

    def history(self, ref: Ref) -> None:
        """What happened to one record, on the page of what happened."""
        self._navigation.choose_view(ACTIVITY)
        self._panes.host.show_page("activity", ref)

    def _on_found(self, found: Found) -> None:
        record, number = found
        panes = self._panes
        if record is None or number is None:
            say = self._context.words.say
            panes.banner.tell("info", say("There is no record to go to any more."))
            return
        if record.kind == "review":
            self._navigation.go("review", record.ref)
            return
        panes.top.clear_search()
        chosen = panes.sidebar.stores
        if chosen and record.ref.store not in chosen:
            panes.sidebar.choose_store(record.ref.store)
        self._navigation.choose_view(view_of(record))
        panes.memories.list.follow(number)

    def _on_merge_found(self, request: MergeRequest, found: Found) -> None:
        record = found[0]
        if record is None:
            self._on_found(found)
            return
        self._navigation.choose_view(view_of(record))
        self._panes.memories.merge(record, request.text, request.tags)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self._panes.banner.tell("warn", explain(self._context.words, error).text)


def view_of(record: Record) -> View:
    """The view that lists a record."""
    if record.state is State.TRASH:
        return TRASH
    return SUMMARIES if record.kind == "summary" else MEMORIES


def find(library: Library, ref: Ref) -> Found:
    """The record as it is now, and its listing id. In a thread of the bridge."""
    return library.record(ref), library.id_of(ref)
