# SPDX-License-Identifier: MIT
"""The stores opened before, as the ledger keeps them."""

from __future__ import annotations

from typing import Protocol

from memory_gui.domain.changes import StoreInfo
from memory_gui.domain.errors import UserError
from memory_gui.services.values import KnownStore


class KnownStores(Protocol):
    """Remembers which stores were opened; keeps nothing when there is no ledger."""

    def opened(self, info: StoreInfo, salt: bytes) -> None:
        """Remember a store that was just opened."""

    def list(self) -> tuple[KnownStore, ...]:
        """The stores opened before, newest first."""
        ...

    def name(self, path: str, name: str) -> None:
        """Give one a name. Raises UserError ``known.not_found`` or ``known.no_ledger``."""

    def forget(self, path: str) -> None:
        """Take one off the list. Raises UserError ``known.not_found``."""


class NothingKnown:
    """Without a ledger nothing is remembered."""

    def opened(self, info: StoreInfo, salt: bytes) -> None:
        """Nothing."""

    def list(self) -> tuple[KnownStore, ...]:
        """None."""
        return ()

    def name(self, path: str, name: str) -> None:  # noqa: ARG002 - the same for every store
        """Refuse. Raises UserError ``known.no_ledger``."""
        raise UserError("known.no_ledger")

    def forget(self, path: str) -> None:  # noqa: ARG002 - as above
        """Refuse. Raises UserError ``known.no_ledger``."""
        raise UserError("known.no_ledger")
