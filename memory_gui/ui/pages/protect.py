# SPDX-License-Identifier: MIT
"""One store: what is known about it, how well it is, and turning its encryption on and off."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.services import CheckLine, KeyPlace, OpenedStore
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages import protect_words as say
from memory_gui.ui.pages.checks_view import ChecksView
from memory_gui.ui.pages.foreign_view import ForeignView
from memory_gui.ui.pages.frame import Facts, Frame, padded
from memory_gui.ui.pages.page import Page
from memory_gui.ui.pages.typed_yes import TypedYes
from memory_gui.ui.phrases import store_name
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import Button, Panel, SectionLabel


class ProtectPage(Page):
    """Facts, health, foreign objects, encrypt and decrypt of one store."""

    icon_name = Icon.DATABASE

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "protect")
        self._store: OpenedStore | None = None
        self._id: StoreId | None = None
        self._working = False
        self.frame = Frame("protect")
        self.facts = Facts("protect.facts")
        self.checks = ChecksView(self.words)
        self.foreign = ForeignView(self.words)
        self.question = TypedYes(self.words)
        self._facts_title = named(SectionLabel(), "protect.facts.title")
        self.encrypt = named(Button(icon=Icon.LOCK), "protect.encrypt")
        self.decrypt = named(Button(icon=Icon.READABLE), "protect.decrypt")
        self.leave = named(Button(), "protect.leave")
        self._lay_out()
        self._connect()
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        if self._working or not isinstance(argument, str):
            return
        self._id = StoreId(argument)
        self._store = None
        self.question.hide()
        self.frame.banner.dismiss()
        self.frame.show_busy(self.words.say("Looking at the store…"))
        self.refresh()
        self._check()

    def refresh(self) -> None:
        if self._id is not None and not self._working:
            self.bridge.call(
                self.services.library.store, self._id, done=self._on_store, failed=self._on_failed
            )

    def clear(self) -> None:
        self._store = self._id = None
        self.facts.wipe()
        self.checks.wipe()
        self.foreign.wipe()
        self.question.wipe()
        self.frame.banner.dismiss()

    def may_leave(self) -> bool:
        if self._working:
            self.frame.banner.tell("info", self.words.say("The store is still being rewritten."))
        return not self._working

    def retranslate(self) -> None:
        words = self.words
        self.frame.title.setText(words.say("Store"))
        self.frame.banner.set_close_name(words.say("Close"))
        self._facts_title.setText(words.say("What it is"))
        self.encrypt.setText(words.say("Encrypt…"))
        self.decrypt.setText(words.say("Make it readable…"))
        self.leave.setText(words.say("Close"))
        self.checks.retranslate()
        self.foreign.retranslate()
        self.question.retranslate()
        self._fill()

    # ---- looking

    def _on_store(self, store: OpenedStore) -> None:
        self._store = store
        self._fill()
        if not self._working:
            first = self.frame.state != frame.CONTENT
            self.frame.show_state(frame.CONTENT)
            if first:
                self.leave.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self.frame.show_error(self.words, error)

    def _fill(self) -> None:
        store = self._store
        if store is None:
            return
        self.frame.title.setText(store_name(self.words, store))
        self.facts.show_rows(say.facts(self.words, store), name_width=110)
        self.foreign.show_objects(store.info.foreign_sql, allowed=store.info.writable)
        asking = self.question.isVisible()
        self.encrypt.setVisible(not store.info.encrypted and not asking)
        self.decrypt.setVisible(store.info.encrypted and not asking)

    def _check(self) -> None:
        if self._id is not None:
            self.checks.show_busy()
            self.bridge.call(
                self.services.checks.check,
                self._id,
                done=self._on_checked,
                failed=self.checks.show_problem,
            )

    def _on_checked(self, lines: list[CheckLine]) -> None:
        self.checks.show_lines(lines)

    # ---- writing despite foreign objects

    def _on_allowed(self) -> None:
        if self._id is not None:
            self.bridge.call(
                self.services.library.allow_writing,
                self._id,
                despite_foreign=True,
                done=self._on_store,
                failed=self._on_not_done,
            )

    # ---- encrypting

    def _on_encrypt_clicked(self) -> None:
        self._ask(encrypting=True)

    def _on_decrypt_clicked(self) -> None:
        self._ask(encrypting=False)

    def _ask(self, *, encrypting: bool) -> None:
        kept = self._store is not None and self._store.key_place is KeyPlace.KEYCHAIN
        self.question.ask(encrypting=encrypting, kept=kept)
        self._fill()
        self.frame.reveal(self.question)

    def _on_given_up(self) -> None:
        self._fill()
        (self.encrypt if self.encrypt.isVisible() else self.decrypt).setFocus()

    def _on_agreed(self, encrypting: bool) -> None:
        if self._id is None or self._working:
            return
        self._working = True
        act = self.services.protect.encrypt if encrypting else self.services.protect.decrypt
        self.frame.banner.dismiss()
        self.frame.show_busy(
            self.words.say("Encrypting…") if encrypting else self.words.say("Making it readable…")
        )
        self.bridge.call(
            act,
            self._id,
            done=self._on_done,
            failed=self._on_not_done,
            tick=self._on_tick,
            outlives=True,
        )

    def _on_tick(self, _step: str, done: int, total: int) -> None:
        self.frame.busy.progress(self.words.say("Copying, then proving the copy…"), done, total)

    def _on_done(self, store: OpenedStore) -> None:
        self._working = False
        self.question.hide()
        self._on_store(store)
        words = self.words
        self.frame.banner.tell(
            "ok",
            words.say("Encrypted. The copy was proved before the readable file was zeroed.")
            if store.info.encrypted
            else words.say("Readable again. The copy was proved before the old file was removed."),
        )
        self._check()
        self.changed.emit(ChangeSet())

    def _on_bug(self, _error: object) -> None:
        """The window tells of the bug; here it must not look as if something still ran."""
        if self._working:
            self._working = False
            self.question.hide()
            self.frame.show_state(frame.CONTENT)
            self.refresh()
            self._check()

    def _on_not_done(self, error: UserError | IntegrityError) -> None:
        self._working = False
        self.question.hide()
        self._fill()
        self.frame.show_state(frame.CONTENT)
        self.frame.say_error(self.words, error)

    # ---- building

    def _connect(self) -> None:
        self.encrypt.clicked.connect(self._on_encrypt_clicked)
        self.decrypt.clicked.connect(self._on_decrypt_clicked)
        self.question.agreed.connect(self._on_agreed)
        self.question.given_up.connect(self._on_given_up)
        self.foreign.allowed.connect(self._on_allowed)
        self.leave.clicked.connect(self.closed)
        self.frame.retried.connect(self.refresh)
        self.bridge.bug.connect(self._on_bug)
        self.checks.again.connect(self._check)

    def _lay_out(self) -> None:
        panel = named(Panel(), "protect.panel")
        inside = padded(panel)
        inside.addWidget(self._facts_title)
        inside.addWidget(self.facts)
        row = QHBoxLayout()
        row.setContentsMargins(0, SPACE_S, 0, 0)
        row.addWidget(self.encrypt)
        row.addWidget(self.decrypt)
        row.addStretch(1)
        inside.addLayout(row)
        for widget in (panel, self.question, self.foreign, self.checks):
            self.frame.content.addWidget(widget)
        self.frame.content.addStretch(1)
        self.frame.foot.addWidget(self.leave)
        self.frame.foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
