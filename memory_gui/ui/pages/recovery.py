# SPDX-License-Identifier: MIT
"""The recovery key: made, shown, put on paper, and entered again before it is believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.services import OpenedStore, Services
from memory_gui.services.keys.recovery import CONFIRMED, MADE, NONE, RecoverySheet, RecoveryState
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.frame import Frame, padded
from memory_gui.ui.pages.page import Page
from memory_gui.ui.pages.recovery_confirm import ConfirmEntry
from memory_gui.ui.pages.recovery_save import PDF, TEXT, Saver
from memory_gui.ui.pages.recovery_sheet import Sheets
from memory_gui.ui.pages.recovery_stores import StoreChoice
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import Button, Panel, PrimaryButton, TextLabel
from memory_gui.words.recovery import HOW


@dataclass(frozen=True, slots=True)
class Standing:
    """An open store and where it stands with its recovery key."""

    store: OpenedStore
    state: RecoveryState


def standings(services: Services) -> list[Standing]:
    """Of the open stores that can have a recovery key; any thread but the window's."""
    found = [Standing(one, services.recovery.state(one.id)) for one in services.library.stores()]
    return [one for one in found if one.state.code in (NONE, MADE, CONFIRMED)]


def make_sheets(services: Services, stores: Sequence[StoreId]) -> tuple[RecoverySheet, ...]:
    """The recovery keys of some stores; any thread but the window's."""
    return tuple(services.recovery.make(store) for store in stores)


def confirm_one(services: Services, stores: Sequence[StoreId], text: str) -> StoreId | None:
    """The store whose recovery key that is; None when it is none of theirs."""
    for store in stores:
        if services.recovery.confirm(store, text):
            return store
    return None


