# SPDX-License-Identifier: MIT
"""Bringing what a readable store has into the encrypted one that lay in its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from memory_gui.domain.changes import NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.editing.acts import Acts
from memory_gui.services.editing.editing import Editing
from memory_gui.services.editing.ground import Done
from memory_gui.services.library.library import Library
from memory_gui.services.undo.steps import TakeOut
from memory_gui.stores.contract import Store

TRASHED: Final = "trash"
"""What a memory in the trash is counted as; everything else is by its kind."""
_FIELDS: Final = ("title", "text", "scope", "type", "tags")
_CLASHES: Final = frozenset({"record.key_taken", "record.id_taken", "review.proposed_again"})
_FIRST: Final = ("memory", TRASHED, "review", "summary", "event")
"""Memories before the log that names them."""
_STEP: Final = 200


@dataclass(frozen=True, slots=True)
class Merged:
    """What was done. ``clashes`` are titles whose key or id another record has: they stay behind.

    ``brought`` counts what was added by kind (``TRASHED``: memories in the trash); ``left`` what
    the format cannot take in.
    """

    added: int = 0
    same: int = 0
    clashes: tuple[str, ...] = ()
    failed: tuple[tuple[str, UserError], ...] = ()
    left: Mapping[str, int] = field(default_factory=dict)
    brought: Mapping[str, int] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether everything in the readable store is in the encrypted one."""
        return not (self.clashes or self.failed or self.left)


class Merging:
    """Any thread; both stores are open."""

    def __init__(self, library: Library, editing: Editing, acts: Acts) -> None:
        self._library = library
        self._editing = editing
        self._acts = acts

    def merge(
        self,
        stray: StoreId,
        into: StoreId,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> Merged:
        """Add every record that the other store does not have; nothing is written over.

        Memories, also those in the trash, proposals, summaries and the agent's log, each as it is
        stored. The readable store is left as it is. Run again it goes on where it was stopped.

        Raises:
            UserError: ``protect.not_encrypted``, ``protect.encrypted``, ``store.not_open``.
            Cancelled.
        """
        if self._library.store(stray).info.encrypted:
            raise UserError("protect.encrypted", path=str(stray))
        shelf = self._library.shelf(into)
        if not shelf.info.encrypted:
            raise UserError("protect.not_encrypted", path=str(into))
        own = shelf.screen(lambda store: store.bookkeeping)
        texts = {
            (one.scope, one.text)
            for one in self._records(into, cancel)
            if _counted_as(one) == "memory"
        }
        found = [one for one in self._records(stray, cancel) if one.kind not in own]
        found.sort(key=lambda one: _place(_counted_as(one)))
        count = _Count()
        for number, record in enumerate(found):
            tick("merge", number, len(found))
            if cancel is not None:
                cancel.check()
            if _counted_as(record) == "memory" and (record.scope, record.text) in texts:
                count.same += 1
            else:
                self._take(record, into, count)
        tick("merge", len(found), len(found))
        return count.merged()

    def _take(self, record: Record, into: StoreId, count: _Count) -> None:
        try:
            added = self._bring(record, into)
        except UserError as error:
            if error.code in _CLASHES:
                count.clashes.append(record.title)
            elif error.code == "store.cannot":
                count.left[_counted_as(record)] += 1
            else:
                count.failed.append((record.title, error))
            return
        if added:
            count.brought[_counted_as(record)] += 1
        else:
            count.same += 1

    def _bring(self, record: Record, into: StoreId) -> bool:
        """Whether it was not there before."""
        try:
            with self._library.changing():
                done = bring(self._library, self._acts, record.ref, into)
                return bool(self._editing.one_done("add", done).changes.refs)
        except UserError as error:
            if error.code != "store.cannot" or _counted_as(record) != "memory":
                raise
        # A format that takes no rows in: written anew, as a person would.
        values = {name: getattr(record, name) for name in _FIELDS}
        return bool(self._editing.add(into, NewRecord(record.kind, values)).changes.refs)

    def _records(self, store: StoreId, cancel: CancelToken | None) -> Iterator[Record]:
        query = Query(stores=frozenset({store}))
        ids = self._library.search(query, "created", cancel).ids
        for start in range(0, len(ids), _STEP):
            found = self._library.window(ids[start : start + _STEP])
            yield from (one for one in found if one is not None)


@dataclass(slots=True)
class _Count:
    same: int = 0
    clashes: list[str] = field(default_factory=list)
    failed: list[tuple[str, UserError]] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)
    brought: Counter[str] = field(default_factory=Counter)

    def merged(self) -> Merged:
        return Merged(
            self.brought.total(),
            self.same,
            tuple(self.clashes),
            tuple(self.failed),
            dict(self.left),
            dict(self.brought),
        )


def _counted_as(record: Record) -> str:
    return TRASHED if record.state is State.TRASH else record.kind


def _place(kind: str) -> int:
    return _FIRST.index(kind) if kind in _FIRST else len(_FIRST)


def bring(library: Library, acts: Acts, ref: Ref, into: StoreId) -> Done:
    """A record of one open store into another of its format, as it is stored; nothing is lost.

    Raises:
        UserError: ``record.key_taken``, ``record.id_taken``, ``scope.*``; ``store.cannot`` where
            the format cannot take a record of this kind in.
    """
    snapshot = library.shelf(ref.store).screen(lambda store: store.snapshot([ref]))
    there = library.shelf(into)
    changes = there.change(lambda store: store.reinstate(snapshot))
    there.absorb(changes)
    steps = []
    for one in changes.added:
        with suppress(UserError):  # an agent's log is not taken back
            there.screen(partial(_may_go, one))
            steps.append(TakeOut(one, acts.values(acts.current(one))))
    return Done(changes, tuple(steps))


def _may_go(ref: Ref, store: Store) -> None:
    store.may("delete", Target(ref))
