# SPDX-License-Identifier: MIT
"""What a plan and a note of an erase are about: records, rows, foreign statements."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from memory_gui.domain.erasing import MayHold
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, StoreId
from memory_gui.erasure.plan import ErasePlan, StorePlan
from memory_gui.erasure.result import EraseResult
from memory_gui.ledger import PendingErase
from memory_gui.services.library.shelf import Shelf

_TRANSCRIPTS: Final = frozenset({"session", "replay"})

RETRY_S: Final = 10.0
"""How long after a result was written to another program the same command is its repetition."""


def erased_refs(plan: ErasePlan) -> set[Ref]:
    """Every record that a plan takes out."""
    return {
        Ref(StoreId(store.path), kind, key) for store in plan.stores for kind, key in taken(store)
    }


def taken(store: StorePlan) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Kind and key of every record that goes: its row, or its text out of a row that stays."""
    rows = [(rows.kind, tuple(map(str, key))) for rows in store.rows for key in rows.keys]
    yield from rows
    seen = set(rows)
    more = dict.fromkeys(one for cell in store.cells for one in cell.of)
    yield from (one for one in more if one not in seen)


def holding_after(plan: ErasePlan, result: EraseResult, *, cleaned: bool) -> tuple[MayHold, ...]:
    """Who may still hold it when all is done: also transcripts in which it stood, and logs.

    Text was overwritten in them where it stood word for word (``cleaned``); they may tell it in
    other words. Logs that were left as they are were not chosen.
    """
    found = list(plan.may_hold)
    finds = [find for find in (*result.cleaned, *result.finds) if not find.removed]
    told = [find.where for find in finds if find.what in _TRANSCRIPTS]
    gone = {find.where for find in result.cleaned if find.removed}
    found = [one for one in found if one.params.get("path") not in gone]
    found += [MayHold("hold.session", {"path": path}) for path in told]
    if not cleaned:
        logs = (file.path for file in plan.side_files if file.what == "log")
        found += [MayHold("hold.log", {"path": path}) for path in logs]
    return tuple({(one.code, *one.params.values()): one for one in found}.values())


def keys_of(store: StorePlan) -> set[tuple[str, tuple[str | int, ...]]]:
    """(table, key) of every row that goes."""
    return {(rows.table, key) for rows in store.rows for key in rows.keys}


def is_told_long_ago(entry: PendingErase) -> bool:
    """Whether its result was given out, and nobody is trying again."""
    told = entry.scheme.get("told")
    return told is not None and not 0 <= time.time() - float(told) < RETRY_S


def refuse_foreign(store: StorePlan, shelf: Shelf | None) -> None:
    """Triggers of somebody else's run when rows go: a person must have seen them."""
    if not (store.is_written and store.foreign_sql) or (
        shelf is not None and shelf.foreign_accepted
    ):
        return
    raise UserError(
        "store.foreign_objects",
        path=store.path,
        count=len(store.foreign_sql),
        sql="\n".join(store.foreign_sql),
    )
