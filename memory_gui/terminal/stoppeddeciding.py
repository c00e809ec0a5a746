# SPDX-License-Identifier: MIT
"""``review STORE … --resume`` and ``--take-back``: decisions that were stopped in their middle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from memory_gui.domain.changes import ChangeSet, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, State
from memory_gui.services import BulkResult, OpenedStore
from memory_gui.services.editing.stopped import UNAPPROVE, StoppedAct
from memory_gui.services.reviewing.stopped import BACK
from memory_gui.terminal.bulk import OUTCOMES, report, stopped_acts
from memory_gui.terminal.changing import despite
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit


def stopped_data(acts: Iterable[StoppedAct]) -> list[dict[str, Any]]:
    """As JSON."""
    return [
        {
            "act": one.act,
            "done": one.done,
            "total": one.total,
            "left": [ref.text for ref in one.left],
            "started_at": one.started_at,
        }
        for one in acts
    ]


def take_up(session: Session, store: OpenedStore, act: str) -> Exit:
    """Go on with stopped decisions, or take back what they have decided.

    Raises:
        UserError: ``usage.resume``, ``usage.take_back``, ``acts.none``.
    """
    back = session.args.take_back
    if back and (act not in BACK or session.args.resume or session.args.dry_run):
        raise UserError("usage.take_back")
    insist = despite(session)
    if back and (session.args.refs or session.query_text() is not None):
        return _named_back(session, store, Verdict(act))
    names = (act, UNAPPROVE) if back and act == Verdict.APPROVE else (act,)
    result, tried = BulkResult(), list[Ref]()
    for one in stopped_acts(session, store, *names):
        stopped = session.services.stopped
        with session.progress() as tick:
            if back and one.act != UNAPPROVE:
                some = stopped.take_back(store.id, one, tick=tick, cancel=session.cancel)
                tried += _tried(some, one.reached)
            else:
                more = tuple(ref for ref in one.left if ref not in set(tried))
                one = replace(one, left=more)  # noqa: PLW2901 - without those just decided
                some = stopped.go_on(store.id, one, insist, tick=tick, cancel=session.cancel)
                tried += more
        result = _both(result, some)
        if some.stopped:
            break
    return report(session, tried, result, OUTCOMES[Verdict.REOPEN if back else act])


def _named_back(session: Session, store: OpenedStore, verdict: Verdict) -> Exit:
    """Of items that are named: what undo does in the window."""
    if session.query_text() is not None:
        raise UserError("usage.take_back")
    refs = named_items(session, store)
    with session.progress() as tick:
        result = session.services.stopped.take_back_named(
            refs, verdict, tick=tick, cancel=session.cancel
        )
    return report(session, refs, result, OUTCOMES[Verdict.REOPEN])


def named_items(session: Session, store: OpenedStore) -> list[Ref]:
    """Those that the arguments name, of the agent's queue and of our own."""
    own = {name: one.ref for one in session.services.review.proposals.items(
        (store.id,), tuple(State)) for name in (one.ref.text, one.ref.plain)}  # fmt: skip
    return [own.get(ref) or session.ref(store, ref) for ref in dict.fromkeys(session.args.refs)]


def _tried(result: BulkResult, refs: Iterable[Ref]) -> list[Ref]:
    """Those that were opened again, or could not be; others were decided anew meanwhile."""
    there = {*result.changes.refs, *(ref for ref, _ in result.failed)}
    return [ref for ref in refs if ref in there]


def _both(one: BulkResult, other: BulkResult) -> BulkResult:
    changes: ChangeSet = one.changes | other.changes
    failed = (*one.failed, *other.failed)
    stopped, remembered = one.stopped or other.stopped, one.remembered and other.remembered
    return BulkResult(changes, one.done + other.done, failed, stopped, remembered)
