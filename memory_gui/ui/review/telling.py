# SPDX-License-Identifier: MIT
"""What the review page tells in its banner; a warning is told anew in another language."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from memory_gui.domain.changes import Verdict
from memory_gui.domain.errors import UserError
from memory_gui.ui.review import words as review_words
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import Banner
from memory_gui.words import Words
from memory_gui.words.errors import explain
from memory_gui.words.review import not_remembered

Act = Callable[[], object]
_TITLE: Final = 60
"""Letters of a title that are told in a banner."""


class Telling:
    """GUI thread."""

    def __init__(self, words: Words, banner: Banner) -> None:
        self._words = words
        self._banner = banner

    def retranslate(self) -> None:
        """Say again what is still so; what is over is not said again in another language."""
        self._banner.set_close_name(self._words.say("Close"))
        if not self._banner.say_again():
            self._banner.dismiss_passing()

    def unsaved(self) -> None:
        """A correction stands in the editor."""
        self._warn(lambda: self._words.say("Your correction is not saved. Approve it or leave it."))

    def impossible(self) -> None:
        """It was to be approved, and cannot be."""
        say = self._words.say
        self._warn(lambda: say("It cannot be approved like this. The reason is below."))

    def look_first(self) -> None:
        """It was to be approved before it was shown that it replaces a saved memory."""
        say = self._words.say
        self._warn(
            lambda: say(
                "Not approved yet: with these corrections it would replace a saved memory. Look at"
                " both below, then approve it again."
            )
        )

    def read_first(self, despite: Act, *, edited: bool = False) -> None:
        """It was to be approved, and there is a warning. ``edited``: letters are typed now."""
        say = self._words.say
        if edited:
            self._warn(
                lambda: say("Not approved yet: read the warning below first."),
                (lambda: say("Approve all the same (Ctrl+Shift+Enter)"), despite),
            )
            return
        self._warn(
            lambda: say("Not approved yet: read the warning below first."),
            (lambda: say("Approve all the same (Shift+A)"), despite),
        )

    def overtaken(self, error: UserError) -> None:
        """Somebody wrote in between."""
        self._warn(partial(self._explained, error))

    def foreign(self, error: UserError, look: Act) -> None:
        """What the agent did not make has to be looked at first."""
        self._warn(partial(self._explained, error), (lambda: self._words.say("Look at it"), look))

    def decided(
        self,
        title: str,
        undo: Act,
        erase: Act | None = None,
        *,
        verdict: Verdict,
        remembered: bool = True,
    ) -> None:
        """How it was decided, with the way back; ``erase`` leads to erasing its evidence.

        ``remembered``: whether a rejection is known again when it is proposed again.
        """
        say, short = self._words.say, one_line(title, _TITLE)
        if len(title) > _TITLE:
            short += "…"
        tone, text = {
            Verdict.APPROVE: ("ok", say("Approved: {title}", title=short)),
            Verdict.REJECT: (
                "info",
                say("Rejected: {title}", title=short)
                if remembered
                else say("Rejected: {title}.", title=short),
            ),
            Verdict.REOPEN: ("info", say("It waits again: {title}", title=short)),
        }[verdict]
        if not remembered:
            text = say("{what} {note}", what=text, note=not_remembered(self._words))
        ways = [(say("Undo"), undo)]
        if erase is not None and verdict is not Verdict.REOPEN:
            ways.append((say("Erase its evidence…"), erase))
        self._banner.tell(tone, text, *ways)

    def removed(self, gone: int) -> None:
        """Decided proposals were taken out of our own file."""
        many = self._words.many
        self._banner.tell(
            "ok",
            many(
                "{n} decided proposal was taken out of this program's own file.",
                "{n} decided proposals were taken out of this program's own file.",
                gone,
            ),
        )

    def dismiss(self) -> None:
        """What was told is over."""
        self._banner.dismiss()

    def _explained(self, error: UserError) -> str:
        return explain(self._words, review_words.in_words(self._words, error)).text

    def _warn(self, text: Callable[[], str], *ways: tuple[Callable[[], str], Act]) -> None:
        self._banner.tell_anew(
            lambda: self._banner.tell("warn", text(), *((label(), act) for label, act in ways))
        )
