# SPDX-License-Identifier: MIT
"""How a text of a memory is shown in one line now: as it is, with its secrets covered, or not."""

from __future__ import annotations

from collections.abc import Callable

from memory_gui.findings.secrets import secrets_in
from memory_gui.ui.pages.text_view import TextView
from memory_gui.ui.privacy.hiding import hidden_words
from memory_gui.ui.privacy.masking import Find, masked
from memory_gui.ui.privacy.parts import Privacy
from memory_gui.words import Words


class Showing:
    """Asked by every view before it shows a text. GUI thread."""

    def __init__(
        self, words: Words, privacy: Privacy | None = None, find: Find = secrets_in
    ) -> None:
        """Without ``privacy``: nothing is hidden, secrets are covered.

        ``find`` is what is covered.
        """
        self.find = find
        self._words = words
        self._privacy = privacy or Privacy()

    @property
    def hidden(self) -> bool:
        """Whether all texts are hidden."""
        return self._privacy.hiding.hidden

    @property
    def instead(self) -> str:
        """What is said in place of a text; empty while texts are shown."""
        return hidden_words(self._words) if self.hidden else ""

    @property
    def covers(self) -> bool:
        """Whether texts are shown, with their secrets covered."""
        return self._privacy.masking.on and not self.hidden

    def line(self, text: str) -> str:
        """The text, or what stands for it."""
        if self.hidden:
            return self.instead if text else ""
        return masked(text, self.find) if self._privacy.masking.on else text

    def treat(self, *views: TextView) -> None:
        """Have views show their texts accordingly."""
        for view in views:
            view.set_masking(on=self._privacy.masking.on, find=self.find)
            view.hide_text(self.instead)

    def when_changed(self, redraw: Callable[[], object]) -> None:
        """Have a view redrawn when a person hides, shows, covers or uncovers; a bound method."""
        self._privacy.hiding.changed.connect(redraw)
        self._privacy.masking.changed.connect(redraw)
