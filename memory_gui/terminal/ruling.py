# SPDX-License-Identifier: MIT
"""``review STORE rules``: what is decided without asking each time, and taking it back."""

from __future__ import annotations

from typing import Any, Final

from memory_gui.domain.changes import Verdict
from memory_gui.domain.errors import UserError
from memory_gui.findings.covering import cover
from memory_gui.ledger.reviewrules import Rule
from memory_gui.services import OpenedStore
from memory_gui.services.reviewing.rules import Decided, RulePlan
from memory_gui.terminal import names
from memory_gui.terminal.inputs import plain
from memory_gui.terminal.parser import Parser
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit, status_of, worst
from memory_gui.words import Words
from memory_gui.words.errors import explain
from memory_gui.words.rules import left_because, rule_text

ACTS: Final = ("list", "run", "log", "add", "remove", "rest", "resume", "back")
_MOST: Final = 40
"""So many decisions are shown to a person; ``--json`` has all."""


def rules_arguments(parser: Parser, words: Words) -> None:
    """``--seen``, ``--pattern``, ``--log``."""
    parser.add_argument(
        "--seen",
        metavar="N",
        type=int,
        help=words.say("with rules add: approve by itself what was seen N times and is not odd"),
    )
    parser.add_argument(
        "--pattern",
        metavar="TEXT",
        help=words.say(
            "with rules add: reject what has this in title, key or text; * stands for anything; "
            "@FILE and - are read"
        ),
    )
    parser.add_argument(
        "--log", action="store_true", help=words.say("with rules: what they decided")
    )


def rules(session: Session) -> Exit:
    """One of ACTS; without any, the rules of the store."""
    given = list(session.args.refs)
    act = given.pop(0) if given else "log" if session.args.log else "list"
    if act not in ACTS:
        raise UserError("usage.rules", acts=", ".join(ACTS))
    writes = act in {"run", "back"} and not session.args.dry_run
    store = session.open(write=writes)
    if act == "run":
        return _run(session, store)
    if act == "back":
        return _back(session, store, given)
    if act == "add":
        _add(session, store)
    elif act in {"remove", "rest", "resume"}:
        _change(session, store, act, given)
    elif given:
        raise UserError("usage.rules", acts=", ".join(ACTS))
    return _log(session, store) if act == "log" else _list(session, store)


def rule_data(rule: Rule) -> dict[str, Any]:
    """As JSON."""
    return {
        "id": rule.id,
        "verdict": rule.verdict,
        "seen": rule.least or None,
        "pattern": rule.pattern or None,
        "running": rule.running,
        "made_at": rule.made_at,
    }


def _add(session: Session, store: OpenedStore) -> None:
    seen, pattern = session.args.seen, session.args.pattern
    if (seen is None) is (pattern is None):
        raise UserError("usage.rules_add")
    book = session.services.rules.book
    if pattern is None:
        book.add_approving(store.id, seen)
        return
    if pattern == "-" or pattern.startswith("@"):
        pattern = session.read_text(pattern.removeprefix("@")).strip()
    book.add_rejecting(store.id, plain(pattern, "--pattern"))


def _change(session: Session, store: OpenedStore, act: str, given: list[str]) -> None:
    if not given:
        raise UserError("usage.rules_which", act=act)
    book = session.services.rules.book
    for ident in given:
        if act == "remove":
            book.remove(store.id, ident)
        else:
            book.set_running(store.id, ident, running=act == "resume")


def _list(session: Session, store: OpenedStore) -> Exit:
    words, found = session.words, session.services.rules.book.of(store.id)
    session.out.document({"store": store.info.path, "rules": [rule_data(one) for one in found]})
    if not found:
        session.out.line(words.say("This store has no rules: a person decides everything."))
        return Exit.DONE
    heads = [words.say("RULE"), words.say("WHAT IT DOES"), words.say("STATE")]
    rows = [[one.id, cover(rule_text(words, one)), _state(words, one)] for one in found]
    session.out.table(heads, rows, wide=1)
    session.out.line(
        words.say("They decide in the open window, and here on: review STORE rules run")
    )
    return Exit.DONE


def _state(words: Words, rule: Rule) -> str:
    return words.say("decides") if rule.running else words.say("rests")


