# SPDX-License-Identifier: MIT
"""Pieces of large undo entries in the ledger. Nothing here asks a keychain.

Where the ledger is not open, or cannot be written, a piece stays in memory.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.erasure.plan import ErasePlan
from memory_gui.ledger.undoparts import UndoPartRows
from memory_gui.services.own.known import LedgerKeeper
from memory_gui.services.undo.parts import Spill

_RUN: Final = 8
_MUCH: Final = 20_000_000
"""So many bytes of the ledger may hold nothing; above that it is made small at its opening."""


class LedgerSpill(Spill):
    """The table ``undo_part`` of the ledger. Any thread.

    Whenever the ledger is opened, what no run of the app can open any more goes out of it.
    """

    def __init__(self, keeper: LedgerKeeper, clean: Callable[[Sequence[str]], object]) -> None:
        """``clean`` wipes what the ledger has freed, and makes it small."""
        self._keeper = keeper
        self._clean = clean
        self._freed = False
        self._run = secrets.token_hex(_RUN)
        keeper.when_opened(self._tidy)

    def put(self, sealed: bytes) -> int | None:
        """As Spill."""
        rows = self._rows()
        try:
            return None if rows is None else rows.put(self._run, sealed)
        except UserError:
            return None

    def get(self, number: int) -> bytes | None:
        """As Spill."""
        rows = self._rows()
        return None if rows is None else rows.get(number)

    def remove(self, numbers: Collection[int]) -> bool:
        """As Spill. What cannot be removed now is when the ledger is opened the next time."""
        rows = self._rows() if numbers else None
        if rows is not None:
            self._freed = True
            with suppress(UserError):
                rows.remove(numbers)
        return bool(numbers)

    def end(self) -> None:
        """As Spill."""
        self._run = secrets.token_hex(_RUN)

    def erase_with(self, plan: ErasePlan) -> None:
        """Records were erased: what the ledger freed of them, or before, is wiped."""
        if self._freed and self._rows() is not None:
            self._freed = False
            self._clean(plan.texts)

    def _rows(self) -> UndoPartRows | None:
        return self._keeper.ledger().undo_parts if self._keeper.is_open else None

    def _tidy(self) -> None:
        rows = self._rows()
        if rows is not None:
            with suppress(UserError):
                rows.remove(rows.left(self._run))
                if rows.free() > _MUCH:
                    self._clean(())
