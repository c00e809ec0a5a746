# SPDX-License-Identifier: MIT
"""Answers of an erase for which nothing is run, and how the results of several are put together."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.errors import UserError
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.erasure.asking import search
from memory_gui.erasure.keptfiles import apart, limit_of
from memory_gui.erasure.left import limits_after
from memory_gui.erasure.plan import ErasePlan, StorePlan, plan_limits, plan_of
from memory_gui.erasure.result import (
    KEPT,
    NEW_GIVEN,
    NEW_KEY,
    NONE,
    Count,
    EraseResult,
    EraseState,
    StoreResult,
    worst,
)
from memory_gui.ledger import PendingErase


def planned(
    plan: ErasePlan, *, tick: Tick = no_tick, cancel: CancelToken | None = None
) -> EraseResult:
    """The answer of a dry run: that very plan, nothing done; side files are searched already.

    Raises:
        Cancelled: as asked. ChildGone: the search was ended.
    """
    finds, kept = apart(search(plan, tick=tick, cancel=cancel), plan.kept)
    return EraseResult(
        EraseState.PLANNED,
        tuple(
            StoreResult(
                store.path,
                EraseState.PLANNED,
                {table: Count(found=number) for table, number in store.counts.items()},
                key=_planned_key(store),
            )
            for store in plan.stores
        ),
        (*plan.not_covered, *map(limit_of, kept)),
        found=tuple(finds),
        may_hold=plan.may_hold,
        kept_found=tuple(kept),
    )


def _planned_key(store: StorePlan) -> str:
    if store.gets_new_key:
        return NEW_GIVEN if store.given else NEW_KEY
    return KEPT if store.encrypted else NONE


def not_begun(plan: ErasePlan, reason: UserError, holder: OpenBy) -> EraseResult:
    """The answer where another copy of the app does not let go of a store: nothing was done."""
    started = now()
    results = [unchanged(store, (holder,), reason) for store in plan.stores]
    return result_of(plan, results, started, unseen=False)


def is_unnamed(store: StorePlan) -> bool:
    """Whether a plan that was written down cannot say which rows it takes: names are content."""
    return not (store.opaque_ids or store.files) and any(not one.keys for one in store.rows)


def plan_to_resume(entry: PendingErase) -> ErasePlan:
    """What an unfinished erase is about, as far as it was written down: no texts."""
    store = plan_of(entry.store_path, entry.scheme)
    return ErasePlan((store,), plan_limits([store]))


def unchanged(store: StorePlan, holders: tuple[OpenBy, ...], reason: UserError) -> StoreResult:
    """One of several databases of which nothing was touched."""
    return StoreResult(
        store.path,
        EraseState.NOT_FINISHED,
        {table: Count(found=number) for table, number in store.counts.items()},
        open_by=holders,
        reason=reason.code,
        reason_params=dict(reason.params),
    )


def result_of(
    plan: ErasePlan, results: Sequence[StoreResult], started: str, *, unseen: bool
) -> EraseResult:
    """One act over all its stores, begun at ``started``; its id is a new one.

    ``unseen``: a program of another user could have had a file open.
    """
    return EraseResult(
        worst([result.state for result in results]),
        tuple(results),
        plan.not_covered + tuple(limits_after(results, unseen=unseen)),
        id=secrets.token_hex(8),
        started_at=started,
        finished_at=now(),
        may_hold=plan.may_hold,
    )


def together(results: Sequence[EraseResult]) -> EraseResult:
    """One act whose files were finished one after the other; its id is a new one."""
    limits = (one for result in results for one in result.not_covered)
    holds = (one for result in results for one in result.may_hold)
    return EraseResult(
        worst([result.state for result in results]),
        tuple(store for result in results for store in result.stores),
        tuple({(one.code, *one.params.values()): one for one in limits}.values()),
        id=secrets.token_hex(8),
        started_at=min((result.started_at for result in results), default=""),
        finished_at=max((result.finished_at for result in results), default=""),
        may_hold=tuple({(one.code, *one.params.values()): one for one in holds}.values()),
    )


def now() -> str:
    """ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