class RecoveryPage(Page):
    """Shown for a StoreId: its recovery key, on one sheet with others if the person wants."""

    icon_name = Icon.KEY

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "recovery")
        self._id: StoreId | None = None
        self._standings: list[Standing] = []
        self._sheets: tuple[RecoverySheet, ...] = ()
        self._saved = False
        self._asking = Asking(self.bridge)
        """About the store that is shown; what is shown of it last."""
        self._standing = Asking(self.bridge)
        self.frame = Frame("recovery")
        self.lead = named(TextLabel(), "recovery.lead")
        self.why = named(TextLabel(tone="muted"), "recovery.why")
        self.stores = StoreChoice(self.words)
        self.show_key = named(PrimaryButton(icon=Icon.KEY), "recovery.show")
        self.sheets = Sheets(self.words)
        self.print = named(Button(icon=Icon.EXPORT), "recovery.print")
        self.pdf = named(Button(icon=Icon.EXPORT), "recovery.pdf")
        self.text = named(Button(icon=Icon.EXPORT), "recovery.text")
        self.enter = named(PrimaryButton(icon=Icon.NEXT), "recovery.enter")
        self.entry = ConfirmEntry(self.words)
        self.leave = named(Button(), "recovery.leave")
        self.saver = Saver(context, self)
        self._lay_out()
        self._connect()
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        if not isinstance(argument, str):
            return
        self.clear()
        self._id = StoreId(argument)
        self.frame.show_busy(self.words.say("Looking at the store…"))
        self._ask()

    def refresh(self) -> None:
        if self._id is not None and self.frame.state == frame.CONTENT:
            self._ask()

    def clear(self) -> None:
        self._asking.drop()
        self._standing.drop()
        self._id = None
        self._standings = []
        self._saved = False
        self._hide_key()
        self.stores.wipe()
        self.entry.wipe()
        self.entry.hide()
        self.frame.banner.dismiss()

    def retranslate(self) -> None:
        words = self.words
        self.frame.title.setText(words.say("Recovery key"))
        self.frame.banner.set_close_name(words.say("Close"))
        self.lead.setText(
            words.say(
                "The key of an encrypted store is in the keychain of this computer. If that is "
                "lost, only its recovery key opens the store again: the same key as text, on paper."
            )
        )
        self.why.setText(words.say(HOW[0]))
        self.show_key.setText(words.say("Show the recovery key"))
        self.print.setText(words.say("Print…"))
        self.pdf.setText(words.say("Save as PDF…"))
        self.text.setText(words.say("Save as text…"))
        self.enter.setText(words.say("I have it: enter it again"))
        self.leave.setText(words.say("Close"))
        for part in (self.stores, self.sheets, self.entry):
            part.retranslate()
        self._fill()

    # ---- where things stand

    def _ask(self) -> None:
        self._standing.anew(
            standings, self.services, done=self._on_standings, failed=self._on_failed
        )

    def _on_standings(self, found: list[Standing]) -> None:
        if self._id is None:
            return
        first = not self._standings
        self._standings = found
        if not any(one.store.id == self._id for one in found):
            self.frame.show_error(self.words, UserError("recovery.none_here"))
            return
        self.stores.show_stores(
            [(one.store, one.state) for one in found], chosen=self._id, keep=not first
        )
        self._fill()
        self.frame.show_state(frame.CONTENT)
        if first:
            self.show_key.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self.frame.show_error(self.words, error)

    def _fill(self) -> None:
        shown = bool(self._sheets)
        entering = self.entry.isVisibleTo(self)
        self.show_key.setVisible(not shown and not entering)
        for widget in (self.print, self.pdf, self.text, self.enter):
            widget.setVisible(shown)
        self.stores.setEnabled(not entering)
        self._panel.setVisible(not shown)  # the key alone is on the page

    # ---- showing and keeping it

    def _on_show_clicked(self) -> None:
        chosen = self.stores.chosen
        if chosen:
            self.frame.banner.dismiss()
            self._asking.ask(
                make_sheets,
                self.services,
                chosen,
                done=self._on_made,
                failed=self._on_not_done,
            )

    def _on_made(self, sheets: tuple[RecoverySheet, ...]) -> None:
        if self._id is None:  # locked meanwhile
            return
        self._sheets = sheets
        self.sheets.show_sheets(sheets)
        self._fill()
        self.frame.to_top()
        self.print.setFocus(Qt.FocusReason.OtherFocusReason)
        self._ask()

    def _on_print_clicked(self) -> None:
        self.saver.print(self._sheets)

    def _on_pdf_clicked(self) -> None:
        self.saver.save(self._sheets, PDF)

    def _on_text_clicked(self) -> None:
        self.saver.save(self._sheets, TEXT)

    def _on_saved(self, path: str) -> None:
        text = self.words.say(
            "Saved to {path}, which only you can read. Whoever gets that file and the store can "
            "read everything: move it to a safe place.",
            path=visible(path),
        )
        self.frame.banner.tell("ok", text)

    def _on_printed(self) -> None:
        self.frame.banner.tell("ok", self.words.say("Sent to the printer."))

    def _on_not_done(self, error: UserError | IntegrityError) -> None:
        self.frame.say_error(self.words, error)

    # ---- entering it again

    def _on_enter_clicked(self) -> None:
        """From the paper, not from the screen: what was shown goes first."""
        self._hide_key()
        self.frame.banner.dismiss()
        self.entry.show()
        self._fill()
        self.frame.reveal(self.entry)
        self.entry.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_given(self, text: str) -> None:
        self.bridge.call(
            confirm_one,
            self.services,
            self.stores.chosen,
            text,
            done=partial(self._on_confirmed, self._id),
            failed=partial(self._on_not_confirmed, self._id),
        )

    def _on_not_confirmed(self, shown: StoreId | None, error: UserError | IntegrityError) -> None:
        if shown == self._id:
            self.entry.show_error(error)

    def _on_confirmed(self, shown: StoreId | None, store: StoreId | None) -> None:
        if shown != self._id:  # another one is shown by now
            self.changed.emit(ChangeSet())
            return
        if store is None:
            self.entry.say_problem(
                self.words.say(
                    "That is a recovery key, but not of a store that is chosen here, as it is now."
                )
            )
            return
        self.entry.wipe()
        left = [one for one in self.stores.chosen if one != store and not self._stands(one)]
        if left:
            self.frame.banner.tell(
                "ok", self.words.say("Confirmed. Now the next one on the sheet.")
            )
        else:
            self.entry.hide()
            self.frame.banner.tell(
                "ok",
                self.words.say("Confirmed: this paper opens the store. Keep it in a safe place."),
            )
            self.leave.setFocus(Qt.FocusReason.OtherFocusReason)
        self._fill()
        self._ask()
        self.changed.emit(ChangeSet())

    def _stands(self, store: StoreId) -> bool:
        return any(one.store.id == store and one.state.recoverable for one in self._standings)

    def _on_given_up(self) -> None:
        self.entry.wipe()
        self.entry.hide()
        self._fill()
        self.show_key.setFocus(Qt.FocusReason.OtherFocusReason)

    def _hide_key(self) -> None:
        self._sheets = ()
        self.sheets.wipe()
        self.saver.wipe()

    # ---- building

    def _connect(self) -> None:
        self.show_key.clicked.connect(self._on_show_clicked)
        self.print.clicked.connect(self._on_print_clicked)
        self.pdf.clicked.connect(self._on_pdf_clicked)
        self.text.clicked.connect(self._on_text_clicked)
        self.enter.clicked.connect(self._on_enter_clicked)
        self.entry.given.connect(self._on_given)
        self.entry.given_up.connect(self._on_given_up)
        self.saver.saved.connect(self._on_saved)
        self.saver.printed.connect(self._on_printed)
        self.saver.failed.connect(self._on_not_done)
        self.leave.clicked.connect(self.closed)
        self.frame.retried.connect(self._ask)

    def _lay_out(self) -> None:
        self._panel = named(Panel(), "recovery.panel")
        inside = padded(self._panel)
        for widget in (self.lead, self.why, self.stores):
            inside.addWidget(widget)
        inside.addWidget(self.show_key, 0, Qt.AlignmentFlag.AlignLeft)
        self.frame.content.addWidget(self._panel)
        self.frame.content.addWidget(self.sheets)
        self.frame.content.addWidget(self.entry)
        self.frame.content.addStretch(1)
        self.entry.hide()
        # Below, so that they are seen however many stores the sheet carries.
        for button in (self.leave, self.print, self.pdf, self.text):
            self.frame.foot.addWidget(button)
        self.frame.foot.addStretch(1)
        self.frame.foot.addWidget(self.enter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
