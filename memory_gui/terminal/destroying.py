# SPDX-License-Identifier: MIT
"""``destroy``: a whole store, its key and its file."""

from __future__ import annotations

from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.erasure.result import EraseState
from memory_gui.services.erasing.destroying import Destroyed, DestroyPlan, left_data
from memory_gui.terminal.parser import Parser, Verb, with_store
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words
from memory_gui.words.erasure import holding, limit
from memory_gui.words.errors import explain
from memory_gui.words.receipts import DESTROYED


def _arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument(
        "--dry-run", action="store_true", help=words.say("say what would be done and write nothing")
    )
    parser.add_argument("--yes", action="store_true", help=words.say("do not ask"))
    parser.add_argument("--receipt", metavar="FILE", help=words.say("where to write the receipt"))


def destroy(session: Session) -> Exit:
    """Say what it means, ask, do it."""
    store = session.open(pair=False)
    with session.progress() as tick:
        plan = session.services.destroying.plan(store.id, tick=tick, cancel=session.cancel)
    words, out = session.words, session.out
    if session.args.dry_run:
        told = {"path": plan.path, "key": plan.key, "records": plan.records}
        out.document({"dry_run": True, **told, **left_data(plan)})
        _tell(session, plan)
        return Exit.DONE
    _tell(session, plan)
    session.confirm(words.say("Destroy {path} for good? This cannot be undone.", path=plan.path))
    receipt = session.args.receipt
    done = session.services.destroying.run(plan, receipt=None if receipt is None else Path(receipt))
    out.document(done.as_json())
    return _end(session, done)


def _tell(session: Session, plan: DestroyPlan) -> None:
    words, out = session.words, session.out
    out.line(
        words.many("{path}: {n} record.", "{path}: {n} records.", plan.records, path=plan.path)
    )
    out.line(words.say(DESTROYED[plan.key]))
    if plan.not_covered:
        out.line(words.say("Not covered:"))
    for one in plan.not_covered:
        out.line(words.say("- {limit}", limit=limit(words, one.code, one.params)))
    if plan.may_hold:
        out.line(words.say("Who may still hold it:"))
    for held in plan.may_hold:
        out.line(words.say("- {limit}", limit=holding(words, held)))


def _end(session: Session, done: Destroyed) -> Exit:
    words, out = session.words, session.out
    if done.gone.state is not EraseState.PROVED:
        reason = UserError(done.gone.reason or "erase.failed", path=done.plan.path)
        out.line(explain(words, reason).text)
        for who in done.gone.open_by:
            out.line(words.say("{name} (pid {pid}) has it open.", name=who.name, pid=str(who.pid)))
        return Exit.NOT_FINISHED
    out.line(words.say("Destroyed."))
    if done.receipt:
        out.line(words.say("Receipt: {path}", path=done.receipt))
    return Exit.DONE


VERBS = (Verb("destroy", N_("destroy a whole store: its key and its file"), _arguments),)
RUN = {"destroy": destroy}
