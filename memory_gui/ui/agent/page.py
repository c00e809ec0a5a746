# SPDX-License-Identifier: MIT
"""What the agent is given: the block of every request, and what a message would recall."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services import OpenedStore
from memory_gui.services.agent.view import AgentView, is_known, known_agents
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.frame import Frame, padded
from memory_gui.ui.pages.page import Page
from memory_gui.ui.pages.text_view import TextView
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.widgets import Button, Panel, SectionLabel, TextLabel
from memory_gui.words.agentview import LONE, WITHOUT_CJK, in_every_request

_TYPING_MS: Final = 350
_LINES: Final = 400
"""More than either block can have: the page scrolls, not the texts."""


class AgentPage(Page):
    """Two texts as the agent sends them, by the agent's own rules. Nothing is written."""

    icon_name = Icon.COMMAND

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "given")
        self._store: OpenedStore | None = None
        self._view: AgentView | None = None
        self._call: Handle | None = None
        self._showing = Showing(context.words, context.privacy)
        self.frame = Frame("given")
        self.lead = named(TextLabel(tone="muted"), "given.lead")
        self.lone = named(TextLabel(tone="muted"), "given.lone")
        self._stable_title = named(SectionLabel(), "given.stable.title")
        self.stable = TextView("given.stable", lines=_LINES)
        self.room = named(TextLabel(tone="muted"), "given.room")
        self._said_title = named(SectionLabel(), "given.said.title")
        self.said = named(QLineEdit(), "given.said")
        self.recalled = named(TextLabel(tone="muted"), "given.recalled")
        self.recall = TextView("given.recall", lines=_LINES)
        self.words_apart = named(TextLabel(tone="muted"), "given.words_apart")
        self.back = named(Button(), "given.back")
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._lay_out()
        self._connect()
        self.retranslate()

    def show_for(self, argument: object) -> None:
        self.said.clear()
        self._typing.stop()
        opened = [one for one in self.services.library.stores() if is_known(one)]
        opened.sort(key=lambda one: (one.id != argument, one.info.role != "project"))
        self._store = opened[0] if opened else None
        self.frame.to_top()
        self.said.setFocus()
        self.refresh()

    def refresh(self) -> None:
        if self._call is not None:
            self._call.cancel()
        if self._store is None:
            self._show_empty()
            return
        if self._view is None:
            self.frame.show_busy(self.words.say("Reading…"))
        self._call = self.bridge.call(
            self.services.agent_views.view,
            self._store,
            self.said.text() or None,
            done=self._on_view,
            failed=self._on_failed,
            cancellable=True,
        )

    def retranslate(self) -> None:
        words = self.words
        self.frame.title.setText(words.say("What the agent is given"))
        self.frame.banner.set_close_name(words.say("Close"))
        self._stable_title.setText(words.say("In every request"))
        self._said_title.setText(words.say("Added to a message"))
        self.stable.setAccessibleName(words.say("In every request"))
        self.recall.setAccessibleName(words.say("Added to a message"))
        self.said.setAccessibleName(words.say("A message to the agent"))
        self.said.setPlaceholderText(words.say("Write what you would say to the agent"))
        self.back.setText(words.say("Back to the list"))
        self._draw()

    def clear(self) -> None:
        if self._call is not None:
            self._call.cancel()
        self._typing.stop()
        self._store = self._view = None
        self.said.clear()
        for view in (self.stable, self.recall):
            view.wipe()
        for label in (self.lead, self.room, self.recalled):
            label.clear()

    # ---- what came

    def _on_view(self, view: AgentView) -> None:
        self._view = view
        self.frame.show_state(frame.CONTENT)
        self._draw()

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self._view = None
        self.frame.show_error(self.words, error)

    def _show_empty(self) -> None:
        say = self.words.say
        self.frame.empty.say(
            say("No store is open of an agent whose rules are known"),
            say("Open one of {agents}.", agents=self.words.row(known_agents())),
        )
        self.frame.show_state(frame.EMPTY)

    def _draw(self) -> None:
        view = self._view
        if view is None:
            return
        words, stable, found = self.words, view.stable, view.recall
        self.lead.setText(
            in_every_request(
                words,
                len(stable.shown),
                memories=view.memories,
                chars=len(stable.text),
                most=view.room,
            )
        )
        self.lone.setVisible(view.lone)
        self.lone.setText(words.say(LONE))
        self.room.setVisible(bool(stable.no_room))
        self.room.setText(
            words.many(
                "{n} memory belongs there and has no room.",
                "{n} memories belong there and have no room.",
                len(stable.no_room),
            )
        )
        self.recalled.setVisible(found is not None)
        self.recall.setVisible(found is not None and bool(found.text))
        self.words_apart.setVisible(found is not None and found.without_cjk)
        self._show(self.stable, stable.text or words.say("Nothing."))
        if found is None:
            self.recall.wipe()
            return
        self._show(self.recall, found.text)
        self.recalled.setText(
            words.many(
                "This message recalls {n} memory, {chars} of {most} characters.",
                "This message recalls {n} memories, {chars} of {most} characters.",
                len(found.recalled),
                chars=len(found.text),
                most=view.recall_room,
            )
        )
        self.words_apart.setText(words.say(WITHOUT_CJK))

    def _show(self, view: TextView, text: str) -> None:
        view.show_text(text)
        self._showing.treat(view)

    # ---- building

    def _connect(self) -> None:
        self._showing.when_changed(self._draw)
        self.said.textEdited.connect(self._on_typed)
        self.said.returnPressed.connect(self._on_entered)
        self._typing.timeout.connect(self.refresh)
        self.frame.retried.connect(self.refresh)
        self.frame.acted.connect(self.closed)
        self.back.clicked.connect(self.closed)

    def _on_typed(self, _text: str) -> None:
        self._typing.start()

    def _on_entered(self) -> None:
        self._typing.stop()
        self.refresh()

    def _lay_out(self) -> None:
        content = self.frame.content
        for label in (self.lead, self.room, self.lone):
            content.addWidget(label)
        # The field first: the block below it is longer than a window.
        for title, widgets in (
            (self._said_title, (self.said, self.recalled, self.recall, self.words_apart)),
            (self._stable_title, (self.stable,)),
        ):
            panel = named(Panel(), f"{title.objectName()}.panel")
            inside = padded(panel, SPACE_M)
            inside.setSpacing(SPACE_S)
            inside.addWidget(title)
            for widget in widgets:
                inside.addWidget(widget)
            content.addWidget(panel)
        content.addStretch(1)
        self.frame.foot.addStretch(1)
        self.frame.foot.addWidget(self.back)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.frame)
