# SPDX-License-Identifier: MIT
"""What a list shows: which stores, kinds and states, and which words."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from memory_gui.domain.records import Record, State, StoreId


def fold(text: str) -> str:
    """Normalise for searching: NFKC, then case-folded."""
    if text.isascii():
        return text.lower()  # the same, and most of what a scan folds
    return unicodedata.normalize("NFKC", text).casefold()


@dataclass(frozen=True, slots=True)
class Query:
    """A filter over records. Empty sets mean no restriction; ``text`` is one literal substring.

    Nothing in ``text`` is an operator: ``%``, ``_``, ``*``, quotes and ``-x`` stand for themselves.
    """

    text: str = ""
    stores: frozenset[StoreId] = frozenset()
    kinds: frozenset[str] = frozenset()
    states: frozenset[State] = frozenset()

    def matches(self, record: Record) -> bool:
        """Whether a record is in the list that this query describes."""
        if self.stores and record.ref.store not in self.stores:
            return False
        if self.kinds and record.kind not in self.kinds:
            return False
        if self.states and record.state not in self.states:
            return False
        needle = fold(self.text)
        return not needle or any(needle in fold(field) for field in record.searchable())


def select(query: Query, records: Iterable[Record]) -> list[Record]:
    """The records that match, in the order given."""
    return [record for record in records if query.matches(record)]
