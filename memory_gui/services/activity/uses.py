# SPDX-License-Identifier: MIT
"""Who used the terminal without a person before it: scripts, and agents that have a shell."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.ledger.uses import KEPT, Use, UseFile, UseRows
from memory_gui.services.own.known import LedgerKeeper

__all__ = ["KEPT", "Use", "Uses"]


class Uses:
    """Keeps and lists them. Any thread; nothing here asks a keychain.

    ``record`` writes to a small file; what lies there goes into the ledger when the ledger is
    opened for something else, so that no verb waits for a keychain to be listed.
    """

    def __init__(self, keeper: LedgerKeeper, data_dir: Path) -> None:
        self._keeper = keeper
        self._file = UseFile(data_dir)
        keeper.when_opened(self._take_in)

    def record(self, verb: str, by: str, records: int, status: int) -> None:
        """Keep one that ends now. ``by``: an agent's name, empty for any other program."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._file.put(Use(now, verb, by, records, status))
        if self._keeper.is_open:
            self._take_in()

    def list(self, limit: int = KEPT) -> tuple[Use, ...]:
        """The last ones, newest first. Of a ledger that is not open only what waits for it."""
        kept: tuple[Use, ...] = ()
        rows = self._rows()
        if rows is not None:
            kept = rows.list()
        both = sorted((*self._file.list(), *kept), key=lambda use: use.at, reverse=True)
        return tuple(both[:limit])

    def clear(self) -> None:
        """Keep none of them."""
        self._file.clear()
        rows = self._rows()
        if rows is not None:
            rows.clear()

    def _rows(self) -> UseRows | None:
        return self._keeper.ledger().uses if self._keeper.is_open else None

    def _take_in(self) -> None:
        waiting = self._file.list()
        rows = self._rows() if waiting else None
        if rows is None:
            return
        try:
            rows.put(reversed(waiting))
        except UserError:
            return  # another copy of the app holds the ledger: at its next opening
        self._file.clear()
