# SPDX-License-Identifier: MIT
"""``review`` and ``propose``: what the agent wants to remember."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from memory_gui.domain.changes import (
    Decision,
    NewRecord,
    ReviewPreview,
    Target,
    Verdict,
)
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import Shelf
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref, State
from memory_gui.findings.covering import cover
from memory_gui.services import OpenedStore
from memory_gui.services.reviewing.bulk import cause_of, pinned, plan_bulk
from memory_gui.services.reviewing.rejections import SHORT
from memory_gui.services.shapes import record_data
from memory_gui.services.values import BulkResult
from memory_gui.terminal import names
from memory_gui.terminal.bulk import OUTCOMES, chosen, report, with_resume, with_take_back
from memory_gui.terminal.changing import (
    agent_reads,
    despite,
    tell_read,
    with_despite,
)
from memory_gui.terminal.looking import say_covered
from memory_gui.terminal.parser import Parser, Verb, with_refs, with_store
from memory_gui.terminal.reviewstory import preview_data, repeated, tell_preview, would
from memory_gui.terminal.ruling import rules, rules_arguments
from memory_gui.terminal.session import Session
from memory_gui.terminal.setting import FIELDS, values_of, with_set
from memory_gui.terminal.status import Exit
from memory_gui.terminal.stoppeddeciding import named_items, stopped_data, take_up
from memory_gui.words import N_, Words
from memory_gui.words.review import nothing_found

KIND: Final = "review"
_VERDICTS: Final = {
    "approve": Verdict.APPROVE,
    "reject": Verdict.REJECT,
    "reopen": Verdict.REOPEN,
}
_BESIDE: Final = ("evidence", "session")
"""What a proposal has beside the fields of its record."""
_OUTLOOKS: Final = 200
"""Of longer lists it is not worked out what the agent will see of each."""


def _review_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument(
        "act",
        metavar="ACT",
        choices=("list", *_VERDICTS, "rules", "marks"),
        help=words.say("list, approve, reject, reopen, rules or marks"),
    )
    with_refs(parser, words)
    rules_arguments(parser, words)
    with_set(parser, words, required=False)
    parser.add_argument(
        "--if-match", metavar="ETAG", help=words.say("only when the item is still this one")
    )
    with_despite(parser, words)
    parser.add_argument(
        "--dry-run", action="store_true", help=words.say("say what would be done and write nothing")
    )
    with_resume(parser, words)
    with_take_back(parser, words)
    parser.add_argument(
        "--rejected-before",
        action="store_true",
        help=words.say("only what was rejected before and is proposed again"),
    )
    parser.add_argument(
        "--lift", metavar="MARK", help=words.say("with marks: let this be proposed again")
    )


def review(session: Session) -> Exit:
    """List the queue, or decide."""
    act = session.args.act
    if act == "rules":
        return rules(session)
    if act == "marks":
        return _marks(session, session.open(write=False))
    store = session.open(write=act != "list" and not session.args.dry_run)
    return _list(session, store) if act == "list" else _decide(session, store, act)


def _list(session: Session, store: OpenedStore) -> Exit:
    """What waits, oldest first, each with what approving would do."""
    services, text = session.services, session.query_text() or ""
    refs = _waiting(session, store, text)
    previews = services.review.previews_of(refs, cancel=session.cancel)
    if session.args.rejected_before:
        previews = [preview for preview in previews if preview.rejected_at]
    seen = [(preview.item, preview) for preview in previews]
    items = [item for item, _ in seen]
    session.out.document(
        {
            "store": store.info.path,
            "total": len(items),
            "own_queue_read": not services.review.proposals.out_of_reach,
            "stopped": stopped_data(services.stopped.of(store.id)),
            "records": [
                {
                    **record_data(item),
                    "preview": preview_data(p),
                    "agent_will_see": _sight(session, p) if len(seen) <= _OUTLOOKS else None,
                }
                for item, p in seen
            ],
        }
    )
    words = session.words
    if items:
        heads = [words.say("REF"), words.say("TITLE"), words.say("APPROVING WOULD")]
        rows = [[i.ref.text, cover(i.title or i.text), would(words, p)] for i, p in seen]
        session.out.table(heads, rows, wide=1)
        if any(row[1] != (one.title or one.text) for row, one in zip(rows, items, strict=True)):
            say_covered(session)
    if items:
        session.out.line(words.many("{n} item waits.", "{n} items wait.", len(items)))
    else:
        _say_nothing_found(session, text)
    if services.review.proposals.out_of_reach:
        session.out.line(
            words.say(
                "This program’s own queue is not among them: the key of its file is not to be had"
                " here. A script needs your permission to use the keychain."
            )
        )
    return Exit.DONE


def _waiting(
    session: Session,
    store: OpenedStore,
    text: str,
    states: tuple[State, ...] = (State.PENDING,),
) -> list[Ref]:
    """Those in these states that a query chooses, oldest first; and what may be meant by it."""
    waiting = session.services.review.waiting(text, store=store.id, states=states)
    session.tell_hints(Query(text, frozenset({store.id}), frozenset({KIND})))
    return waiting


def _say_nothing_found(session: Session, text: str) -> None:
    again = session.args.rejected_before
    session.out.line(nothing_found(session.words, text, again=again))


def _sight(session: Session, preview: ReviewPreview) -> dict[str, str] | None:
    outlook = session.services.review.outlook(preview)
    return None if outlook is None else {"when": outlook.sight.value, "why": outlook.why}


def _marks(session: Session, store: OpenedStore) -> Exit:
    """What was rejected, by mark; ``--lift`` lets one be proposed again."""
    rejections, words = session.services.review.rejections, session.words
    lifted = session.args.lift
    if lifted:
        rejections.lift_mark(store.id, lifted)
    found = rejections.list(store.id)
    session.out.document(
        {
            "store": store.info.path,
            "kept": rejections.on,
            "lifted": int(bool(lifted)),
            "marks": [{"mark": one.mark, "item": one.item, "at": one.at} for one in found],
        }
    )
    if not rejections.on:
        session.out.line(words.say("No marks are kept: there is no keychain for them."))
        return Exit.DONE
    if found:
        heads = [words.say("MARK"), words.say("REJECTED")]
        session.out.table(heads, [[one.mark[:SHORT], one.at] for one in found], wide=1)
    session.out.line(words.many("{n} rejection is known.", "{n} rejections are known.", len(found)))
    return Exit.DONE


def _decide(session: Session, store: OpenedStore, act: str) -> Exit:
    verdict = _VERDICTS[act]
    if session.args.take_back or (session.args.resume and not session.args.dry_run):
        return take_up(session, store, act)
    text = session.query_text()
    refs = _items(session, store, act, text)
    if session.args.rejected_before:
        seen = session.services.review.previews_of(refs, cancel=session.cancel)
        refs = [one.item.ref for one in seen if one.rejected_at]
    insist = despite(session)
    dry = session.args.dry_run
    if "foreign" in insist and not dry:
        session.services.library.allow_writing(store.id, despite_foreign=True)
    fields = values_of(session)
    decisions: list[Decision] = []
    refused: list[tuple[Ref, UserError]] = []
    outcomes: dict[str, int] | None = None
    same: tuple[tuple[Ref, Ref], ...] = ()
    if verdict is Verdict.APPROVE and not fields and session.args.if_match is None:
        plan = plan_bulk(session.services.review, refs, verdict, insist, cancel=session.cancel)
        decisions, refused = list(plan.decisions), list(plan.left)
        outcomes, same = dict(plan.outcomes), plan.same
        refs = list(dict.fromkeys(refs))
    else:
        for ref in refs:
            try:
                decisions.append(_decision(session, ref, verdict, fields, insist))
            except UserError as error:
                refused.append((ref, error))
    review = session.services.review
    with session.progress() as tick:
        result = (
            review.would(decisions, cancel=session.cancel)
            if dry
            else review.decide_all(decisions, tick=tick, cancel=session.cancel)
        )
    both = replace(result, failed=(*refused, *result.failed))
    saved = fields.get("text") if verdict is Verdict.APPROVE else None
    read = agent_reads(session, store.id, saved) if isinstance(saved, str) else {}
    done = report(session, refs, both, OUTCOMES[act], dry=dry, outcomes=outcomes, more=read)
    failed = {ref for ref, _ in both.failed}
    for line in repeated(session.words, [one for one in same if one[0] not in failed]):
        session.out.line(line)
    _show_as_it_is_now(session, both)
    if not refs and verdict is not Verdict.REOPEN:
        _say_nothing_found(session, text or "")
    if isinstance(saved, str):
        tell_read(session, store.id, saved)
    return done


def _show_as_it_is_now(session: Session, result: BulkResult) -> None:
    """What approving would do now, where something else was there than what was shown."""
    for ref, error in result.failed:
        if error.code == "review.target_changed":
            with suppress(UserError):
                tell_preview(session, session.services.review.preview(ref))


def _items(session: Session, store: OpenedStore, act: str, query: str | None) -> list[Ref]:
    """Those that are meant, of the agent's queue and of our own."""
    args = session.args
    states = (State.APPROVED, State.REJECTED) if act == "reopen" else (State.PENDING,)
    if args.resume or not args.refs or query is not None:
        text = None if args.resume or args.refs else query
        if args.rejected_before and not (args.resume or args.refs):
            text = query or ""  # what was rejected before is chosen by that alone
        if text is not None:
            return _waiting(session, store, text, states)
        wanted = frozenset() if act == "reopen" else frozenset(states)
        return chosen(session, store, act, Query(kinds=frozenset({KIND}), states=wanted))
    return named_items(session, store)


