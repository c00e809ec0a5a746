# SPDX-License-Identifier: MIT
"""One search as it runs off the GUI thread: ids, first rows, and where the old place is now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, State
from memory_gui.domain.work import CancelToken
from memory_gui.services import Listing
from memory_gui.services.library import Library
from memory_gui.ui.records.listing.rows import BLOCK, fetch_rows


@dataclass(frozen=True, slots=True)
class Found:
    """A listing that can be shown at once. ``places`` is listing id -> row, for those asked."""

    listing: Listing
    blocks: Mapping[int, Sequence[Record | None]]
    places: Mapping[int, int]
    counts: Mapping[str, Mapping[State, int]]


def find(
    library: Library,
    query: Query,
    sort: str,
    *,
    blocks: Collection[int],
    anchors: Collection[int],
    cancel: CancelToken | None = None,
) -> Found:
    """Search, fetch the blocks that will be on screen, and find the anchors' new rows.

    Runs in a thread of the bridge.
    """
    listing = library.search(query, sort, cancel=cancel)
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
    return Found(listing, rows, places, library.counts(query.stores))


def _row(listing: Listing, wanted: int) -> int | None:
    try:
        return listing.ids.index(wanted)
    except ValueError:
        return None
