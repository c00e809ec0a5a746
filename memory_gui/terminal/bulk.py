# SPDX-License-Identifier: MIT
"""How an act over several records is told, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref
from memory_gui.services import BulkResult, OpenedStore
from memory_gui.services.editing.clashes import REVIEW, TAKEN, Clash
from memory_gui.services.editing.stopped import StoppedAct
from memory_gui.terminal.parser import Parser
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit, status_of, worst
from memory_gui.words import Words
from memory_gui.words.review import become, not_remembered, why_not

_FEW: Final = 3
"""So many of those that failed for one cause are named, where they are more than one more."""
OUTCOMES: Final = {"approve": "approved", "reject": "rejected", "reopen": "reopened"}
"""Verdict -> what was done, in JSON."""


def report(
    session: Session,
    refs: list[Ref],
    result: BulkResult,
    outcome: str,
    *,
    dry: bool = False,
    outcomes: Mapping[str, int] | None = None,
    more: Mapping[str, Any] | None = None,
) -> Exit:
    """Print counts by outcome and each failure once; the worst status of all.

    ``outcome`` is the word for what was done, in JSON (``trashed``, ``deleted``, …), or with
    ``dry`` for what would be; ``more`` goes into the document. Of what could
    not come back because another record has its key, that record and a free key are told.
    ``outcomes`` counts what would be done more closely.
    """
    failed = dict(result.failed)
    taken = [ref for ref, error in failed.items() if error.code in TAKEN]
    clashes = {one.ref: one for one in session.services.editing.clashes(taken)}
    tried = refs if not result.stopped else refs[: result.done + len(failed)]
    each: list[dict[str, Any]] = [
        _failed(session, ref, failed[ref], clashes.get(ref))
        if ref in failed
        else {"ref": ref.text, "outcome": outcome}
        for ref in tried
    ]
    counts = {outcome: result.done, "failed": len(failed)}
    if result.stopped:
        counts["left"] = len(refs) - len(tried)
    document: dict[str, Any] = {"counts": counts, "results": each, **(more or {})}
    if outcome == OUTCOMES["reject"] and not dry:
        document["remembered"] = result.remembered
    if outcomes is not None:
        document["outcomes"] = dict(outcomes)
    if dry:
        would = [ref.text for ref in tried if ref not in failed]
        document = {"dry_run": True, **document, "refs": would}
    session.out.document(document)
    words = session.words
    if dry:
        _tell_dry(session, result.done, would, outcomes or {})
    else:
        session.out.line(_done(words, outcome, result.done))
        if not result.remembered:
            session.out.line(not_remembered(words))
    for line in _failures(words, result.failed):
        session.out.line(line)
    for clash in clashes.values():
        session.out.line(_way_on(session, clash))
    statuses = [status_of(error.code) for error in failed.values()]
    return worst([*statuses, Exit.NOT_FINISHED] if result.stopped else statuses)


def _failures(words: Words, failed: Sequence[tuple[Ref, UserError]]) -> Iterator[str]:
    """Each with its reason; of many with one cause the first, and how many more there are."""
    groups: dict[str, list[tuple[Ref, UserError]]] = {}
    for ref, error in failed:
        groups.setdefault(error.code, []).append((ref, error))
    for group in groups.values():
        if len(group) <= _FEW + 1:
            for ref, error in group:
                yield words.say("{ref}: {reason}", ref=ref.text, reason=why_not(words, error))
            continue
        yield words.many(
            "{refs} and {n} more: {reason}",
            "{refs} and {n} more: {reason}",
            len(group) - _FEW,
            refs=words.row(ref.text for ref, _ in group[:_FEW]),
            reason=why_not(words, _common([error for _, error in group])),
        )


def _common(errors: Sequence[UserError]) -> UserError:
    """One error for several of a code: what differs from one to the other is left open."""
    first = errors[0].params
    told = {
        name: value if all(one.params.get(name) == value for one in errors) else "…"
        for name, value in first.items()
    }
    return UserError(errors[0].code, **told)


def _done(words: Words, outcome: str, n: int) -> str:
    """What was done, to how many."""
    many = words.many
    return {
        "trashed": many("{n} record moved to the trash.", "{n} records moved to the trash.", n),
        "restored": many(
            "{n} record taken back out of the trash.",
            "{n} records taken back out of the trash.",
            n,
        ),
        "deleted": many(
            "{n} record deleted; its bytes may remain in the file.",
            "{n} records deleted; their bytes may remain in the file.",
            n,
        ),
        "tagged": many("Tags changed on {n} record.", "Tags changed on {n} records.", n),
        "approved": many("{n} proposal approved.", "{n} proposals approved.", n),
        "rejected": many("{n} proposal rejected.", "{n} proposals rejected.", n),
        "reopened": many("{n} proposal waits again.", "{n} proposals wait again.", n),
    }[outcome]


def _failed(session: Session, ref: Ref, error: UserError, clash: Clash | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "ref": ref.text,
        "outcome": "failed",
        "error": session.out.error_data(error),
    }
    if clash is not None:
        data["clash"] = {
            "holder": clash.holder.ref.text,
            "key": clash.key,
            "free_key": clash.free,
        }
    return data


def _way_on(session: Session, clash: Clash) -> str:
    say, holder = session.words.say, clash.holder.ref.text
    if clash.ref.kind == REVIEW:
        return say(
            "{ref}: {holder} waits with the same key. Decide on that one, or reject it first.",
            ref=clash.ref.text,
            holder=holder,
        )
    return say(
        "{ref}: {holder} has its key. To have both, give this one another key (edit … --set "
        "key={key}), then restore it; to have this one instead, trash {holder} first.",
        ref=clash.ref.text,
        holder=holder,
        key=clash.free,
    )


def _tell_dry(session: Session, done: int, refs: list[str], outcomes: Mapping[str, int]) -> None:
    session.out.line(
        session.words.many(
            "{n} record would be changed. Nothing was written.",
            "{n} records would be changed. Nothing was written.",
            done,
        )
    )
    for line in become(session.words, outcomes):
        session.out.line(line)
    for ref in refs:
        session.out.line(ref)


def with_resume(parser: Parser, words: Words) -> None:
    """``--resume``."""
    parser.add_argument(
        "--resume",
        action="store_true",
        help=words.say("go on with such an act that was stopped, instead of naming records"),
    )


def with_take_back(parser: Parser, words: Words) -> None:
    """``--take-back``."""
    parser.add_argument(
        "--take-back",
        action="store_true",
        help=words.say(
            "undo such an act: what a stopped one has done, or (approve, reject) what is named"
        ),
    )


def stopped_acts(session: Session, store: OpenedStore, *acts: str) -> tuple[StoppedAct, ...]:
    """What ``--resume`` and ``--take-back`` are about.

    Raises:
        UserError: ``usage.resume``, ``acts.none``.
    """
    if session.args.refs or session.query_text() is not None:
        raise UserError("usage.resume")
    found = session.services.editing.stopped(store.id, acts)
    if not found:
        raise UserError("acts.none")
    return found


def chosen(session: Session, store: OpenedStore, act: str, query: Query) -> list[Ref]:
    """The records named or found; with ``--resume`` those that a stopped act has left.

    Raises:
        UserError: ``usage.resume``, ``acts.none``; as ``Session.chosen``.
    """
    if not session.args.resume:
        return session.chosen(store, query)
    found = stopped_acts(session, store, act)
    return list(dict.fromkeys(ref for one in found for ref in one.left))
