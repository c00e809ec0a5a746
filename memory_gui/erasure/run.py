# SPDX-License-Identifier: MIT
"""Carrying out a plan: pending entry, eraser, prover, receipt; and finishing what was stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from memory_gui.domain.changes import SideFile
from memory_gui.domain.keys import Key
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.erasure.plan import ErasePlan, TableKind
from memory_gui.erasure.result import Count, EraseResult, EraseState, Proof, StoreResult

__all__ = [
    "EraseResult",
    "Pending",
    "PendingEntry",
    "Proof",
    "planned",
    "prove",
    "resume",
    "run_erase",
]


class PendingEntry(Protocol):
    """An erase that was begun: what the ledger (or the pending file) keeps of it."""

    id: str
    store_path: str
    scheme: Mapping[str, Any]


class Pending(Protocol):
    """Where unfinished erases are written down, fsynced before the first statement."""

    def put(self, entry: Any) -> None:
        """Write an entry down, durably; an entry with the same id is replaced."""

    def list(self, path: str | None = None) -> Sequence[Any]:
        """The entries of one store, or all."""
        ...

    def remove(self, id: str) -> None:  # noqa: A002 - the ledger's own name
        """Forget an entry: its erase was proved."""


def planned(plan: ErasePlan) -> EraseResult:
    """The answer of a dry run: that very plan, nothing done."""
    return EraseResult(
        EraseState.PLANNED,
        tuple(
            StoreResult(
                store.path,
                EraseState.PLANNED,
                {table: Count(found=number) for table, number in store.counts.items()},
            )
            for store in plan.stores
        ),
        plan.not_covered,
    )


def run_erase(
    plan: ErasePlan,
    keys: Mapping[str, Key | None],
    *,
    pending: Pending,
    tick: Tick = no_tick,
    cancel: CancelToken | None = None,
    accept_side_files: bool = False,
    receipt: Path | None = None,
) -> EraseResult:
    """Erase and prove. ``keys`` is by the stores' paths; the caller holds no connection on them.

    Raises:
        Cancelled: stopped before the point of no return; nothing changed.
        UserError: ``erase.rowids``, ``key.*``, ``store.*``: nothing changed.
    """
    raise NotImplementedError


def resume(
    entry: PendingEntry,
    key: Key | None,
    *,
    pending: Pending,
    tick: Tick = no_tick,
    texts: Sequence[str] = (),
    side_files: Sequence[SideFile] = (),
    accept_side_files: bool = False,
    receipt: Path | None = None,
) -> EraseResult:
    """Finish an erase that was stopped. Without ``texts`` it is proved by structure only."""
    raise NotImplementedError


def prove(
    path: str,
    key: Key | None,
    texts: Sequence[str] = (),
    *,
    side_files: Sequence[SideFile] = (),
    tables: Sequence[TableKind] = (),
    tick: Tick = no_tick,
    cancel: CancelToken | None = None,
) -> Proof:
    """Look from another process: ``memory-cli prove`` ends 8 when it is not clean or has finds."""
    raise NotImplementedError
