# SPDX-License-Identifier: MIT
"""The first reading of a store, which may take a while: said as long as nothing can be shown."""

from __future__ import annotations

from memory_gui.ui.widgets import Busy
from memory_gui.words import Words


class Reading:
    """Shares the list's spinner with acts, and stops only what it began."""

    def __init__(self, busy: Busy, words: Words) -> None:
        self._busy = busy
        self._words = words
        self._on = False

    def begin(self) -> None:
        """Nothing is shown yet. May be called again."""
        if not self._on:
            self._on = True
            self._busy.start(self._words.say("Reading…"))

    def end(self) -> None:
        """Something is shown, or an error is."""
        if self._on:
            self._on = False
            self._busy.stop()
