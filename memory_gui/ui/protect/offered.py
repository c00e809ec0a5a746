# SPDX-License-Identifier: MIT
"""What can be done with a store's key and encryption from anywhere, by its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memory_gui.domain.records import StoreId
from memory_gui.services import OpenedStore
from memory_gui.ui.icons import Icon
from memory_gui.ui.protect.acts import Act, is_older, may_be_encrypted
from memory_gui.words import N_


@dataclass(frozen=True, slots=True)
class Wanted:
    """Show a store and begin an act there, which looks and asks first."""

    store: StoreId
    act: Act


@dataclass(frozen=True, slots=True)
class Offer:
    """One act as its button calls it. Without ``act``: the page of the recovery key.

    ``encrypted`` is what the store has to be; ``older``: in the format of an older SQLCipher.
    """

    text: str
    icon: Icon
    act: Act | None
    encrypted: bool = True
    older: bool = False

    def fits(self, store: OpenedStore) -> bool:
        """Whether the page of this store offers it."""
        if self.older:
            return is_older(store)
        return may_be_encrypted(store) and store.info.encrypted == self.encrypted


OFFERS: Final = (
    Offer(N_("Encrypt…"), Icon.LOCK, Act.ENCRYPT, encrypted=False),
    Offer(N_("Recovery key…"), Icon.KEY, None),
    Offer(N_("Change the key…"), Icon.KEY, Act.ROTATE),
    Offer(N_("Copy in today’s format…"), Icon.EXPORT, Act.MIGRATE, older=True),
    Offer(N_("Readable copy…"), Icon.EXPORT, Act.COPY),
    Offer(N_("Make it readable…"), Icon.READABLE, Act.READABLE),
)
"""In the order of the page's buttons."""
