# SPDX-License-Identifier: MIT
"""A store that could be one of several formats: a person says which."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.errors import UserError
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.frame import Frame
from memory_gui.ui.pages.page import Page
from memory_gui.ui.pages.requests import OpenRequest
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import Button, Caption, TextLabel
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import formats


class WhichPage(Page):
    """Shown for a ``store.two_formats``. Nothing was opened; looking changes nothing."""

    icon_name = Icon.DATABASE

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "which")
        self._path = ""
        self._formats: tuple[str, ...] = ()
        self.frame = Frame("which")
        self.lead = named(TextLabel(), "which.lead")
        self.path = named(Caption(selectable=True), "which.path")
        self.note = named(Caption(), "which.note")
        self._choices = QWidget()
        self._row = FlowLayout(self._choices)
        self.leave = named(Button(), "which.leave")
        self.leave.clicked.connect(self.closed)
        content = self.frame.content
        content.setSpacing(SPACE_S)
        for widget in (self.lead, self.path, self._choices, self.note):
            content.addWidget(widget)
        content.addStretch(1)
        self.frame.foot.addStretch(1)
        self.frame.foot.addWidget(self.leave)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
        self.retranslate()

    def show_for(self, argument: object) -> None:
        if isinstance(argument, UserError):
            self._path = str(argument.params.get("path", ""))
            self._formats = tuple(str(argument.params.get("formats", "")).split(", "))
            self._fill()
            first = self.findChild(Button, "which.choice0")
            if first is not None:
                first.setFocus(Qt.FocusReason.OtherFocusReason)

    def clear(self) -> None:
        self._path, self._formats = "", ()
        self._fill()

    def retranslate(self) -> None:
        say = self.words.say
        self.frame.title.setText(say("Which kind of store is this?"))
        self.lead.setText(
            say("What is in the file fits several formats equally well. Which one wrote it?")
        )
        self.note.setText(
            say("Looking changes nothing in it. The choice holds until you close the app.")
        )
        self.leave.setText(say("Cancel"))
        self._fill()

    def _fill(self) -> None:
        self.frame.show_state(frame.CONTENT)
        self.path.show_foreign(self._path)
        frame.empty(self._row)
        for number, name in enumerate(self._formats):
            button = named(
                Button(formats.format_name(self.words, name), Icon.DATABASE),
                f"which.choice{number}",
            )
            button.clicked.connect(partial(self._choose, name))
            self._row.addWidget(button)

    def _choose(self, name: str) -> None:
        self.bridge.call(
            self.services.library.choose_format,
            self._path,
            name,
            done=partial(self._on_chosen, self._path),
            failed=partial(self.frame.show_error, self.words),
        )

    def _on_chosen(self, path: str, _: object) -> None:
        if path == self._path:  # else another one is asked about, or none
            self.closed.emit()
            self.go.emit("open", OpenRequest(path))
