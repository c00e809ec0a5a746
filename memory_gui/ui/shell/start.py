# SPDX-License-Identifier: MIT
"""The first page: what this is, open a store, try the sample."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memory_gui.services import KnownStore
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.page import Page
from memory_gui.ui.tokens import PAGE_WIDTH, SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS
from memory_gui.ui.visible import one_line, plain_button
from memory_gui.ui.widgets import (
    Banner,
    Button,
    Caption,
    Panel,
    PrimaryButton,
    QuietButton,
    SectionLabel,
    TextLabel,
    TitleLabel,
)
from memory_gui.ui.widgets.empty import Picture

_WIDTH = PAGE_WIDTH
_MOST_KNOWN = 6


class StartPage(Page):
    """Offers to open; the window does it."""

    file_wanted = Signal()
    folder_wanted = Signal()
    sample_wanted = Signal()
    path_wanted = Signal(str)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._known: tuple[KnownStore, ...] = ()
        self.banner = named(Banner(), "start.banner")
        self._title = named(TitleLabel(), "start.title")
        self._text = named(TextLabel(tone="muted"), "start.text")
        self._file = named(PrimaryButton("", Icon.DATABASE), "start.file")
        self._folder = named(Button("", Icon.FOLDER), "start.folder")
        self._sample = named(Button("", Icon.SAMPLE), "start.sample")
        self._drop = named(Caption(), "start.drop")
        self._known_label = named(SectionLabel(), "start.known.label")
        self._known_label.hide()
        self._known_rows = QVBoxLayout()
        self._private = named(Caption(), "start.private")
        self._file.clicked.connect(self.file_wanted)
        self._folder.clicked.connect(self.folder_wanted)
        self._sample.clicked.connect(self.sample_wanted)
        self._arrange()
        self.retranslate()

    def show_for(self, argument: object) -> None:
        self._file.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        self.bridge.call(self.services.library.known, done=self._on_known)

    def clear(self) -> None:
        self._on_known(())
        self.banner.dismiss()

    def retranslate(self) -> None:
        say = self.words.say
        self._title.setText(say("What do your agents remember?"))
        self._text.setText(
            say(
                "Open the memory of an AI agent to see every record, correct what is wrong, decide "
                "what waits for your approval, and erase for good what must go."
            )
        )
        self._file.setText(say("Open a store…"))
        self._folder.setText(say("Open a project folder…"))
        self._sample.setText(say("Try the sample"))
        self._drop.setText(
            say("Or drop a memory.db or a project folder here. Looking changes nothing in it.")
        )
        self._known_label.setText(say("Opened before"))
        self._private.setText(
            say("Everything stays on this computer. The app never connects to the network.")
        )
        self.banner.set_close_name(say("Close this message"))

    def _on_known(self, known: tuple[KnownStore, ...]) -> None:
        self._known = known[:_MOST_KNOWN]
        while (item := self._known_rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for number, one in enumerate(self._known):
            self._known_rows.addWidget(self._row(number, one))
        self._known_label.setVisible(bool(self._known))

    def _row(self, number: int, one: KnownStore) -> QWidget:
        row = QWidget()
        button = named(
            QuietButton(plain_button(one_line(one.name or one.path, 40)), Icon.DATABASE),
            f"start.known{number}",
            self.words.say("Open {name}", name=one_line(one.name or one.path, 80)),
        )
        button.clicked.connect(partial(self._on_known_clicked, one.path))
        where = named(Caption(one_line(one.path, 90), wrap=False), f"start.known{number}.path")
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addWidget(button)
        layout.addWidget(where)
        layout.addStretch(1)
        return row

    def _on_known_clicked(self, path: str, _checked: bool = False) -> None:
        self.path_wanted.emit(path)

    def _arrange(self) -> None:
        card = named(Panel(), "start.card")
        card.setMaximumWidth(_WIDTH)
        inside = QVBoxLayout(card)
        inside.setContentsMargins(SPACE_XL * 2, SPACE_XL * 2, SPACE_XL * 2, SPACE_XL * 2)
        inside.setSpacing(SPACE_S)
        inside.addWidget(Picture(Icon.BRAIN, "accent"), 0, Qt.AlignmentFlag.AlignLeft)
        inside.addSpacing(SPACE_S)
        inside.addWidget(self._title)
        inside.addWidget(self._text)
        inside.addSpacing(SPACE_L)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        for button in (self._file, self._folder, self._sample):
            row.addWidget(button)
        row.addStretch(1)
        inside.addLayout(row)
        inside.addWidget(self._drop)
        inside.addSpacing(SPACE_M)
        inside.addWidget(self._known_label)
        self._known_rows.setSpacing(SPACE_XS)
        inside.addLayout(self._known_rows)
        inside.addSpacing(SPACE_M)
        inside.addWidget(self._private)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(card, 30)
        middle.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_XL, SPACE_L, SPACE_XL, SPACE_XL)
        layout.addWidget(self.banner)
        layout.addStretch(2)
        layout.addLayout(middle)
        layout.addStretch(3)
