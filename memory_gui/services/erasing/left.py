# SPDX-License-Identifier: MIT
"""What is left beside a store that is destroyed: the agent's other files, and who was told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memory_gui.domain.erasing import MayHold
from memory_gui.domain.records import Record
from memory_gui.domain.work import CancelToken, Tick
from memory_gui.erasure.asking import search_files
from memory_gui.erasure.probes import BATCH
from memory_gui.erasure.proof import Find
from memory_gui.services.erasing.plans import ErasePlans, all_files_of
from memory_gui.services.library.shelf import Shelf
from memory_gui.stores.contract import Store

_HOLD: Final = {"log": "hold.log", "session": "hold.session", "replay": "hold.session"}
_TOLD: Final = 2_000
"""Records that stand for all when it is asked who was told of them."""
_MOST: Final = 4 * BATCH
"""Letters of texts that are looked for."""


@dataclass(frozen=True, slots=True)
class Left:
    """``finds`` are files in which texts stand; ``whole``: every text was looked for."""

    finds: tuple[Find, ...]
    may_hold: tuple[MayHold, ...]
    whole: bool


def left_beside(plans: ErasePlans, shelf: Shelf, tick: Tick, cancel: CancelToken | None) -> Left:
    """Look for a store's texts in the agent's other files, here and in projects that are known.

    Raises:
        ChildGone, Cancelled.
    """
    own = {file.path for file in shelf.screen(all_files_of)}
    files = [one for one in plans.side_files(shelf, everywhere=True) if one.path not in own]
    records, texts, whole = shelf.work(_texts_of, cancel)
    found: list[MayHold] = [*plans.programs([shelf.info])]
    found += shelf.screen(lambda store: store.may_hold(records))
    finds = search_files(files, texts, tick=tick, cancel=cancel)
    found += [MayHold(_HOLD.get(one.what, "hold.file"), {"path": one.where}) for one in finds]
    # A log may hold what was changed or deleted since: it is named whatever is in it.
    found += [MayHold("hold.log", {"path": one.path}) for one in files if one.what == "log"]
    once = {(one.code, *one.params.values()): one for one in found}
    return Left(finds, tuple(once.values()), whole)


def _texts_of(store: Store) -> tuple[list[Record], list[str], bool]:
    """(first records, texts, whether those are all): of a very large store some stand for all."""
    records: list[Record] = []
    texts: dict[str, None] = {}
    size = 0
    for batch in store.scan():
        for record in batch:
            if len(records) < _TOLD:
                records.append(record)
            for text in record.searchable():
                if text and text not in texts:
                    size += len(text)
                    texts[text] = None
        if size > _MOST:
            return records, list(texts), False
    return records, list(texts), True
