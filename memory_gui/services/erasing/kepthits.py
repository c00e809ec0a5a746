# SPDX-License-Identifier: MIT
"""Kept records by names that a person knows: rows of a store's other files are parts of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.records import Record, Ref, RefText
from memory_gui.erasure.proof import KeptHit
from memory_gui.erasure.result import EraseResult, StoreResult
from memory_gui.services.library.shelf import Shelf


def by_records(result: EraseResult, shelves: Sequence[Shelf]) -> EraseResult:
    """The same result; in a part of a store, hits are told by the record that their row is of."""
    parts = {path: shelf for shelf in shelves for path in shelf.info.parts}
    stores = [
        _told(store, parts[store.path]) if store.path in parts else store for store in result.stores
    ]
    return replace(result, stores=tuple(stores))


def _told(store: StoreResult, shelf: Shelf) -> StoreResult:
    if store.proof is None or not store.proof.kept_hits:
        return store
    counts: dict[str, int] = {}
    refs = [_ref(shelf, hit.ref) for hit in store.proof.kept_hits]
    records: tuple[Record | None, ...] = (None,) * len(refs)
    with suppress(UserError, Cancelled):  # let go of just now: the rows' own names have to do
        records = shelf.fetch(refs)
    for hit, record in zip(store.proof.kept_hits, records, strict=True):
        name = hit.ref if record is None else record.ref.text
        counts[name] = counts.get(name, 0) + hit.count
    hits = tuple(KeptHit(name, count) for name, count in counts.items())
    return replace(store, proof=replace(store.proof, kept_hits=hits))


def _ref(shelf: Shelf, text: str) -> Ref:
    kind = text.partition(":")[0]
    parsed = RefText.parse(text, kinds=(kind,))
    return Ref(shelf.id, kind, parsed.key)
