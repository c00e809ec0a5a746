# SPDX-License-Identifier: MIT
"""The chain of receipts: of each only its number, time and hash. And the signers that are known."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent, RawKey
from memory_gui.engine.connection import Connection
from memory_gui.vault.keychain import AnyKeychain
from memory_gui.vault.newkey import new_key

SERVICE: Final = "memory-gui/receipts"
_SLOT: Final = "a"
FIRST: Final = "0" * 64
"""What the first receipt is chained to."""


@dataclass(frozen=True, slots=True)
class KnownSigner:
    """A signer by its fingerprint; ``own``: a key of this installation. ``since``: ISO 8601."""

    fingerprint: str
    since: str
    own: bool


class ReceiptRows:
    """Reads and writes the tables ``receipt`` and ``receipt_signer``. Any thread."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    def add(self, at: str, make: Callable[[int, str], str]) -> None:
        """Put one at the end of the chain, under the ledger's lock.

        ``make`` gets its number and the hash of the one before, and gives its own hash.
        """
        with self._connect() as connection, connection.writing():
            last = connection.execute(
                "SELECT number, hash FROM receipt ORDER BY number DESC LIMIT 1"
            )
            number, before = (int(last[0][0]) + 1, str(last[0][1])) if last else (1, FIRST)
            connection.execute(
                "INSERT INTO receipt (number, at, hash) VALUES (?, ?, ?)",
                (number, at, make(number, before)),
            )

    def number_of(self, hash_: str) -> int | None:
        """The number of a receipt that was made here; None for another one."""
        with self._connect() as connection:
            found = connection.execute("SELECT number FROM receipt WHERE hash = ?", (hash_,))
        return int(found[0][0]) if found else None

    def know(self, signer: KnownSigner) -> None:
        """Keep a signer; one that is known stays known since then."""
        with self._connect() as connection, connection.writing():
            connection.execute(
                "INSERT OR IGNORE INTO receipt_signer (fingerprint, since, own) VALUES (?, ?, ?)",
                (signer.fingerprint, signer.since, int(signer.own)),
            )

    def signer(self, fingerprint: str) -> KnownSigner | None:
        """What is known of a signer."""
        with self._connect() as connection:
            found = connection.execute(
                "SELECT fingerprint, since, own FROM receipt_signer WHERE fingerprint = ?",
                (fingerprint,),
            )
        return KnownSigner(str(found[0][0]), str(found[0][1]), bool(found[0][2])) if found else None


def signing_key(keychain: AnyKeychain, *, make: bool) -> RawKey | None:
    """The key that signs receipts, from the keychain; made there where it answers that it has none.

    None where there is no keychain, or it does not answer: receipts are unsigned then.

    Raises:
        Cancelled: the keychain's question was cancelled.
    """
    found = keychain.find_in(SERVICE)
    if isinstance(found, Absent) and make:
        # It fails where another copy of the app was faster, or nothing is kept.
        with suppress(UserError):
            keychain.store_in(SERVICE, _SLOT, new_key())
        found = keychain.find_in(SERVICE)
    return found[0].key if isinstance(found, list) else None
