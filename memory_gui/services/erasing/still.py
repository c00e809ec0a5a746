# SPDX-License-Identifier: MIT
"""What of a stopped erase still stands in its store: then its texts can be looked for again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from memory_gui.domain.erasing import EraseRows, EraseScope, MayHold, SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import FileCut, KeptSpan
from memory_gui.domain.keys import Key
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.erasure.filecuts import is_as_seen
from memory_gui.erasure.plan import plan_of
from memory_gui.ledger import PendingErase
from memory_gui.services.erased.returned import Returned
from memory_gui.services.library.library import Library
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
    files: tuple[FileCut, ...] = ()
    """Of a store of text files: where the records lie that stay."""


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
    with suppress(UserError), library.looked_at(entry.store_path, key) as store:
        refs = _of_files(store, plan.files) if plan.files else list(_refs(store.id, rows))
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
                whole=_all_there(plan.files, scope) if plan.files else _whole(rows, scope),
                files=scope.files,
            )
    return still


def _of_files(store: Store, noted: Sequence[FileCut]) -> list[Ref]:
    """The records that go, where no file was written since: there each is known by its place.

    What goes on behind a swap was looked for before it, and what was found is written down.
    """
    gone = [file for file in noted if file.is_written]
    if not all(is_as_seen(file) for file in gone):
        return []
    by_path = {file.path: file for file in gone}
    names = {
        one.ref
        for now in store.erase_scope(()).files
        if (then := by_path.get(now.path)) is not None
        for one in now.kept
        if _goes(one, then)
    }
    found = [record.ref for batch in store.scan() for record in batch]
    alone = [file.path for file in gone if file.whole]
    return [ref for ref in found if ref.text in names or _is_file(store, ref, alone)]


def _goes(one: KeptSpan, then: FileCut) -> bool:
    """Of a record in another one (an observation of an entity) only that one."""
    return any(start <= one.start and one.end <= end for start, end in then.cuts)


def _is_file(store: Store, ref: Ref, alone: Collection[str]) -> bool:
    """Whether a record is one of these files by itself."""
    if not alone:
        return False
    return any(file.whole and file.path in alone for file in store.erase_scope((ref,)).files)


def _all_there(noted: Sequence[FileCut], scope: EraseScope) -> bool:
    """Whether every file of the note is as it was, and all that goes from it is known."""
    now = {file.path: file for file in scope.files}
    return all(
        (found := now.get(file.path)) is not None
        and (found.seen, found.cuts, found.whole) == (file.seen, file.cuts, file.whole)
        for file in noted
        if file.is_written
    )


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
