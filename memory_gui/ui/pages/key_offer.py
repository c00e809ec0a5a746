# SPDX-License-Identifier: MIT
"""After a store was opened with a key that was entered: keep it in the keychain, or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.services import KeyPlace, OpenedStore, Services
from memory_gui.services.keys.keeping import Kept
from memory_gui.ui.context import Context
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.key_moving import Moved, say_moved
from memory_gui.ui.phrases import store_name
from memory_gui.ui.widgets import Banner
from memory_gui.words.errors import explain
from memory_gui.words.keys import backend_name


def may_change(services: Services, stores: Sequence[StoreId]) -> tuple[StoreId, ...]:
    """Those whose passphrase a random key may replace; any thread but the window's."""
    return tuple(store for store in stores if services.keys.may_change(store))


def keep_all(services: Services, stores: Sequence[StoreId]) -> tuple[Kept, ...]:
    """Put the keys of open stores into the keychain; any thread but the window's."""
    return tuple(services.keys.keep(store) for store in stores)


class KeyOffer(QObject):
    """Says it once, in a banner of its own, for the stores that were just opened. GUI thread."""

    def __init__(
        self, context: Context, banner: Banner, show: Callable[[StoreId], object], parent: QObject
    ) -> None:
        """``show`` goes to the page of a store, where its key can be changed."""
        super().__init__(parent)
        self._show = show
        self._context = context
        self._banner = banner
        self._asking = Asking(context.bridge)
        self._typed: list[OpenedStore] = []

    def tell(self, stores: Sequence[OpenedStore]) -> None:
        """Offer it where a key was entered by hand, and not for a sample or a keychain's own."""
        typed = [
            one
            for one in stores
            if one.key_place is KeyPlace.TYPED
            and one.info.encrypted
            and one.info.cipher.get("cipher_plaintext_header_size", "0") in ("", "0")
        ]
        if typed:
            self._typed = typed
            self._asking.anew(
                may_change,
                self._context.services,
                [one.id for one in typed],
                done=self._on_looked,
                failed=self._on_not_looked,
            )

    def tell_moved(self, moved: Moved) -> None:
        """The key was moved from the keychain of yesterday to that of today."""
        self._banner.tell_anew(partial(self._say_moved, moved))

    def _say_moved(self, moved: Moved) -> None:
        self._banner.tell(*say_moved(self._context.words, moved))

    def forget(self) -> None:
        """The stores are closed or locked."""
        self._asking.drop()
        self._typed = []
        self._banner.dismiss()

    def _on_looked(self, changeable: tuple[StoreId, ...]) -> None:
        if self._typed:
            self._banner.tell_anew(partial(self._offer, self._typed, changeable))

    def _on_not_looked(self, _error: UserError | IntegrityError) -> None:
        """It was closed meanwhile."""

    def _offer(self, stores: list[OpenedStore], changeable: tuple[StoreId, ...]) -> None:
        words = self._context.words
        names = ", ".join(store_name(words, one) for one in stores)
        text = words.say(
            "{name} was opened with a key that you entered. Kept in the keychain, it opens without "
            "asking. Of a passphrase only the key that is made of it is kept.",
            name=names,
        )
        keep = partial(self._on_keep_clicked, tuple(one.id for one in stores))
        self._banner.tell(
            "info",
            text,
            (words.say("Keep it in the keychain"), keep),
            *(
                (words.say("Give it a random key…"), partial(self._on_change_clicked, store))
                for store in changeable[:1]
            ),
            (words.say("Not now"), self._banner.dismiss),
        )

    def _on_change_clicked(self, store: StoreId) -> None:
        self._banner.dismiss()
        self._show(store)

    def _on_keep_clicked(self, stores: tuple[StoreId, ...]) -> None:
        self._banner.dismiss()
        self._context.bridge.call(
            keep_all,
            self._context.services,
            stores,
            done=self._on_kept,
            failed=self._on_failed,
        )

    def _on_kept(self, kept: tuple[Kept, ...]) -> None:
        words = self._context.words
        backend = backend_name(words, kept[0].place.partition("@")[0])
        text = words.say(
            "The key was put into {backend}, and it opened the store from there.", backend=backend
        )
        self._banner.tell("ok", text)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self._banner.tell("warn", explain(self._context.words, error).text)
