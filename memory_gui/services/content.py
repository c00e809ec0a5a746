# SPDX-License-Identifier: MIT
"""What one open store holds, in memory: found by ordinal, searched as folded text.

A simple scan; a later index takes its place. Everything here is dropped by ``clear``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping

from memory_gui.domain.folding import fold
from memory_gui.domain.language import Part
from memory_gui.domain.queries import Query, holds
from memory_gui.domain.records import Record, Ref, State

_BETWEEN = "\uffff"
"""Between two fields in the folded text; no character, so a person does not search for it."""

_SORTS: Mapping[str, Callable[[Record], str]] = {
    "updated": lambda r: r.updated_at or r.created_at or "",
    "created": lambda r: r.created_at or "",
    "title": lambda r: fold(r.title),
    "kind": lambda r: r.kind,
    "state": lambda r: r.state.value,
    "type": lambda r: r.type or "",
    "scope": lambda r: r.scope or "",
    "source": lambda r: r.source or "",
    "subject": lambda r: fold(r.subject or ""),
}
SORTS: tuple[str, ...] = tuple(_SORTS)
"""The fields that a listing can be sorted by."""


def sort_key(sort: str) -> Callable[[Record], str] | None:
    """The key for ``updated`` or ``-updated``; None when there is no such field."""
    return _SORTS.get(sort.removeprefix("-"))


class Content:
    """The records of one store. Any thread; an ordinal is never used twice."""

    def __init__(self) -> None:
        self._guard = threading.RLock()
        self._records: list[Record | None] = []
        self._folded: list[str] = []
        self._ordinals: dict[Ref, int] = {}
        self.loaded = False

    def put(self, records: Iterable[Record]) -> bool:
        """Add or replace; True when anything differed."""
        differed = False
        with self._guard:
            for record in records:
                ordinal = self._ordinals.get(record.ref)
                if ordinal is None:
                    self._ordinals[record.ref] = len(self._records)
                    self._records.append(record)
                    self._folded.append(_folded(record))
                    differed = True
                elif self._records[ordinal] != record:
                    self._records[ordinal] = record
                    self._folded[ordinal] = _folded(record)
                    differed = True
        return differed

    def drop(self, refs: Iterable[Ref]) -> bool:
        """Take records out; True when one of them was there."""
        dropped = False
        with self._guard:
            for ref in refs:
                ordinal = self._ordinals.pop(ref, None)
                if ordinal is not None:
                    self._records[ordinal] = None
                    self._folded[ordinal] = ""
                    dropped = True
        return dropped

    def replace(self, records: Iterable[Record]) -> bool:
        """Make it hold exactly these; True when anything differed. Ordinals stay."""
        fresh = list(records)
        with self._guard:
            gone = self._ordinals.keys() - {record.ref for record in fresh}
            dropped = self.drop(gone)
            differed = self.put(fresh)
            self.loaded = True
        return dropped or differed

    def at(self, ordinal: int) -> Record | None:
        """The record with an ordinal."""
        with self._guard:
            return self._records[ordinal] if 0 <= ordinal < len(self._records) else None

    def ordinal(self, ref: Ref) -> int | None:
        """The ordinal of a record."""
        with self._guard:
            return self._ordinals.get(ref)

    def get(self, ref: Ref) -> Record | None:
        """The record as it was last read."""
        ordinal = self.ordinal(ref)
        return None if ordinal is None else self.at(ordinal)

    def matching(self, query: Query, agent: str = "") -> list[tuple[int, Record]]:
        """Ordinals and records that a query shows, by ordinal. Same answer as ``Query.matches``."""
        return list(self._matching(query, agent))

    def _matching(self, query: Query, agent: str) -> Iterator[tuple[int, Record]]:
        parsed = query.parsed()
        needles = [needle for needle in parsed.needles if _BETWEEN not in needle]
        simple = all(isinstance(term, Part) and not term.negated for term in parsed.terms)
        simple = simple and len(needles) == len(parsed.needles)
        with self._guard:
            rows = list(zip(self._records, self._folded, strict=True))
        for ordinal, (record, folded) in enumerate(rows):
            if record is None or any(needle not in folded for needle in needles):
                continue
            if query.admits(record, agent) and (simple or holds(parsed, record, agent)):
                yield ordinal, record

    def counts(self) -> dict[str, dict[State, int]]:
        """Kind -> state -> number."""
        counts: dict[str, dict[State, int]] = {}
        with self._guard:
            for record in self._records:
                if record is not None:
                    states = counts.setdefault(record.kind, {})
                    states[record.state] = states.get(record.state, 0) + 1
        return counts

    def clear(self) -> None:
        """Forget everything."""
        with self._guard:
            self._records.clear()
            self._folded.clear()
            self._ordinals.clear()
            self.loaded = False


def _folded(record: Record) -> str:
    return _BETWEEN.join(fold(field) for field in record.searchable())
