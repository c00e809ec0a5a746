# SPDX-License-Identifier: MIT
"""Erasures that were begun: what is written down of them, and of whom it must be told."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.engine.holders import open_by
from memory_gui.erasure.plan import ErasePlan, StorePlan, plan_of
from memory_gui.erasure.result import EraseResult, EraseState
from memory_gui.erasure.taking import begin_scheme
from memory_gui.ledger import SETTLED, PendingErase
from memory_gui.services.erased.about import is_told_long_ago, keys_of
from memory_gui.services.own.known import LedgerKeeper


class BegunErasures:
    """The notes of erasures. Any thread may call."""

    def __init__(self, keeper: LedgerKeeper) -> None:
        self._keeper = keeper

    # ---- what was begun

    def pending(self, path: str | Path | None = None) -> tuple[PendingErase, ...]:
        """Erasures that were begun and not finished (of one store, or of all)."""
        resolved = None if path is None else str(Path(path).resolve())
        return self._keeper.pending(resolved)

    def finished(self, path: str | Path) -> tuple[PendingErase, ...]:
        """The last erase of a store, if it was proved and nobody may know it yet.

        ``resume`` of it looks again and says so. One that was told is forgotten here.
        """
        found = self._keeper.finished(str(Path(path).resolve()))
        old = [entry for entry in found if is_told_long_ago(entry)]
        with suppress(UserError):
            for entry in old:
                self._keeper.ledger().pending.remove(entry.id)
        return tuple(entry for entry in found if entry not in old)

    def _begun(self, file: Path) -> tuple[PendingErase, ...]:
        return tuple(entry for entry in self.pending(file) if entry.state not in SETTLED)

    # ---- waiting for another program

    def is_free(self, paths: Sequence[str]) -> bool:
        """Whether no other program has the stores open, as far as that can be seen."""
        return not open_by(map(Path, paths))

    def waiting(self) -> tuple[PendingErase, ...]:
        """Unfinished erasures that nobody works on, whose stores no program has open any more."""
        mine = os.getpid()
        return tuple(
            entry
            for entry in self.pending()
            if entry.state not in SETTLED
            and (entry.lease_pid == mine or not entry.is_held())
            and self.is_free([entry.store_path])
        )

    # ---- writing down

    def announce(self, plan: ErasePlan) -> tuple[PendingErase, ...]:
        """Write an erase down before the edit that it follows: a kill in between leaves no trace.

        ``run`` with the same plan takes it over; ``withdraw`` where nothing came of the edit.

        Raises:
            UserError: ``pending.*``, ``ledger.*``, ``erase.unfinished``.
        """
        pending = self._keeper.ledger().pending
        entries: list[PendingErase] = []
        for store in plan.stores:
            if store.is_written:
                if self._begun(Path(store.path)):
                    raise UserError("erase.unfinished", path=store.path, state="not-finished")
                entries.append(PendingErase.begin(store.path, begin_scheme(store)))
                pending.put(entries[-1])
        return tuple(entries)

    def withdraw(self, entries: Sequence[PendingErase]) -> None:
        """Nothing came of it."""
        for entry in entries:
            self._keeper.ledger().pending.remove(entry.id)

    def _settled(self, store: StorePlan) -> list[PendingErase]:
        """Notes of the same erase whose rows are gone and that is not proved."""
        mine = keys_of(store)
        found = []
        for entry in self._keeper.pending(store.path) if mine else ():
            theirs = keys_of(plan_of(entry.store_path, entry.scheme))
            if entry.state in SETTLED and theirs and (theirs <= mine or mine <= theirs):
                found.append(entry)
        return found

    def told(self, result: EraseResult, *, at_once: bool) -> None:
        """The result was given out: that it was proved need not be kept any longer.

        Until then a command that is given twice, because the first was killed, is understood.
        ``at_once``: a person has seen it. Else a program may be about to try again, and for
        RETRY_S seconds the same command is taken for that.
        """
        with suppress(UserError):
            for store in result.stores:
                if store.state is EraseState.PROVED:
                    for entry in self._keeper.finished(store.path):
                        self._told(entry, at_once=at_once)

    def _told(self, entry: PendingErase, *, at_once: bool) -> None:
        pending = self._keeper.ledger().pending
        if at_once:
            pending.remove(entry.id)
        elif "told" not in entry.scheme:
            pending.put(replace(entry, scheme={**entry.scheme, "told": time.time()}))
