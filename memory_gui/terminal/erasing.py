# SPDX-License-Identifier: MIT
"""``erase``: gone for good, and shown to be gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.erasure.joining import taking_whole
from memory_gui.erasure.plan import ErasePlan
from memory_gui.erasure.result import EraseResult
from memory_gui.erasure.run import planned
from memory_gui.ledger import SETTLED, PendingErase
from memory_gui.services.erasing.everything import SCOPES
from memory_gui.terminal.changing import despite, with_despite
from memory_gui.terminal.erasebegun import (
    SIDE_FILES,
    finish,
    kinds_of,
    list_pending,
    named_in,
    names_all,
    older_data,
    parts_data,
    resume_all,
    tell_older,
)
from memory_gui.terminal.erasechoice import chosen, own_evidence
from memory_gui.terminal.erasekeys import key_policy, refuse_lost_key, tell_keys
from memory_gui.terminal.keepclean import ACTS, keep_clean
from memory_gui.terminal.parser import Parser, Verb, with_refs, with_store
from memory_gui.terminal.returned import let_stay, require_alone
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.terminal.telling import tell_find, tell_parts, tell_result
from memory_gui.words import N_, Words, formats
from memory_gui.words.erasure import held_lines, records, what_goes
from memory_gui.words.reasons import kept_records_line

_TITLES: Final = 5
"""How many titles stand for all."""


def _erase_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    with_refs(parser, words)
    say = words.say
    parser.add_argument("--kind", metavar="K", help=say("with --all: every record of this kind"))
    parser.add_argument("--all", action="store_true", help=say("every record of the kind"))
    parser.add_argument(
        "--subject",
        metavar="NAME",
        help=say(
            "every record about this person, user or job, by the whole name; others on this "
            "computer can see arguments"
        ),
    )
    parser.add_argument("--everything", action="store_true", help=say("every record"))
    parser.add_argument(
        "--pair", action="store_true", help=say("with --everything: of both databases of the agent")
    )
    parser.add_argument(
        "--scope",
        metavar="S",
        choices=SCOPES,
        default="",
        help=say("with --everything: of one scope, project or user, in both databases"),
    )
    parser.add_argument(
        "--evidence",
        action="store_true",
        help=say("decided proposals with what they were concluded from; the memories stay"),
    )
    parser.add_argument(
        "--returned",
        action="store_true",
        help=say("records that were erased before and are back in this store"),
    )
    parser.add_argument(
        "--let-stay",
        action="store_true",
        help=say("with --returned: keep them, and do not name them again"),
    )
    parser.add_argument(
        "--dry-run", action="store_true", help=say("say what would be done and write nothing")
    )
    parser.add_argument("--yes", action="store_true", help=say("do not ask"))
    parser.add_argument("--receipt", metavar="FILE", help=say("where to write the receipt"))
    parser.add_argument("--keep-key", action="store_true", help=say("keep the store's key"))
    parser.add_argument(
        "--new-key-fd",
        metavar="N",
        type=int,
        help=say("give the store a new key: 64 hex digits from descriptor N"),
    )
    parser.add_argument(
        "--accept",
        metavar="WHAT",
        choices=(SIDE_FILES,),
        help=say("side-files: what is left in other files is named, and not a failure"),
    )
    parser.add_argument(
        "--side-files",
        metavar="HOW",
        choices=("text", "whole"),
        default="text",
        help=say(
            "in the agent's other files: text overwrites what repeats it, whole takes away "
            "each transcript, tool output and plan that does"
        ),
    )
    with_despite(parser, words)
    parser.add_argument(
        "--keep-clean",
        metavar="ACT",
        choices=ACTS,
        help=say("show, on, off: for a store whose writers all go through this program"),
    )
    parser.add_argument(
        "--pending", action="store_true", help=say("list what was begun and not finished")
    )
    parser.add_argument("--resume", action="store_true", help=say("finish what was begun"))


def erase(session: Session) -> Exit:
    """Plan, or run and prove."""
    args = session.args
    require_alone(session)
    if args.keep_clean is not None:
        return keep_clean(session)
    policy = key_policy(session)
    begun = session.services.erasing.pending_in(session.path())
    state = session.services.keeper.state
    if state is not None and state.code == "unreadable":
        session.say_ledger()  # it is written down as a file, and the receipt stands by itself
    if args.pending or (args.resume and args.dry_run):
        return list_pending(session, begun)
    if args.resume:
        return resume_all(session, begun)
    again = () if args.dry_run else _again(session, begun)
    return resume_all(session, again) if again else _plan_and_run(session, begun, policy)


def _again(session: Session, begun: tuple[PendingErase, ...]) -> tuple[PendingErase, ...]:
    """The erases that the same command began: unfinished, or done just now.

    A kill may come between two files of a store: then some are done, and of the others what is
    left belongs to it. What is done is looked at again, and said.
    """
    refs = session.args.refs
    meant = tuple(entry for entry in begun if named_in((entry,)).intersection(refs))
    left = tuple(entry for entry in begun if entry in meant or entry.state not in SETTLED)
    again = {entry.store_path for entry in left}
    finished = session.services.erasing.finished_in(session.path())
    done = tuple(
        entry
        for entry in finished
        if entry.store_path not in again and named_in((entry,)).intersection(refs)
    )
    named = (*meant, *done)
    return (*left, *done) if named and refs and names_all(named, refs) else ()


def _plan_and_run(session: Session, begun: tuple[PendingErase, ...], policy: str | None) -> Exit:
    store = session.open()
    if session.args.returned and (session.args.let_stay or not session.returned):
        return let_stay(session, session.returned)
    refuse_lost_key(session, store)
    insist = despite(session)
    refs, missing = chosen(session, store, begun)
    if missing:
        return _say_missing(session, missing)
    own = own_evidence(session, store)
    if not refs and own:
        return _drop_own(session, own)
    if not refs:
        raise UserError("erase.nothing")
    plan = session.services.erasing.plans.plan(refs, policy=policy)
    plan = taking_whole(plan) if session.args.side_files == "whole" else plan
    if plan.missing:
        return _say_missing(session, [ref.text for ref in plan.missing])
    if session.args.dry_run:
        return _say_plan(session, plan, refs, begun)
    _tell_going(session, plan, refs)
    tell_keys(session, plan)
    for line in held_lines(session.words, session.services.erasing.plans.held_for(plan)):
        session.out.line(line)
    session.confirm(
        session.words.many(
            "Erase {n} record for good? This cannot be undone.",
            "Erase {n} records for good? This cannot be undone.",
            records(_chosen_kinds(refs), _going_kinds(plan)),
        )
    )
    session.services.review.proposals.remove(own)
    parts = session.services.everything.parts(plan) if session.args.everything else ()
    result = _run(session, plan, despite_foreign="foreign" in insist)
    parts = session.services.everything.outcome(parts, result, plan)
    tell_parts(session, parts)
    return finish(session, (result,), kinds_of(plan), begun, parts)


def _drop_own(session: Session, own: Sequence[Ref]) -> Exit:
    """Only our own file keeps such words: its rows are overwritten as they are taken out."""
    words, dry = session.words, session.args.dry_run
    if not dry:
        session.confirm(
            words.many(
                "Erase {n} record for good? This cannot be undone.",
                "Erase {n} records for good? This cannot be undone.",
                len(own),
            )
        )
    gone = 0 if dry else session.services.review.proposals.remove(own)
    session.out.document({"state": "planned" if dry else "own-file", "own": len(own)})
    session.out.line(
        words.many(
            "{n} decided proposal was taken out of this program's own file.",
            "{n} decided proposals were taken out of this program's own file.",
            gone,
        )
    )
    return Exit.DONE


def _chosen_kinds(refs: Sequence[Ref]) -> Mapping[str, int]:
    return Counter(ref.kind for ref in refs)


def _going_kinds(plan: ErasePlan) -> Mapping[str, int]:
    going: Counter[str] = Counter()
    for store in plan.stores:
        for rows in store.rows:
            going.update(dict(formats.going(rows)))
    return going


def _tell_going(session: Session, plan: ErasePlan, refs: Sequence[Ref]) -> None:
    """What goes, with some titles: also what was not chosen by name."""
    words = session.words
    what = what_goes(words, _chosen_kinds(refs), _going_kinds(plan))
    session.out.line(words.say("To be erased: {what}.", what=what))
    # With --yes nobody is asked, and what a script prints is kept in logs: no memory text there.
    if not session.args.yes:
        _tell_titles(session, refs)
    for kept in plan.kept_in_cases:
        session.out.line(kept_records_line(words, kept))
    stays = [ref.text for store in plan.stores for ref in store.still_in if ref.kind == "summary"]
    if stays:
        session.out.line(
            words.many(
                "{n} session summary repeats it and stays unless it is erased too: {refs}",
                "{n} session summaries repeat it and stay unless they are erased too: {refs}",
                len(stays),
                refs=" ".join(stays),
            )
        )
    others = [ref.text for one in plan.stores for ref in one.still_in if ref.kind != "summary"]
    if others:
        shown = " ".join(others[:_TITLES]) + (" …" if len(others) > _TITLES else "")
        session.out.line(
            words.many(
                "{n} other record says some of the same and stays: {refs}",
                "{n} other records say some of the same and stay: {refs}",
                len(others),
                refs=shown,
            )
        )


def _tell_titles(session: Session, refs: Sequence[Ref]) -> None:
    words = session.words
    for ref in refs[:_TITLES]:
        record = session.services.library.record(ref)
        if record is not None and record.title:
            session.out.line(words.say("- {title}", title=record.title))
    if more := max(0, len(refs) - _TITLES):
        session.out.line(words.many("and {n} more", "and {n} more", more))


def _say_plan(
    session: Session, plan: ErasePlan, refs: Sequence[Ref], begun: tuple[PendingErase, ...]
) -> Exit:
    """What the run would do, with the side files that hold the text and the SQL in its way."""
    result = planned(plan, cancel=session.cancel)
    out, words = session.out, session.words
    parts = session.services.everything.parts(plan) if session.args.everything else ()
    out.document(
        {
            **result.as_json(),
            **parts_data(parts),
            "searched": [file.path for file in plan.side_files],
            "kept_in_cases": [one.as_json() for one in plan.kept_in_cases],
            "foreign_sql": list(plan.foreign_sql),
            "older": older_data(begun),
        }
    )
    _tell_going(session, plan, refs)
    tell_keys(session, plan)
    tell_result(session, result, kinds_of(plan))
    tell_parts(session, parts)
    for find in result.finds:
        tell_find(session, find)
    if _cleans(session, plan, result):
        out.line(
            words.say(
                "In files that the agent wrote by itself the text is overwritten too; with "
                "--accept side-files they stay as they are."
            )
        )
    if plan.foreign_sql:
        out.line(words.say("Not made by its agent; erasing needs --despite foreign:"))
    for sql in plan.foreign_sql:
        out.line(sql, lines=True)
    tell_older(session, begun)
    return Exit.DONE


def _cleans(session: Session, plan: ErasePlan, result: EraseResult) -> bool:
    cleanable = {file.path for file in plan.side_files if file.cleanable}
    found = any(find.where in cleanable for find in result.finds)
    return found and session.args.accept != SIDE_FILES


def _run(session: Session, plan: ErasePlan, *, despite_foreign: bool) -> EraseResult:
    receipt = session.args.receipt
    return session.services.erasing.run(
        plan,
        cancel=session.cancel,
        accept_side_files=session.args.accept == SIDE_FILES,
        receipt=None if receipt is None else Path(receipt),
        despite_foreign=despite_foreign,
        new_key=session.new_key(),
    )


def _say_missing(session: Session, missing: list[str]) -> Exit:
    error = UserError("erase.missing", count=len(missing), refs=", ".join(missing))
    session.out.error(error, {"missing": missing})
    return Exit.NO_SUCH


VERBS = (Verb("erase", N_("erase records for good, and prove it"), _erase_arguments),)
RUN = {"erase": erase}
