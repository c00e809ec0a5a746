# SPDX-License-Identifier: MIT
"""What the app keeps for itself: an encrypted file, or without a keychain almost nothing."""

from memory_gui.ledger.entries import DONE, SETTLED, KnownStore, LastSeen, Pending, PendingErase
from memory_gui.ledger.ledger import AnyLedger, Ledger, LedgerState, NoLedger
from memory_gui.ledger.marks import Marks

__all__ = [
    "DONE",
    "SETTLED",
    "AnyLedger",
    "KnownStore",
    "LastSeen",
    "Ledger",
    "LedgerState",
    "Marks",
    "NoLedger",
    "Pending",
    "PendingErase",
]
