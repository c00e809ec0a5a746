# SPDX-License-Identifier: MIT
"""Review: one proposal at a time, decided by one key."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Ref, State, StoreId
from memory_gui.services.locking.drafts import Draft
from memory_gui.services.reviewing.review import Queued
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.frame import Frame
from memory_gui.ui.phrases import SCOPES, TYPES
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.records.bulk.stopped import TakeUp
from memory_gui.ui.review import words as say
from memory_gui.ui.review.bar import DecisionBar
from memory_gui.ui.review.beside import Touched
from memory_gui.ui.review.card import ReviewCard
from memory_gui.ui.review.editor import ReviewEditor
from memory_gui.ui.review.failures import FailureList
from memory_gui.ui.review.many import ManyActs
from memory_gui.ui.review.previewing import PreviewingPage
from memory_gui.ui.review.queue import ReviewQueue
from memory_gui.ui.review.several import Several
from memory_gui.ui.review.telling import Telling
from memory_gui.ui.widgets import Button, Choice, IconButton, QuietButton, TextLabel

_AGAIN_MS = 250
"""While a store is being read its queue is looked at so often."""
_WAITING = "waiting"
_DECIDED = "decided"


class ReviewPage(PreviewingPage):
    """The queue of what agents propose; nothing is decided without a key or a button."""

    icon_name = Icon.REVIEW

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "review")
        self._queue = ReviewQueue()
        self._items = Asking(self.bridge)
        self._deciding: Ref | None = None
        self._wanted: Ref | None = None
        self._resumed: Draft | None = None
        self._chosen: StoreId | None = None
        self._store: StoreId | None = None
        """Of which store the queue is; while something is typed it stays that of what is shown."""
        self._loaded = self._comes = False
        self.frame = Frame("review", width=0, parent=self)
        place = self.frame.content.parentWidget()  # made there at once: to move a tree takes long
        self._showing = Showing(self.words, context.privacy)
        self.card = ReviewCard(self.words, place, privacy=context.privacy)
        self.editor = ReviewEditor(self.words, place)
        self.bar = DecisionBar(context, self)
        self._telling = Telling(self.words, self.frame.banner)
        self._showing.when_changed(self.frame.banner.dismiss_passing)
        self._showing.when_changed(self._hide_typed)
        self.failures = FailureList(self.words, "review.failures", showing=self._showing)
        self.several = Several(self.words, self._showing, place)
        self.bar.leave_letters_to(self.several)
        self._many = ManyActs(context, self.several, self.frame, self)
        self._build()
        self._connect()
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        if isinstance(argument, TakeUp) and self._many.take_up(argument):
            self.many.setChecked(True)
        self._resumed = argument if isinstance(argument, Draft) else None
        wanted = self._resumed.ref if self._resumed is not None else argument
        self._wanted = wanted if isinstance(wanted, Ref) else None
        self.refresh()
        self._comes = not self._loaded  # what is not shown yet takes no keyboard
        self.card.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def choose_store(self, store: StoreId | None) -> None:
        if store != self._many.store and not self._many.busy:
            self.many.setChecked(False)
            self._many.forget_look()
        self._chosen = self._many.store = store
        if self._loaded and not self.isHidden() and self.may_leave():
            self.many.setChecked(False)
            self.frame.banner.dismiss()  # what it tells is of an item of another store
            self.refresh()

    def refresh(self) -> None:
        if not self._loaded:
            self.frame.show_busy(self.words.say("Looking for proposals…"))
        self.bar.look()
        near = self._wanted or self._queue.ref
        if self.editor.isHidden() or not self.editor.fields():
            self._store = self._chosen
        # A proposal that is named is shown, whichever store is chosen.
        named_one = self._wanted is not None and self._wanted.store != self._store
        store = None if named_one else self._store
        self._items.anew(
            self._ask_items,
            near,
            store,
            decided=self._shows_decided,
            done=self._on_items,
            failed=self._on_no_items,
        )

    def _ask_items(self, near: Ref | None, store: StoreId | None, *, decided: bool) -> Queued:
        """Not in the window's thread. What waits, oldest first; what is decided, newest first."""
        if decided:
            found = self.services.review.queue((State.APPROVED, State.REJECTED), near, store)
            return replace(found, refs=found.refs[::-1])
        return self.services.review.queue(near=near, store=store)

    @property
    def _shows_decided(self) -> bool:
        return bool(self.which.currentData() == _DECIDED)

    def _on_which_chosen(self) -> None:
        if self.may_leave():
            self.frame.banner.dismiss()  # what it tells is of an item of the other list
            self._end_edit()
            self._queue.clear()
            self.bar.set_skipped(on=False)
            self.refresh()

    def clear(self) -> None:
        self._items.drop()
        for call in (self._asked, self._counting):
            if call is not None:
                call.cancel()
        self._queue.clear()
        self._loaded = False
        self._deciding = self._wanted = self._resumed = None
        self.many.setChecked(False)
        self._many.clear()
        self.bar.forget()
        self.card.wipe()
        self.editor.end()
        self.failures.show_failures(())
        self.frame.banner.dismiss()

    def drafts(self) -> tuple[Draft, ...]:
        item, typed = self._queue.current, self.editor.typed()
        if item is None or self.editor.isHidden() or not typed:
            return ()
        return (Draft(item.ref.store, typed, item.ref, item.etag),)

    def may_leave(self) -> bool:
        if self.editor.isVisible() and self.editor.fields():
            self._telling.unsaved()
            return False
        return True

    def retranslate(self) -> None:
        words = self.words
        self.frame.title.setText(words.say("Review"))
        self.bar.retranslate()
        self.previous.set_spoken(words.say("Previous proposal (K)"))
        self.next.set_spoken(words.say("Next proposal (J)"))
        self.which.setItemText(0, words.say("What waits"))
        self.which.setItemText(1, words.say("What is decided"))
        self.which.setAccessibleName(words.say("Which proposals are shown"))
        self._say_empty()
        self._telling.retranslate()
        self.card.retranslate()
        self.editor.retranslate()
        self.failures.retranslate()
        self.several.retranslate()
        self.many.setText(words.say("Several…"))
        self.rules.setText(words.say("Rules…"))
        self._say_evidence()
        self._show_place()

    def _say_empty(self) -> None:
        words = self.words
        if self._shows_decided:
            self.frame.empty.say(
                words.say("Nothing is decided yet"),
                words.say("What you approve or reject is kept here, and can be opened again."),
            )
            return
        self.frame.empty.say(
            words.say("Nothing waits for you"),
            words.say("When an agent proposes a memory, it is shown here before it is saved."),
        )

    # ---- building

    def _build(self) -> None:
        self.place = named(TextLabel(tone="muted", wrap=False), "review.place")
        self.previous = named(IconButton(Icon.BACK), "review.previous")
        self.next = named(IconButton(Icon.NEXT), "review.next")
        self.which = named(Choice(), "review.which")
        for name in (_WAITING, _DECIDED):
            self.which.addItem("", name)
        self.many = named(Button(), "review.many")
        self.many.setCheckable(True)
        self.rules = named(QuietButton(), "review.rules")
        self.evidence = named(Button(icon=Icon.ERASE), "review.evidence.erase")
        self.evidence.hide()
        shown = (self.evidence, self.rules, self.many, self.which, self.place)
        for widget in (*shown, self.previous, self.next):
            self.frame.corner.addWidget(widget)
        self.card.place_editor(self.editor)
        for part in (self.failures, self.several, self.card):
            self.frame.content.addWidget(part)
        self.frame.content.addStretch(1)
        self.frame.foot.addWidget(self.bar, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)

    def _connect(self) -> None:
        self.bar.approve_wanted.connect(self._on_approve)
        self.bar.despite_wanted.connect(self._on_approve_despite)
        self.bar.edit_wanted.connect(self._on_edit)
        self.bar.reject_wanted.connect(self._on_reject)
        self.bar.skip_wanted.connect(self._on_skip)
        self.bar.reopen_wanted.connect(self._on_reopen)
        self.bar.undo_wanted.connect(self._on_undo)
        self.which.currentIndexChanged.connect(self._on_which_chosen)
        self.many.toggled.connect(self._on_many)
        self.rules.clicked.connect(self._on_rules)
        self.evidence.clicked.connect(self._on_evidence)
        self._many.ended.connect(self._on_several_done)
        self.card.beside.saved_kept.connect(self._on_saved_kept)
        self.card.beside.both_kept.connect(self._on_both_kept)
        self.card.beside.new_kept.connect(self._on_new_kept)
        self.card.beside.merge_wanted.connect(self._on_merge)
        self.bar.next_wanted.connect(self._on_next)
        self.bar.previous_wanted.connect(self._on_previous)
        self.next.clicked.connect(self._on_next)
        self.previous.clicked.connect(self._on_previous)
        self.editor.approved.connect(self._on_edited)
        self.editor.insisted.connect(self._on_edited_despite)
        self.editor.given_up.connect(self._on_given_up)
        self.editor.changed.connect(self._on_editor_changed)
        self.card.key_proposed.connect(self._on_key_proposed)
        self.failures.chosen.connect(self._on_failure_chosen)
        self.frame.retried.connect(self.refresh)

    # ---- loading

    def _on_items(self, found: Queued) -> None:
        if found.partial:
            QTimer.singleShot(_AGAIN_MS, self, self._on_more)
            if not found.refs:
                return
        self._loaded = True
        before = self._queue.current
        self._queue.load(found.refs, found.records, self._wanted)
        self._wanted = None
        ref = self._queue.ref
        if self.editor.isVisible() and ref is not None and before is not None and ref == before.ref:
            self._show_place()
            self._ask_preview(ref, self.editor.fields())
            return
        self._show_current()

    def _on_more(self) -> None:
        """More of the store was read."""
        if self._loaded or self.frame.isVisible():
            self.refresh()

    def _on_no_items(self, error: UserError | IntegrityError) -> None:
        self.frame.show_error(self.words, error)

    def _show_current(self) -> None:
        self._end_edit()
        self._previewed = None
        item = self._queue.current
        self.failures.show_failures(self._queue.failures)
        self._say_empty()
        self.bar.set_decided(on=self._shows_decided)
        self.many.setEnabled(not self._shows_decided and self._queue.ref is not None)
        self._look_for_evidence()
        self._show_place()
        if item is None and (ref := self._queue.ref) is not None:
            self._wanted = ref  # a person came near items that are not here yet
            self.refresh()
            return
        if item is None:
            self.card.wipe()
            self.frame.show_state(frame.EMPTY)
            return
        self.frame.show_state(frame.CONTENT)
        self.card.show_item(item)
        if self._comes:
            self._comes = False
            self.card.text.setFocus(Qt.FocusReason.OtherFocusReason)
        self.frame.to_top()
        self._ask_preview(item.ref)
        if self._resumed is not None and self._resumed.ref == item.ref:
            self._on_edit()
            self.editor.put(self._resumed.fields)
            self._resumed = None

    def _show_place(self) -> None:
        at, total = self._queue.place
        self.place.setText(self.words.say("{at} of {total}", at=at, total=total) if total else "")
        self.previous.setVisible(total > 1)
        self.next.setVisible(total > 1)
        self.previous.setEnabled(at > 1)
        self.next.setEnabled(at < total)

    # ---- moving

    def _on_next(self) -> None:
        self._move(1)

    def _on_previous(self) -> None:
        self._move(-1)

    def _move(self, by: int) -> None:
        if self._deciding is None and self.may_leave() and self._queue.move(by):
            self.frame.banner.dismiss()
            self._show_current()

    def _on_failure_chosen(self, ref: Ref) -> None:
        self._wanted = ref
        self.refresh()

    # ---- editing

    def _on_edit(self) -> None:
        item = self._queue.current
        if item is None or self._deciding is not None or self.editor.isVisible():
            return
        self.frame.banner.dismiss()
        seen = self.card.preview
        values = {} if seen is None else seen.fields
        kind = None if seen is None else self._kind_of(seen)
        key = values.get("key") or say.own_key(item)
        opened = {one.id: one.info.format for one in self.services.library.stores()}
        self.editor.reach.set_format(opened.get(item.ref.store, ""))
        key = key if isinstance(key, str) else ""
        self.editor.begin(item, tuple(SCOPES), tuple(TYPES), key, kind=kind, values=values)
        self._set_editing(on=True)
        self._hide_typed()

    def _hide_typed(self) -> None:
        if not self.editor.isHidden():
            self.editor.hide_texts(self._showing.instead)

    def _on_key_proposed(self, key: str) -> None:
        self._on_edit()
        self.editor.key.setText(key)
        self.editor.key.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_merge(self, touched: Touched) -> None:
        """Both texts in the editor, under the key of the saved one, which it then replaces."""
        item = self._queue.current
        if item is None:
            return
        self._on_edit()
        self.editor.put({"text": f"{touched.record.text}\n{item.text}"})
        if touched.key:
            filed = {"key": touched.key, "scope": touched.record.scope or ""}
            self.editor.put({**filed, "type": item.type or "", "tags": item.tags})
        self.editor.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_editor_changed(self) -> None:
        item = self._queue.current
        if item is not None and self.editor.isVisible():
            self._ask_preview(item.ref, self.editor.fields())

    def _on_given_up(self) -> None:
        self._end_edit()
        if (item := self._queue.current) is not None:
            self._previewed = None
            self.card.show_item(item)  # what the correction would have done counts no more
            self._ask_preview(item.ref)
        if self._store != self._chosen:
            self.refresh()

    def _end_edit(self) -> None:
        self._awaited = None
        had_focus = self.editor.isAncestorOf(self.focusWidget() or self)
        self.editor.end()
        self._set_editing(on=False)
        if had_focus:
            self.card.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_editing(self, *, on: bool) -> None:
        self.card.show_editor(on=on)
        self.bar.set_editing(on=on)
        self._allow()
