# SPDX-License-Identifier: MIT
"""``erase``: gone for good, and shown to be gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref
from memory_gui.erasure.plan import ErasePlan, plan_of
from memory_gui.erasure.result import EraseResult, EraseState
from memory_gui.erasure.run import planned
from memory_gui.ledger import SETTLED, PendingErase
from memory_gui.services import OpenedStore
from memory_gui.terminal.changing import despite, with_despite
from memory_gui.terminal.erasekeys import key_policy, refuse_lost_key, tell_keys
from memory_gui.terminal.looking import kind_query
from memory_gui.terminal.parser import Parser, Verb, with_refs, with_store
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit, worst
from memory_gui.terminal.telling import tell_find, tell_own_clear, tell_result
from memory_gui.words import N_, Words
from memory_gui.words.erasure import held_lines, records, what_goes

SIDE_FILES: Final = "side-files"
_TITLES: Final = 5
"""How many titles stand for all."""


def _erase_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    with_refs(parser, words)
    say = words.say
    parser.add_argument("--kind", metavar="K", help=say("with --all: every record of this kind"))
    parser.add_argument("--all", action="store_true", help=say("every record of the kind"))
    parser.add_argument("--everything", action="store_true", help=say("every record"))
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
    with_despite(parser, words)
    parser.add_argument(
        "--pending", action="store_true", help=say("list what was begun and not finished")
    )
    parser.add_argument("--resume", action="store_true", help=say("finish what was begun"))


def erase(session: Session) -> Exit:
    """Plan, or run and prove."""
    args = session.args
    policy = key_policy(session)
    begun = session.services.erasing.pending(_main(session))
    state = session.services.keeper.state
    if state is not None and state.code == "unreadable":
        session.say_ledger()  # it is written down as a file, and the receipt stands by itself
    if args.pending:
        return _list_pending(session, begun)
    if args.resume:
        return _resume_all(session, begun)
    meant = tuple(entry for entry in begun if _named((entry,)).intersection(args.refs))
    if meant and _names_all(meant, args.refs):
        return _resume_all(session, meant)
    done = session.services.erasing.finished(_main(session))
    if done and args.refs and _names_all(done, args.refs):
        # The same command again, after it had come to its end: look again and say so.
        return _resume_all(session, done)
    return _plan_and_run(session, begun, policy)


def _plan_and_run(session: Session, begun: tuple[PendingErase, ...], policy: str | None) -> Exit:
    store = session.open()
    refuse_lost_key(session, store)
    insist = despite(session)
    refs, missing = _chosen(session, store, begun)
    if missing:
        return _say_missing(session, missing)
    if not refs:
        raise UserError("erase.nothing")
    plan = session.services.erasing.plan(refs, policy=policy)
    if plan.missing:
        return _say_missing(session, [ref.text for ref in plan.missing])
    if session.args.dry_run:
        return _say_plan(session, plan, refs, begun)
    _tell_going(session, plan, refs)
    tell_keys(session, plan)
    for line in held_lines(session.words, session.services.erasing.held_for(plan)):
        session.out.line(line)
    session.confirm(
        session.words.many(
            "Erase {n} record for good? This cannot be undone.",
            "Erase {n} records for good? This cannot be undone.",
            records(_chosen_kinds(refs), _going_kinds(plan)),
        )
    )
    result = _run(session, plan, despite_foreign="foreign" in insist)
    if session.args.everything:
        tell_own_clear(session, plan)
    return _finish(session, (result,), _kinds(plan), begun)


def _kinds(plan: ErasePlan) -> Mapping[str, str]:
    """Which kind of records each table holds."""
    return {rows.table: rows.kind for store in plan.stores for rows in store.rows}


def _chosen_kinds(refs: Sequence[Ref]) -> Mapping[str, int]:
    return Counter(ref.kind for ref in refs)


def _going_kinds(plan: ErasePlan) -> Mapping[str, int]:
    going: Counter[str] = Counter()
    for store in plan.stores:
        for rows in store.rows:
            going[rows.kind] += len(rows.keys)
    return going


def _tell_going(session: Session, plan: ErasePlan, refs: Sequence[Ref]) -> None:
    """What goes, with some titles: also what was not chosen by name."""
    words = session.words
    what = what_goes(words, _chosen_kinds(refs), _going_kinds(plan))
    session.out.line(words.say("To be erased: {what}.", what=what))
    # With --yes nobody is asked, and what a script prints is kept in logs: no memory text there.
    if not session.args.yes:
        _tell_titles(session, refs)
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
    out.document(
        {
            **result.as_json(),
            "searched": [file.path for file in plan.side_files],
            "foreign_sql": list(plan.foreign_sql),
            "older": _older_data(begun),
        }
    )
    _tell_going(session, plan, refs)
    tell_keys(session, plan)
    tell_result(session, result, _kinds(plan))
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
    _tell_older(session, begun)
    return Exit.DONE


def _cleans(session: Session, plan: ErasePlan, result: EraseResult) -> bool:
    cleanable = {file.path for file in plan.side_files if file.cleanable}
    found = any(find.where in cleanable for find in result.finds)
    return found and session.args.accept != SIDE_FILES


def _main(session: Session) -> str:
    return str(session.services.library.locate(session.path()).main)


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


def _chosen(
    session: Session, store: OpenedStore, begun: tuple[PendingErase, ...]
) -> tuple[list[Ref], list[str]]:
    """The records to erase, and the names that mean none. Named by an unfinished erase counts."""
    args = session.args
    library = session.services.library
    by_kind = bool(args.all and args.kind)
    text = session.query_text()
    ways = (bool(args.refs), text is not None, by_kind, args.everything)
    if sum(ways) != 1 or (args.all and not args.kind):
        raise UserError("usage.nothing_chosen")
    if not args.refs:
        query = (
            kind_query(session, store, args.kind)
            if by_kind
            else Query(text or "", frozenset({store.id}))
        )
        if args.kind and not by_kind:
            query = kind_query(session, store, args.kind)
        found = library.window(library.search(query, "created", session.cancel).ids)
        chosen, left = session.services.erasing.erasable(
            [record.ref for record in found if record is not None]
        )
        if left:
            session.out.note(
                session.words.many(
                    "{n} row is the agent's own bookkeeping, cannot be erased and is left out.",
                    "{n} rows are the agent's own bookkeeping, cannot be erased and are left out.",
                    len(left),
                )
            )
        return chosen, []
    refs: list[Ref] = []
    missing: list[str] = []
    named = _named(begun)
    for name in dict.fromkeys(args.refs):
        ref = library.resolve(store.id, name)
        if ref is not None:
            refs.append(ref)
        elif name not in named:
            missing.append(name)
    return refs, missing


def _named(begun: tuple[PendingErase, ...]) -> set[str]:
    """Every text by which an unfinished erase's records can be named."""
    named: set[str] = set()
    for entry in begun:
        plan = plan_of(entry.store_path, entry.scheme)
        for rows in plan.rows:
            for key in rows.keys:
                ident = "/".join(str(part) for part in key)
                named |= {ident, f"{rows.kind}:{ident}"}
    return named


