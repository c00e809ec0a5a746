# SPDX-License-Identifier: MIT
"""Erased stays erased: a file that brings erased records back is noticed, and they are named."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memory_gui.domain.erasing import EraseScope
from memory_gui.domain.errors import UserError
from memory_gui.domain.folding import fold
from memory_gui.domain.keys import Key
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.erasure.plan import ErasePlan, StorePlan, plan_of
from memory_gui.erasure.result import EraseResult, EraseState
from memory_gui.erasure.run import is_unnamed
from memory_gui.ledger import AnyLedger, PendingErase
from memory_gui.ledger.erased import ErasedMark, ErasedRows, EraseMarker
from memory_gui.services.erased.staying import of_what_stays, with_stays
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.own.known import LedgerKeeper

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
            return with_stays(plan, self._library)
        act, marker = secrets.token_hex(8), _marker(ledger)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        known = self._as_they_are(plan)
        marks = []
        for store in plan.stores:
            name = marker.store(store.salt or store.path)
            for ref in _refs(store):
                record = known.get(ref)
                found = [_mark(marker, store.format, ref, record)]
                if not (store.opaque_ids or store.files):  # what is written down names no row
                    found.append(_mark(marker, store.format, ref, None))
                for mark in dict.fromkeys(found):
                    made = marker.made(mark, text) if (text := _made(record)) else b""
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

    def named(self, entry: PendingErase, key: Key | None) -> EraseScope | None:
        """What of an unfinished erase is still there, where its entry could not name it.

        By the marks that were made when it began: the same key with another text is another
        record. Without marks only whether all are gone. None where that cannot be told, or need
        not be.
        """
        plan, ledger = plan_of(entry.store_path, entry.scheme), self._keeper.ledger()
        if not is_unnamed(plan):
            return None
        if not plan.act or ledger.erased is None:
            return of_what_stays(plan, self._library, key)
        made = {one.mark: one.made for one in ledger.erased.of_act(plan.act)}
        marker = _marker(ledger)
        with suppress(UserError), self._library.looked_at(entry.store_path, key) as store:
            records = (record for batch in store.scan() for record in batch)
            refs = [
                record.ref
                for record in records
                if (mark := _mark(marker, plan.format, record.ref, None)) in made
                and made[mark] == marker.made(mark, _made(record))
            ]
            return store.erase_scope(refs)
        return None

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
        refs = [ref for ref in self._library.refs(listing.ids) if ref.kind != "event"]
        refs = [ref for ref in refs if ref not in going]
        found: list[tuple[Ref, bytes]] = []
        for ref in refs:
            mark = _mark(marker, shelf.info.format, ref, None)
            if mark in marks:
                found.append((ref, mark))
        back = dict.fromkeys(self._surely(found, marks, marker, here))
        back |= dict.fromkeys(self._by_text(shelf, refs, marks, marker))
        return tuple(back)

    def let_stay(self, refs: Iterable[Ref]) -> int:
        """A person wants these to be there: they are not named again. How many were marked."""
        ledger = self._keeper.ledger()
        if ledger.erased is None:
            return 0
        marker = _marker(ledger)
        marks: set[bytes] = set()
        wanted = list(refs)
        records = self._library.records(wanted)
        for ref in wanted:
            format_ = self._library.shelf(ref.store).info.format
            marks |= {_mark(marker, format_, ref, one) for one in (None, records.get(ref))}
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

    def _by_text(
        self, shelf: Shelf, refs: Sequence[Ref], marks: Mapping[bytes, object], marker: EraseMarker
    ) -> Iterator[Ref]:
        """Records without a key or a time of their own, by what they say: wherever they stand."""
        counted = [ref for ref in refs if not is_random(ref.key)]
        for start in range(0, len(counted), _CHUNK):
            for ref, record in self._library.records(counted[start : start + _CHUNK]).items():
                if record is None or record.created_at:
                    continue
                if _mark(marker, shelf.info.format, ref, record) in marks:
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


def _mark(marker: EraseMarker, format_: str, ref: Ref, record: Record | None) -> bytes:
    """By its key; of one that has neither a key of its own nor a time, by what it says."""
    if record is not None and not record.created_at and not is_random(ref.key):
        return marker.record(format_, ref.kind, ("=", fold(record.text).strip()))
    return marker.record(format_, ref.kind, ref.key)


def _marker(ledger: AnyLedger) -> EraseMarker:
    return EraseMarker(ledger.secret() or b"")


def _refs(store: StorePlan) -> Iterator[Ref]:
    """The records of a plan; what belongs to one (its entries in the change log) is no record."""
    for rows in store.rows:
        if rows.kind != "event":
            for key in rows.keys:
                yield Ref(StoreId(store.path), rows.kind, tuple(str(part) for part in key))


def _made(record: Record | None) -> str:
    if record is None:
        return ""
    return record.created_at or record.text
