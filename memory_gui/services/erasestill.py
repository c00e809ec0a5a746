# SPDX-License-Identifier: MIT
"""What of a stopped erase still stands in its store: then its texts can be looked for again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from memory_gui.domain.changes import EraseRows, EraseScope, MayHold, SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.erasure.plan import plan_of
from memory_gui.ledger import PendingErase
from memory_gui.services.library import Library
from memory_gui.services.returned import Returned
from memory_gui.stores.contract import Store

_CHUNK: Final = 500


@dataclass(frozen=True, slots=True)
class Still:
    """``rows`` where the note itself could not name them. ``whole``: no text of it is unknown."""

    texts: tuple[str, ...] = field(default=(), repr=False)
    side_files: tuple[SideFile, ...] = ()
    may_hold: tuple[MayHold, ...] = ()
    rows: tuple[EraseRows, ...] | None = None
    whole: bool = False


def still_there(
    library: Library, returned: Returned, entry: PendingErase, key: Key | None
) -> Still:
    """Look at the store of an erase that goes on. What cannot be read is not there.

    A note keeps no text; but the rows go in one transaction, and what the agent's other files
    repeat is overwritten before its end. So as long as the rows are there, their texts are known.
    """
    plan = plan_of(entry.store_path, entry.scheme)
    named = returned.named(entry, key)
    rows = plan.rows if named is None else named.rows
    still = Still(rows=None if named is None else rows)
    if plan.files:  # there a record is its place in a file, which may be another one by now
        return still
    with suppress(UserError), library.looked_at(entry.store_path, key) as store:
        refs = list(_refs(store.id, rows))
        scope = store.erase_scope([ref for ref in refs if ref.kind != "event"])
        records = list(_records(store, refs))
        texts = _said(scope, records)
        if texts:
            beside = (
                *store.side_files(),
                *library.side_files_beside(entry.store_path, plan.names),
                *library.side_files_near(plan.format),
            )
            return replace(
                still,
                texts=texts,
                side_files=tuple(dict.fromkeys(beside)),
                may_hold=store.may_hold([one for one in records if one.kind != "event"]),
                whole=_whole(rows, scope),
            )
    return still


def _whole(rows: Sequence[EraseRows], scope: EraseScope) -> bool:
    """Whether all records of the note are there, and are the same ones."""
    there = set(_named(scope.rows))
    return all(one in there for one in _named(rows) if one[1] != "event")


def _records(store: Store, refs: Sequence[Ref]) -> Iterator[Record]:
    for start in range(0, len(refs), _CHUNK):
        yield from (one for one in store.fetch(refs[start : start + _CHUNK]) if one is not None)


def _said(scope: EraseScope, records: Sequence[Record]) -> tuple[str, ...]:
    """Of the texts those that the erase's own records say: others came since, and stay."""
    said = [text for one in records for text in one.searchable()]
    said += [value for one in records for value in one.extra.values() if value]
    every = "\n".join(said)
    return tuple(text for text in scope.texts if text in every)


def _refs(store: StoreId, rows: Iterable[EraseRows]) -> Iterator[Ref]:
    for one in rows:
        for key in one.keys:
            yield Ref(store, one.kind, tuple(map(str, key)))


def _named(rows: Iterable[EraseRows]) -> Iterator[tuple[str, str, tuple[str | int, ...], str]]:
    for one in rows:
        for key in one.keys:
            yield one.table, one.kind, key, one.owners.get(key, "")
