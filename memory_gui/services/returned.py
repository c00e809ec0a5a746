# SPDX-License-Identifier: MIT
"""Erased stays erased: a file that brings erased records back is noticed, and they are named."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.erasure.plan import ErasePlan, StorePlan, plan_of
from memory_gui.erasure.result import EraseResult, EraseState
from memory_gui.ledger import AnyLedger
from memory_gui.ledger.erased import ErasedMark, ErasedRows, EraseMarker
from memory_gui.services.known import LedgerKeeper
from memory_gui.services.library import Library

FLAG: Final = "erased"
"""An empty file among the app's own: something was erased, so the ledger is worth asking."""
_RANDOM: Final = re.compile(r"[0-9a-f]{8,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""A key that nobody uses twice by chance."""
_GONE: Final = frozenset({EraseState.PROVED, EraseState.NOT_PROVED})
_CHUNK: Final = 500


class Returned:
    """Marks what is erased, and looks for it in stores. Any thread; may ask the keychain.

    Without a ledger nothing is marked and nothing is found. Nobody is asked before anything was
    ever erased here.
    """

    def __init__(self, library: Library, keeper: LedgerKeeper, data_dir: Path) -> None:
        self._library = library
        self._keeper = keeper
        self._flag = data_dir / FLAG

    # ---- marking

    def begin(self, plan: ErasePlan) -> ErasePlan:
        """The same plan, its records written down; they count when their rows are gone."""
        ledger = self._keeper.ledger()
        if ledger.erased is None:
            return plan
        act, marker = secrets.token_hex(8), _marker(ledger)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        known = self._as_they_are(plan)
        marks = []
        for store in plan.stores:
            name = marker.store(store.salt or store.path)
            for ref in _refs(store):
                mark = marker.record(store.format, ref.kind, ref.key)
                made = marker.made(mark, text) if (text := _made(known.get(ref))) else b""
                marks.append(ErasedMark(mark, made, name, act, now))
        ledger.erased.put(marks)
        with suppress(OSError):
            self._flag.touch(mode=0o600)
        return replace(plan, stores=tuple(replace(one, act=act) for one in plan.stores))

    def drop(self, plan: ErasePlan) -> None:
        """Nothing came of it."""
        rows = self._rows()
        for act in {store.act for store in plan.stores if store.act}:
            if rows is not None:
                rows.drop(act)

    def settle(self, plan: ErasePlan, result: EraseResult) -> None:
        """Of those databases whose rows are gone, the records count from now on."""
        gone = {store.path for store in result.stores if store.state in _GONE}
        ledger = self._keeper.ledger()
        if ledger.erased is None or result.other_store:
            return
        marker = _marker(ledger)
        for store in plan.stores:
            if store.path in gone:
                marks = [marker.record(store.format, r.kind, r.key) for r in _refs(store)]
                ledger.erased.settle(store.act, marks)

    # ---- looking

    def look(self, store: StoreId, cancel: CancelToken | None = None) -> tuple[Ref, ...]:
        """The records of an open store that were erased before and are there again."""
        marks = self._marks()
        if not marks:
            return ()
        ledger, shelf = self._keeper.ledger(), self._library.shelf(store)
        marker = _marker(ledger)
        here = marker.store((shelf.salt.hex() if shelf.info.encrypted else "") or shelf.info.path)
        listing = self._library.search(Query("", frozenset({store})), "created", cancel)
        going = self._going(store)
        found: list[tuple[Ref, bytes]] = []
        for ref in self._library.refs(listing.ids):
            if ref.kind != "event" and ref not in going:
                mark = marker.record(shelf.info.format, ref.kind, ref.key)
                if mark in marks:
                    found.append((ref, mark))
        return tuple(self._surely(found, marks, marker, here))

    def let_stay(self, refs: Iterable[Ref]) -> int:
        """A person wants these to be there: they are not named again. How many were marked."""
        ledger = self._keeper.ledger()
        if ledger.erased is None:
            return 0
        marker = _marker(ledger)
        marks = {
            marker.record(self._library.shelf(ref.store).info.format, ref.kind, ref.key)
            for ref in refs
        }
        return ledger.erased.remove(marks)

    # ---- inside

    def _rows(self) -> ErasedRows | None:
        """The marks, where anything was ever marked; asks nobody otherwise."""
        if not self._flag.exists() or not self._keeper.is_kept:
            return None
        return self._keeper.ledger().erased

    def _marks(self) -> dict[bytes, list[ErasedMark]]:
        marks: dict[bytes, list[ErasedMark]] = {}
        with suppress(UserError):  # a ledger that cannot be read says so where it is needed
            rows = self._rows()
            for one in rows.gone() if rows is not None else ():
                marks.setdefault(one.mark, []).append(one)
        return marks

    def _surely(
        self,
        found: Sequence[tuple[Ref, bytes]],
        marks: dict[bytes, list[ErasedMark]],
        marker: EraseMarker,
        here: bytes,
    ) -> Iterator[Ref]:
        """Those that are the very record: the same time, or a random id of the same store.

        A number or a word as a key may belong to something new.
        """
        for start in range(0, len(found), _CHUNK):
            some = found[start : start + _CHUNK]
            records = self._library.records([ref for ref, _ in some])
            for ref, mark in some:
                text = _made(records.get(ref))
                made = marker.made(mark, text) if text else b"-"
                same = any(one.made == made for one in marks[mark])
                ours = any(one.store == here for one in marks[mark])
                if same or (ours and is_random(ref.key)):
                    yield ref

    def _going(self, store: StoreId) -> set[Ref]:
        """Records that an unfinished erase takes: they have not come back, they were never gone."""
        return {
            ref
            for entry in self._keeper.pending(str(store))
            for ref in _refs(plan_of(entry.store_path, entry.scheme))
        }

    def _as_they_are(self, plan: ErasePlan) -> dict[Ref, Record]:
        """The records of a plan, as far as their stores are open."""
        known: dict[Ref, Record] = {}
        at_hand = {shelf.id for shelf in self._library.shelves()}
        refs = [ref for store in plan.stores for ref in _refs(store) if ref.store in at_hand]
        for start in range(0, len(refs), _CHUNK):
            found: dict[Ref, Record | None] = {}
            with suppress(UserError):  # let go of just now: its name is enough to know it by
                found = self._library.records(refs[start : start + _CHUNK])
            known.update({ref: record for ref, record in found.items() if record is not None})
        return known


def is_random(key: Sequence[str]) -> bool:
    """Whether a key was made by chance, so that two records never share it."""
    return len(key) == 1 and _RANDOM.fullmatch(key[0].lower()) is not None


def _marker(ledger: AnyLedger) -> EraseMarker:
    return EraseMarker(ledger.secret() or b"")


def _refs(store: StorePlan) -> Iterator[Ref]:
    """The records of a plan; what belongs to one (its entries in the change log) is no record."""
    for rows in store.rows:
        if not rows.owner and rows.kind != "event":
            for key in rows.keys:
                yield Ref(StoreId(store.path), rows.kind, tuple(str(part) for part in key))


def _made(record: Record | None) -> str:
    if record is None:
        return ""
    return record.created_at or record.text
