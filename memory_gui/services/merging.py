# SPDX-License-Identifier: MIT
"""Bringing the memories of a readable store into the encrypted one that lay in its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, State, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.editing import Editing
from memory_gui.services.library import Library

_FIELDS = ("title", "text", "scope", "type", "tags")


@dataclass(frozen=True, slots=True)
class Merged:
    """What was done. ``clashes`` are titles whose key lives with another text, and stay behind.

    ``left`` counts what is not merged, by kind: it has no place in a store but its own.
    """

    added: int = 0
    same: int = 0
    clashes: tuple[str, ...] = ()
    failed: tuple[tuple[str, UserError], ...] = ()
    left: Mapping[str, int] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether every memory of the readable store is in the encrypted one."""
        return not (self.clashes or self.failed)


class Merging:
    """Any thread; both stores are open."""

    def __init__(self, library: Library, editing: Editing) -> None:
        self._library = library
        self._editing = editing

    def merge(
        self,
        stray: StoreId,
        into: StoreId,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> Merged:
        """Add every live memory that the other store does not have; nothing is written over.

        The readable store is left as it is. Run again it goes on where it was stopped.

        Raises:
            UserError: ``protect.not_encrypted``, ``protect.encrypted``, ``store.not_open``.
            Cancelled.
        """
        if self._library.store(stray).info.encrypted:
            raise UserError("protect.encrypted", path=str(stray))
        if not self._library.store(into).info.encrypted:
            raise UserError("protect.not_encrypted", path=str(into))
        found = self._records(stray, cancel)
        there = self._records(into, cancel)
        texts = {(one.scope, one.text) for one in there if _is_live(one)}
        wanted = [one for one in found if _is_live(one)]
        left = Counter(one.kind for one in found if not _is_live(one) and one.kind != "meta")
        added, same = 0, 0
        clashes: list[str] = []
        failed: list[tuple[str, UserError]] = []
        for number, record in enumerate(wanted):
            tick("merge", number, len(wanted))
            if cancel is not None:
                cancel.check()
            if (record.scope, record.text) in texts:
                same += 1
                continue
            values = {name: getattr(record, name) for name in _FIELDS}
            try:
                self._editing.add(into, NewRecord("memory", values))
                added += 1
            except UserError as error:
                if error.code == "record.key_taken":
                    clashes.append(record.title)
                else:
                    failed.append((record.title, error))
        tick("merge", len(wanted), len(wanted))
        return Merged(added, same, tuple(clashes), tuple(failed), dict(left))

    def _records(self, store: StoreId, cancel: CancelToken | None) -> list[Record]:
        query = Query(stores=frozenset({store}))
        ids = self._library.search(query, "created", cancel).ids
        return [one for one in self._library.window(ids) if one is not None]


def _is_live(record: Record) -> bool:
    return record.kind == "memory" and record.state is State.LIVE
