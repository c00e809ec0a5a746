# SPDX-License-Identifier: MIT
"""One search as it runs off the GUI thread: ids, first rows, and where the old place is now."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.changes import Told
from memory_gui.domain.language import Hint
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, State
from memory_gui.domain.work import CancelToken
from memory_gui.services import Listing
from memory_gui.services.library.library import Library
from memory_gui.ui.records.bulk.chosen import Chosen
from memory_gui.ui.records.listing.rows import BLOCK, fetch_rows

PATIENCE_S: Final = 0.25
"""So long a store that is still being read is waited for before what there is is shown."""
MOST_RANGES: Final = 2_000
"""More ranges than these would hold the window up."""


@dataclass(frozen=True, slots=True)
class Found:
    """A listing that can be shown at once. ``places`` is listing id -> row, for those asked."""

    listing: Listing
    blocks: Mapping[int, Sequence[Record | None]]
    places: Mapping[int, int]
    counts: Mapping[str, Mapping[State, int]]
    chosen: tuple[tuple[int, int], ...] = ()
    """Where the rows that were chosen before are now, as (first, last)."""
    hints: tuple[Hint, ...] = ()
    """What a person should know about the words that were typed."""
    needles: tuple[str, ...] = ()
    """The folded pieces of text that a match has."""
    told: tuple[Told, ...] = ()
    """What the one store that is listed has to tell of itself."""


def find(
    library: Library,
    query: Query,
    sort: str,
    *,
    blocks: Collection[int],
    anchors: Collection[int],
    chosen: Chosen,
    cancel: CancelToken | None = None,
) -> Found:
    """Search, fetch the blocks that will be on screen, and find the anchors' new rows.

    Runs in a thread of the bridge.
    """
    listing = library.search(query, sort, cancel=cancel, patience=PATIENCE_S)
    if cancel is not None:
        cancel.check()
    places = {wanted: row for wanted in anchors if (row := _row(listing, wanted)) is not None}
    near = {row // BLOCK for row in places.values()}
    wanted_blocks = {0, *blocks, *near}
    rows = {
        block: fetch_rows(library, listing.ids[block * BLOCK : (block + 1) * BLOCK])
        for block in sorted(wanted_blocks)
        if block * BLOCK < len(listing.ids)
    }
    again = ranges_again(chosen, listing.ids)
    hints = library.hints(query) if query.text and not listing.partial else ()
    needles = query.parsed().needles
    counts, told = library.counts(query.stores), library.told(query.stores)
    return Found(listing, rows, places, counts, again, hints, needles, told)


def find_first(
    library: Library, query: Query, sort: str, *, cancel: CancelToken | None = None
) -> Found | None:
    """The first rows alone, where they are known sooner than how many there are."""
    listing = library.first(query, sort, BLOCK, cancel)
    if listing is None:
        return None
    rows = {0: fetch_rows(library, listing.ids)}
    return Found(listing, rows, {}, library.counts(query.stores), needles=query.parsed().needles)


def ranges_again(chosen: Chosen, ids: array[int]) -> tuple[tuple[int, int], ...]:
    """Where chosen rows are in another list; none where they lie too scattered to be shown."""
    if chosen.ids is ids or not chosen:
        return chosen.ranges
    wanted: set[int] = set()
    for chunk in chosen.chunks():
        wanted.update(chunk)
    found: list[tuple[int, int]] = []
    first = -1
    for row, number in enumerate(ids):
        if number in wanted:
            first = row if first < 0 else first
        elif first >= 0:
            found.append((first, row - 1))
            first = -1
    if first >= 0:
        found.append((first, len(ids) - 1))
    return tuple(found) if len(found) <= MOST_RANGES else ()


def _row(listing: Listing, wanted: int) -> int | None:
    try:
        return listing.ids.index(wanted)
    except ValueError:
        return None
