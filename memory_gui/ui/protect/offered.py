# SPDX-License-Identifier: MIT
"""What can be done with a store's key and encryption from anywhere, by its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memory_gui.domain.records import StoreId
from memory_gui.ui.icons import Icon
from memory_gui.ui.protect.acts import Act
from memory_gui.words import N_


@dataclass(frozen=True, slots=True)
class Wanted:
    """Show a store and begin an act there, which looks and asks first."""

    store: StoreId
    act: Act


@dataclass(frozen=True, slots=True)
class Offer:
    """One act as its button calls it. Without ``act``: the page of the recovery key.

    ``encrypted`` is what the store has to be.
    """

    text: str
    icon: Icon
    act: Act | None
    encrypted: bool = True


OFFERS: Final = (
    Offer(N_("Encrypt…"), Icon.LOCK, Act.ENCRYPT, encrypted=False),
    Offer(N_("Recovery key…"), Icon.KEY, None),
    Offer(N_("Change the key…"), Icon.KEY, Act.ROTATE),
    Offer(N_("Readable copy…"), Icon.EXPORT, Act.COPY),
    Offer(N_("Make it readable…"), Icon.READABLE, Act.READABLE),
)
"""In the order of the page's buttons."""
