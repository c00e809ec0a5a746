# SPDX-License-Identifier: MIT
"""Stores that are kept clean at every write: for those whose writers all go through this app.

Freed bytes are zeroed by every connection of ours anyway. What else leaves copies on the disk is a
readable store's journal that is unlinked: kept as a file (PERSIST), an erase can overwrite it
where it lies, and only then the whole disk stays clean (ERASURE 3.4). An encrypted store needs no
other journal: what is unlinked is under its key.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import Tick, no_tick
from memory_gui.erasure.plan import ErasePlan, StorePlan
from memory_gui.erasure.result import EraseResult, EraseState
from memory_gui.ledger.standing import Standing as Entry
from memory_gui.ledger.standing import StandingRows
from memory_gui.services.erasing.erasing import Erasing
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.own.known import LedgerKeeper
from memory_gui.vault.keychain import AnyKeychain

PERSIST: Final = "persist"


@dataclass(frozen=True, slots=True)
class KeptClean:
    """How a store is kept. ``journal`` is the mode that its file says; ``since`` ISO 8601, UTC.

    ``on``: a person asked for it. ``works`` is False where another program has given the file
    another journal since. ``possible`` is False where there is nothing that remembers it.
    """

    path: str
    encrypted: bool
    on: bool
    works: bool
    journal: str
    since: str = ""
    possible: bool = True

    @property
    def changes_journal(self) -> bool:
        """Whether turning it on gives the file another journal, which needs a person's yes."""
        return not self.encrypted and not self.on


class Standing:
    """Turns it on and off. Any thread."""

    def __init__(
        self, library: Library, keeper: LedgerKeeper, erasing: Erasing, keychain: AnyKeychain
    ) -> None:
        self._library = library
        self._keychain = keychain
        self._keeper = keeper
        self._erasing = erasing

    def state(self, store: StoreId) -> KeptClean:
        """How an open store is kept; asks for nothing where nothing was ever written down."""
        shelf = self._library.shelf(store)
        entry: Entry | None = None
        with suppress(UserError):
            rows = self._keeper.ledger().standing if self._keeper.is_kept else None
            entry = rows.get(shelf.info.path) if rows is not None else None
        return replace(_state(shelf, entry), possible=self._is_possible())

    def _is_possible(self) -> bool:
        """Whether there are our own records, or a keychain to make them with; asks nobody."""
        state = self._keeper.state
        return self._keychain.backend().trusted if state is None else state.code == "open"

    def require(self) -> None:
        """Where nothing can be remembered nothing is offered; opens our own records.

        Raises:
            UserError: ``standing.no_ledger``.
        """
        self._rows()

    def turn_on(
        self, store: StoreId, *, change_journal: bool = False, tick: Tick = no_tick
    ) -> KeptClean:
        """Keep a store clean from now on. ``change_journal``: a person said yes to that.

        What lies in its file, log and free space is wiped in the same act.

        Raises:
            UserError: ``standing.no_ledger``, ``standing.journal``, ``standing.not_done``,
                ``erase.in_use``; as ``Erasing.run``. Nothing was changed.
        """
        shelf, rows = self._library.shelf(store), self._rows()
        state = self.state(store)
        if state.changes_journal and not change_journal:
            raise UserError("standing.journal", path=shelf.info.path, mode=state.journal)
        if state.on and state.works:
            return state
        before = "" if shelf.info.encrypted else shelf.info.journal_mode
        entry = rows.get(shelf.info.path)
        if entry is None:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            rows.put(Entry(shelf.info.path, before, now))
        try:
            if not shelf.info.encrypted:
                self._wipe(shelf, PERSIST, tick)
        except BaseException:
            if entry is None:
                rows.remove(shelf.info.path)
            raise
        return self.state(store)

    def turn_off(self, store: StoreId, *, tick: Tick = no_tick) -> KeptClean:
        """No more; the file has the journal again that it had before, and the kept one is zeroed.

        Raises:
            UserError: as ``turn_on``; then it stays on.
        """
        shelf, rows = self._library.shelf(store), self._rows()
        entry = rows.get(shelf.info.path)
        if entry is None:
            return self.state(store)
        if entry.before and shelf.info.journal_mode != entry.before:
            # Also of one that was encrypted meanwhile: it kept the journal that it had.
            self._wipe(shelf, "delete" if entry.before == PERSIST else entry.before, tick)
        rows.remove(shelf.info.path)
        return self.state(store)

    # ---- inside

    def _rows(self) -> StandingRows:
        rows = self._keeper.ledger().standing
        if rows is None:
            raise UserError("standing.no_ledger")
        return rows

    def _wipe(self, shelf: Shelf, mode: str, tick: Tick) -> None:
        """The recipe of an erase without a record, which ends in another journal."""
        info = shelf.info
        plan = StorePlan(
            path=info.path,
            format=info.format,
            encrypted=info.encrypted,
            rows=(),
            texts=(),
            anyway=True,
            mode=mode,
        )
        result = self._erasing.run(ErasePlan((plan,)), tick=tick, clean_side_files=False)
        _require_done(result, info.path)
        shelf.refresh_info()


def _require_done(result: EraseResult, path: str) -> None:
    if result.state is EraseState.PROVED:
        return
    for store in result.stores:
        if store.reason:
            raise UserError(store.reason, **store.reason_params)
    if result.open_by:
        raise UserError("erase.in_use", path=path)
    raise UserError("standing.not_done", path=path)


def _state(shelf: Shelf, entry: Entry | None) -> KeptClean:
    info = shelf.info
    mode = info.journal_mode
    if mode == "delete" and Path(f"{info.path}-journal").exists():
        mode = PERSIST
    works = entry is not None and (info.encrypted or mode == PERSIST)
    since = entry.since if entry is not None else ""
    return KeptClean(info.path, info.encrypted, entry is not None, works, mode, since)
