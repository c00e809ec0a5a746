# SPDX-License-Identifier: MIT
"""Proposals in our own file, for agents without a queue: they may name the person too."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from memory_gui.cases.finds import Place
from memory_gui.cases.matching import Matcher
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.ledger.proposals import ProposalRows
from memory_gui.services.cases.finding.candidates import Candidate, StoreFacts, candidate_of
from memory_gui.services.own.known import LedgerKeeper
from memory_gui.services.reviewing.proposals import record_of


class OwnQueue:
    """Looks into them and takes them out. Any thread; without a ledger there are none."""

    def __init__(self, keeper: LedgerKeeper) -> None:
        self._keeper = keeper

    def candidates(self, matcher: Matcher, facts: StoreFacts) -> Iterator[Candidate]:
        """Those of one store that name the person, in every state."""
        for record in self.records(facts.path, facts.declared):
            if found := candidate_of(matcher, record, facts, Place.OWN):
                yield found

    def records(self, path: str, kinds: Collection[Kind]) -> Iterator[Record]:
        """Those of one store, whose ``kinds`` these are."""
        rows = self._rows()
        for one in rows.list(path) if rows is not None else ():
            yield record_of(StoreId(path), one, kinds)

    def remove(self, refs: Collection[Ref]) -> int:
        """Take them out of our own file; how many were still there."""
        rows = self._rows()
        if rows is None or not refs:
            return 0
        there = {
            (path, one.id) for path in {str(ref.store) for ref in refs} for one in rows.list(path)
        }
        gone = [ref.key[0] for ref in refs if (str(ref.store), ref.key[0]) in there]
        rows.remove(*gone)
        return len(gone)

    def _rows(self) -> ProposalRows | None:
        return self._keeper.ledger().proposals if self._keeper.is_kept else None
