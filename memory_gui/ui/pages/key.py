# SPDX-License-Identifier: MIT
"""Why a store did not open for want of its key: six causes, six pages, and a way to give one."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.keys import Key
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.erase_words import place
from memory_gui.ui.pages.frame import Frame, padded
from memory_gui.ui.pages.key_cause import LookedUp, cause_of, look_up
from memory_gui.ui.pages.key_entry import KeyEntry
from memory_gui.ui.pages.key_moving import (
    Move,
    Moved,
    move_key,
    move_of,
    say_not_moved,
    say_step,
    say_stopped,
    say_way,
)
from memory_gui.ui.pages.listed import Listed
from memory_gui.ui.pages.page import Page
from memory_gui.ui.pages.requests import KeyProblem, OpenRequest
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import Button, Caption, Panel, TextLabel, TitleLabel
from memory_gui.ui.widgets.empty import Picture
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words.errors import explain

MOST_REFUSALS: Final = 2
"""So many refusals in a row end the asking: the page explains instead of asking again."""

_ICONS: Final = {
    "Absent": (Icon.KEY, "muted"),
    "Locked": (Icon.LOCK, "warn"),
    "Denied": (Icon.NOT_OK, "warn"),
    "Unavailable": (Icon.UNPLUGGED, "warn"),
    "Mismatch": (Icon.REPLACES, "warn"),
    "Foreign": (Icon.DATABASE, "muted"),
    "Half": (Icon.DATABASE, "muted"),
    "Present": (Icon.OK, "ok"),
}
_CAN_RETRY: Final = frozenset({"Locked", "Denied", "Unavailable", "Present"})


class KeyPage(Page):
    """One store, one cause, one entry; it asks at most twice in a row."""

    icon_name = Icon.KEY

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "key")
        self._problem: KeyProblem | None = None
        self._result: LookedUp | None = None
        self._looking: Handle | None = None
        self._moving: Handle | None = None
        self._asked = False
        self.refusals = 0
        self.frame = Frame("key")
        self._picture = Picture(Icon.KEY)
        self.heading = named(TitleLabel(), "key.heading")
        self.cause = named(TextLabel(selectable=True), "key.cause")
        self.next = named(TextLabel(selectable=True), "key.next")
        self.details = Listed("key.details", tone="raised")
        self.path = named(Caption(selectable=True), "key.path")
        self.retry = named(Button(icon=Icon.REFRESH), "key.retry")
        self.move_here = named(Button(icon=Icon.KEY), "key.move_here")
        self.entry = KeyEntry(self.words)
        self.stopped = named(TextLabel(tone="warn"), "key.stopped")
        self.anew = named(Button(icon=Icon.KEY), "key.anew")
        self.leave = named(Button(), "key.leave")
        self._lay_out()
        self.retry.clicked.connect(self._on_retry_clicked)
        self.move_here.clicked.connect(self._on_move_clicked)
        self.entry.given.connect(self._on_key_given)
        self.anew.clicked.connect(self._on_anew_clicked)
        self.leave.clicked.connect(self.closed)
        self.frame.retried.connect(self._on_retry_clicked)
        self.frame.stopped.connect(self._on_stopped)
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        if not isinstance(argument, KeyProblem):
            return
        same = self._problem is not None and self._problem.path == argument.path
        if not same:
            self._stop_moving()
        self._drop()
        self.refusals = self.refusals + 1 if same and self._asked else 0
        self._asked = False
        self._problem = argument
        self.frame.banner.dismiss()
        if self.refusals and self._result is not None:  # a key was refused: nothing new to ask
            self.show_result(self._result)
            return
        self._result = None
        self.frame.show_busy(self.words.say("Asking the keychain…"), self.words.say("Cancel"))
        self._looking = self.bridge.call(
            look_up,
            self.services,
            argument.path,
            argument.error,
            done=self.show_result,
            failed=self._on_no_result,
        )

    def _drop(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None

    def clear(self) -> None:
        self._drop()
        self._problem = self._result = self._moving = None
        self._asked = False
        self.refusals = 0
        self.frame.banner.dismiss()
        self.entry.wipe()
        self.details.wipe()
        for label in (self.heading, self.cause, self.next, self.path):
            label.clear()

    def may_leave(self) -> bool:
        self._stop_moving()  # nothing is lost by that: the key is where it was
        return True

    def retranslate(self) -> None:
        words = self.words
        self.frame.title.setText(words.say("Locked store"))
        self.frame.banner.set_close_name(words.say("Close"))
        self.retry.setText(words.say("Ask the keychain again"))
        self.move_here.setText(words.say("Move the key here"))
        self.anew.setText(words.say("Enter another key"))
        self.leave.setText(words.say("Close"))
        self.entry.retranslate()
        self._fill()

    # ---- filling

    def show_result(self, result: LookedUp) -> None:
        """Show what is known now."""
        self._result = result
        if not self.refusals:
            name = cause_of(self.words, result).name
            self.entry.expect(passphrase=name == "Foreign", salt=name == "Half")
        self._fill()
        self.frame.show_state(frame.CONTENT)
        target = self.leave if self._stopped else self.entry.line
        if self.retry.isVisible() and not self._stopped:
            target = self.retry
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_stopped(self) -> None:
        """The person does not want to wait for the keychain."""
        if self._moving is not None:
            self._stop_moving()
            return
        self._drop()
        self.services.keychain.cancel()
        self.closed.emit()

    def _on_no_result(self, error: UserError | IntegrityError) -> None:
        self.frame.show_error(self.words, error)

    @property
    def _stopped(self) -> bool:
        return self.refusals >= MOST_REFUSALS

    def _fill(self) -> None:
        problem, result = self._problem, self._result
        if problem is None or result is None:
            return
        words = self.words
        told = cause_of(words, result)
        icon, tone = _ICONS[told.name]
        self._picture.set_icon(icon, tone)
        self.heading.setText(told.title)
        self.cause.setText(told.cause)
        move = move_of(result)
        self.next.setText(told.next if move is None else say_way(words, move))
        self.details.show_lines(words.say("What was tried"), told.details)
        self.frame.title.setText(place(problem.path))
        self.path.setText(visible(problem.path))
        self.retry.setVisible(told.name in _CAN_RETRY and not self._stopped)
        self.move_here.setVisible(move is not None and not self._stopped)
        self.entry.setVisible(not self._stopped)
        self.stopped.setVisible(self._stopped)
        self.anew.setVisible(self._stopped)
        self.stopped.setText(
            words.say(
                "Two keys in a row did not open this store, so this page stops asking. Nothing was "
                "changed. Look where the key comes from: is it the key of this very file, and of "
                "this version of it?"
            )
        )
        refused = self.refusals and not self._stopped
        self.entry.say_problem(
            explain(words, problem.error).text
            if refused or problem.error.code == "key.wrong"
            else ""
        )

    # ---- acting

    def _on_retry_clicked(self) -> None:
        self.services.keychain.ask_again()
        self._open(None)

    def _on_key_given(self, key: Key) -> None:
        self._open(key)

    def _open(self, key: Key | None) -> None:
        if self._problem is None:
            return
        self._asked = key is not None
        self.entry.say_problem("")
        self.go.emit("open", OpenRequest(self._problem.path, key))

    # ---- moving the key

    def _on_move_clicked(self) -> None:
        """Copied, read back, the store opened with it, then removed where it was."""
        move = move_of(self._result)
        if self._problem is None or move is None or self._moving is not None:
            return
        self.frame.banner.dismiss()
        self.frame.show_busy(say_step(self.words, move, "look"), self.words.say("Cancel"))
        self._moving = self.bridge.call(
            move_key,
            self.services,
            self._problem.path,
            move,
            done=self._on_moved,
            failed=partial(self._on_not_moved, self._problem, move),
            stopped=partial(self._on_move_stopped, self._problem, move),
            tick=partial(self._on_moving, self._problem, move),
            cancellable=True,
            apart=True,
        )

    def _on_moving(self, problem: KeyProblem, move: Move, step: str, done: int, total: int) -> None:
        if self._moving is not None and problem is self._problem:
            self.frame.busy.progress(say_step(self.words, move, step), done, total)

    def _stop_moving(self) -> None:
        if self._moving is not None:
            self._moving.stop()
            self.services.keychain.cancel()

    def _on_moved(self, moved: Moved) -> None:
        self._moving = None
        self.frame.show_state(frame.CONTENT)
        self.go.emit("key_moved", moved)

    def _on_not_moved(
        self, problem: KeyProblem, move: Move, error: UserError | IntegrityError
    ) -> None:
        self._end_moving(problem, "warn", say_not_moved(self.words, move, error))

    def _on_move_stopped(self, problem: KeyProblem, move: Move) -> None:
        self._end_moving(problem, "info", say_stopped(self.words, move))

    def _end_moving(self, problem: KeyProblem, tone: str, text: str) -> None:
        self._moving = None
        if problem is not self._problem:  # the page is about another store by now
            self.told.emit(tone, text)
            return
        self.frame.show_state(frame.CONTENT)
        if self.isVisible():
            self.frame.banner.tell(tone, text)
            self.move_here.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.told.emit(tone, text)

    def _on_anew_clicked(self) -> None:
        self.refusals = 0
        self._fill()
        self.entry.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out(self) -> None:
        panel = named(Panel(), "key.panel")
        inside = padded(panel)
        inside.addWidget(self._picture)
        for widget in (self.heading, self.cause, self.next, self.path, self.details):
            inside.addWidget(widget)
        inside.addSpacing(SPACE_S)
        acts = FlowLayout()
        for button in (self.retry, self.move_here):
            acts.addWidget(button)
        inside.addLayout(acts)
        self.frame.content.addWidget(panel)
        self.frame.content.addWidget(self.entry)
        self.frame.content.addWidget(self.stopped)
        self.frame.content.addWidget(self.anew, 0, Qt.AlignmentFlag.AlignLeft)
        self.frame.content.addStretch(1)
        self.frame.foot.addWidget(self.leave)
        self.frame.foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