def _decision(
    session: Session, ref: Ref, verdict: Verdict, fields: dict[str, Any], insist: frozenset[str]
) -> Decision:
    """What is to be decided about one item, over what it would replace now.

    ``--if-match`` is the item's etag, or the etag over the item and the memory that it would
    replace, as ``review list`` tells it.

    Raises:
        UserError: for a warning that the person did not insist past; ``record.changed``,
            ``review.target_changed`` when another state was seen.
    """
    wanted = session.args.if_match
    if verdict is not Verdict.APPROVE:
        return Decision(Target(ref, wanted), verdict, fields, insist)
    preview = session.services.review.preview(ref, fields)
    if wanted not in {None, preview.item.etag, preview.pin}:
        raise UserError("review.target_changed")
    error = cause_of(preview, insist)
    if error is not None:
        raise error
    return replace(pinned(preview, verdict, insist), fields=fields)


# ---- propose


def _propose_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument(
        "--set",
        metavar="F=V",
        action="append",
        required=True,
        help=words.say(
            "give field F the value V: those of the store’s records (text, and as the agent has"
            " them title, type, scope, tags, key, subject, source; where it keeps JSON, text is an"
            " object in braces); besides evidence, the words that it was concluded from, and"
            " session, where they were said; F=@FILE reads a file, F=-"
            " standard input; others on this computer can see arguments"
        ),
    )
    with_despite(parser, words)


def propose(session: Session) -> Exit:
    """Put a record in the queue instead of among the memories."""
    store = session.open(write=True)
    own = [
        name
        for kind in store.info.declared
        if "add" in kind.acts and kind.shelf is not Shelf.REVIEW
        for name in kind.fields
    ]
    values = values_of(session, (*own, *_BESIDE), offered=(*(own or FIELDS), *_BESIDE))
    new = NewRecord(KIND, values, despite=despite(session))
    result = session.services.review.propose(store.id, new)
    ref = result.changes.refs[0]
    record = session.services.review.item(ref)
    session.out.document({"store": str(ref.store), **record_data(record)})
    session.out.line(
        session.words.say(
            "{ref} waits: {state}.", ref=ref.text, state=names.state(session.words, record.state)
        )
    )
    return Exit.DONE


VERBS = (
    Verb(
        "review", N_("list what waits for a decision, approve, reject, reopen"), _review_arguments
    ),
    Verb("propose", N_("put a record in the queue"), _propose_arguments),
)
RUN = {"review": review, "propose": propose}
