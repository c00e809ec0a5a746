# SPDX-License-Identifier: MIT
"""How an act over several records is told, and how it ends."""

from __future__ import annotations

from typing import Any

from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref
from memory_gui.services import BulkResult, OpenedStore
from memory_gui.terminal.parser import Parser
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit, status_of, worst
from memory_gui.words import Words
from memory_gui.words.errors import explain


def report(
    session: Session, refs: list[Ref], result: BulkResult, outcome: str, *, dry: bool = False
) -> Exit:
    """Print counts by outcome and each failure once; the worst status of all.

    ``outcome`` is the word for what was done, in JSON (``trashed``, ``deleted``, …), or with
    ``dry`` for what would be.
    """
    failed = dict(result.failed)
    tried = refs if not result.stopped else refs[: result.done + len(failed)]
    each: list[dict[str, Any]] = [
        {"ref": ref.text, "outcome": "failed", "error": session.out.error_data(failed[ref])}
        if ref in failed
        else {"ref": ref.text, "outcome": outcome}
        for ref in tried
    ]
    counts = {outcome: result.done, "failed": len(failed)}
    if result.stopped:
        counts["left"] = len(refs) - len(tried)
    document: dict[str, Any] = {"counts": counts, "results": each}
    if dry:
        would = [ref.text for ref in tried if ref not in failed]
        document = {"dry_run": True, **document, "refs": would}
    session.out.document(document)
    words = session.words
    if dry:
        _tell_dry(session, result.done, would)
    else:
        session.out.line(words.many("{n} record done.", "{n} records done.", result.done))
    for ref, error in result.failed:
        session.out.line(
            words.say("{ref}: {reason}", ref=ref.text, reason=explain(words, error).text)
        )
    statuses = [status_of(error.code) for error in failed.values()]
    return worst([*statuses, Exit.NOT_FINISHED] if result.stopped else statuses)


def _tell_dry(session: Session, done: int, refs: list[str]) -> None:
    session.out.line(
        session.words.many(
            "{n} record would be changed. Nothing was written.",
            "{n} records would be changed. Nothing was written.",
            done,
        )
    )
    for ref in refs:
        session.out.line(ref)


def with_resume(parser: Parser, words: Words) -> None:
    """``--resume``."""
    parser.add_argument(
        "--resume",
        action="store_true",
        help=words.say("go on with such an act that was stopped, instead of naming records"),
    )


def chosen(session: Session, store: OpenedStore, act: str, query: Query) -> list[Ref]:
    """The records named or found; with ``--resume`` those that a stopped act has left.

    Raises:
        UserError: ``usage.resume``, ``acts.none``; as ``Session.chosen``.
    """
    if not session.args.resume:
        return session.chosen(store, query)
    if session.args.refs or session.query_text() is not None:
        raise UserError("usage.resume")
    found = session.services.editing.stopped(store.id, (act,))
    if not found:
        raise UserError("acts.none")
    return list(dict.fromkeys(ref for one in found for ref in one.left))
