# SPDX-License-Identifier: MIT
"""What an erase takes of a store that is one table, and who else carries the same text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from memory_gui.domain.changes import EraseRows, EraseScope
from memory_gui.domain.records import Ref
from memory_gui.stores.sql.cells import Row
from memory_gui.stores.sql.windows import Windows, fold

if TYPE_CHECKING:
    from memory_gui.stores.sql.onetable import OneTableStore

_LABEL_BYTES: Final = 12
"""Shorter names ("lin", "notes") are words of the trade, which prove nothing."""
_BATCH: Final = 200
"""Rows between two checks."""


def erase_scope(
    store: OneTableStore,
    refs: Sequence[Ref],
    also_texts: Sequence[str],
    check: Callable[[], object],
) -> EraseScope:
    """The rows that ``refs`` name. Inside one read transaction.

    A name (a key, a person, a session) is to be gone where no kept row has it; a text always.
    """
    taken: dict[int, Row] = {}
    missing: list[Ref] = []
    for number, ref in enumerate(refs):
        if number % _BATCH == 0:
            check()
        if ref.store != store.id:
            continue
        row = store.row(ref)
        if row is None:
            missing.append(ref)
        else:
            taken[row.rowid] = row
    texts = _texts(store.carriers, taken.values())
    texts.update(dict.fromkeys(text.strip() for text in also_texts if text.strip()))
    names = _texts(store.labels, taken.values(), _LABEL_BYTES)
    still_in, held = _kept(
        store, taken, texts, [name for name in names if name not in texts], check
    )
    return EraseScope(
        store=store.id,
        rows=tuple(_rows_of(store, list(taken.values()))),
        texts=(*texts, *(name for name in names if name not in texts and name not in held)),
        missing=tuple(missing),
        still_in=still_in,
    )


def _texts(columns: Iterable[str], rows: Iterable[Row], least: int = 1) -> dict[str, None]:
    found = (row.text(column).strip() for row in rows for column in columns)
    return dict.fromkeys(t for t in found if len(t.encode(errors="replace")) >= least)


def _kept(
    store: OneTableStore,
    taken: dict[int, Row],
    texts: Iterable[str],
    names: Sequence[str],
    check: Callable[[], object],
) -> tuple[tuple[Ref, ...], set[str]]:
    """By one pass over the rows that stay: those that carry a text, and the names they have."""
    if not taken and not texts:
        return (), set()
    windows, of_names = Windows(texts), Windows(names)
    columns = (*store.carriers, *store.labels)
    found: list[Ref] = []
    held: set[str] = set()
    for rows in store.table.batches():
        check()
        kept = [row for row in rows if row.rowid not in taken]
        said = fold(row.text(column) for row in kept for column in columns)
        places = sorted({place // len(columns) for place in windows.in_folded(said)})
        found += [store.ref_of(kept[place]) for place in places]
        held |= of_names.newly_held(said)
    return tuple(found), held


def _rows_of(store: OneTableStore, rows: Sequence[Row]) -> Iterator[EraseRows]:
    """By the store's own key; by number only where that is no text."""
    table, kind = store.table.name, store.kind
    named = [row for row in rows if store.key_of(row)]
    odd = [row.rowid for row in rows if not store.key_of(row)]
    if named:
        keys = tuple(map(store.key_of, named))
        owner, owners = store.owners(named)
        yield EraseRows(table, store.key_columns, keys, kind, owner, owners)
    if odd:
        yield EraseRows(table, (store.table.rowid,), tuple((number,) for number in odd), kind)
