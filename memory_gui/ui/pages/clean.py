# SPDX-License-Identifier: MIT
"""One store: erase all that it holds, and whether it is kept clean at every write."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import Tick
from memory_gui.services import OpenedStore, Services
from memory_gui.services.erasing.standing import KeptClean
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.frame import Frame, padded
from memory_gui.ui.pages.page import Page
from memory_gui.ui.pages.whole import Whole
from memory_gui.ui.phrases import store_name
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import Button, Choice, DangerButton, Panel, SectionLabel, TextLabel
from memory_gui.words import N_
from memory_gui.words.errors import explain
from memory_gui.words.keepclean import lines, meaning

CHOICES: Final = (
    ("store", N_("Everything in this database")),
    ("pair", N_("Everything in both databases of the agent")),
    ("project", N_("Everything about the project, in both databases")),
    ("user", N_("Everything about you, in both databases")),
)


def turn(services: Services, store: StoreId, *, on: bool, tick: Tick) -> KeptClean:
    """Turn it on or off; the page said what that means, and its button is the yes. Any thread."""
    if on:
        return services.standing.turn_on(store, change_journal=True, tick=tick)
    return services.standing.turn_off(store, tick=tick)


class CleanPage(Page):
    """Which part to erase, as a plan that the erase page shows; and the standing mode."""

    icon_name = Icon.ERASE

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "clean")
        self._store: OpenedStore | None = None
        self._kept: KeptClean | None = None
        self._working = False
        self._asking = Asking(self.bridge)
        self.frame = Frame("clean")
        self._all_title = named(SectionLabel(), "clean.all.title")
        self._all_lead = named(TextLabel(), "clean.all.lead")
        self.what = named(Choice(), "clean.what")
        for value, _text in CHOICES:
            self.what.addItem("", value)
        self.plan = named(DangerButton(icon=Icon.ERASE), "clean.plan")
        self._kept_title = named(SectionLabel(), "clean.kept.title")
        self.now = named(TextLabel(), "clean.kept.now")
        self.meaning = named(TextLabel(tone="muted"), "clean.kept.meaning")
        self.turn = named(Button(icon=Icon.CHECK), "clean.turn")
        self.leave = named(Button(), "clean.leave")
        self._lay_out()
        self.plan.clicked.connect(self._on_plan_clicked)
        self.turn.clicked.connect(self._on_turn_clicked)
        self.leave.clicked.connect(self.closed)
        self.frame.retried.connect(self.refresh)
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        if self._working or not isinstance(argument, str):
            return
        self._store = self._kept = None
        self.frame.banner.dismiss()
        self.frame.show_busy(self.words.say("Looking at the store…"))
        self._look(StoreId(argument))

    def refresh(self) -> None:
        if self._store is not None and not self._working:
            self._look(self._store.id)

    def clear(self) -> None:
        self._asking.drop()
        self._store = self._kept = None
        self._working = False
        self.frame.banner.dismiss()
        self._fill()

    def may_leave(self) -> bool:
        if self._working:
            self.frame.banner.tell("info", self.words.say("The store is still being rewritten."))
        return not self._working

    def retranslate(self) -> None:
        words = self.words
        self.frame.title.setText(words.say("Erase and keep clean"))
        self.frame.banner.set_close_name(words.say("Close"))
        self._all_title.setText(words.say("Erase everything"))
        self._all_lead.setText(
            words.say(
                "Records in use and in the trash, proposals of every state, session summaries and "
                "the change log go in one act, and the agent’s other files are cleaned of them. A "
                "plan is shown first."
            )
        )
        for number, (_, text) in enumerate(CHOICES):
            self.what.setItemText(number, words.say(text))
        self.what.setAccessibleName(words.say("What to erase"))
        self.plan.setText(words.say("Plan it…"))
        self._kept_title.setText(words.say("Keep it clean at every write"))
        self.leave.setText(words.say("Close"))
        self._fill()

    # ---- showing

    def _look(self, store: StoreId) -> None:
        self._asking.drop()
        self._asking.ask(
            self.services.library.store, store, done=self._on_store, failed=self._on_failed
        )
        self._asking.ask(
            self.services.standing.state, store, done=self._on_kept, failed=self._on_failed
        )

    def _on_store(self, store: OpenedStore | None) -> None:
        self._store = store
        if store is None:
            self.closed.emit()
            return
        self.what.setEnabled(store.partner is not None)
        if store.partner is None:
            self.what.setCurrentIndex(0)
        self._fill()
        self.frame.show_state(frame.CONTENT)

    def _on_kept(self, kept: KeptClean) -> None:
        self._kept = kept
        self._fill()

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self._asking.drop()  # the other half, whichever comes first, does not hide it
        self.frame.show_error(self.words, error)

    def _fill(self) -> None:
        words, kept, store = self.words, self._kept, self._store
        self.turn.setEnabled(kept is not None and not self._working)
        if kept is None or store is None:
            self.now.clear()
            self.meaning.clear()
            return
        name = visible(store_name(words, store))
        self.now.setText("\n".join(lines(words, name, on=kept.on, works=kept.works)))
        off = kept.on and kept.works
        self.turn.setVisible(kept.on or kept.possible)
        if not (kept.on or kept.possible):  # nothing is offered that could not be done
            self.meaning.setText(explain(words, UserError("standing.no_ledger")).text)
            self.meaning.setVisible(True)
            return
        self.meaning.setText("" if off else "\n\n".join(meaning(words, kept)))
        self.meaning.setVisible(not off)
        if off:
            self.turn.setText(words.say("Stop keeping it clean"))
        elif kept.encrypted:
            self.turn.setText(words.say("Keep it clean"))
        else:
            self.turn.setText(words.say("Change the journal mode and keep it clean"))

    # ---- acts

    def _on_plan_clicked(self) -> None:
        store = self._store
        if store is not None:
            what = str(self.what.currentData())
            scope = what if what in ("project", "user") else ""
            self.go.emit("erase", Whole(store.id, pair=what == "pair", scope=scope))

    def _on_turn_clicked(self) -> None:
        store, kept = self._store, self._kept
        if store is None or kept is None or self._working:
            return
        self._working = True
        self.frame.banner.dismiss()
        self._fill()
        text = self.words.say("The store is still being rewritten.")
        self.frame.show_busy(text)
        self.bridge.call(
            partial(turn, self.services, store.id, on=not (kept.on and kept.works)),
            done=partial(self._on_turned, store.id),
            failed=partial(self._on_not_turned, store.id),
            broke=partial(self._on_broke, store.id),
            tick=self._on_tick,
            outlives=True,
        )

    def _on_tick(self, _step: str, done: int, total: int) -> None:
        self.frame.busy.progress(self.words.say("The store is still being rewritten."), done, total)

    def _on_turned(self, store: StoreId, kept: KeptClean) -> None:
        if self._shows(store):
            self._working = False
            self._on_kept(kept)
            self.frame.show_state(frame.CONTENT)

    def _shows(self, store: StoreId) -> bool:
        """Whether it is still about this one: the window may have been locked meanwhile."""
        return self._store is not None and self._store.id == store

    def _on_not_turned(self, store: StoreId, error: UserError | IntegrityError) -> None:
        if not self._shows(store):
            self.bridge.error.emit(error)
            return
        self._working = False
        self._fill()
        self.frame.show_state(frame.CONTENT)
        self.frame.say_error(self.words, error)

    def _on_broke(self, store: StoreId) -> None:
        """The window tells of the bug; here it must not look as if something still ran."""
        if self._shows(store):
            self._working = False
            self._fill()
            self.frame.show_state(frame.CONTENT)

    def _lay_out(self) -> None:
        everything, kept = named(Panel(), "clean.all"), named(Panel(), "clean.kept")
        inside = padded(everything)
        inside.addWidget(self._all_title)
        inside.addWidget(self._all_lead)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.what)
        row.addWidget(self.plan)
        row.addStretch(1)
        inside.addLayout(row)
        inside = padded(kept)
        for widget in (self._kept_title, self.now, self.meaning):
            inside.addWidget(widget)
        row = QHBoxLayout()
        row.addWidget(self.turn)
        row.addStretch(1)
        inside.addLayout(row)
        for panel in (everything, kept):
            self.frame.content.addWidget(panel)
        self.frame.content.addStretch(1)
        self.frame.foot.addWidget(self.leave)
        self.frame.foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
