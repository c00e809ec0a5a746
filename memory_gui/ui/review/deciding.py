# SPDX-License-Identifier: MIT
"""Deciding on the proposal on screen: what the keys and buttons of the review page do."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt

from memory_gui.domain.changes import (
    ChangeSet,
    Decision,
    Fields,
    ReviewPreview,
    Target,
    Verdict,
)
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.services import BulkResult
from memory_gui.ui.bridge import Handle
from memory_gui.ui.clashes.request import ClashRequest
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.frame import Frame
from memory_gui.ui.pages.page import Page
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.records.bulk.acts import FOREIGN
from memory_gui.ui.records.bulk.turned import act_phrase, turn_phrase
from memory_gui.ui.review import words as say
from memory_gui.ui.review.bar import DecisionBar
from memory_gui.ui.review.beside import Touched
from memory_gui.ui.review.card import ReviewCard
from memory_gui.ui.review.editor import ReviewEditor
from memory_gui.ui.review.queue import ReviewQueue
from memory_gui.ui.review.several import Several
from memory_gui.ui.review.telling import Telling
from memory_gui.ui.widgets import Button

_OVERTAKEN = frozenset({"record.changed", "review.target_changed"})
"""Somebody wrote in between: what is there now is shown, and the person decides again."""


class DecidingPage(Page):
    """The half of the review page that decides; the other half shows and moves. GUI thread."""

    _queue: ReviewQueue
    _items: Asking
    _deciding: Ref | None
    _wanted: Ref | None
    _store: StoreId | None
    _showing: Showing
    _telling: Telling
    card: ReviewCard
    editor: ReviewEditor
    bar: DecisionBar
    several: Several
    frame: Frame
    evidence: Button
    _asked: Handle | None = None
    """What approving would do is being worked out."""
    _kept: tuple[Ref, ...] = ()
    _previewed: Fields | None = None
    """The corrections that what the card shows was worked out for."""
    _awaited: Fields | None = None
    """Approving these was asked for, and what it would do is still being worked out."""
    _counting: Handle | None = None
    _undoing: Handle | None = None

    @property
    def _shows_decided(self) -> bool:
        raise NotImplementedError

    def _show_current(self) -> None:
        raise NotImplementedError

    def _end_edit(self) -> None:
        raise NotImplementedError

    def _ask_preview(self, ref: Ref, fields: Fields | None = None) -> None:
        raise NotImplementedError

    def _on_approve(self) -> None:
        preview = self.card.preview
        if say.impossible(preview) and not self.editor.isVisible():
            self._telling.impossible()
            return
        if preview is not None and say.insists(preview) and not self.editor.isVisible():
            self._telling.read_first(self._on_approve_despite)
            return
        self._decide(Verdict.APPROVE)

    def _on_approve_despite(self) -> None:
        preview = self.card.preview
        if preview is not None:
            self._decide(Verdict.APPROVE, despite=say.insists(preview))

    def _on_edited(self) -> None:
        """What is odd needs another key here too: nobody sees in an editor what does not show."""
        if not self._shows_what_is_typed():
            return
        preview = self.card.preview
        odd = say.insists(preview) if preview is not None else frozenset()
        if {"text", "key"} & self.editor.fields().keys():
            odd -= {say.CONFLICT}  # a text or place of their own, above what it would replace
        if odd:
            self._telling.read_first(self._on_edited_despite, edited=True)
            return
        self._on_edited_despite()

    def _shows_what_is_typed(self) -> bool:
        """Whether the card tells of the fields as they are; else it is asked, and decides then."""
        item, typed = self._queue.current, self.editor.fields()
        if item is None or self._previewed == typed:
            return True
        self._awaited = typed
        self._ask_preview(item.ref, typed)
        return False

    def _approve_awaited(self, before: ReviewPreview | None) -> None:
        """What was asked for too early: done, unless it would do what nobody has seen yet."""
        awaited, self._awaited = self._awaited, None
        now = self.card.preview
        if awaited is None or now is None or self.editor.isHidden():
            return
        if not self._previewed == self.editor.fields() == awaited:
            return  # letters were typed after it
        if say.replaces_another(before, now):
            self._telling.look_first()
        else:
            self._on_edited()

    def _on_edited_despite(self) -> None:
        if not self._shows_what_is_typed():
            return
        preview = self.card.preview
        despite = say.insists(preview) if preview is not None else frozenset()
        self._decide(Verdict.APPROVE, despite=despite, edited=True)

    def _on_reject(self) -> None:
        self._decide(Verdict.REJECT)

    def _on_skip(self) -> None:
        """No decision: it comes again when all others were seen."""
        if self._deciding is None and self.may_leave() and self._queue.skip():
            self.frame.banner.dismiss()
            self.bar.set_skipped(on=True)
            self._show_current()

    # ---- what decided ones keep of a talk

    def _look_for_evidence(self) -> None:
        """Count it where what is decided is shown."""
        self._kept = ()
        self._say_evidence()
        if self._counting is not None:
            self._counting.cancel()  # of another store, or of what was there before
        if self._shows_decided:
            self._counting = self.bridge.call(
                self.services.review.with_evidence,
                self._store,
                done=self._on_evidence_found,
                failed=self._on_no_evidence,
            )

    def _on_evidence_found(self, refs: tuple[Ref, ...]) -> None:
        self._kept = refs if self._shows_decided else ()
        self._say_evidence()

    def _on_no_evidence(self, _error: UserError | IntegrityError) -> None:
        """The list itself tells what is wrong with the store."""

    def _say_evidence(self) -> None:
        number = len(self._kept)
        self.evidence.setText(
            self.words.many(
                "Erase {n} with its evidence…", "Erase {n} with their evidence…", number
            )
        )
        self.evidence.setVisible(number > 0)

    def _on_evidence(self) -> None:
        """The agent's by the page that erases; those of our own file leave it at once."""
        self._erase_evidence(self._kept)

    def _erase_evidence(self, refs: tuple[Ref, ...]) -> None:
        theirs = tuple(ref for ref in refs if ref.kind == "review")
        own = [ref for ref in refs if ref.kind != "review"]
        if own:
            self.bridge.call(
                self.services.review.proposals.remove,
                own,
                done=self._on_own_removed,
                failed=self._on_not_undone,
                in_turn=True,
                asked=partial(act_phrase, self.words, "remove", len(own)),
            )
        if theirs:
            self.go.emit("erase", theirs)

    def _on_own_removed(self, gone: int) -> None:
        self._telling.removed(gone)
        self.refresh()

    def _on_rules(self) -> None:
        item = self._queue.current
        self.go.emit("rules", None if item is None else item.ref.store)

    def _on_reopen(self) -> None:
        self._decide(Verdict.REOPEN)

    # ---- several at once

    def _on_many(self, on: bool) -> None:
        self.several.setVisible(on)
        if on:
            self.several.look()
            self.several.query.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_several_done(self, result: BulkResult) -> None:
        """Each that failed is listed once, with its cause."""
        for ref, error in result.failed:
            self._queue.failed(ref, say.in_words(self.words, error))
        self.bar.look()
        self.refresh()
        if self.several.isVisible():  # its buttons were off while it went on, and lost the focus
            self.several.query.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit(result.changes)

    # ---- one of two that speak of the same

    def _on_saved_kept(self) -> None:
        self._decide(Verdict.REJECT)

    def _on_both_kept(self) -> None:
        preview = self.card.preview
        if preview is None:
            return
        fields = {} if preview.existing is None else say.apart(preview)
        self._decide(Verdict.APPROVE, despite=frozenset({say.CONFLICT}), fields=fields)

    def _on_new_kept(self, touched: Touched) -> None:
        """It takes the place of the saved one, under that one's key."""
        preview = self.card.preview
        if preview is None:
            return
        same = preview.existing is not None and touched.record.ref == preview.existing.ref
        fields = {} if same else {"key": touched.key, "scope": touched.record.scope or ""}
        self._decide(
            Verdict.APPROVE,
            despite=frozenset({say.CONFLICT}),
            fields=fields,
            replaces=touched.record.etag,
        )

    def _decide(
        self,
        verdict: Verdict,
        *,
        despite: frozenset[str] = frozenset(),
        edited: bool = False,
        fields: Fields | None = None,
        replaces: str | None = None,
    ) -> None:
        item, preview = self._queue.current, self.card.preview
        if item is None or self._deciding is not None or self.editor.isVisible() is not edited:
            return
        if verdict is Verdict.APPROVE:
            if preview is None:
                return  # nobody approves what has not been shown
            if fields is not None and say.insists(preview) - despite:
                self._telling.read_first(partial(self._insist, fields, replaces))
                return
            if preview.existing is not None and not {"key", "title"} & (fields or {}).keys():
                replaces = preview.existing.etag
        self.frame.banner.dismiss()
        self._deciding = item.ref
        given = self.editor.fields() if edited else fields or {}
        decision = Decision(Target(item.ref, item.etag), verdict, given, despite, replaces)
        self.bridge.call(
            self.services.review.decide,
            decision,
            done=partial(self._on_decided, verdict, item),
            failed=partial(self._on_not_decided, item.ref),
            broke=partial(self._on_broke, item.ref),
            in_turn=True,
            asked=partial(act_phrase, self.words, verdict.value, 1),
        )

    def _insist(self, fields: Fields, replaces: str | None) -> None:
        preview = self.card.preview
        if preview is not None:
            despite = say.insists(preview) | {say.CONFLICT}
            self._decide(Verdict.APPROVE, despite=despite, fields=fields, replaces=replaces)

    def _on_decided(self, verdict: Verdict, item: Record, result: BulkResult) -> None:
        ref = item.ref
        if ref != self._deciding:  # locked, or everything closed, meanwhile
            return
        self._deciding = None
        self._end_edit()
        self.bar.set_skipped(on=False)
        self._queue.decided(ref)
        self.bar.look()
        self._show_current()
        self._telling.decided(
            self._showing.line(item.title),
            self._on_undo,
            partial(self._erase_evidence, (ref,)) if self._leaves_evidence(item) else None,
            verdict=verdict,
            remembered=result.remembered,
        )
        if self._items.busy:  # asked before it, and would show it once more
            self.refresh()
        self.changed.emit(result.changes)

    def _leaves_evidence(self, item: Record) -> bool:
        """Whether the decided item keeps words of the talk that it came from."""
        return bool(item.extra.get(say.EVIDENCE))

    def _on_not_decided(self, ref: Ref, error: UserError | IntegrityError) -> None:
        if ref != self._deciding:
            return
        self._deciding = None
        if isinstance(error, IntegrityError):
            self.frame.show_error(self.words, error)
        elif error.code == FOREIGN:
            self._telling.foreign(error, partial(self.go.emit, "protect", ref.store))
        elif error.code in _OVERTAKEN:
            self._telling.overtaken(error)
            self.refresh()
        elif self.editor.isVisible():
            self.editor.show_problem(say.in_words(self.words, error))
        else:
            self._queue.failed(ref, say.in_words(self.words, error))
            self.refresh()

    def _on_broke(self, ref: Ref) -> None:
        """The window tells of the bug; the item can be decided again."""
        if ref == self._deciding:
            self._deciding = None

    def _on_undo(self) -> None:
        if self._undoing is not None and not self._undoing.finished:
            return  # pressed twice: the second one would take back what was done before
        if self._deciding is None and not self.editor.isVisible():
            if self.bar.skipped:
                self.bar.set_skipped(on=self._queue.unskip() and self._queue.has_skipped)
                self.frame.banner.dismiss()
                self._show_current()
                return
            self._undoing = self.bridge.call(
                self.services.editing.undo,
                done=self._on_undone,
                failed=self._on_not_undone,
                in_turn=True,
                asked=partial(turn_phrase, self.words, "undo"),
            )

    def _on_undone(self, changes: ChangeSet) -> None:
        self._wanted = next((ref for ref in changes.refs if ref.kind == "review"), None)
        self.frame.banner.dismiss()
        self.refresh()
        self.changed.emit(changes)

    def _on_not_undone(self, error: UserError | IntegrityError) -> None:
        if error.code == "undo.clash":
            self.go.emit("clash", ClashRequest("undo"))
            return
        self.frame.say_error(self.words, error)
