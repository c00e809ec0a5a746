# SPDX-License-Identifier: MIT
"""Writing an erase down before it begins, or taking over the one that was begun before."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, RawKey
from memory_gui.domain.work import CancelToken, Tick
from memory_gui.erasure.cells import merge_cells
from memory_gui.erasure.filecuts import merge_files
from memory_gui.erasure.joining import merge_rows
from memory_gui.erasure.keptfiles import still_kept
from memory_gui.erasure.plan import StorePlan, TableKind, plan_of, scheme_of
from memory_gui.erasure.samefile import OTHER, inode_of, is_same
from memory_gui.ledger import DONE, SETTLED, Pending, PendingErase
from memory_gui.ledger.lease import Lease

LEASE_WAIT_S: Final = 60.0
"""How long another copy of the app that works on the same erase is waited for."""
_POLL_S: Final = 0.2
_PAST: Final = frozenset({"erasing", "proving", DONE})
"""States of an entry whose rows may have been taken out already."""


@dataclass(frozen=True, slots=True)
class Job:
    """One database's part of an act of erasing."""

    plan: StorePlan
    key: Key | None
    entry: PendingErase
    fresh: bool
    """Whether the entry was made for this very act, and goes when nothing comes of it."""
    new_key: RawKey | None = None
    """What the database is given in the same act."""
    side_files: tuple[SideFile, ...] = ()
    """In which texts are overwritten in the same act."""
    whole: bool = True
    """Whether the plan names every row of the entry: else not every text is known any more."""
    before: Mapping[str, int] = field(default_factory=dict)
    """Table -> rows that an earlier run was to take, where it may have come so far."""


class Busy(UserError):  # noqa: N818 - says what is
    """Another copy of the app works on this erase, and did not end in time."""

    def __init__(self, path: str, pid: int) -> None:
        super().__init__("erase.running", path=path, pid=pid)
        self.pid = pid


def take_over(
    plan: StorePlan,
    key: Key | None,
    pending: Pending,
    tick: Tick,
    resumed: str = "",
    *,
    cancel: CancelToken | None = None,
) -> Job:
    """Write the erase down, or take over the one that was begun for this database.

    One whose rows are gone and that is not proved (SETTLED) stays by itself, unless it is the one
    that is ``resumed`` (its id): its result is not that of another erase.

    Raises:
        Busy: a live process works on it. Cancelled: as asked while that was waited for.
        UserError: ``pending.*``, ``ledger.*``.
    """
    old = _free_entry(plan.path, pending, tick, resumed, cancel)
    for entry in pending.list(plan.path):
        if entry.state == DONE and entry.id != resumed:
            pending.remove(entry.id)
    if old is not None and old.state == DONE and not resumed:
        old = None
    if old is not None and old.id != resumed and not _is_there(old):
        # Of another database at this path: it stays by itself, and nothing of it is taken here.
        pending.put(replace(old, state="not-proved", scheme={**old.scheme, OTHER: True}))
        old = None
    if old is None:
        entry = PendingErase.begin(plan.path, begin_scheme(plan))
        pending.put(entry)
        return Job(plan, key, entry, fresh=True)
    before = plan_of(plan.path, old.scheme)
    merged = replace(
        plan,
        rows=merge_rows(before.rows, plan.rows),
        cells=merge_cells(before.cells, plan.cells),
        locks=plan.locks or before.locks,
        names=tuple(dict.fromkeys((*before.names, *plan.names))),
        tables=_merge_tables(before.tables, plan.tables),
        format=plan.format or before.format,
        anyway=plan.anyway or before.anyway,
        mode=plan.mode or before.mode,
        files=merge_files(before.files, plan.files),
        kept=still_kept(before.kept, plan.kept, plan.side_files),
    )
    mine = Lease.mine()
    scheme = {**old.scheme, **scheme_of(merged)}
    if not plan.opaque_ids:  # then the entry has no keys that could be counted
        more = {t: max(n, scheme["counts"].get(t, 0)) for t, n in old.scheme["counts"].items()}
        scheme["counts"] = {**scheme["counts"], **more}
    scheme["side_files"] = max(int(old.scheme.get("side_files", 0)), scheme["side_files"])
    scheme["foreign"] = bool(old.scheme.get("foreign") or scheme["foreign"])
    scheme["anyway"] = bool(old.scheme.get("anyway") or scheme["anyway"])
    entry = replace(old, scheme=scheme, lease_pid=mine.pid, lease_started=mine.started)
    pending.put(entry)
    whole = _keys(before) <= _keys(plan)
    counts = old.scheme.get("counts", {}) if old.state in _PAST else {}
    return Job(merged, key, entry, fresh=False, whole=whole, before=counts)


def begin_scheme(plan: StorePlan) -> dict[str, Any]:
    """What is written down when an erase begins: the plan, and of which file it is.

    Text files have a new number after each writing; each of them is noted by itself.
    """
    return {**scheme_of(plan), "inode": None if plan.files else inode_of(plan.path)}


def _is_there(entry: PendingErase) -> bool:
    """Whether the entry's own database lies at its path; where nothing does, others say so."""
    if entry.scheme.get("files"):
        return True
    return inode_of(entry.store_path) is None or is_same(entry.scheme, entry.store_path)


def _keys(plan: StorePlan) -> set[tuple[str, tuple[str | int, ...]]]:
    return {(rows.table, key) for rows in plan.rows for key in rows.keys}


def _free_entry(
    path: str, pending: Pending, tick: Tick, resumed: str, cancel: CancelToken | None
) -> PendingErase | None:
    until = time.monotonic() + LEASE_WAIT_S
    me = os.getpid()
    while True:
        found = pending.list(path)
        begun = [one for one in found if one.id == resumed]
        begun += [one for one in found if one.state not in SETTLED]
        entry = next(iter(begun), None)
        if entry is None or entry.lease_pid == me or not entry.is_held():
            return entry
        if time.monotonic() > until:
            raise Busy(path, entry.lease_pid)
        if cancel is not None:
            cancel.check()
        tick("wait-for-other", 0, 0)
        time.sleep(_POLL_S)


def _merge_tables(*groups: Sequence[TableKind]) -> tuple[TableKind, ...]:
    return tuple({entry.table: entry for group in groups for entry in group}.values())