def _names_all(begun: tuple[PendingErase, ...], refs: list[str]) -> bool:
    named = _named(begun)
    return all(ref in named for ref in refs)


def _say_missing(session: Session, missing: list[str]) -> Exit:
    error = UserError("erase.missing", count=len(missing), refs=", ".join(missing))
    session.out.error(error, {"missing": missing})
    return Exit.NO_SUCH


def _list_pending(session: Session, begun: tuple[PendingErase, ...]) -> Exit:
    session.out.document(
        {
            "pending": [
                {"id": e.id, "store": e.store_path, "started_at": e.started_at, "state": e.state}
                for e in begun
            ]
        }
    )
    for entry in begun:
        session.out.line(
            session.words.say("Begun {time}: {path}", time=entry.started_at, path=entry.store_path)
        )
    if not begun:
        session.out.line(session.words.say("No erase of this store is unfinished."))
    return Exit.NOT_FINISHED if begun else Exit.DONE


def _resume_all(session: Session, begun: tuple[PendingErase, ...]) -> Exit:
    """Finish every unfinished erase of the store; the worst status."""
    if not begun:
        session.out.document({"state": EraseState.PROVED.value, "pending": []})
        session.out.line(session.words.say("No erase of this store is unfinished."))
        return Exit.DONE
    key = _key_of_pending(session, begun[0])
    receipt = session.args.receipt
    if receipt is not None and len(begun) > 1:
        raise UserError("usage.one_receipt")
    results = [
        session.services.erasing.resume(
            entry,
            key=key,
            new_key=session.new_key(),
            accept_side_files=session.args.accept == SIDE_FILES,
            receipt=None if receipt is None else Path(receipt),
        )
        for entry in begun
    ]
    kinds: dict[str, str] = {}
    for entry in begun:
        kinds |= _kinds(ErasePlan((plan_of(entry.store_path, entry.scheme),)))
    return _finish(session, results, kinds)


def _key_of_pending(session: Session, entry: PendingErase) -> Key | None:
    """The key given, for an encrypted store; the keychain's is found by the service."""
    encrypted = plan_of(entry.store_path, entry.scheme).encrypted
    return session.key() if encrypted else None


def _finish(
    session: Session,
    results: Sequence[EraseResult],
    kinds: Mapping[str, str],
    begun: Sequence[PendingErase] = (),
) -> Exit:
    """Tell the results; when they have left this process, it need not be kept that all is done."""
    older = _older_data(begun)
    if len(results) == 1:
        session.out.document({**results[0].as_json(), "older": older})
    else:
        session.out.document({"results": [result.as_json() for result in results], "older": older})
    for result in results:
        tell_result(session, result, kinds)
        if result.state is EraseState.NOT_PROVED:
            _tell_way_on(session, result)
    _tell_older(session, begun)
    session.streams.stdout.flush()
    for result in results:
        session.services.erasing.told(result, at_once=session.streams.stdout.isatty())
    return worst(Exit(result.exit_code) for result in results)


def _tell_way_on(session: Session, result: EraseResult) -> None:
    words = session.words
    if result.proof is not None and result.proof.clean and result.finds:
        session.out.line(
            words.say(
                "Clean or delete what is named, then run “erase STORE --resume”; or accept it "
                "with “erase STORE --resume --accept side-files”."
            )
        )
    else:
        session.out.line(words.say("Run “erase STORE --resume” to try again."))


def _older(begun: Sequence[PendingErase]) -> list[PendingErase]:
    """Earlier erases whose rows are gone and that are not proved: each has its own result."""
    return [entry for entry in begun if entry.state in SETTLED]


def _older_data(begun: Sequence[PendingErase]) -> list[dict[str, Any]]:
    return [
        {"id": entry.id, "started_at": entry.started_at, "state": entry.state}
        for entry in _older(begun)
    ]


def _tell_older(session: Session, begun: Sequence[PendingErase]) -> None:
    for entry in _older(begun):
        session.out.line(
            session.words.say(
                "An earlier erase, begun {time}, is not proved. Finish it with “erase STORE "
                "--resume”, or accept what is left with “--resume --accept side-files”.",
                time=entry.started_at,
            )
        )


VERBS = (Verb("erase", N_("erase records for good, and prove it"), _erase_arguments),)
RUN = {"erase": erase}
