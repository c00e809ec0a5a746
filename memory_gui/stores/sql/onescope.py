# SPDX-License-Identifier: MIT
"""What an erase takes of a store that is one table, and who else carries the same text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from memory_gui.domain.erasing import EraseRows, EraseScope
from memory_gui.domain.records import Ref
from memory_gui.stores.sql.cells import Row
from memory_gui.stores.sql.windows import Windows, fold

if TYPE_CHECKING:
    from memory_gui.stores.sql.onetable import OneTableStore

Kept = tuple[tuple[Ref, ...], set[str]]
"""Records that stay and carry one of the texts; which of the names they have."""
Elsewhere = Callable[[Sequence[str], Sequence[str]], Kept]
"""Of texts and names: what stays of a file in other tables than those of the erase itself."""
_BETWEEN: Final = "\x1f"
"""Between what a row says in several places: no window of a text lies over it."""
_BATCH: Final = 200
"""Rows between two checks."""


def nowhere(_texts: Sequence[str], _names: Sequence[str]) -> Kept:
    """Of a file without other tables."""
    return (), set()


def erase_scope(
    store: OneTableStore,
    refs: Sequence[Ref],
    also_texts: Sequence[str],
    check: Callable[[], object],
    elsewhere: Elsewhere = nowhere,
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
    texts = _each(map(store.texts_of, taken.values()))
    texts.update(dict.fromkeys(text.strip() for text in also_texts if text.strip()))
    names = [name for name in _each(map(store.names_of, taken.values())) if name not in texts]
    still_in, held = kept(store, taken, texts, names, check)
    others, more = elsewhere(list(texts), names)
    held |= more
    return EraseScope(
        store=store.id,
        rows=tuple(_rows_of(store, list(taken.values()))),
        texts=(*texts, *(name for name in names if name not in held)),
        missing=tuple(missing),
        still_in=(*still_in, *others),
    )


def _each(found: Iterable[Iterable[str]]) -> dict[str, None]:
    texts = (text.strip() for some in found for text in some)
    return dict.fromkeys(text for text in texts if text)


def kept(
    store: OneTableStore,
    taken: dict[int, Row],
    texts: Collection[str],
    names: Sequence[str],
    check: Callable[[], object],
) -> Kept:
    """By one pass over the rows that stay: those that carry a text, and the names they have."""
    if not texts and not names:
        return (), set()
    windows, of_names = Windows(texts, check), Windows(names, check)
    found: list[Ref] = []
    # What the schema says by itself ("text", a column's name) is nobody's.
    held = of_names.newly_held(fold(sql or "" for *_, sql in store.connection.schema()))
    for rows in store.table.batches():
        check()
        stay = [row for row in rows if row.rowid not in taken]
        said = fold(_BETWEEN.join(store.said_of(row)) for row in stay)
        found += [store.ref_of(stay[place]) for place in sorted(windows.in_folded(said))]
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
