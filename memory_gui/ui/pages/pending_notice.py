# SPDX-License-Identifier: MIT
"""Tells at the start that an erase was not finished, until it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.erasure.result import EraseResult, EraseState
from memory_gui.ledger import SETTLED, PendingErase
from memory_gui.ui.context import Context
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.erase_words import heading
from memory_gui.ui.pages.waiting import Waiting
from memory_gui.ui.widgets import Banner


class PendingNotice(QObject):
    """Asks once, off the GUI thread, and says it in a banner with the way to the page."""

    def __init__(
        self, context: Context, banner: Banner, show: Callable[[], object], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._banner = banner
        self._asking = Asking(context.bridge)
        self._show = show
        self._waiting = Waiting(context, self)
        self._waiting.free.connect(self._on_free)

    def look(self) -> None:
        """Ask now. Nothing is said when nothing is unfinished or it cannot be told."""
        self._asking.anew(
            self._context.services.erasing.pending, done=self._on_found, failed=self._on_failed
        )

    def tell_ended(self, result: EraseResult) -> None:
        """An erase that was begun earlier was gone on with: how it ended."""
        words = self._context.words
        if result.state is EraseState.PROVED:
            text = words.say(
                "An erase that had been stopped is finished now, and what was to go is proved gone."
            )
            if result.out_of_reach:
                text = words.say(
                    "An erase that had been stopped is finished now: {result}.",
                    result=heading(words, result),
                )
            self._banner.tell("ok", text)
        else:
            self.look()

    def _on_found(self, entries: Sequence[PendingErase]) -> None:
        if any(entry.state not in SETTLED for entry in entries):
            erasing = self._context.services.erasing
            self._waiting.start(lambda: bool(erasing.waiting()))
        if entries:
            self._banner.tell_anew(partial(self._tell_found, entries))

    def _tell_found(self, entries: Sequence[PendingErase]) -> None:
        words = self._context.words
        begun = [entry for entry in entries if entry.state not in SETTLED]
        if begun:
            text = words.many(
                "{n} erasure is not finished: what was to go may still be in the file.",
                "{n} erasures are not finished: what was to go may still be in the files.",
                len(begun),
            )
        else:
            text = words.many(
                "{n} erasure is not proved: something still repeats what was erased.",
                "{n} erasures are not proved: something still repeats what was erased.",
                len(entries),
            )
        self._banner.tell(
            "warn",
            text,
            (words.say("Look at it"), self._on_look_clicked),
        )

    def _on_free(self) -> None:
        """Whoever had the store open let go of it."""
        finish = self._context.services.erasing.finish_waiting
        self._context.bridge.call(
            finish, done=self._on_finished, failed=self._on_failed, outlives=True
        )

    def _on_finished(self, results: Sequence[EraseResult]) -> None:
        for result in results:
            self.tell_ended(result)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        """The ledger could not be read: whoever opens the store is told by the erase itself."""

    def _on_look_clicked(self) -> None:
        self._banner.dismiss()
        self._show()
