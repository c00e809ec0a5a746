# SPDX-License-Identifier: MIT
"""One store: what is known about it, how well it is, its encryption and its key."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.services import CheckLine, OpenedStore
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.checks_view import ChecksView
from memory_gui.ui.pages.erase_words import holder
from memory_gui.ui.pages.foreign_view import ForeignView
from memory_gui.ui.pages.frame import Frame
from memory_gui.ui.pages.page import Page
from memory_gui.ui.phrases import store_name
from memory_gui.ui.protect.acts import (
    BUSY,
    Act,
    Done,
    Looked,
    Overview,
    bring_together,
    carry_out,
    doing,
    lines,
    look,
    overview,
)
from memory_gui.ui.protect.known import Known
from memory_gui.ui.protect.notes import Waiting
from memory_gui.ui.protect.offered import Wanted
from memory_gui.ui.protect.question import Connect, Question
from memory_gui.ui.widgets import Button
from memory_gui.words import N_


class ProtectPage(Page):
    """Facts, health, foreign objects; encrypt, make readable, copy out, change the key."""

    icon_name = Icon.DATABASE

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "protect")
        self._store: OpenedStore | None = None
        self._id: StoreId | None = None
        self._looked: Looked | None = None
        self._working = False
        self._asking = Asking(self.bridge)
        self.frame = Frame("protect")
        self.known = Known(self.words)
        self.checks = ChecksView(self.words)
        self.foreign = ForeignView(self.words)
        self.question = Question(self.words)
        self.connections = Connect(self.words)
        self.waiting = Waiting(self.words)
        self.leave = named(Button(), "protect.leave")
        self._lay_out()
        self._connect()
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        act = argument.act if isinstance(argument, Wanted) else None
        store = argument.store if isinstance(argument, Wanted) else argument
        if self._working or not isinstance(store, str):
            return
        self._asking.drop()
        self._id = StoreId(store)
        self._store = self._looked = None
        self.question.wipe()
        self.connections.wipe()
        self.waiting.wipe()
        self.frame.banner.dismiss()
        self.frame.show_busy(self.words.say("Looking at the store…"))
        self.refresh()
        self._check()
        if act is not None:
            self._on_wanted(act)

    def refresh(self) -> None:
        if self._id is not None and not self._working:
            library = self.services.library
            self._asking.ask(library.store, self._id, done=self._on_store, failed=self._on_failed)
            self._asking.ask(
                overview, self.services, self._id, done=self._on_overview, failed=self._on_no_plan
            )

    def clear(self) -> None:
        # What runs goes on in its own process; its end is told by the next opening.
        self._asking.drop()
        self._working = False
        self._store = self._id = self._looked = None
        self.known.wipe()
        self.checks.wipe()
        self.foreign.wipe()
        self.question.wipe()
        self.connections.wipe()
        self.waiting.wipe()
        self.frame.banner.dismiss()

    def may_leave(self) -> bool:
        if self._working:
            self.frame.banner.tell("info", self.words.say("The store is still being rewritten."))
        return not self._working

    def retranslate(self) -> None:
        words = self.words
        self.frame.title.setText(words.say("Store"))
        self.frame.banner.set_close_name(words.say("Close"))
        self.known.retranslate()
        self.leave.setText(words.say("Close"))
        self.checks.retranslate()
        self.foreign.retranslate()
        self.question.retranslate()
        self.waiting.retranslate()
        if self._looked is not None and self.question.isVisible():
            self.question.show_lines(*self._said(self._looked))
        self._fill()

    # ---- looking

    def _on_store(self, store: OpenedStore) -> None:
        self._store = store
        self._fill()
        if not self._working:
            first = self.frame.state != frame.CONTENT
            self.frame.show_state(frame.CONTENT)
            if self._looked is not None and self.question.isHidden():
                self._ask(self._looked)
            elif first and self.question.isHidden():
                self.leave.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_overview(self, seen: Overview) -> None:
        if self._id is None or not self.question.isHidden():
            return
        plan = seen.plan
        if plan is not None:
            wanted = plan.encrypted and plan.connect
            self.connections.show_lines(plan.agent, plan.connect if wanted else ())
        self.waiting.show_notes(seen.waiting, seen.stray)

    def _on_no_plan(self, _error: UserError | IntegrityError) -> None:
        """A store that may not be rewritten is looked at all the same; the acts say why."""
        self.connections.wipe()

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self.frame.show_error(self.words, error)

    def _fill(self) -> None:
        store = self._store
        if store is None:
            return
        self.frame.title.setText(store_name(self.words, store))
        self.known.show_store(store)
        self.foreign.show_objects(store.info.foreign_sql, allowed=store.info.writable)
        # While something is asked nothing else takes its place: the answer must be in sight.
        asking = not self.question.isHidden()
        self.known.setVisible(not asking)
        self.checks.setVisible(not asking)
        if asking:
            self.waiting.hide()
            self.foreign.hide()

    def _check(self) -> None:
        if self._id is not None:
            self.checks.show_busy()
            self._asking.ask(
                self.services.checks.check,
                self._id,
                done=self._on_checked,
                failed=self.checks.show_problem,
            )

    def _on_checked(self, found: list[CheckLine]) -> None:
        self.checks.show_lines(found)

    # ---- writing despite foreign objects

    def _on_allowed(self) -> None:
        if self._id is not None:
            self._asking.ask(
                self.services.library.allow_writing,
                self._id,
                despite_foreign=True,
                done=self._on_store,
                failed=self._on_not_done,
            )

    # ---- the acts

    def _on_wanted(self, act: Act) -> None:
        """First look who can open the store, then ask."""
        if self._id is not None and not self._working:
            self.frame.banner.dismiss()
            self._asking.ask(
                look,
                self.services,
                self._id,
                act,
                done=self._on_looked,
                failed=self._on_not_done,
            )

    def _on_looked(self, looked: Looked) -> None:
        if self._id is None or self._working:
            return
        self._looked = looked
        if self._store is not None:  # else asked as soon as it is known: answers keep no order
            self._ask(looked)

    def _ask(self, looked: Looked) -> None:
        keys = looked.keys
        path = Path(looked.plan.path)
        ending = "sqlcipher4" if looked.act is Act.MIGRATE else "readable"
        self.question.ask(
            looked.act,
            *self._said(looked),
            others=bool(keys is not None and keys.others),
            paper=bool(keys is not None and keys.paper),
            out=str(path.with_name(f"{path.stem}-{ending}{path.suffix}")),
        )
        wanted = looked.act in {Act.ENCRYPT, Act.ROTATE}
        self.connections.show_lines(looked.plan.agent, looked.plan.connect if wanted else ())
        self._fill()
        self.frame.to_top()

    def _said(self, looked: Looked) -> tuple[list[str], list[str]]:
        words = self.words
        in_use = [holder(words, who) for who in looked.open_by]
        assert self._store is not None  # noqa: S101 - nothing was looked at without it
        return lines(words, looked, self.services, self._store), in_use

    def _on_given_up(self) -> None:
        self._looked = None
        self._fill()
        self.refresh()
        (self.known.first or self.leave).setFocus()

    def _on_agreed(self, act: Act) -> None:
        if self._id is None or self._working:
            return
        self._working = True
        self.frame.banner.dismiss()
        self.frame.show_busy(self.words.say(BUSY[act]))
        self.bridge.call(
            carry_out,
            self.services,
            self.words,
            self._id,
            act,
            self.question.choices,
            done=partial(self._on_done, self._id, act),
            failed=partial(self._on_act_failed, self._id),
            broke=partial(self._on_broke, self._id),
            tick=partial(self._on_tick, act),
            outlives=True,
        )

    def _on_merge_clicked(self) -> None:
        """Nothing is written over and nothing taken away, so nothing is asked."""
        if self._id is None or self._working:
            return
        self._working = True
        self.frame.banner.dismiss()
        self.frame.show_busy(self.words.say("Bringing the records over…"))
        self.bridge.call(
            bring_together,
            self.services,
            self.words,
            self._id,
            self.waiting.encrypted_place,
            done=partial(self._on_done, self._id, None),
            failed=partial(self._on_act_failed, self._id),
            broke=partial(self._on_broke, self._id),
            tick=partial(self._on_tick, None),
            in_turn=True,
            asked=partial(self.words.say, N_("bring the records over")),
        )

    def _on_tick(self, act: Act | None, _step: str, done: int, total: int) -> None:
        if self._working:  # else locked meanwhile
            self.frame.busy.progress(doing(self.words, act, done, total), done, total)

    def _on_recovery_wanted(self) -> None:
        if self._id is not None:
            self.go.emit("recovery", self._id)

    def _on_done(self, store: StoreId, act: Act | None, done: Done) -> None:
        if store != self._id:  # locked meanwhile; another one may be shown by now
            return
        self._working = False
        self._looked = None
        self.question.wipe()
        self._on_store(done.store)
        self.frame.banner.tell(done.tone, done.text, *self._offers(act, done))
        self.changed.emit(ChangeSet())  # first: the check below keeps the store for a while
        self.refresh()
        self._check()

    def _offers(self, act: Act | None, done: Done) -> list[tuple[str, Callable[[], object]]]:
        """What can be done next."""
        say = self.words.say
        if done.copy is not None:
            return [(say("Open the copy"), partial(self._on_copy_wanted, done.copy))]
        if done.store.info.encrypted and act in {Act.ENCRYPT, Act.ROTATE}:
            return [(say("Make the recovery key…"), self._on_recovery_wanted)]
        return []

    def _on_copy_wanted(self, out: Path) -> None:
        """With the store's key; then its own page says what it is, and whether it is well."""
        if self._id is not None:
            self.frame.banner.dismiss()
            self.bridge.call(
                self.services.migrating.open,
                self._id,
                out,
                done=self._on_copy_opened,
                failed=self._on_not_done,
                apart=True,
            )

    def _on_copy_opened(self, stores: tuple[OpenedStore, ...]) -> None:
        self.go.emit("opened", stores)
        self.go.emit("protect", stores[0].id)

    def _on_broke(self, store: StoreId) -> None:
        """The window tells of the bug; here it must not look as if something still ran."""
        if self._working and store == self._id:
            self._working = False
            self._looked = None
            self.question.wipe()
            self.frame.show_state(frame.CONTENT)
            self.refresh()
            self._check()

    def _on_act_failed(self, store: StoreId, error: UserError | IntegrityError) -> None:
        if store == self._id:
            self._on_not_done(error)
        elif self._id is not None:
            self.bridge.error.emit(error)

    def _on_not_done(self, error: UserError | IntegrityError) -> None:
        self._working = False
        self._looked = None
        if self._id is None:  # locked meanwhile
            return
        self.question.wipe()
        self._fill()
        self.frame.show_state(frame.CONTENT)
        self.frame.say_error(self.words, error)
        self.refresh()

    # ---- building

    def _connect(self) -> None:
        self.known.wanted.connect(self._on_wanted)
        self.known.recovery_wanted.connect(self._on_recovery_wanted)
        self.waiting.give_up.clicked.connect(partial(self._on_wanted, Act.GIVE_UP))
        self.waiting.merge.clicked.connect(self._on_merge_clicked)
        self.question.agreed.connect(self._on_agreed)
        self.question.given_up.connect(self._on_given_up)
        self.connections.copied.connect(self.context.privacy.clipboard.copy_plain)
        self.foreign.allowed.connect(self._on_allowed)
        self.leave.clicked.connect(self.closed)
        self.frame.retried.connect(self.refresh)
        self.checks.again.connect(self._check)

    def _lay_out(self) -> None:
        for widget in (
            self.waiting,
            self.known,
            self.question,
            self.connections,
            self.foreign,
            self.checks,
        ):
            self.frame.content.addWidget(widget)
        self.frame.content.addStretch(1)
        self.frame.foot.addWidget(self.leave)
        self.frame.foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
