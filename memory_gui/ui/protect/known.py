# SPDX-License-Identifier: MIT
"""What is known about a store, and what can be done to it as a whole."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from memory_gui.services import OpenedStore
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import protect_words as say
from memory_gui.ui.pages.frame import Facts, padded
from memory_gui.ui.protect.acts import Act, is_older, may_be_encrypted
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import Button, Panel, SectionLabel
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words import Words

_NAME_WIDTH = 110


class Known(Panel):
    """Facts, and below them the buttons that fit. GUI thread."""

    wanted = Signal(object)
    """An Act."""
    recovery_wanted = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.setObjectName("protect.panel")
        self._title = named(SectionLabel(), "protect.facts.title")
        self.facts = Facts("protect.facts")
        self.encrypt = named(Button(icon=Icon.LOCK), "protect.encrypt")
        self.decrypt = named(Button(icon=Icon.READABLE), "protect.decrypt")
        self.copy = named(Button(icon=Icon.EXPORT), "protect.copy")
        self.migrate = named(Button(icon=Icon.EXPORT), "protect.migrate")
        self.rotate = named(Button(icon=Icon.KEY), "protect.rotate")
        self.recovery = named(Button(icon=Icon.KEY), "protect.recovery")
        for button, act in (
            (self.encrypt, Act.ENCRYPT),
            (self.decrypt, Act.READABLE),
            (self.copy, Act.COPY),
            (self.migrate, Act.MIGRATE),
            (self.rotate, Act.ROTATE),
        ):
            button.clicked.connect(partial(self.wanted.emit, act))
        self.recovery.clicked.connect(self.recovery_wanted)
        inside = padded(self)
        inside.addWidget(self._title)
        inside.addWidget(self.facts)
        row = FlowLayout()
        copies = (self.migrate, self.copy)
        for button in (self.encrypt, self.recovery, self.rotate, *copies, self.decrypt):
            row.addWidget(button)
        inside.addSpacing(SPACE_S)
        inside.addLayout(row)

    def show_store(self, store: OpenedStore) -> None:
        """What it is, and what can be done to it."""
        self.facts.show_rows(say.facts(self._words, store), name_width=_NAME_WIDTH)
        offered, encrypted = may_be_encrypted(store), store.info.encrypted
        self.encrypt.setVisible(offered and not encrypted)
        for button in (self.recovery, self.rotate, self.copy, self.decrypt):
            button.setVisible(offered and encrypted)
        self.migrate.setVisible(is_older(store))

    @property
    def first(self) -> QPushButton | None:
        """The first act that is offered."""
        acts = (self.encrypt, self.decrypt, self.migrate)
        return next((one for one in acts if one.isVisible()), None)

    def wipe(self) -> None:
        """Forget it."""
        self.facts.wipe()

    def retranslate(self) -> None:
        """Say all texts again."""
        words = self._words
        self._title.setText(words.say("What it is"))
        self.encrypt.setText(words.say("Encrypt…"))
        self.decrypt.setText(words.say("Make it readable…"))
        self.copy.setText(words.say("Readable copy…"))
        self.migrate.setText(words.say("Copy in today’s format…"))
        self.rotate.setText(words.say("Change the key…"))
        self.recovery.setText(words.say("Recovery key…"))
