# SPDX-License-Identifier: MIT
"""How much of what is typed the agent reads: said below the text, while one types."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit

from memory_gui.services.agent.view import reach_of
from memory_gui.ui.names import named
from memory_gui.ui.widgets import Caption
from memory_gui.words import Words
from memory_gui.words.agentview import how_much_is_read


class ReachLine(Caption):
    """Hidden where the agent's habits are not known, and while all is read. GUI thread."""

    def __init__(self, words: Words, text: QPlainTextEdit, name: str) -> None:
        super().__init__("", wrap=True)
        named(self, name)
        self._words = words
        self._edit = text
        self._format = ""
        text.textChanged.connect(self.say_again)
        self.hide()

    def set_format(self, name: str) -> None:
        """Of which format the store is that it will be saved in."""
        self._format = name
        self.say_again()

    def say_again(self) -> None:
        """The text, the store or the language is another one."""
        reach = reach_of(self._format)
        document = self._edit.document()
        chars = document.characterCount() - 1  # a long text is not copied at each key
        if reach is not None and chars > reach.recalled:
            chars = len(self._edit.toPlainText().strip())
        if reach is None or chars <= reach.recalled:
            self.clear()
            self.hide()
            return
        self.setText(how_much_is_read(self._words, chars, reach))
        self.set_tone("warn" if chars > reach.always else "muted")
        self.show()
