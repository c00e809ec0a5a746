# SPDX-License-Identifier: MIT
"""Why a store did not open for want of its key: six causes, six pages, and a way to give one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.keys import Absent, Key, KeyResult
from memory_gui.services import Services
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.erase_words import place
from memory_gui.ui.pages.frame import Frame, padded
from memory_gui.ui.pages.key_entry import KeyEntry
from memory_gui.ui.pages.listed import Listed
from memory_gui.ui.pages.page import Page
from memory_gui.ui.pages.requests import KeyProblem, OpenRequest
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import Button, Caption, Panel, TextLabel, TitleLabel
from memory_gui.ui.widgets.empty import Picture
from memory_gui.words import Words
from memory_gui.words.errors import explain
from memory_gui.words.keys import explain_key

MOST_REFUSALS: Final = 2
"""So many refusals in a row end the asking: the page explains instead of asking again."""

_ICONS: Final = {
    "Absent": (Icon.KEY, "muted"),
    "Locked": (Icon.LOCK, "warn"),
    "Denied": (Icon.NOT_OK, "warn"),
    "Unavailable": (Icon.UNPLUGGED, "warn"),
    "Mismatch": (Icon.REPLACES, "warn"),
    "Foreign": (Icon.DATABASE, "muted"),
    "Present": (Icon.OK, "ok"),
}
_CAN_RETRY: Final = frozenset({"Locked", "Denied", "Unavailable", "Present"})


@dataclass(frozen=True, slots=True)
class Cause:
    """What one of the six pages says."""

    name: str
    title: str
    cause: str
    next: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What the keychain says, and whether this program has opened the store before."""

    result: KeyResult
    known: bool


def look_up(services: Services, path: str) -> LookedUp:
    """Ask the keychain and our own list; any thread but the window's."""
    result = services.library.key_state(path)
    resolved = str(Path(path).resolve())
    return LookedUp(result, any(store.path == resolved for store in services.library.known()))


def cause_of(words: Words, looked: LookedUp) -> Cause:
    """The page for a result. No key for a store that was never opened here is a case of its own."""
    if isinstance(looked.result, Absent) and not looked.known:
        return Cause(
            "Foreign",
            words.say("This database is encrypted, and it was never opened here."),
            words.say("It belongs to another program, or comes from another computer."),
            words.say("Enter the passphrase or the key it was encrypted with."),
        )
    told = explain_key(words, looked.result)
    return Cause(told.name, told.title, told.cause, told.next, told.details)


class KeyPage(Page):
    """One store, one cause, one entry; it asks at most twice in a row."""

    icon_name = Icon.KEY

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "key")
        self._problem: KeyProblem | None = None
        self._result: LookedUp | None = None
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
        self.entry = KeyEntry(self.words)
        self.stopped = named(TextLabel(tone="warn"), "key.stopped")
        self.anew = named(Button(icon=Icon.KEY), "key.anew")
        self.leave = named(Button(), "key.leave")
        self._lay_out()
        self.retry.clicked.connect(self._on_retry_clicked)
        self.entry.given.connect(self._on_key_given)
        self.anew.clicked.connect(self._on_anew_clicked)
        self.leave.clicked.connect(self.closed)
        self.frame.retried.connect(self._on_retry_clicked)
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        if not isinstance(argument, KeyProblem):
            return
        same = self._problem is not None and self._problem.path == argument.path
        self.refusals = self.refusals + 1 if same and self._asked else 0
        self._asked = False
        self._problem = argument
        self._result = None
        self.frame.show_busy(self.words.say("Asking the keychain…"))
        self.bridge.call(
            look_up,
            self.services,
            argument.path,
            done=self._on_result,
            failed=self._on_no_result,
        )

    def clear(self) -> None:
        self._problem = self._result = None
        self._asked = False
        self.refusals = 0
        self.entry.wipe()
        self.details.wipe()
        for label in (self.heading, self.cause, self.next, self.path):
            label.clear()

    def retranslate(self) -> None:
        words = self.words
        self.frame.title.setText(words.say("Locked store"))
        self.retry.setText(words.say("Ask the keychain again"))
        self.anew.setText(words.say("Enter another key"))
        self.leave.setText(words.say("Close"))
        self.entry.retranslate()
        self._fill()

    # ---- filling

    def _on_result(self, result: LookedUp) -> None:
        self._result = result
        if not self.refusals:
            self.entry.expect(passphrase=cause_of(self.words, result).name == "Foreign")
        self._fill()
        self.frame.show_state(frame.CONTENT)
        target = self.leave if self._stopped else self.entry.line
        if self.retry.isVisible() and not self._stopped:
            target = self.retry
        target.setFocus(Qt.FocusReason.OtherFocusReason)

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
        self.next.setText(told.next)
        self.details.show_lines(words.say("What was tried"), told.details)
        self.frame.title.setText(place(problem.path))
        self.path.setText(visible(problem.path))
        self.retry.setVisible(told.name in _CAN_RETRY and not self._stopped)
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
        self._open(None)

    def _on_key_given(self, key: Key) -> None:
        self._open(key)

    def _open(self, key: Key | None) -> None:
        if self._problem is None:
            return
        self._asked = key is not None
        self.entry.say_problem("")
        self.go.emit("open", OpenRequest(self._problem.path, key))

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
        inside.addWidget(self.retry, 0, Qt.AlignmentFlag.AlignLeft)
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
