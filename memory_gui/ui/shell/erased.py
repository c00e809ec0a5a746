# SPDX-License-Identifier: MIT
"""Tells how an erase ended that was running when the window was locked."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.erasure.result import EraseState
from memory_gui.ui.context import Context
from memory_gui.ui.pages import erase_words as say
from memory_gui.ui.pages.erase_run import Outcome
from memory_gui.ui.widgets import Banner
from memory_gui.words.errors import explain

Ending = Outcome | UserError | IntegrityError


class ErasedNotice(QObject):
    """Keeps the ending until a person has seen it; a banner of its own says it. GUI thread.

    While locked nothing is said: a result may name files and programs.
    """

    def __init__(
        self,
        context: Context,
        banner: Banner,
        show: Callable[[Outcome], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._words = context.words
        self._banner = banner
        self._show = show
        self._ending: Ending | None = None
        banner.dismissed.connect(self._on_banner_dismissed)

    def keep(self, ending: object) -> None:
        """One ended, and nobody saw it."""
        if isinstance(ending, Ending):
            self._ending = ending

    def cover(self) -> None:
        """Say nothing until ``tell`` is called again."""
        ending, self._ending = self._ending, None
        self._banner.dismiss()
        self._ending = ending

    def tell(self) -> None:
        """Say what is kept."""
        ending = self._ending
        if ending is None:
            return
        words = self._words
        if not isinstance(ending, Outcome):
            text = words.say(
                "The erase that was running when you locked did not finish. {why}",
                why=explain(words, ending).text,
            )
            self._banner.tell("warn", text)
            return
        self._banner.tell(
            "ok" if ending.result.state is EraseState.PROVED else "warn",
            words.say(
                "The erase that was running when you locked has ended: {result}.",
                result=say.heading(words, ending.result),
            ),
            (words.say("Show"), self._on_show_clicked),
        )

    def _on_show_clicked(self) -> None:
        ending = self._ending
        self._banner.dismiss()
        if isinstance(ending, Outcome):
            self._show(ending)

    def _on_banner_dismissed(self) -> None:
        self._ending = None
