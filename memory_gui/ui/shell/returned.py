# SPDX-License-Identifier: MIT
"""Says that erased records are back in an open store, with the way to erase them again."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Ref, StoreId
from memory_gui.services import OpenedStore, Services
from memory_gui.ui.context import Context
from memory_gui.ui.pages.storelooks import StoreLooks
from memory_gui.ui.phrases import store_name
from memory_gui.ui.widgets import Banner
from memory_gui.words.erasure import returned_text


def look(services: Services, stores: Collection[StoreId]) -> dict[StoreId, tuple[Ref, ...]]:
    """By store what is back in it. Any thread."""
    found = {}
    for store in stores:
        try:
            found[store] = services.returned.look(store)
        except UserError:
            found[store] = ()  # it was closed or lent meanwhile
    return found


class ReturnedNotice(QObject):
    """A banner of its own, for as long as something is back. GUI thread.

    It names how many and in which store; the plan that follows shows them by their titles.
    """

    erase_wanted = Signal(str, object)
    """(``erase``, the refs)."""

    def __init__(self, context: Context, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._banner = banner
        self._stores: dict[StoreId, OpenedStore] = {}
        self._looks = StoreLooks[tuple[Ref, ...]](context, look, self._say)

    def follow(self, opened: Collection[OpenedStore]) -> None:
        """What is open now; stores that were not open before are looked at."""
        self._stores = {one.id: one for one in opened}
        self._looks.follow(self._stores)

    def look(self, stores: Collection[StoreId]) -> None:
        """Look at some again: another program may have brought one back, or we erased it."""
        self._looks.look(stores)

    def look_again(self, _changes: object = None) -> None:
        """After an act of ours, as long as something is named."""
        self._looks.look_again()

    def clear(self) -> None:
        """Name nothing any more."""
        self._stores = {}
        self._looks.clear()
        self._banner.dismiss()

    def retranslate(self) -> None:
        """Say it again."""
        self._say()

    def _say(self) -> None:
        words = self._context.words
        back = self._looks.found
        if not back:
            self._banner.dismiss()
            return
        lines = [
            words.say(
                "{name}: {what}. Erased is to stay erased.",
                name=store_name(words, self._stores[store]),
                what=returned_text(words, len(refs)),
            )
            for store, refs in back.items()
        ]
        refs = tuple(ref for some in back.values() for ref in some)
        self._banner.tell(
            "warn",
            "\n".join(lines),
            (words.say("Erase them again…"), partial(self.erase_wanted.emit, "erase", refs)),
            (words.say("Let them stay"), partial(self._let_stay, refs)),
        )

    def _let_stay(self, refs: tuple[Ref, ...]) -> None:
        self._looks.forget()
        self._banner.dismiss()
        services = self._context.services
        self._context.bridge.call(services.returned.let_stay, refs, failed=self._on_failed)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        """It is told by the next opening."""
