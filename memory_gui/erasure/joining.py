# SPDX-License-Identifier: MIT
"""Plans of one store put together, and what a person widens in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memory_gui.domain.erasing import EraseRows, SideFile
from memory_gui.domain.keptrecords import merged
from memory_gui.erasure.cells import merge_cells
from memory_gui.erasure.filecuts import merge_files
from memory_gui.erasure.keptfiles import by_path, once, spare
from memory_gui.erasure.plan import ErasePlan, StorePlan

WHOLE_ITEMS: Final = frozenset({"session", "replay", "tool_output", "plan", "skill_draft", "goal"})
"""Side files that are one item each: one that holds the text may be taken away as a whole."""


def merge_rows(*groups: Sequence[EraseRows]) -> tuple[EraseRows, ...]:
    """The rows of several plans for one store, each key once."""
    merged: dict[tuple[str, tuple[str, ...], str, str], dict[tuple[str | int, ...], str]] = {}
    more: dict[tuple[str, tuple[str, ...], str, str], int] = {}
    for group in groups:
        for rows in group:
            name = (rows.table, rows.key_columns, rows.kind, rows.owner)
            place = merged.setdefault(name, {})
            place.update({key: rows.owners.get(key, "") for key in rows.keys})
            if rows.number is not None:
                more[name] = max(more.get(name, 0), rows.number)
    return tuple(
        EraseRows(
            name[0], name[1], tuple(keys), name[2], name[3], keys if name[3] else {}, more.get(name)
        )
        for name, keys in merged.items()
    )


def together(before: ErasePlan, after: ErasePlan) -> ErasePlan:
    """One plan of two: the second takes what still repeated what the first took."""
    known = {store.path: store for store in after.stores}
    stores = [_both(store, known.pop(store.path, None)) for store in before.stores]
    limits = dict.fromkeys(limit.code for limit in before.not_covered)
    more = tuple(limit for limit in after.not_covered if limit.code not in limits)
    holding = tuple(dict.fromkeys((*before.may_hold, *after.may_hold)))
    kept = merged(before.kept_in_cases, after.kept_in_cases)
    return ErasePlan(
        (*stores, *known.values()), before.not_covered + more, holding, kept_in_cases=kept
    )


def taking_whole(plan: ErasePlan) -> ErasePlan:
    """The same plan; of the agent's other files whole items go where they hold the text."""

    def whole(file: SideFile) -> SideFile:
        return replace(file, whole=True) if file.cleanable and file.what in WHOLE_ITEMS else file

    stores = [
        replace(store, side_files=tuple(map(whole, store.side_files))) for store in plan.stores
    ]
    return replace(plan, stores=tuple(stores))


def _both(first: StorePlan, second: StorePlan | None) -> StorePlan:
    if second is None:
        return first
    both = replace(
        second,
        rows=merge_rows(first.rows, second.rows),
        cells=merge_cells(first.cells, second.cells),
        texts=tuple(dict.fromkeys((*first.texts, *second.texts))),
        side_files=tuple(dict.fromkeys((*first.side_files, *second.side_files))),
        files=merge_files(first.files, second.files),
        kept=once((*first.kept, *second.kept)),
    )
    return replace(both, side_files=spare(both.side_files, by_path(both.kept)).files)
