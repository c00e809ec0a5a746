# SPDX-License-Identifier: MIT
"""Marks: a record's name that tells nothing to who has not the key."""

from __future__ import annotations

import contextlib
import hmac
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent, RawKey
from memory_gui.vault.keychain import AnyKeychain
from memory_gui.vault.newkey import new_key

SERVICE: Final = "memory-gui/marks"
_SLOT: Final = "a"


class Marks:
    """Makes marks. Without a key they are off, and ``of`` gives None."""

    def __init__(self, key: RawKey | None) -> None:
        self._key = key

    @classmethod
    def open(cls, keychain: AnyKeychain) -> Marks:
        """With the keychain's mark key; made where the keychain answers that it has none.

        Raises:
            Cancelled: the keychain's question was cancelled.
        """
        found = keychain.find_in(SERVICE)
        if isinstance(found, Absent):
            # It fails where another copy of the app was faster, or nothing is kept.
            with contextlib.suppress(UserError):
                keychain.store_in(SERVICE, _SLOT, new_key())
            found = keychain.find_in(SERVICE)
        return cls(found[0].key if isinstance(found, list) else None)

    @property
    def on(self) -> bool:
        """Whether there is a key."""
        return self._key is not None

    def of(self, store: str, kind: str, key: str) -> str | None:
        """HMAC-SHA256 as 64 hex digits; None where marks are off.

        ``store`` names the store in a way that outlives moving it (its salt in hex, else its path).
        """
        if self._key is None:
            return None
        parts = [part.encode("utf-8", "surrogatepass") for part in (store, kind, key)]
        message = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
        return hmac.digest(bytes(self._key), message, "sha256").hex()
