# SPDX-License-Identifier: MIT
"""Language, appearance and idle lock: worn at once, written down behind the scenes."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from memory_gui.ui.context import Context
from memory_gui.ui.palette import Theme
from memory_gui.ui.shell.actions import APPEARANCES, Actions
from memory_gui.ui.shell.watch import Idle
from memory_gui.words import LANGUAGES, Words


class Preferences(QObject):
    """Between the settings and what they change in the window. GUI thread."""

    language_changed = Signal(str)
    appearance_changed = Signal(str)
    applied = Signal()
    """The settings were read: whoever has some of its own looks as they say."""

    def __init__(self, context: Context, theme: Theme, idle: Idle, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._theme = theme
        self._idle = idle

    @property
    def appearance(self) -> str:
        """``system``, ``light`` or ``dark``."""
        return self._theme.mode

    def offer(self, actions: Actions) -> None:
        """Put the choices into the menu, and tick there what is worn."""
        modes = tuple(mode for mode, _ in APPEARANCES)
        actions.add_choices(actions.appearances, modes, self.appearance, self.use_appearance)
        language = self._context.words.language
        actions.add_choices(actions.languages, LANGUAGES, language, self.use_language)
        self.appearance_changed.connect(partial(actions.tick, actions.appearances))
        self.language_changed.connect(partial(actions.tick, actions.languages))

    def apply(self) -> None:
        """Wear what the settings say."""
        values = self._context.services.settings.values
        if values.appearance != self._theme.mode:
            self._wear(values.appearance)
        self._theme.use_text_scale(values.text_scale)
        self._idle.set_minutes(values.auto_lock_minutes)
        self._context.bridge.call(self._context.services.home.apply_settings)
        self.read_language(values.language)
        self.applied.emit()

    def read_language(self, language: str) -> None:
        """Another language, live, empty = the system's; its texts are read off this thread."""
        self._context.bridge.call(
            use_language, self._context.words, language, done=self._on_language_read, in_turn=True
        )

    def toggle_appearance(self) -> None:
        """From light to dark and back."""
        self.use_appearance("light" if self._theme.dark else "dark")

    def use_appearance(self, mode: str) -> None:
        """Wear it and write it down."""
        self._wear(mode)
        self._save(appearance=mode)

    def use_language(self, language: str) -> None:
        """Speak it and write it down."""
        self.read_language(language)
        self._save(language=language)

    def _wear(self, mode: str) -> None:
        self._theme.use(mode)
        self.appearance_changed.emit(mode)

    def _save(self, **values: str) -> None:
        change = partial(self._context.services.settings.change, **values)
        self._context.bridge.call(change, in_turn=True)

    def _on_language_read(self, changed: bool) -> None:
        if changed:
            self.language_changed.emit(self._context.words.language)


def use_language(words: Words, language: str) -> bool:
    """Read a language's texts; whether it is another one than before. In a thread."""
    before = words.language
    words.use(language or Words.from_environment().language)
    return words.language != before
