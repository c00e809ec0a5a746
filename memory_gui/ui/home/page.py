# SPDX-License-Identifier: MIT
"""The first page, reachable at any time: which stores there are, and what is wrong with any."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.ui import lazy
from memory_gui.ui.context import Context
from memory_gui.ui.home.focus import focused
from memory_gui.ui.home.welcome import Welcome
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.frame import Frame
from memory_gui.ui.pages.page import Page
from memory_gui.ui.tokens import SPACE_XS
from memory_gui.ui.widgets import Busy, Button, Caption, PrimaryButton
from memory_gui.ui.widgets.flow import FlowLayout

if TYPE_CHECKING:  # the page is painted before these are loaded
    from memory_gui.domain.records import StoreId
    from memory_gui.services.home.view import HomeView
    from memory_gui.ui.home.body import Body

AGAIN_MS: Final = 5_000
"""While Home is seen it looks again this often: what was solved elsewhere goes by itself."""


class HomePage(Page):
    """Shows what ``services.home`` sees; the window opens what a person asks for.

    Its head and its buttons are painted before there are any services; ``furnish`` adds the rest.
    """

    file_wanted = Signal()
    folder_wanted = Signal()
    sample_wanted = Signal()
    path_wanted = Signal(str)
    store_wanted = Signal(object)
    """StoreId: show this open store's memories."""

    icon_name = Icon.DATABASE

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._view: HomeView | None = None
        self._samples: frozenset[StoreId] = frozenset()
        self._once_more = False
        self._asking = Asking(context.bridge)
        self._body: Body | None = None
        self._wanted = False
        self.frame = Frame("start", width=0)
        self.banner = self.frame.banner
        self._file = named(PrimaryButton("", Icon.DATABASE), "start.file")
        self._folder = named(Button("", Icon.FOLDER), "start.folder")
        self._sample = named(Button("", Icon.SAMPLE), "start.sample")
        self._acts = QWidget()
        self._welcome = Welcome()
        self._busy = named(Busy(), "start.busy")
        self._remarks = QWidget()
        self._drop, self._forgets = (
            named(Caption(), f"start.{name}") for name in ("drop", "forgets")
        )
        self._private = named(Caption(), "start.private")
        self._again = QTimer(self)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(self._on_again_timeout)
        self._file.clicked.connect(self.file_wanted)
        self._folder.clicked.connect(self.folder_wanted)
        self._sample.clicked.connect(self.sample_wanted)
        self.frame.retried.connect(self.refresh)
        self._arrange()
        if context.ready:
            self.furnish()
        self.retranslate()

    def furnish(self) -> None:
        """There are services now: the stores, and what they need."""
        if self._body is not None:
            return
        body: Body = lazy.home_body().Body(self.context, self, self._file)
        self._body = body
        body.path_wanted.connect(self.path_wanted)
        body.store_wanted.connect(self.store_wanted)
        body.go.connect(self.go)
        body.look_wanted.connect(self.refresh)
        body.acted.connect(self._then_look)
        content = self.frame.content
        for group in body.groups():
            content.insertLayout(content.indexOf(self._welcome), group)
        content.insertWidget(content.indexOf(self._welcome) + 1, body.discovery)
        body.retranslate()
        self._show()
        if self._wanted:
            self._begin()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        self._wanted = True
        self._file.setFocus(Qt.FocusReason.OtherFocusReason)
        self._begin()

    def _begin(self) -> None:
        if self._body is not None:
            self._body.begin()
        self.refresh()

    def refresh(self) -> None:
        """Look again, never twice at a time; the first time what is at hand comes first."""
        self._once_more = self._asking.busy
        if self._asking.busy or self._body is None:
            return
        if self._view is None:
            self._busy.start(self.words.say("Asking the keychain for the list of stores…"))
            self._ask(self.services.home.at_hand, self._on_at_hand)
        else:
            self._look()

    def clear(self) -> None:
        self._view = None
        self._asking.drop()
        self._once_more = False
        self._busy.stop()
        if self._body is not None:
            self._body.clear()
        self._show()
        self.banner.dismiss()

    def mark_samples(self, samples: frozenset[StoreId]) -> None:
        """Which stores were invented for trying the app."""
        self._samples |= samples
        self._show()

    def retranslate(self) -> None:
        say = self.words.say
        self.frame.title.setText(say("What agents remember on this computer"))
        self.banner.set_close_name(say("Close this message"))
        self._file.setText(say("Open a store…"))
        self._folder.setText(say("Open a project folder…"))
        self._sample.setText(say("Try the sample"))
        self._welcome.retranslate(self.words)
        if self._body is not None:
            self._body.retranslate()
        self._show()

    # ---- Qt's own

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._body is not None:
            self._body.fit()
        self._again.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._again.stop()

    # ---- looking

    def _on_again_timeout(self) -> None:
        if not self._asking.busy:
            self.refresh()

    def _look(self) -> None:
        self._ask(self.services.home.look, self._on_looked)

    def _ask(self, look: Callable[[], HomeView], done: Callable[[HomeView], object]) -> None:
        self._asking.anew(look, done=done, failed=self._on_failed, broke=self._busy.stop)

    def _on_at_hand(self, view: HomeView) -> None:
        self._view = view if view.cards else None
        self._show()
        self._look()

    def _on_looked(self, view: HomeView) -> None:
        self._busy.stop()
        self._view = view
        self._show()
        if self._once_more:  # something was done since it was asked
            self.refresh()

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self._once_more = False
        self._busy.stop()
        if self._view is None:
            self.frame.show_error(self.words, error)
        else:
            self.frame.say_error(self.words, error)

    def _on_not_done(self, error: UserError | IntegrityError) -> None:
        """What is being looked at meanwhile goes on."""
        self.frame.say_error(self.words, error)

    # ---- showing

    def _show(self) -> None:
        view = self._view
        self.frame.show_state(frame.CONTENT)
        first = view is not None and view.whole and not view.cards
        self._hold_acts(first=first)
        if self._body is not None:
            self._body.show(view, self._samples)
        self._show_remarks(remembers=view is None or view.remembers)

    def _hold_acts(self, *, first: bool) -> None:
        """Where there is no store yet, the buttons stand below what this is for."""
        focus = focused(self._acts)
        self.frame.title.setVisible(not first)
        self._welcome.setVisible(first)
        self._remarks.setVisible(not first)
        if first == self._welcome.isAncestorOf(self._acts):
            return
        if first:
            self._welcome.hold(self._acts)
        else:
            self._top.addWidget(self._acts)
        if focus:
            again = self._acts.findChild(QWidget, focus) or self._file
            again.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_remarks(self, *, remembers: bool) -> None:
        say = self.words.say
        self._drop.setText(
            say("Or drop a memory.db or a project folder here. Looking changes nothing in it.")
        )
        self._welcome.remark(self._drop.text())
        self._forgets.setText(
            say("No list of opened stores is kept: that is switched off in the settings.")
        )
        self._forgets.setVisible(not remembers)
        self._private.setText(
            say("Everything stays on this computer. The app never connects to the network.")
        )

    # ---- acting

    def _then_look(self, act: Callable[[], object]) -> None:
        self.bridge.call(act, done=lambda _: self.refresh(), failed=self._on_not_done)

    # ---- arranging

    def _arrange(self) -> None:
        row = FlowLayout(self._acts)
        for button in (self._file, self._folder, self._sample):
            row.addWidget(button)
        remarks = QVBoxLayout(self._remarks)
        remarks.setContentsMargins(0, 0, 0, 0)
        remarks.setSpacing(SPACE_XS)
        for label in (self._drop, self._forgets):
            remarks.addWidget(label)
        self._top, self._bottom = QVBoxLayout(), QVBoxLayout()
        self._top.addWidget(self._acts)
        self._bottom.addWidget(self._remarks)
        content = self.frame.content
        content.addLayout(self._top)
        content.addWidget(self._busy)
        content.addWidget(self._welcome)
        content.addLayout(self._bottom)
        content.addStretch(1)
        self.frame.foot.addWidget(self._private, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
