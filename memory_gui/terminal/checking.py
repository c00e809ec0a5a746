# SPDX-License-Identifier: MIT
"""``check``, ``stores``, ``lock``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.errors import DAMAGED
from memory_gui.services import CheckLine
from memory_gui.terminal import names
from memory_gui.terminal.inputs import resolved
from memory_gui.terminal.parser import Parser, Verb, with_store
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words
from memory_gui.words.checks import say_check

_MARKS: Final[Mapping[bool | None, str]] = {True: "+", None: "?", False: "!"}


def _check_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)


def check(session: Session) -> Exit:
    """Whether the store is well; ends 9 when something is certainly wrong."""
    try:
        store = session.open()
        path, lines = store.info.path, session.services.checks.check(store.id)
    except UserError as error:
        if error.code not in DAMAGED:
            raise
        path = str(session.services.library.locate(session.path()).main)
        lines = session.services.checks.check(path, key=session.key())
    wrong = any(line.ok is False for line in lines)
    english = Words("en")
    session.out.document(
        {
            "store": path,
            "ok": not wrong,
            "checks": [_check_data(english, line) for line in lines],
        }
    )
    for line in lines:
        text = say_check(session.words, line.code, line.ok, line.params)
        session.out.line(f"{_MARKS[line.ok]} {text}")
    return Exit.WRONG if wrong else Exit.DONE


def _check_data(english: Words, line: CheckLine) -> dict[str, object]:
    return {
        "code": line.code,
        "ok": line.ok,
        "params": dict(line.params),
        "text": say_check(english, line.code, line.ok, line.params),
    }


# ---- stores


def _stores_arguments(parser: Parser, words: Words) -> None:
    parser.add_argument(
        "act",
        metavar="ACT",
        choices=("list", "name", "forget"),
        help=words.say("list, name, forget"),
    )
    parser.add_argument("store", metavar="STORE", nargs="?", help=words.say("a known store"))
    parser.add_argument("name", metavar="NAME", nargs="?", help=words.say("its new name"))


def stores(session: Session) -> Exit:
    """The stores opened before."""
    library = session.services.library
    act, store, name = session.args.act, session.args.store, session.args.name
    if act == "list":
        known = library.known()
        session.out.document({"stores": [asdict(one) for one in known], **session.ledger_field()})
        words = session.words
        if known:
            heads = [words.say("NAME"), words.say("FORMAT"), words.say("OPENED"), words.say("PATH")]
            rows = [[one.name, one.format, names.here(one.last_opened), one.path] for one in known]
            session.out.table(heads, rows)
        else:
            session.out.line(words.say("No store is known yet."))
        session.say_ledger()
        return Exit.DONE
    if store is None or (act == "name") is not (name is not None):
        raise UserError("usage.stores")
    path = session.path() if store.startswith("name:") else resolved(store)
    if act == "name":
        if path not in {one.path for one in library.known()}:
            opened = session.open(pair=False)
            library.known()
            path = opened.info.path
        library.name(path, name)
    else:
        library.forget(path)
    session.out.document({"store": path, "done": act, **session.ledger_field()})
    session.out.line(path)
    session.say_ledger()
    return Exit.DONE


# ---- lock


def _lock_arguments(parser: Parser, words: Words) -> None:
    del parser, words


def lock(session: Session) -> Exit:
    """Lock every open window of the app."""
    windows = session.services.neighbours.lock()
    session.out.document({"locked": windows})
    session.out.line(
        session.words.many("{n} window is locked.", "{n} windows are locked.", windows)
        if windows
        else session.words.say("No window is open.")
    )
    return Exit.DONE


VERBS = (
    Verb("check", N_("whether a store is well"), _check_arguments),
    Verb("stores", N_("the stores opened before: list, name, forget"), _stores_arguments),
    Verb("lock", N_("lock the open windows"), _lock_arguments),
)
RUN = {"check": check, "stores": stores, "lock": lock}
