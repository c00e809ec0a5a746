# SPDX-License-Identifier: MIT
"""One store as a card: what it is, what is in it, who can read it, and the way in."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from memory_gui.ui.home.phrases import CardWords, ProblemWords
from memory_gui.ui.icons import Icon, icon_px
from memory_gui.ui.names import named
from memory_gui.ui.tokens import BODY_PT, CONTROL_HEIGHT, SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from memory_gui.ui.visible import plain_button
from memory_gui.ui.widgets import Button, Caption, MenuButton, Panel, TextLabel
from memory_gui.ui.widgets.elided import ElidedLabel
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.ui.widgets.mark import IconMark as Mark
from memory_gui.words import Words


class _Name(ElidedLabel):
    size_pt = BODY_PT
    bold = True


class StoreCard(Panel):
    """Shows one store; emits what a person wants done with it."""

    opened = Signal(object)
    """The CardWords."""
    protect_wanted = Signal(object)
    closing = Signal(object)
    forgetting = Signal(object)

    def __init__(self, words: Words, shown: CardWords, name: str) -> None:
        super().__init__()
        self._words = words
        self.shown = shown
        named(self, name)
        self._mark = Mark(shown.icon, shown.kept_tone)
        right = Qt.TextElideMode.ElideRight
        self._title = named(_Name(tone="text", mode=right), f"{name}.name")
        self._agent = named(Caption(wrap=False), f"{name}.agent")
        self._where = named(ElidedLabel(), f"{name}.where")
        self._memories = named(TextLabel(), f"{name}.memories")
        self._rest = named(Caption(), f"{name}.rest")
        self._kept = named(Caption(tone=shown.kept_tone, wrap=False), f"{name}.kept")
        self._changed = named(Caption(wrap=False), f"{name}.changed")
        self._in_use = named(Caption(), f"{name}.in_use")
        self._open = named(Button(), f"{name}.open")
        self._more = named(MenuButton(Icon.MORE), f"{name}.more")
        self._open.clicked.connect(lambda: self.opened.emit(self.shown))
        self._arrange()
        self.show_words(shown)

    def show_words(self, shown: CardWords) -> None:
        """The same store, as it is now."""
        say = self._words.say
        self.shown = shown
        self._mark.set_icon(shown.icon, shown.kept_tone)
        self._title.show_foreign(shown.title)
        self._agent.setText(shown.agent)
        self._where.show_foreign(shown.where)
        self._memories.setText(shown.memories)
        self._rest.setText(shown.rest)
        self._kept.setText(shown.kept)
        self._kept.set_tone(shown.kept_tone)
        self._changed.setText(shown.changed)
        self._in_use.show_foreign(shown.in_use)
        self._open.setText(plain_button(shown.act))
        self._open.setAccessibleName(say("{act}: {name}", act=shown.act, name=shown.title))
        self._open.setAccessibleDescription(shown.spoken)
        self._more.set_spoken(say("More about {name}", name=shown.title))
        self.setAccessibleName(shown.spoken)
        for label, text in ((self._rest, shown.rest), (self._in_use, shown.in_use)):
            label.setVisible(bool(text))
        self._fill_menu()

    def _fill_menu(self) -> None:
        say = self._words.say
        before = self._more.menu()
        menu = named(QMenu(self._more), f"{self.objectName()}.menu")
        menu.setAccessibleName(say("More about {name}", name=self.shown.title))
        entries = (
            (self.shown.store is not None, say("Health and encryption…"), self.protect_wanted),
            (self.shown.store is not None, say("Close this store"), self.closing),
            (self.shown.may_forget, say("Take it off the list"), self.forgetting),
        )
        for wanted, text, signal in entries:
            if wanted:
                act = menu.addAction(text)
                act.triggered.connect(lambda _checked=False, signal=signal: signal.emit(self.shown))
        self._more.setMenu(menu)
        self._more.setVisible(bool(menu.actions()))
        if before is not None:
            before.deleteLater()

    def _arrange(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_M, SPACE_M, SPACE_M)
        layout.setSpacing(SPACE_XS)
        head = QHBoxLayout()
        head.setSpacing(SPACE_S)
        head.addWidget(self._mark)
        head.addWidget(self._title, 1)
        head.addWidget(self._agent)
        layout.addLayout(head)
        layout.addWidget(self._where)
        layout.addSpacing(SPACE_S)
        for label in (self._memories, self._rest):
            layout.addWidget(label)
        state = FlowLayout(spacing=SPACE_M)
        state.addWidget(self._kept)
        state.addWidget(self._changed)
        layout.addLayout(state)
        layout.addWidget(self._in_use)
        layout.addSpacing(SPACE_XS)
        layout.addStretch(1)
        foot = QHBoxLayout()
        foot.addWidget(self._open)
        foot.addStretch(1)
        foot.addWidget(self._more)
        layout.addLayout(foot)


class ProblemRow(QWidget):
    """One cause at one store, and the one thing to do about it."""

    acted = Signal(object)
    """The ProblemWords."""

    def __init__(self, shown: ProblemWords, name: str) -> None:
        super().__init__()
        self.shown = shown
        named(self, name, shown.text)
        text = named(TextLabel(selectable=True), f"{name}.text")
        more = named(Caption(), f"{name}.more")
        text.show_foreign(shown.text)
        more.show_foreign(shown.more)
        if not shown.more:
            more.hide()  # and never shown here: without a parent it would be a window
        button = named(Button(plain_button(shown.button)), f"{name}.act")
        button.setAccessibleDescription(shown.text)
        button.clicked.connect(lambda: self.acted.emit(self.shown))
        mark = QVBoxLayout()
        mark.setContentsMargins(0, (CONTROL_HEIGHT - icon_px()) // 2, 0, 0)
        mark.addWidget(Mark(shown.icon, shown.tone))
        mark.addStretch(1)
        line = QFontMetrics(text.font()).height()
        texts = QVBoxLayout()
        texts.setContentsMargins(0, max(0, CONTROL_HEIGHT - line) // 2, 0, 0)
        texts.setSpacing(0)
        texts.addWidget(text)
        texts.addWidget(more)
        texts.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, SPACE_XS // 2, 0, SPACE_XS // 2)
        row.setSpacing(SPACE_M)
        row.addLayout(mark)
        row.addLayout(texts, 1)
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