def _run(session: Session, store: OpenedStore) -> Exit:
    services, words = session.services, session.words
    stores = (store.id,)
    if session.args.dry_run:
        return _told(session, store, services.rules.plan(stores, cancel=session.cancel))
    with session.progress() as tick:
        run = services.rules.run(stores, tick=tick, cancel=session.cancel)
    failed = [
        {"ref": ref.text, "error": session.out.error_data(error)} for ref, error in run.failed
    ]
    session.out.document(
        {
            "store": store.info.path,
            "counts": {"approved": run.approved, "rejected": run.rejected, "failed": len(failed)},
            "left": dict(run.left),
            "failed": failed,
        }
    )
    session.out.line(
        words.many("A rule approved {n} proposal.", "Rules approved {n} proposals.", run.approved)
    )
    session.out.line(
        words.many("A rule rejected {n} proposal.", "Rules rejected {n} proposals.", run.rejected)
    )
    _tell_left(session, run.left)
    for ref, error in run.failed:
        reason = explain(words, error).text
        session.out.line(words.say("{ref}: {reason}", ref=ref.text, reason=reason))
    statuses = [status_of(error.code) for _ref, error in run.failed]
    return worst([*statuses, Exit.NOT_FINISHED] if run.stopped else statuses)


def _told(session: Session, store: OpenedStore, plan: RulePlan) -> Exit:
    words = session.words
    each = [
        {"ref": p.decision.target.ref.text, "verdict": p.rule.verdict, "rule": p.rule.id}
        for p in plan.planned
    ]
    counts = {
        "approved": plan.count(Verdict.APPROVE),
        "rejected": plan.count(Verdict.REJECT),
    }
    session.out.document(
        {
            "dry_run": True,
            "store": store.info.path,
            "looked_at": plan.looked_at,
            "counts": counts,
            "left": dict(plan.left),
            "decisions": each,
        }
    )
    if plan.planned:
        heads = [words.say("REF"), words.say("TITLE"), words.say("A RULE WOULD")]
        rows = [
            [p.decision.target.ref.text, cover(p.title), _verdict(words, p.rule.verdict)]
            for p in plan.planned[:_MOST]
        ]
        session.out.table(heads, rows, wide=1)
    session.out.line(
        words.many(
            "{n} proposal would be decided by a rule. Nothing was written.",
            "{n} proposals would be decided by a rule. Nothing was written.",
            len(plan.planned),
        )
    )
    _tell_left(session, plan.left)
    return Exit.DONE


def _tell_left(session: Session, left: Any) -> None:
    for cause, number in left.items():
        session.out.line(left_because(session.words, cause, number))


def _verdict(words: Words, verdict: str) -> str:
    return words.say("approve it") if verdict == Verdict.APPROVE.value else words.say("reject it")


def _log(session: Session, store: OpenedStore) -> Exit:
    words, found = session.words, session.services.rules.decisions.list(store.id)
    session.out.document({"store": store.info.path, "decisions": [_data(one) for one in found]})
    if found:
        heads = [words.say("NUMBER"), words.say("WHEN"), words.say("DECISION"), words.say("TITLE")]
        rows = [
            [str(one.act.number), names.here(one.act.at), _decision(words, one), cover(one.title)]
            for one in found[:_MOST]
        ]
        session.out.table(heads, rows, wide=3)
    session.out.line(words.many("Rules decided {n} time.", "Rules decided {n} times.", len(found)))
    if found:
        session.out.line(words.say("Take back: review STORE rules back NUMBER…"))
    return Exit.DONE


def _data(one: Decided) -> dict[str, Any]:
    act = one.act
    return {
        "number": act.number,
        "at": act.at,
        "rule": act.rule,
        "verdict": act.verdict,
        "ref": one.ref.text,
        "memory": act.memory or None,
        "state": act.state,
        "can_be_taken_back": one.can_be_taken_back,
    }


def _decision(words: Words, one: Decided) -> str:
    if one.act.state == "taken back":
        return words.say("taken back")
    if one.act.verdict == Verdict.APPROVE.value:
        return words.say("approved")
    return words.say("rejected")


def _back(session: Session, store: OpenedStore, given: list[str]) -> Exit:
    if not given:
        raise UserError("usage.rules_which", act="back")
    decisions, words = session.services.rules.decisions, session.words
    there = {str(one.act.number): one for one in decisions.list(store.id)}
    for number in given:
        if number not in there or not there[number].can_be_taken_back:
            raise UserError("rules.decision", number=number)
    numbers = [there[number].act.number for number in dict.fromkeys(given)]
    result = decisions.take_back(store.id, numbers, cancel=session.cancel)
    failed = [
        {"ref": ref.text, "error": session.out.error_data(error)} for ref, error in result.failed
    ]
    session.out.document(
        {"counts": {"reopened": result.done, "failed": len(failed)}, "failed": failed}
    )
    session.out.line(
        words.many("{n} proposal waits again.", "{n} proposals wait again.", result.done)
    )
    for ref, error in result.failed:
        reason = explain(words, error).text
        session.out.line(words.say("{ref}: {reason}", ref=ref.text, reason=reason))
    return worst([status_of(error.code) for _ref, error in result.failed])
