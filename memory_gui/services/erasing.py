# SPDX-License-Identifier: MIT
"""Erasing for good, with proof."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref
from memory_gui.domain.work import CancelToken, Tick, no_tick

if TYPE_CHECKING:
    from memory_gui.erasure.plan import ErasePlan
    from memory_gui.erasure.run import EraseResult, Proof
    from memory_gui.ledger import PendingErase


class Erasing:
    """Plans, runs and proves erasures over the pair. Any thread may call."""

    def plan(self, refs: Sequence[Ref]) -> ErasePlan:
        """What would go, by table and file, over both databases. Writes nothing."""
        raise NotImplementedError

    def plan_query(self, query: Query) -> ErasePlan:
        """The plan for all that a query shows."""
        raise NotImplementedError

    def run(
        self,
        plan: ErasePlan,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
        accept_side_files: bool = False,
        receipt: Path | None = None,
    ) -> EraseResult:
        """Erase and prove. The app lets go of the stores first and opens them again afterwards.

        Undo forgets everything about the erased records. The receipt is written to ``receipt``.

        Raises:
            UserError: ``erase.not_finished`` and other ``erase.*``; ``key.needed``.
        """
        raise NotImplementedError

    def pending(self, path: str | Path | None = None) -> tuple[PendingErase, ...]:
        """Erasures that were begun and not finished (of one store, or of all)."""
        raise NotImplementedError

    def resume(
        self, entry: PendingErase, *, tick: Tick = no_tick, receipt: Path | None = None
    ) -> EraseResult:
        """Finish one."""
        raise NotImplementedError

    def prove(self, path: str | Path, texts: Sequence[str] = ()) -> Proof:
        """Look, from another process, whether anything is left."""
        raise NotImplementedError
