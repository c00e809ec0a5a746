# SPDX-License-Identifier: MIT
"""After unlock: what was being typed is still there. It names no record before that is wanted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from memory_gui.domain.records import Record
from memory_gui.services import Services
from memory_gui.services.locking.drafts import Draft
from memory_gui.ui.context import Context
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.widgets import Banner

TakeUp = Callable[[Draft, Record | None], bool]
"""Opens the editor with a draft over the record as it is now; False when it cannot now."""


class DraftOffer(QObject):
    """A banner of its own that stays until a person decides. GUI thread."""

    def __init__(self, context: Context, banner: Banner, take_up: TakeUp, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._banner = banner
        self._take_up = take_up
        self._drafts: tuple[Draft, ...] = ()
        self._seen: frozenset[str] = frozenset()
        self._lost = 0
        self._asking = Asking(context.bridge)

    def look(self) -> None:
        """Ask for the drafts of the stores that are open; may wait for the keychain, not here."""
        self._asking.anew(_waiting, self._context.services, done=self._on_found)

    def forget(self) -> None:
        """On lock."""
        self._asking.drop()
        self._drafts = ()
        self._seen = frozenset()
        self._banner.dismiss()

    def retranslate(self) -> None:
        """Say it again."""
        if self._drafts:
            self._say()

    def _on_found(self, found: tuple[tuple[Draft, ...], int]) -> None:
        drafts, lost = found
        self._drafts = tuple(one for one in drafts if one.id not in self._seen)
        self._lost += lost
        if self._drafts:
            self._say()
        elif self._lost:
            self._say_lost()

    def _say(self) -> None:
        words = self._context.words
        self._banner.tell(
            "info",
            words.many(
                "What you were typing when the window locked is still here.",
                "The {n} texts that you were typing when the window locked are still here.",
                len(self._drafts),
            ),
            (words.say("Go on with it"), self._on_go_on_clicked),
            (words.say("Discard it"), self._on_discard_clicked),
        )

    def _say_lost(self) -> None:
        self._lost = 0
        say = self._context.words.say
        self._banner.tell(
            "warn",
            say(
                "What you were typing when the window locked could not be kept: without a keychain "
                "there is no key to seal it with."
            ),
        )

    def _on_go_on_clicked(self) -> None:
        if not self._drafts:
            return
        draft = self._drafts[0]
        library = self._context.services.library
        self._banner.dismiss()
        if draft.ref is None:
            self._on_record(draft, None)
        else:
            self._context.bridge.call(
                library.record,
                draft.ref,
                done=partial(self._on_record, draft),
                failed=partial(self._on_no_record, draft),
            )

    def _on_no_record(self, draft: Draft, _error: object) -> None:
        self._on_record(draft, None)

    def _on_record(self, draft: Draft, record: Record | None) -> None:
        if draft not in self._drafts:
            return  # locked meanwhile
        if not self._take_up(draft, record):
            self._say()
            return
        self._drafts = tuple(one for one in self._drafts if one != draft)
        self._discard((draft,))
        if self._drafts:
            self._say()

    def _on_discard_clicked(self) -> None:
        drafts, self._drafts = self._drafts, ()
        self._banner.dismiss()
        self._discard(drafts)

    def _discard(self, drafts: tuple[Draft, ...]) -> None:
        ids = frozenset(one.id for one in drafts)
        self._seen |= ids
        self._context.bridge.call(self._context.services.drafts.discard, ids, in_turn=True)


def _waiting(services: Services) -> tuple[tuple[Draft, ...], int]:
    return services.drafts.waiting(), services.drafts.take_lost()
